import { expiryOf, type CardEntry } from './card-entry.ts'

/** How a test card behaves when it is charged. */
export type CardBehavior =
  | { kind: 'authorizes' }
  | {
      kind: 'declines'
      code: 'card_declined' | 'expired_card' | 'processing_error'
      declineCode: string
      message: string
      /** It can be saved all the same, and is declined whenever it is charged. */
      attaches?: true
    }
  /** `always`: also when it was saved before, so that it cannot be charged while its owner is away. */
  | { kind: 'challenges'; always?: true }
  | { kind: 'stalls' }
  | { kind: 'repeats-webhooks' }
  | { kind: 'drops-response' }
  | { kind: 'refunds-slowly' }
  | { kind: 'fails-refunds' }
  | { kind: 'disputes' }

export type TestCard = {
  number: string
  brand: 'visa' | 'mastercard' | 'amex' | 'discover'
  /** The card's name for server calls, instead of a number: `payment_method=pm_card_visa`. */
  paymentMethod: string
  behavior: CardBehavior
  /** The description on the page of test cards. */
  words: string
}

/** The stored card data, without the number. */
export type CardOnFile = {
  behavior: CardBehavior
  brand: TestCard['brand']
  last4: string
  expMonth: number
  expYear: number
  zip: string | null
  /** The street of the billing address, where it is known. */
  street?: string
  /** The wallet of the device it came from. */
  wallet?: 'apple_pay' | 'google_pay'
}

/** Where Stripe has a test card for the case, the number and name are Stripe's: https://docs.stripe.com/testing */
export const testCards: readonly TestCard[] = [
  {
    number: '4242424242424242',
    brand: 'visa',
    paymentMethod: 'pm_card_visa',
    behavior: { kind: 'authorizes' },
    words: 'Succeeds',
  },
  {
    number: '5555555555554444',
    brand: 'mastercard',
    paymentMethod: 'pm_card_mastercard',
    behavior: { kind: 'authorizes' },
    words: 'Succeeds (Mastercard)',
  },
  {
    number: '378282246310005',
    brand: 'amex',
    paymentMethod: 'pm_card_amex',
    behavior: { kind: 'authorizes' },
    words: 'Succeeds (American Express, 4-digit code)',
  },
  {
    number: '6011111111111117',
    brand: 'discover',
    paymentMethod: 'pm_card_discover',
    behavior: { kind: 'authorizes' },
    words: 'Succeeds (Discover)',
  },
  {
    number: '4000000000000002',
    brand: 'visa',
    paymentMethod: 'pm_card_visa_chargeDeclined',
    behavior: {
      kind: 'declines',
      code: 'card_declined',
      declineCode: 'generic_decline',
      message: 'The bank declined this card. Try another card, or call the bank.',
    },
    words: 'Declines',
  },
  {
    number: '4000000000009995',
    brand: 'visa',
    paymentMethod: 'pm_card_visa_chargeDeclinedInsufficientFunds',
    behavior: {
      kind: 'declines',
      code: 'card_declined',
      declineCode: 'insufficient_funds',
      message: 'This card does not have enough funds. Try another card.',
    },
    words: 'Declines: insufficient funds',
  },
  {
    number: '4000000000000069',
    brand: 'visa',
    paymentMethod: 'pm_card_chargeDeclinedExpiredCard',
    behavior: {
      kind: 'declines',
      code: 'expired_card',
      declineCode: 'expired_card',
      message: 'This card has expired. Try another card.',
    },
    words: 'Declines: expired',
  },
  {
    number: '4000000000000119',
    brand: 'visa',
    paymentMethod: 'pm_card_chargeDeclinedProcessingError',
    behavior: {
      kind: 'declines',
      code: 'processing_error',
      declineCode: 'processing_error',
      message: 'Something went wrong at the bank. Your card was not charged. Try again in a moment.',
    },
    words: 'Declines: processing error',
  },
  {
    number: '4000002500003155',
    brand: 'visa',
    paymentMethod: 'pm_card_authenticationRequired',
    behavior: { kind: 'challenges' },
    words: 'Asks for approval on a page of the bank first; once saved, no more',
  },
  {
    number: '4000002760003184',
    brand: 'visa',
    paymentMethod: 'pm_card_authenticationRequiredAlways',
    behavior: { kind: 'challenges', always: true },
    words: "Requires approval every time, so it can't be charged later without you",
  },
  {
    number: '4000000000000341',
    brand: 'visa',
    paymentMethod: 'pm_card_chargeCustomerFail',
    behavior: {
      kind: 'declines',
      code: 'card_declined',
      declineCode: 'generic_decline',
      message: 'The bank declined this card. Try another card, or call the bank.',
      attaches: true,
    },
    words: 'Can be saved, but declines whenever it is charged',
  },
  {
    number: '4000000000007726',
    brand: 'visa',
    paymentMethod: 'pm_card_pendingRefund',
    behavior: { kind: 'refunds-slowly' },
    words: 'Succeeds; its refunds stay pending for 5 seconds',
  },
  {
    number: '4000000000005126',
    brand: 'visa',
    paymentMethod: 'pm_card_refundFail',
    behavior: { kind: 'fails-refunds' },
    words: 'Succeeds; its refunds fail after 5 seconds',
  },
  {
    number: '4000000000000259',
    brand: 'visa',
    paymentMethod: 'pm_card_createDispute',
    behavior: { kind: 'disputes' },
    words: 'Succeeds; its owner disputes the charge as fraud once it is captured',
  },
  {
    number: '4000000000020000',
    brand: 'visa',
    paymentMethod: 'pm_card_stalls',
    behavior: { kind: 'stalls' },
    words: 'Succeeds, but only after 20 seconds',
  },
  {
    number: '4000000000022220',
    brand: 'visa',
    paymentMethod: 'pm_card_repeatsWebhooks',
    behavior: { kind: 'repeats-webhooks' },
    words: 'Succeeds; every webhook comes twice, and out of order',
  },
  {
    number: '4000000000009003',
    brand: 'visa',
    paymentMethod: 'pm_card_dropsResponse',
    behavior: { kind: 'drops-response' },
    words: 'Succeeds, but the connection breaks before the answer',
  },
]

const unknownCard: CardBehavior = {
  kind: 'declines',
  code: 'card_declined',
  declineCode: 'test_mode_live_card',
  message: 'This is a sandbox and takes only its own test cards, such as 4242 4242 4242 4242.',
}

/**
 * Returns the card for a validated entry. Declines every number other than a test card because it could be a real card.
 */
export function enteredCard(entry: CardEntry): CardOnFile {
  const digits = entry.number.replace(/\D/g, '')
  const card = testCards.find(({ number }) => number === digits)
  const { month, year } = expiryOf(entry)
  return {
    behavior: card?.behavior ?? unknownCard,
    brand: card?.brand ?? 'visa',
    last4: digits.slice(-4),
    expMonth: month,
    expYear: year,
    zip: entry.zip.trim(),
  }
}

/**
 * The card that a server call names instead of a number, valid through the end of next year; undefined if no test card
 * has that name.
 */
export function namedCard(paymentMethod: string, now: Temporal.Instant): CardOnFile | undefined {
  const card = testCards.find((candidate) => candidate.paymentMethod === paymentMethod)
  if (!card) return undefined
  const { behavior, brand, number } = card
  return {
    behavior,
    brand,
    last4: number.slice(-4),
    expMonth: 12,
    expYear: now.toZonedDateTimeISO('UTC').year + 1,
    zip: null,
  }
}
