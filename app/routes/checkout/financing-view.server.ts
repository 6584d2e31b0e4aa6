/** Reads the lender's offer for an order before the shopper applies, and whether the lender finances the order. */
import type { Cart } from '#domain/payments/cart/cart.ts'
import type { CartQuote } from '#domain/ordering/checkout/checkout.server.ts'
import { whyNotFinanced, type NotFinanced, type PaymentMethodRule } from '#domain/payments/payments/payments.ts'
import { formatCents } from '#platform/money.ts'
import type { Application } from '#application'

/** What a product costs, in the lender's own words and amounts. */
export type OfferView = { headline: string; rows: { label: string; amount: string }[]; disclosure: string }

/**
 * Returns the lender's offer for this amount. Returns null for other payment methods and while the lender is
 * unavailable.
 */
export async function readOffer(
  { financing }: Pick<Application, 'financing'>,
  { type, provider }: PaymentMethodRule,
  amountCents: number,
): Promise<OfferView | null> {
  if (provider !== 'lender' || !financing || amountCents === 0) return null
  const offers = await financing.offers(amountCents)
  const offer = offers.ok ? offers.value.find(({ product }) => product === type) : undefined
  return offer
    ? {
        headline: offer.headline,
        rows: offer.rows.map(({ label, cents }) => ({ label, amount: formatCents(cents) })),
        disclosure: offer.disclosure,
      }
    : null
}

/** Returns why a lender doesn't finance this cart by `rule`. Returns null if it does or if the method has no lender. */
export function whyNotFinancedBy(
  rule: PaymentMethodRule,
  cart: Pick<Cart, 'fulfillment'>,
  { breakdown }: Pick<CartQuote, 'breakdown'>,
): NotFinanced | null {
  const kinds = breakdown?.lines.map(({ kind }) => kind) ?? []
  return whyNotFinanced(rule, { kinds, fulfillment: cart.fulfillment })
}
