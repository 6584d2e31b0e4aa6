/** Messages about recalls of a shopper's tires. */
export const recallMessages = {
  heading: 'Your tires are recalled.',
  none: 'None of your tires is recalled.',
  noneLine: 'We tell you by email if that changes.',
  choose: 'Choose an answer.',
  taken: 'Thank you. You can change your answer at any time.',
  free: 'The maker’s remedy for a recall costs you nothing.',
} as const
