/** What each facet reads from an offer, and how its values are sorted and labeled. */
import { grouped, rangeOf, speedOf, loadOf, isLoadRange } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { countOf } from '#platform/count-text.ts'
import type { Item } from './items.ts'
import type { Offer } from './offer.ts'
import {
  anyOf,
  thresholdFacets,
  thresholds,
  rangeText,
  type AnyOfFacet,
  type ThresholdFacet,
  type FacetName,
  type OnlyIfFacet,
  type PriceRange,
} from './query.ts'

export type FacetRule = {
  readonly name: FacetName
  /** The options the offer counts under. */
  valuesOf(offer: Offer): readonly string[]
  /** Whether the offer matches a value that may not be an option, such as a manually entered day or price range. */
  has(offer: Offer, value: string): boolean
  order(
    a: { readonly value: string; readonly label: string },
    b: { readonly value: string; readonly label: string },
  ): number
}

/** In page order. */
export const allFacets: readonly FacetName[] = [
  'verdict',
  'by',
  'type',
  'snow',
  'mud-snow',
  'total',
  'price',
  'brand',
  'category',
  'rating',
  'score',
  'warranty',
  'speed',
  'load',
  'range',
  'run-flat',
  'ev',
  'mark',
  'sidewall',
  'deal',
  'stock',
]
/** The facets of a product line, which do not depend on size. */
export const lineFacets: readonly FacetName[] = [
  'type',
  'snow',
  'mud-snow',
  'price',
  'brand',
  'category',
  'rating',
  'score',
  'warranty',
  'run-flat',
  'ev',
  'deal',
  'stock',
]

/** The rules of `names`. The delivery days offered are the first four among `offers`. */
export function facetRules(offers: readonly Offer[], names: readonly FacetName[]): FacetRule[] {
  const days = [...new Set(offers.flatMap((offer) => offer.readyOn ?? []))].sort().slice(0, 4)
  return names.map((name) => ({ name, order: orderOf(name, offers), ...readingOf(name, days) }))
}

export function isThreshold(name: FacetName): name is ThresholdFacet {
  return (thresholdFacets as readonly string[]).includes(name)
}

/** Returns labels for values, with names from the offers. */
export function labelsOf(name: FacetName, offers: readonly Offer[]): (value: string) => string {
  if (name === 'brand' || name === 'type' || name === 'category') {
    const names = new Map(
      offers.map((offer) =>
        name === 'brand'
          ? [offer.line.brand.slug, offer.line.brand.name]
          : [offer.line[name].slug, offer.line[name].name],
      ),
    )
    return (value) => names.get(value) ?? value
  }
  return words[name]
}

/** Whole dollars per tire; an exact dollar counts in both adjacent ranges, as in a range typed by hand. */
export const priceRanges: readonly PriceRange[] = [
  { min: null, max: 100 },
  { min: 100, max: 150 },
  { min: 150, max: 200 },
  { min: 200, max: 250 },
  { min: 250, max: 350 },
  { min: 350, max: null },
]

function readingOf(name: FacetName, days: readonly string[]): Pick<FacetRule, 'valuesOf' | 'has'> {
  if (name === 'price') return among(priceRanges.map(rangeText), isInRange)
  if (name === 'by') return among(days, ({ readyOn }, day) => readyOn !== null && readyOn <= day)
  const valuesOf = isAnyOf(name)
    ? readAnyOf[name]
    : isThreshold(name)
      ? readThreshold[name]
      : (offer: Offer) => (readOnlyIf[name](offer) ? ['1'] : [])
  return { valuesOf, has: (offer, value) => valuesOf(offer).includes(value) }
}

/** A facet with `values` as options, which can be queried for others. */
function among(values: readonly string[], has: FacetRule['has']): Pick<FacetRule, 'valuesOf' | 'has'> {
  return { valuesOf: (offer) => values.filter((value) => has(offer, value)), has }
}

function isAnyOf(name: FacetName): name is AnyOfFacet {
  return (anyOf as readonly string[]).includes(name)
}

const readAnyOf: Record<AnyOfFacet, (offer: Offer) => readonly string[]> = {
  verdict: (offer) => (offer.fitment ? [offer.fitment.verdict] : []),
  type: (offer) => [offer.line.type.slug],
  category: (offer) => [offer.line.category.slug],
  brand: (offer) => [offer.line.brand.slug],
  // A set's front and rear may differ, so it matches both.
  speed: (offer) => distinct(offer, (item) => item.speed),
  load: (offer) => distinct(offer, (item) => item.loadIndex),
  range: (offer) => distinct(offer, (item) => item.loadRange ?? item.loadClass),
  sidewall: (offer) => distinct(offer, (item) => item.sidewall),
  mark: (offer) => distinct(offer, (item) => item.oeMark),
}

const readThreshold: Record<Exclude<ThresholdFacet, 'by'>, (offer: Offer) => readonly string[]> = {
  rating: (offer) => reached(thresholds.rating, (offer.line.rating?.overallHundredths ?? 0) / 100),
  score: (offer) => reached(thresholds.score, (offer.score?.tenths ?? 0) / 10),
  warranty: (offer) => reached(thresholds.warranty, offer.warrantyMiles ?? 0),
  total: ({ totalCents }) =>
    totalCents === null ? [] : thresholds.total.filter((dollars) => totalCents <= Number(dollars) * 100),
}

