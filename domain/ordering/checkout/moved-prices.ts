/** Prices that changed since the shopper saw them. */
import type { BusinessTerms } from '#domain/kernel/settings/settings.ts'
import { articleName, type Cart } from '#domain/payments/cart/cart.ts'
import type { PriceBreakdown } from '#domain/pricing/pricing/pricing.ts'
import { chargedPrices } from './charged-prices.ts'

/** A charged list price that differs from what the shopper last saw; before promotions, without excise tax. */
export type MovedPrice = { itemId: number; name: string; fromCents: number; toCents: number }

/** Returns the charged prices of a cart's lines that differ from the ones its shopper saw. */
export function movedPrices(cart: Cart, breakdown: PriceBreakdown | null, terms: BusinessTerms): MovedPrice[] {
  const chargedOf = chargedPrices(cart.lines, breakdown, terms)
  return cart.lines
    .filter((line) => line.seenUnitCents !== line.unitCents && chargedOf(line).unitCents === line.unitCents)
    .map((line) => ({
      itemId: line.itemId,
      name: articleName(line.article),
      fromCents: line.seenUnitCents,
      toCents: line.unitCents,
    }))
}
