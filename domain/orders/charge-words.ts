/** How an order was paid, in words: a card, or an account elsewhere. */
import { cardName } from '#domain/saved-cards/saved-cards.ts'
import { isOfCard, ruleOf } from '#domain/payments/payments.ts'

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

/** "your card", "your PayPal account": where money comes from and goes back to. */
export function chargedTo(payment: Charged): string {
  return isCard(payment) ? 'your card' : `your ${methodName(payment)} account`
}

/** What of a canceled order that was not charged is still seen where it was paid. */
export function releasedText(payment: Charged, amount: string): string {
  return isCard(payment)
    ? `Your card is not charged. A hold your bank shows on ${amount} goes away by itself, usually within a few days.`
    : `Your ${methodName(payment)} account is not charged, and the ${amount} set aside there is released.`
}

/** "goes back to your card; banks take a few days to show it": the rest of a sentence about an amount. */
export function goesBack(payment: Charged): string {
  return `goes back to ${chargedTo(payment)}; banks take a few days to show it`
}