const readOnlyIf: Record<OnlyIfFacet, (offer: Offer) => boolean> = {
  // Two separate marks. M+S is a claim about the tread, and the three-peak mountain snowflake is a passed test (FMVSS
  // 139).
  snow: (offer) => offer.line.threePeak,
  'mud-snow': (offer) => offer.line.mPlusS,
  ev: (offer) => offer.line.ev,
  'run-flat': (offer) => offer.isRunFlat,
  deal: (offer) => offer.prices.some((price) => price.promotion !== null),
  stock: (offer) => offer.isInStock,
}

/** `range` is formatted by `rangeText`. */
function isInRange({ perTireCents }: Offer, range: string): boolean {
  const [min, max] = range.split('-')
  return (!min || perTireCents >= Number(min) * 100) && (!max || perTireCents <= Number(max) * 100)
}

function reached(levels: readonly string[], value: number): readonly string[] {
  return levels.filter((level) => value >= Number(level))
}

/**
 * The values of the article, or of front and rear. Optimized for a single item, because a listing calls this thousands
 * of times.
 */
function distinct({ items: [first, second] }: Offer, read: (item: Item) => string | number | null): readonly string[] {
  const value = read(first)
  const other = second ? read(second) : value
  if (value === null) return other === null ? [] : [String(other)]
  return other === null || other === value ? [String(value)] : [String(value), String(other)]
}

type Ordering = FacetRule['order']

/** Types and categories come in display order. */
function orderOf(name: FacetName, offers: readonly Offer[]): Ordering {
  if (name !== 'type' && name !== 'category') return orderings[name] ?? byLabel
  const positions = new Map<string, number>()
  for (const { line } of offers)
    positions.set(line[name].slug, name === 'type' ? line.typePosition : line.categoryPosition)
  return (a, b) => (positions.get(a.value) ?? 0) - (positions.get(b.value) ?? 0) || byLabel(a, b)
}

const byLabel: Ordering = (a, b) => (a.label < b.label ? -1 : a.label > b.label ? 1 : 0)
const byNumber: Ordering = (a, b) => Number(a.value) - Number(b.value)
const byListIn =
  (list: readonly string[]): Ordering =>
  (a, b) =>
    list.indexOf(a.value) - list.indexOf(b.value)

const orderings: Partial<Record<FacetName, Ordering>> = {
  verdict: byListIn(['fits', 'fits_with_conditions', 'unknown', 'does_not_fit']),
  by: (a, b) => (a.value < b.value ? -1 : 1),
  price: (a, b) =>
    Number(a.value.split('-')[0] || 0) - Number(b.value.split('-')[0] || 0) ||
    Number(a.value.split('-')[1] || Infinity) - Number(b.value.split('-')[1] || Infinity),
  rating: (a, b) => byNumber(b, a),
  score: (a, b) => byNumber(b, a),
  warranty: byNumber,
  total: byNumber,
  load: byNumber,
  speed: (a, b) => kmh(a.value) - kmh(b.value),
  range: byListIn(['SL', 'XL', 'HL', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'J', 'L', 'M', 'N']),
}

/** Just above its table value for (Y), and V for a bare ZR, so that both sort where readers expect them. */
function kmh(symbol: string): number {
  const speed = speedOf(symbol === 'ZR' ? 'V' : symbol)
  return speed ? speed.kmh + Number(speed.over ?? false) : 0
}

const words: Record<Exclude<FacetName, 'brand' | 'type' | 'category'>, (value: string) => string> = {
  verdict: (value) =>
    ({ fits: 'Fits', fits_with_conditions: 'Fits with conditions', unknown: "Can't say yet" })[value] ?? 'Does not fit',
  by: (value) => value,
  price: (value) => priceWords(value),
  rating: (value) => `${countOf(Number(value), 'star')} or more`,
  score: (value) => ({ 9: 'Excellent, 9 or more', 8: 'Great, 8 or more', 7: 'Good, 7 or more' })[value] ?? value,
  warranty: (value) => `${grouped(Number(value))} mi or more`,
  total: (value) => `Up to $${grouped(Number(value))}`,
  speed: (value) => {
    const speed = speedOf(value)
    return speed ? `${value}, ${speed.over ? 'above ' : ''}${speed.mph} mph` : value
  },
  load: (value) => `${value}, ${grouped(loadOf(Number(value))?.lb ?? 0)} lb`,
  range: (value) =>
    ({ SL: 'SL, standard load', XL: 'XL, extra load', HL: 'HL, high load' })[value] ??
    (isLoadRange(value) ? `${value}, ${rangeOf(value).plyRating} ply` : value),
  sidewall: (value) =>
    ({ BSW: 'Black letters', OWL: 'Outlined white letters', VSB: 'Vertical serrated band' })[value] ?? value,
  mark: (value) => (carmakers[value] ? `${value}, ${carmakers[value]}` : value),
  snow: () => 'Three-peak snowflake',
  'mud-snow': () => 'M+S',
  ev: () => 'Made for electric cars',
  'run-flat': () => 'Run-flat',
  deal: () => 'On sale',
  stock: () => 'A set in stock now',
}

/** The maker of a mark. N0 and N1 are generations of one; an unlisted mark is its own group. */
const carmakers: Readonly<Record<string, string>> = {
  AO: 'Audi',
  '*': 'BMW',
  J: 'Jaguar',
  MO: 'Mercedes-Benz',
  N0: 'Porsche',
  T0: 'Tesla',
  VOL: 'Volvo',
}

function priceWords(value: string): string {
  const [min, max] = value.split('-')
  if (!min) return `Up to $${max}`
  return max ? `$${min} to $${max}` : `$${min} or more`
}
