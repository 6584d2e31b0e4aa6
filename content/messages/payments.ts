/** The specification's messages about payments, verbatim. */
export const paymentError = 'Payment error'
export const paymentUnavailable =
  "We're sorry, the payment was not able to be processed. Please try again or use another payment method."
export const processingMessage =
  'Your payment is processing... please check for your email confirmation. If that does not arrive in 30 mins, please contact customer service'

export const tooManyCards =
  'Several cards were declined in a row, so please wait before the next. Try again in an hour, or call us.'

/** A payment problem: the provider's message under the specification's title, or ours alone. */
export type PaymentProblem = { title: string | null; words: string }
