import type { LoadClass } from '#domain/kernel/tire-sizes/tire-sizes.ts'

/**
 * The items on sale, as the rest of the catalog sees them. Models and sizes are shared objects, so a page's fifty items
 * refer to the same few.
 */
export type Tread =
  | 'all-season'
  | 'summer'
  | 'winter'
  | 'all-terrain'
  | 'mud-terrain'
  | 'all-weather'
  | 'highway'
  | 'trailer'
  | 'commercial'
export type SizeKind = 'P' | 'LT' | 'FLOTATION' | 'C' | 'ST' | 'T' | 'COMMERCIAL'
/** Black letters, outlined white letters, a vertical serrated band. */
export type Sidewall = 'BSW' | 'OWL' | 'VSB'

/** A slug and its display name. */
export type Named = { readonly slug: string; readonly name: string }
export type Brand = Named & { readonly id: number; readonly tier: 'value' | 'mid' | 'premium' }

export const attributes = ['dry', 'wet', 'winter', 'comfort', 'noise', 'treadwear'] as const
export type Attribute = (typeof attributes)[number]

/** The total of a line's published reviews; stars in hundredths, 100 to 500. */
export type Rating = {
  readonly count: number
  readonly overallHundredths: number
  readonly attributes: Readonly<Record<Attribute, number | null>>
  readonly buyAgainPercent: number
  /** Reviews with 1, 2, 3, 4, 5 stars. */
  readonly histogram: readonly number[]
}

export type Line = Named & {
  readonly id: number
  readonly brand: Brand
  readonly category: Named
  readonly type: Named
  /** The positions of its type and category in display order. */
  readonly typePosition: number
  readonly categoryPosition: number
  readonly tread: Tread
  readonly mPlusS: boolean
  readonly threePeak: boolean
  readonly winter: boolean
  readonly ev: boolean
  readonly warrantyMiles: number | null
  readonly rating: Rating | null
}

export type Size = {
  readonly slug: string
  readonly designation: string
  readonly kind: SizeKind
  readonly sectionWidthMm: number
  readonly aspect: number
  readonly rimIn: number
  readonly overallDiameterMm: number
}

/** Grades of 49 CFR 575.104. */
export type Utqg = { readonly treadwear: number; readonly traction: string; readonly temperature: string }

export type ScoreBand = 'Fair' | 'Good' | 'Great' | 'Excellent'
export type ScorePart = {
  readonly name: 'reviews' | 'warranty' | 'grades'
  readonly points: number
  readonly weight: number
}
/** The tire score; calculated in `score.ts`. */
export type Score = { readonly tenths: number; readonly band: ScoreBand; readonly parts: readonly ScorePart[] }

/** An item is a model in one size, with its service description and stock. */
export type Item = {
  readonly id: number
  readonly sku: string
  readonly line: Line
  readonly size: Size
  readonly loadIndex: number | null
  readonly dualLoadIndex: number | null
  readonly speed: string | null
  readonly loadClass: LoadClass | null
  readonly loadRange: string | null
  readonly plyRating: number
  readonly maxLoadLb: number
  readonly maxPsi: number
  readonly measuredWidthMm: number
  readonly measuredDiameterMm: number
  readonly rimWidthMinIn: number
  readonly rimWidthMaxIn: number
  readonly treadDepth32nds: number
  readonly weightLb: number
  readonly utqg: Utqg | null
  readonly runFlat: boolean
  readonly sidewall: Sidewall
  readonly oeMark: string | null
  readonly gtin: string | null
  /** The manufacturer's part number. */
  readonly mpn: string | null
  /** ISO 3166-1, two letters. */
  readonly originCountry: string | null
  readonly warrantyMiles: number | null
  /** The Monday of the oldest DOT week in the last count, YYYY-MM-DD, even if it is sold out; see `oldestInStock`. */
  readonly oldestDotWeek: string | null
  readonly retailCents: number
  readonly fetCents: number
  /** The manufacturer's minimum advertised price of one, without excise tax; missing or null without one. */
  readonly mapCents?: number | null
  /** The key of its first photo, its own or else its model's; missing without one. */
  readonly photo?: string
  /** Our unit cost, if known. Used for price lists and never shown. */
  readonly costCents: number | null
  readonly stock: StockByWarehouse
  /** Null with too few reviews. */
  readonly score: Score | null
}

/** Available units, as [warehouse, units]. */
export type StockByWarehouse = readonly (readonly [warehouseId: number, units: number])[]

/** Counts an item's units over all warehouses. */
export function unitsOf(item: { readonly stock: StockByWarehouse }): number {
  return item.stock.reduce((sum, [, units]) => sum + units, 0)
}

/** Returns the Monday of the oldest production week in stock, YYYY-MM-DD; null if out of stock. */
export function oldestInStock(item: Pick<Item, 'stock' | 'oldestDotWeek'>): string | null {
  return unitsOf(item) === 0 ? null : item.oldestDotWeek
}

/** Returns the mileage warranty of this article in miles; the article's own takes precedence over its line's. */
export function warrantyOf(item: {
  readonly warrantyMiles: number | null
  readonly line: { readonly warrantyMiles: number | null }
}): number | null {
  return item.warrantyMiles ?? item.line.warrantyMiles
}

/** Formats "102H", "125/122S", "(96Y)" as given, or '' if neither is known. */
export function serviceOf(item: {
  readonly loadIndex: number | null
  readonly dualLoadIndex: number | null
  readonly speed: string | null
}): string {
  const load =
    item.loadIndex === null
      ? ''
      : item.dualLoadIndex === null
        ? `${item.loadIndex}`
        : `${item.loadIndex}/${item.dualLoadIndex}`
  // Above 300 km/h the index goes inside the parentheses: (96Y).
  return item.speed === '(Y)' ? `(${load}Y)` : `${load}${item.speed ?? ''}`
}

/** What a sidewall looks like, in words; null for plain black letters. */
export const sidewallTraits = { BSW: null, OWL: 'outlined white letters', VSB: 'serrated sidewall' } as const

/**
 * Returns the differences between items of the same model and size (service description, load class, load range,
 * run-flat, carmaker mark, and sidewall). These are the columns of the database's unique key. Omits standard load and
 * black letters.
 */
export function variantTraits(item: Item): string[] {
  return [
    serviceOf(item),
    item.loadClass === 'SL' ? null : item.loadClass,
    item.loadRange === null ? null : `load range ${item.loadRange}`,
    item.runFlat ? 'run-flat' : null,
    item.oeMark,
    sidewallTraits[item.sidewall],
  ].flatMap((trait) => trait || [])
}

/** Returns the size with everything that distinguishes the item in its model: "225/65R17 102H run-flat". */
export function fullSizeOf(item: Item): string {
  return [item.size.designation, ...variantTraits(item)].join(' ')
}
