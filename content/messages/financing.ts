/** What shoppers read about financing by application; the first two are the specification's, verbatim. */
export { paymentUnavailable as financingFailed } from '#content/messages/payments.ts'
export const creditDeclined = 'Your credit application was not accepted'

export const creditDeclinedDetail =
  'The lender decides this, and it sends you the reason. Nothing was charged, and your cart is as it was.'
