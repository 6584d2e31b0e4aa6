/** Filter names, dates, and amounts as listing text. */
import { promotionOf, type FacetName, type Offer, type Sort } from '#domain/catalog/catalog/catalog.ts'
import { speedOf } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { shippingOfOffer, type ShippingTo } from '#domain/catalog/offers/offers.server.ts'
import { freeFromText } from '#domain/supply/delivery/delivery.ts'
import { dayText as dateText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'

export const legends: Record<FacetName, string> = {
  verdict: 'Fit',
  by: 'Ready by',
  type: 'Type',
  snow: 'Severe snow rated',
  'mud-snow': 'Marked for light snow',
  total: 'Out the door for 4',
  price: 'Price per tire',
  brand: 'Brand',
  category: 'Category',
  rating: 'Owner rating',
  score: 'Tire score',
  warranty: 'Mileage warranty',
  speed: 'Speed rating',
  load: 'Load index',
  range: 'Load range',
  'run-flat': 'Flat running',
  ev: 'Electric cars',
  mark: 'Carmaker mark',
  sidewall: 'Sidewall',
  deal: 'Deals',
  stock: 'In stock',
}

export const sortWords: Record<Sort, string> = {
  best: 'Best match',
  price: 'Price: low to high',
  'price-desc': 'Price: high to low',
  rating: 'Owner rating',
  score: 'Tire score',
  warranty: 'Longest warranty',
}

/** An option as shown next to its checkbox. `requiredSpeed` is what the vehicle requires on every wheel, if known. */
export function optionWords(
  facet: FacetName,
  value: string,
  label: string,
  { requiredSpeed, isListed }: { requiredSpeed?: string | undefined; isListed?: boolean } = {},
): string {
  if (facet === 'by') return dayText(value)
  if (facet === 'verdict' && value === 'fits_with_conditions' && isListed) return 'Confirm on your door label'
  if (facet !== 'speed' || requiredSpeed === undefined) return label
  const [offered, needed] = [speedOf(value), speedOf(requiredSpeed)]
  return offered && needed && offered.kmh < needed.kmh ? `${label}: below your ${requiredSpeed}` : label
}

/** Returns an option's label for the active filters. */
export function chipWords(facet: FacetName, label: string): string {
  if (facet === 'by') return `Ready by ${label}`
  if (facet === 'total') return `${label} out the door`
  if (facet === 'price') return `${label} a tire`
  if (facet === 'speed' || facet === 'load' || facet === 'range') return `${legends[facet]} ${label.split(',')[0]}`
  return facet === 'warranty' ? `Warranty ${label}` : label
}

/** "Tue, Nov 24" for "2026-11-24"; the text itself if it is not a date. */
export function dayText(isoDay: string): string {
  try {
    return dateText(Temporal.PlainDate.from(isoDay))
  } catch (error) {
    if (error instanceof RangeError) return isoDay
    throw error
  }
}

/** "$72", "$7.50": whole dollars without cents, for amounts that are read rather than added up. */
export function dollars(cents: number): string {
  return formatCents(cents).replace(/\.00$/, '')
}

/** "includes $2.34 federal excise tax": a note on a price that includes it; null for one without it. */
export function exciseNote(fetCents: number): string | null {
  return fetCents === 0 ? null : `includes ${formatCents(fetCents)} federal excise tax`
}

/**
 * Returns for example "+ $34.75 shipping a tire to 00901", which the price per tire excludes, and when it is free.
 * Returns undefined if shipping is free or unknown.
 */
export function shippingNote(to: ShippingTo | null, offer: Pick<Offer, 'kind' | 'items'>): string | undefined {
  const cents = shippingOfOffer(offer, to)
  if (to === null || !cents) return undefined
  const free = to.freeFromCents === null ? '' : `, free ${freeFromText(to.freeFromCents)}`
  return offer.kind === 'line'
    ? `+ shipping from ${formatCents(cents)} a tire to ${to.zip}${free}`
    : `+ ${formatCents(cents)} shipping a tire to ${to.zip}${free}`
}

/** Returns a promotion's card text, or null if there is no promotion. */
export function dealText({ prices, items }: Pick<Offer, 'prices' | 'items'>): string | null {
  const promotion = promotionOf(prices)
  if (!promotion || promotion.alreadyApplied) return null
  if (promotion.kind === 'Buy3Get1') return 'Buy 3, get the 4th free'
  if (promotion.kind === 'Free') return `${promotion.amount} free with a set`
  if (promotion.kind === 'Percentage') return `${promotion.amount}% off`
  const saved = prices.map(({ unitCents, wasCents }) => (wasCents ?? unitCents) - unitCents)
  return items.length === 1 || saved[0] === saved[1] ? `${dollars(saved[0] ?? 0)} off each` : 'On sale'
}
