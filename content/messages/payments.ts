/** The specification's messages about payments, verbatim. */
export const paymentError = 'Payment error'
export const paymentUnavailable =
  "We're sorry, the payment was not able to be processed. Please try again or use another payment method."
export const processingMessage =
  'Your payment is processing... please check for your email confirmation. If that does not arrive in 30 mins, please contact customer service'

export const tooManyCards =
  'Several cards were declined, so you can’t try another card for an hour. Choose another payment method, or call us.'

/** A payment problem, with the provider's message and the specification's title, or with our own message. */
export type PaymentProblem = { title: string | null; words: string }

/** The result of a payment attempt, for the payment method's page. */
export type PaymentOutcome = 'canceled' | 'declined' | 'failed' | 'expired' | 'unavailable'

/** The specification's titles for going back without paying; other methods have their name in the same words. */
const canceledTitles: Readonly<Record<string, string>> = {
  paypal: 'PayPal payment canceled',
  'apple-pay': 'ApplePay payment canceled',
  'google-pay': 'GooglePay payment canceled',
  'net-terms': 'Resolve payment canceled',
  resolve: 'Resolve payment canceled',
}

/** The methods with a sheet and a button on the page. */
const wallets: ReadonlySet<string> = new Set(['apple-pay', 'google-pay'])

/** The lender declined. */
export const applicationDeclined = 'Your credit application was not accepted'

/** The methods for which a lender decides on an application. */
const byApplication: ReadonlySet<string> = new Set(['lease', 'loan', 'store-card'])

/** The methods that invoice a company. */
const onTerms: ReadonlySet<string> = new Set(['net-terms', 'resolve'])

/** The methods that open a loan of one purchase. */
const payLater: ReadonlySet<string> = new Set(['klarna', 'affirm', 'afterpay', ...byApplication])

/**
 * The alert for how a payment by `method` ended. `name` is the method's name; `words` the provider's own sentence, if it
 * has one for the shopper. `isHeld`: a time in a shop is still kept.
 */
export function paymentOutcome(
  method: string,
  outcome: PaymentOutcome,
  { name, words, isHeld }: { name: string; words?: string | null; isHeld: boolean },
): { tone: 'stop' | 'caution'; title: string; words: string } {
  const held = isHeld ? ' Your time is still held.' : ''
  if (outcome === 'canceled')
    return {
      tone: 'caution',
      title: canceledTitles[method] ?? `${name} payment canceled`,
      words: canceledWords(method, held),
    }
  // A lender's other words are of an application that ended without a decision, or with too little.
  if (byApplication.has(method) && outcome === 'declined' && (words ?? applicationDeclined) === applicationDeclined)
    return {
      tone: 'stop',
      title: applicationDeclined,
      words: `The ${method === 'lease' ? 'leasing company' : 'lender'} decides this, and it sends you the reason. You haven’t been charged.${held}`,
    }
  if (onTerms.has(method))
    return {
      tone: 'stop',
      title: paymentUnavailable,
      words: `We didn’t create an invoice, and you haven’t been charged.${held}`,
    }
  if (payLater.has(method))
    return {
      tone: 'stop',
      title: paymentUnavailable,
      words: `No loan was opened, and you haven’t been charged.${held}`,
    }
  return {
    tone: 'stop',
    title: paymentError,
    words:
      outcome === 'unavailable'
        ? paymentUnavailable
        : `${words || paymentUnavailable} You haven’t been charged.${held}`,
  }
}

function canceledWords(method: string, held: string): string {
  if (onTerms.has(method)) return `No invoice was made.${held}`
  return wallets.has(method)
    ? `You haven’t been charged.${held} Use the button again, or choose another way.`
    : `You left before approving it. You haven’t been charged.${held}`
}

/** Under 539's sentence, while the bank has not answered. */
export function processingWords({ time, phone }: { time: string | null; phone: string }): string {
  const held = time === null ? '' : ` We’re holding ${time} for you.`
  return `Please don’t pay again.${held} This page continues automatically when your bank responds. Customer service: ${phone}.`
}

/** Why a method that would fit this order cannot be chosen right now. */
export function notAnswering(name: string): string {
  return `${name} isn’t answering right now. It opens here again as soon as it works.`
}

/** Why Resolve does not let a company buy, by its status there; null where it does. */
export const termsStatuses = {
  approved: null,
  pending: null,
  hold: 'Your company’s account at Resolve is on hold. Ask Resolve about it, or pay another way.',
  declined: 'Resolve did not approve net terms for your company.',
  none: 'Your company’s account at Resolve is closed. Ask us about net terms.',
} as const

export function tooLittleOnTerms(available: string): string {
  return `Resolve has ${available} available for your company, which is less than this order.`
}
