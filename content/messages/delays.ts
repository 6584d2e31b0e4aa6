/** Messages about delayed orders. */

/** What a shopper can answer, and what happens. */
export const delayMessages = {
  none: 'Your order is on time.',
  over: 'This delay is already resolved.',
  wait: 'Keep waiting',
  move: 'Move my appointment',
  cancel: 'Cancel and refund',
  waiting: 'Thank you for waiting. You can still change your mind until the tires arrive.',
  moved: 'Your appointment is moved. You can still change your mind until the tires arrive.',
  canceled: 'Your order is canceled. We’ll refund what you paid, and email you when we’ve sent it.',
  leftToStaff: 'We’re canceling the items that haven’t arrived. Our team will refund them within a day.',
  pickTime: 'Pick a time.',
  timeTaken: 'That time was just taken. Pick another one.',
} as const
