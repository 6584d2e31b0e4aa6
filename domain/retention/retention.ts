/**
 * How long what nobody needs any more is kept, in days. The job goes by these numbers, and the privacy policy names
 * them, so that the two cannot part. Safe in the browser.
 */
export const retentionDays = {
  /** An open cart, since it was last changed. What a payment or an appointment still names is emptied instead. */
  cart: 90,
  /** The name, address, email and phone in an open cart, since it was last changed. */
  cartContact: 30,
  /** What payment provider and carrier told us. What followed from it stands with the order. */
  providerEvent: 90,
  /** Which network a payment came from. */
  paymentNetwork: 30,
  /** What an account searched for. */
  search: 90,
} as const
