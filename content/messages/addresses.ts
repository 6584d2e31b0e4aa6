/** The checkout's questions about an address before it is saved. */
export const addressMessages = {
  title: 'Is this address right?',
  street: 'We see no street number in it. Drivers need one to find you.',
  city: ({ zip, city, state }: { zip: string; city: string; state: string }) => `${zip} is in ${city}, ${state}.`,
  notFound: 'The carrier does not know this address. Check the street and the number.',
  spelling: 'The carrier spells it differently.',
  shopTitle: (shop: string) => `This is the address of ${shop}`,
  shop: 'They can install your tires. You prepay with your order, and you choose a time.',
} as const
