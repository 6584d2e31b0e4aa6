import type { Row } from '#db/insert-rows.ts'
import { readRows } from '#db/reference/read-data.ts'
import { slugOf } from '#platform/slug.ts'

export type Tier = 'value' | 'mid' | 'premium'
/** Which part of the market a brand serves; `lines.ts` turns it into categories. */
export type Focus = 'full' | 'value' | 'passenger' | 'performance' | 'truck' | 'winter' | 'work' | 'trailer'
/**
 * Brands name their models by letters (AS, CX), by words (Touring, Crossover), or by the warranty in thousands of
 * miles.
 */
export type NameStyle = 'letters' | 'words' | 'numbers'
/** Each brand has a first word for each of these kinds of tire: "Alltide" AS2, "Windhover" RS. */
export type Family = 'touring' | 'sport' | 'crossover' | 'truck' | 'winter'

export type Brand = {
  id: number
  slug: string
  name: string
  tier: Tier
  focus: Focus
  style: NameStyle
  words: Readonly<Record<Family, string>>
  about: string
  wordmark: { weight: number; stretch: number; spacing: number; case: string }
}

type BrandRow = Record<
  'name' | 'tier' | 'focus' | 'style' | `${Family}_word` | 'weight' | 'stretch' | 'spacing' | 'case' | 'about',
  string
>

/** Every brand is made up; `brands.test.ts` checks that no name resembles a real tire maker's. */
export const brands: readonly Brand[] = readRows<keyof BrandRow>('demo-brands.csv').map((row, index) => ({
  id: index + 1,
  slug: slugOf(row.name),
  name: row.name,
  tier: row.tier as Tier,
  focus: row.focus as Focus,
  style: row.style as NameStyle,
  words: {
    touring: row.touring_word,
    sport: row.sport_word,
    crossover: row.crossover_word,
    truck: row.truck_word,
    winter: row.winter_word,
  },
  about: row.about,
  wordmark: { weight: Number(row.weight), stretch: Number(row.stretch), spacing: Number(row.spacing), case: row.case },
}))

/** The same as rows of the table. */
export const brandRows: Row<'brand'>[] = brands.map(({ id, slug, name, tier, about, wordmark }) => ({
  id,
  slug,
  name,
  tier,
  about,
  wordmark,
}))
