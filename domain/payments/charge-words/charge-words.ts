/** Display names for an order's payment method, such as a card or another account. */
import { cardName } from '#domain/payments/saved-cards/saved-cards.ts'
import { isOfCard, ruleOf } from '#domain/payments/payments/payments.ts'

type Charged = { method: string; card?: { brand: string; last4: string } | null } | null

function isCard(payment: Charged): boolean {
  return payment === null || isOfCard(payment.method)
}

/** "Visa ending in 4242", "Apple Pay, Visa ending in 4242", "PayPal": how an order was paid. */
export function methodName(payment: Charged): string {
  const name = ruleOf(payment?.method ?? 'card')?.name ?? 'Card'
  if (!payment?.card) return name
  return payment.method === 'card' ? cardName(payment.card) : `${name}, ${cardName(payment.card)}`
}

/** "Visa ending in 4242", "card" where the provider has not named it, "PayPal account": what money comes from. */
export function accountName(payment: Charged): string {
  if (!isCard(payment)) return `${methodName(payment)} account`
  return payment?.card ? cardName(payment.card).replace(/^Card/, 'card') : 'card'
}

/** Returns the account charged or refunded, such as "your Visa ending in 4242" or "your PayPal account". */
export function chargedTo(payment: Charged): string {
  return `your ${accountName(payment)}`
}

/** What of a canceled order that was not charged is still seen where it was paid. */
export function releasedText(payment: Charged, amount: string): string {
  return isCard(payment)
    ? `Your ${accountName(payment)} is not charged. A hold your bank shows on ${amount} disappears automatically, usually within a few days.`
    : `Your ${accountName(payment)} is not charged, and the ${amount} set aside there is released.`
}

/** Returns the text for a refund that hasn't been sent yet. `amount` such as "$25.00". */
export function refundPlanned(payment: Charged, amount: string): string {
  return `We’ll refund ${amount} to ${chargedTo(payment)}, and email you when we’ve sent it.`
}

/** Returns the text for a refund that was sent. `amount` such as "$25.00". */
export function refundSent(payment: Charged, amount: string): string {
  return `We refunded ${amount} to ${chargedTo(payment)}. Banks usually show it within a few days.`
}
