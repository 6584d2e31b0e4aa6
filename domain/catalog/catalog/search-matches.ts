/** Search matches by kind. */
import type { StorePage } from './place.ts'

/**
 * How well the best term matches a name: 1 for equal, 0.7 to 0.95 for a prefix, else the similarity of their trigrams;
 * up to a fifth less for a term that is a smaller part of the query.
 */
type Scored = {
  readonly score: number
  /** The best-matching term, letters and digits. */ readonly term: string
}
/** `isWhole`: typed in full; `isSold`: something is on sale in it. */
export type SizeMatch = {
  readonly slug: string
  readonly designation: string
  readonly isWhole: boolean
  readonly isSold: boolean
}
export type NameMatch = Scored & { readonly slug: string; readonly name: string }
export type BrandMatch = NameMatch & { readonly lines: number; readonly tier: string }
export type LineMatch = NameMatch & {
  readonly brandSlug: string
  readonly brandName: string
  readonly category: string
}
export type KindMatch = NameMatch & { readonly of: 'type' | 'category' }
export type ModelMatch = Scored & {
  readonly makeSlug: string
  readonly make: string
  readonly modelSlug: string
  readonly model: string
  readonly firstYear: number
  readonly lastYear: number
  readonly hasSizes: boolean
  /** For the year asked for. */
  readonly trims: readonly NamedTrim[]
  /** The other terms it accounts for (prefixes of a trim in any year, and terms similar to one of its names). */
  readonly trimTerms: readonly string[]
}
/** `drive` as listed: 4wd, awd, fwd, rwd or na. */
export type NamedTrim = { readonly slug: string; readonly name: string; readonly drive: string }
export type ItemMatch = {
  readonly id: number
  readonly brandSlug: string
  readonly brandName: string
  readonly lineSlug: string
  readonly lineName: string
  readonly size: string
}
export type ShopMatch = NameMatch & { readonly code: string; readonly city: string; readonly state: string }
export type AreaMatch = NameMatch & { readonly state: string; readonly shops: number }
export type PageMatch = Scored & { readonly page: StorePage; readonly label: string; readonly detail: string }
/** A brand that is not sold, and brands of its tier that are. */
export type OtherBrandMatch = NameMatch & {
  readonly tier: OtherTier
  readonly instead: readonly Omit<BrandMatch, 'score' | 'term'>[]
}
export type OtherTier = 'premium' | 'mid' | 'value' | 'commercial' | 'trailer' | 'off-road'
export type ZipMatch = { readonly zip: string; readonly city: string; readonly state: string }

export type Matches = {
  readonly sizes: readonly SizeMatch[]
  readonly brands: readonly BrandMatch[]
  readonly lines: readonly LineMatch[]
  readonly kinds: readonly KindMatch[]
  /** The names of all types by slug. */
  readonly typeNames: ReadonlyMap<string, string>
  readonly makes: readonly NameMatch[]
  readonly models: readonly ModelMatch[]
  readonly items: readonly ItemMatch[]
  readonly shops: readonly ShopMatch[]
  readonly areas: readonly AreaMatch[]
  readonly pages: readonly PageMatch[]
  readonly otherBrands: readonly OtherBrandMatch[]
  readonly zips: readonly ZipMatch[]
}
