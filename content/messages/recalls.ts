/** Messages about recalls that affect a shopper's tires. */
export const recallMessages = {
  heading: 'Your tires are recalled.',
  none: 'Your tires have no recalls.',
  noneLine: 'We tell you by email if that changes.',
  choose: 'Choose an answer.',
  taken: 'Thank you. You can change your answer at any time.',
  free: 'The manufacturer’s recall remedy is free.',
} as const
