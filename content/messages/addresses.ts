/** What the checkout asks about an address before it is kept. */
export const addressMessages = {
  title: 'Is this address right?',
  street: 'We see no street number in it. Drivers need one to find you.',
  city: ({ zip, city, state }: { zip: string; city: string; state: string }) => `${zip} is in ${city}, ${state}.`,
  notFound: 'The carrier does not know this address. Check the street and the number.',
  spelling: 'The carrier spells it differently.',
  shopTitle: (shop: string) => `This is the address of ${shop}`,
  shop: 'Have them install your tires: you prepay with your order, and you get a time.',
} as const
