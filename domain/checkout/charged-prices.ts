/**
 * Which price of a tire is charged: a cart may cost its buyer less at retail with promotions than at the account's own
 * prices.
 */
import { articleName, type CartLine } from '#domain/cart/cart.ts'
import { articleId, groupByArticle, priceTires, type OfferedTires } from '#domain/offers/offers.ts'
import type { PriceBreakdown } from '#domain/pricing/pricing.ts'

/** The cart's lines as pricing takes them: one entry per article. */
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
 * Returns the price charged for each line by the price of the whole cart or, when the destination is not known, of the
 * tires alone. A line whose article is not in the price is at its own price.
 */
export function chargedPrices(
  lines: readonly CartLine[],
  breakdown: PriceBreakdown | null,
): (line: Pick<CartLine, 'itemId' | 'unitCents'>) => ChargedPrice {
  const priced = breakdown ?? priceTires(offeredTires(lines))
  const byArticle = new Map(
    priced.lines.flatMap((line) => (line.kind === 'tire' ? [[line.articleId, line] as const] : [])),
  )
  return ({ itemId, unitCents }) => {
    const charged = byArticle.get(articleId(itemId))
    return charged ? { unitCents: charged.unitCents, label: charged.label } : { unitCents, label: null }
  }
}
