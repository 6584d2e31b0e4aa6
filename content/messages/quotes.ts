/** Messages about quotes. */
export const quoteMessages = {
  /** The specification's, verbatim. */
  sent: 'Quote Sent Successfully',
  notSent: 'Quote Could Not Be Sent',
} as const
