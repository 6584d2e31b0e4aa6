/**
 * A cart's price as purchasing system lines, each with a quantity and unit price, which add up to the price without
 * sales tax. Pure.
 */
import { parseArticleId } from '#domain/catalog/offers/offers.ts'
import { lineName, tireFeeName, type PriceBreakdown, type PriceLine } from '#domain/pricing/pricing/pricing.ts'

export type PurchaseItem = {
  /** The SKU of a tire, or the name of a service or fee. */
  readonly partId: string
  /** The article of a tire. */
  readonly itemId: number | null
  readonly name: string
  readonly quantity: number
  /** Negative for a discount that no single price has. */
  readonly unitCents: number
}

/** The parts that are not tires. */
export const serviceParts = {
  coverage: 'COVERAGE',
  installation: 'INSTALLATION',
  'service-kit': 'SERVICE-KIT',
  disposal: 'DISPOSAL',
  roadside: 'ROADSIDE',
  shipping: 'SHIPPING',
  tireFee: 'TIRE-FEE',
  fet: 'FET',
  discount: 'DISCOUNT',
} as const

const serviceKinds = ['coverage', 'installation', 'service-kit', 'disposal', 'roadside', 'shipping'] as const

/** Returns a price's lines, tires first. `skuOf` returns the SKU of each item. */
export function purchaseItems(breakdown: PriceBreakdown, skuOf: (itemId: number) => string): PurchaseItem[] {
  const discounts: number[] = []
  const items: PurchaseItem[] = []
  for (const line of breakdown.lines.filter(({ kind }) => kind === 'tire')) {
    const itemId = parseArticleId(line.articleId ?? '')
    if (itemId === null) throw new RangeError('A price has tires of no article.')
    const { unitCents, discountCents } = unitOf(line)
    discounts.push(discountCents)
    items.push({ partId: skuOf(itemId), itemId, name: lineName(line), quantity: line.quantity, unitCents })
  }
  for (const kind of serviceKinds) items.push(...serviceItem(breakdown, kind))
  items.push(...feeItem(serviceParts.tireFee, tireFeeName(breakdown.tax), breakdown.lines, 'tireFeeCents'))
  items.push(...feeItem(serviceParts.fet, 'Federal excise tax', breakdown.lines, 'fetCents'))
  const discountCents = discounts.reduce((sum, cents) => sum + cents, 0)
  return discountCents === 0
    ? items
    : [...items, partOf(serviceParts.discount, 'Discounts', { quantity: 1, cents: -discountCents })]
}

/** Returns the discounted unit price or, if it isn't a whole cent, the original unit price and the discount. */
function unitOf({ netCents, grossCents, quantity, unitCents }: PriceLine): {
  unitCents: number
  discountCents: number
} {
  return netCents % quantity === 0
    ? { unitCents: netCents / quantity, discountCents: 0 }
    : { unitCents, discountCents: grossCents - netCents }
}

function serviceItem({ lines }: PriceBreakdown, kind: (typeof serviceKinds)[number]): PurchaseItem[] {
  const [first, ...more] = lines.filter((line) => line.kind === kind)
  if (!first) return []
  const all = [first, ...more]
  const cents = all.reduce((sum, { netCents }) => sum + netCents, 0)
  const quantity = all.reduce((sum, line) => sum + line.quantity, 0)
  return cents === 0 ? [] : [partOf(serviceParts[kind], lineName(first), { quantity, cents })]
}

function feeItem(
  partId: string,
  name: string,
  lines: readonly PriceLine[],
  field: 'tireFeeCents' | 'fetCents',
): PurchaseItem[] {
  const charged = lines.filter((line) => line[field] > 0)
  const cents = charged.reduce((sum, line) => sum + line[field], 0)
  const quantity = charged.reduce((sum, line) => sum + line.quantity, 0)
  return cents === 0 ? [] : [partOf(partId, name, { quantity, cents })]
}

/** A part at the price of one; one of it at the whole price where that is no whole cent. */
function partOf(partId: string, name: string, { quantity, cents }: { quantity: number; cents: number }): PurchaseItem {
  const isWhole = cents % quantity === 0
  return { partId, itemId: null, name, quantity: isWhole ? quantity : 1, unitCents: isWhole ? cents / quantity : cents }
}
