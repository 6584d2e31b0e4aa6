/** Cards that an account had saved at the payment provider. Safe in the browser. */
import { storeZone } from '#platform/store-zone.ts'

export type SavedCard = {
  id: string
  brand: string
  last4: string
  expMonth: number
  expYear: number
  isDefault: boolean
}

/** Names the wording of the consent to save a card. Change it with the words in content/messages/saved-cards.ts. */
export const cardConsentVersion = '2026-11-23'

/** An account has room for this many. */
export const mostSavedCards = 10

/** A card is good through the end of its month. */
export function isExpired(
  { expMonth, expYear }: Pick<SavedCard, 'expMonth' | 'expYear'>,
  now: Temporal.Instant,
): boolean {
  const { year, month } = now.toZonedDateTimeISO(storeZone)
  return expYear < year || (expYear === year && expMonth < month)
}

const brandNames: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}

/** "Visa ending in 4242". */
export function cardName({ brand, last4 }: Pick<SavedCard, 'brand' | 'last4'>): string {
  return `${brandNames[brand] ?? 'Card'} ending in ${last4}`
}

/** "03/2028". */
export function expiryText({ expMonth, expYear }: Pick<SavedCard, 'expMonth' | 'expYear'>): string {
  return `${String(expMonth).padStart(2, '0')}/${expYear}`
}
