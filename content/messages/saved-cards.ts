/** Consent texts and messages for owners of saved cards. */

/** The consent to save a card. Change `cardConsentVersion` with these words. */
export function cardConsent(store: string): string {
  return `Save this card with our payment provider, so that I can pay with it later and for renewals I turn on. ${store} stores only its brand, last four digits and expiration date. I can remove it any time in my account under Payment methods.`
}

/** The consent to renew a membership. Change `renewalConsentVersion` with these words. */
export function renewalConsent(price: string): string {
  return `Renew my membership each year with my default card, at the price of that day (today ${price}). You email me at least a week before each charge, and I can stop it any time with one click.`
}

/** The outcome of an act on the payment methods page. */
export const cardNews = {
  added: 'Your card is saved.',
  'not-added': 'No card was saved. Try again or use another card.',
  unavailable: 'The payment provider does not answer just now. Try again in a minute.',
  removed: 'The card is removed here and at the payment provider.',
  default: 'Saved. We use this card from now on.',
  full: 'You can save up to ten cards. Remove one first.',
  renewing: 'Your membership renews. We write to you before each charge.',
  stopped: 'Renewal turned off. You won’t be charged again.',
} as const
export type CardNews = keyof typeof cardNews

/** Why a saved card cannot pay. */
export const savedCardRefusals = {
  removed: 'This card was removed from your account. Choose another one.',
  expired: 'This card has expired. Choose another one, or enter a new card.',
} as const
