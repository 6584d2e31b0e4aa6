/** What the database found for a search, by kind. */

/**
 * How well the best of the typed terms meets a name: 1 the same, 0.7 to 0.95 its beginning, else the similarity of their trigrams; a fifth less
 * as the term is less of what was typed.
 */
type Scored = { readonly score: number }
export type SizeMatch = { readonly slug: string; readonly designation: string; readonly isWhole: boolean }
export type NameMatch = Scored & { readonly slug: string; readonly name: string }
export type BrandMatch = NameMatch & { readonly lines: number }
export type LineMatch = NameMatch & { readonly brandSlug: string; readonly brandName: string; readonly category: string }
export type KindMatch = NameMatch & { readonly of: 'type' | 'category' }
export type ModelMatch = Scored & {
  readonly makeSlug: string
  readonly make: string
  readonly modelSlug: string
  readonly model: string
  readonly firstYear: number
  readonly lastYear: number
  readonly hasSizes: boolean
  /** Of the year asked for. */
  readonly trims: readonly { readonly slug: string; readonly name: string }[]
}
export type ItemMatch = {
  readonly id: number
  readonly brandSlug: string
  readonly brandName: string
  readonly lineSlug: string
  readonly lineName: string
  readonly size: string
}
export type ShopMatch = NameMatch & { readonly code: string; readonly city: string; readonly state: string }
export type ZipMatch = { readonly zip: string; readonly city: string; readonly state: string }

export type Matches = {
  readonly sizes: readonly SizeMatch[]
  readonly brands: readonly BrandMatch[]
  readonly lines: readonly LineMatch[]
  readonly kinds: readonly KindMatch[]
  readonly makes: readonly NameMatch[]
  readonly models: readonly ModelMatch[]
  readonly items: readonly ItemMatch[]
  readonly shops: readonly ShopMatch[]
  readonly zips: readonly ZipMatch[]
}
