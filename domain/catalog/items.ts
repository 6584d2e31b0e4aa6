import type { LoadClass } from '#domain/fitment/fitment.ts'

/**
 * What is sold, as the rest of the capability sees it. Lines and sizes are shared objects: fifty items of a page point
 * at the same few.
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

/** A slug with the name people read. */
export type Named = { readonly slug: string; readonly name: string }
export type Brand = Named & { readonly id: number; readonly tier: 'value' | 'mid' | 'premium' }

export const attributes = ['dry', 'wet', 'winter', 'comfort', 'noise', 'treadwear'] as const
export type Attribute = (typeof attributes)[number]

/** What the published reviews of a line add up to; stars in hundredths, 100 to 500. */
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
/** The tire score; how it comes about is in `score.ts`. */
export type Score = { readonly tenths: number; readonly band: ScoreBand; readonly parts: readonly ScorePart[] }

/** One article: a line in a size with its service description, and what is in stock of it. */
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
  readonly warrantyMiles: number | null
  /** The Monday of the oldest DOT week in stock, YYYY-MM-DD. */
  readonly oldestDotWeek: string | null
  readonly retailCents: number
  readonly fetCents: number
  /** What it costs us, where that is known: for price lists, and for nobody's eyes. */
  readonly costCents: number | null
  readonly stock: StockByWarehouse
  /** Null while too few reviews say anything. */
  readonly score: Score | null
}

/** Units that can be promised, as [warehouse, units]. */
export type StockByWarehouse = readonly (readonly [warehouseId: number, units: number])[]

/** Units of an item over all warehouses. */
export function unitsOf(item: { readonly stock: StockByWarehouse }): number {
  return item.stock.reduce((sum, [, units]) => sum + units, 0)
}

/** Miles the maker warrants this article for; the article's own figure comes before that of its line. */
export function warrantyOf(item: {
  readonly warrantyMiles: number | null
  readonly line: { readonly warrantyMiles: number | null }
}): number | null {
  return item.warrantyMiles ?? item.line.warrantyMiles
}

/** "102H", "125/122S", "(96Y)" as given, or '' where neither is known. */
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
  // Above 300 km/h the index stands inside the brackets: (96Y).
  return item.speed === '(Y)' ? `(${load}Y)` : `${load}${item.speed ?? ''}`
}
