/** The specification's words about payments, to the letter. */
export const paymentError = 'Payment error'
export const paymentUnavailable =
  "We're sorry, the payment was not able to be processed. Please try again or use another payment method."
export const processingMessage =
  'Your payment is processing... please check for your email confirmation. If that does not arrive in 30 mins, please contact customer service'

export const tooManyCards =
  'Several cards were declined one after the other, so we wait with the next. Try again in an hour, or call us.'

/** What is said about a payment: the provider's words under the specification's, or ours alone. */
export type PaymentProblem = { title: string | null; words: string }
