/** Messages about delayed orders. */

/** What a shopper can answer, and what happens. */
export const delayMessages = {
  none: 'Your order is on time.',
  over: 'There is nothing left to decide about this delay.',
  wait: 'Keep waiting',
  move: 'Move my appointment',
  cancel: 'Cancel and refund',
  waiting: 'Thank you for waiting. You can still change your mind until the tires arrive.',
  moved: 'Your appointment is moved. You can still change your mind until the tires arrive.',
  canceled: 'Your order is canceled. We’ll refund what you paid, and email you when we’ve sent it.',
  leftToStaff: 'We are canceling what has not arrived. A member of our team refunds it within a day.',
  pickTime: 'Pick a time.',
  timeTaken: 'That time was just taken. Pick another one.',
} as const
