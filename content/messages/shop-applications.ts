/** Messages of the form for shops that want to install (specification, section 5), and of what follows it. */
export const shopApplicationMessages = {
  email: 'Please enter valid email',
  phone: 'Phone Number should contain 10 digits',
  company: 'Please enter the name of your shop',
  website: 'Please enter an address like wctire.com, or leave it empty',
  noHours: 'Choose when you open and close on at least one day',
  agree: 'Not accepted yet',
  zipUnknown: 'We do not know this ZIP code',
  pictureKind: 'Please send a JPEG or PNG picture.',
} as const
