/** The charged price of each tire. A cart may cost less at retail with promotions than at the account's own prices. */
import { articleName, type CartLine } from '#domain/payments/cart/cart.ts'
import { articleId, groupByArticle, priceTires, type OfferedTires } from '#domain/catalog/offers/offers.ts'
import type { BusinessTerms } from '#domain/kernel/settings/settings.ts'
import type { PriceBreakdown } from '#domain/pricing/pricing/pricing.ts'

/** Converts the cart's lines for pricing, with one entry per item. */
export function offeredTires(lines: readonly CartLine[]): OfferedTires[] {
  return groupByArticle(
    lines.map((line) => ({
      itemId: line.itemId,
      name: articleName(line.article),
      quantity: line.quantity,
      unitCents: line.retailUnitCents,
      mapCents: line.mapCents,
      account: line.account,
      quote: line.quote,
      fetUnitCents: line.fetUnitCents,
      weightLb: line.article.weightLb,
      coveredQuantity: line.coverage ? line.quantity : 0,
      spec: {
        rimIn: line.article.rimIn,
        aspect: line.article.aspect,
        runFlat: line.article.runFlat,
        sizeKind: line.article.sizeKind,
      },
      promotions: line.article.promotions,
    })),
  )
}

/** `unitCents` is before promotions and without excise tax; `label` is the price's label, null for retail. */
export type ChargedPrice = { readonly unitCents: number; readonly label: string | null }

/**
 * Returns the charged price of each line from the cart's total price, or from the tire-only price if the destination is
 * unknown. A line missing from the breakdown uses its own price.
 */
export function chargedPrices(
  lines: readonly CartLine[],
  breakdown: PriceBreakdown | null,
  terms: BusinessTerms,
): (line: Pick<CartLine, 'itemId' | 'unitCents'>) => ChargedPrice {
  const priced = breakdown ?? priceTires(offeredTires(lines), terms)
  const byArticle = new Map(
    priced.lines.flatMap((line) => (line.kind === 'tire' ? [[line.articleId, line] as const] : [])),
  )
  return ({ itemId, unitCents }) => {
    const charged = byArticle.get(articleId(itemId))
    return charged ? { unitCents: charged.unitCents, label: charged.label } : { unitCents, label: null }
  }
}
