import { brands, type Brand, type Family, type Focus } from './brands.ts'
import { profileOf, type CategoryProfile, type CategorySlug } from '#db/reference/categories.ts'
import type { Row } from '#db/insert-rows.ts'
import { randomStream, type Random } from './random.ts'
import { slugOf } from '#platform/slug.ts'

/** A product line before it has sizes. */
export type Line = {
  id: number
  brand: Brand
  /** 1 for the original range; later generations repeat it, see `makeLines`. */
  generation: number
  name: string
  slug: string
  profile: CategoryProfile & { slug: CategorySlug }
  m_plus_s: boolean
  three_peak: boolean
  winter: boolean
  ev: boolean
  warranty_miles: number | null
  treadwear: number | null
  /** Price relative to the usual one of its tier and category. */
  priceFactor: number
  /** Quality from about -1 to 1; affects reviews and, slightly, the price. */
  quality: number
  /** Relative number of sizes and reviews. */
  reach: number
  /** Whether it is also made as a run-flat. */
  runFlat: boolean
  /** Number of reviews at the default scale, for the few lines that pages show. */
  reviews?: number
  about: string
}

type Naming = { family: Family; letters: string; word: string }

const naming: Record<CategorySlug, Naming> = {
  'touring-all-season': { family: 'touring', letters: 'AS', word: 'Touring' },
  'grand-touring-all-season': { family: 'touring', letters: 'GT', word: 'Grand Tour' },
  'ev-specific': { family: 'touring', letters: 'EV', word: 'Electric' },
  'all-weather': { family: 'crossover', letters: 'AW', word: 'Four Weather' },
  'crossover-suv-touring': { family: 'crossover', letters: 'CX', word: 'Crossover' },
  'uhp-all-season': { family: 'sport', letters: 'RA', word: 'Sport A/S' },
  'max-performance-summer': { family: 'sport', letters: 'RS', word: 'Sport' },
  'extreme-performance-summer': { family: 'sport', letters: 'XR', word: 'Apex' },
  'track-competition': { family: 'sport', letters: 'TR', word: 'Circuit' },
  'highway-all-season': { family: 'truck', letters: 'HT', word: 'Highway' },
  'all-terrain': { family: 'truck', letters: 'AT', word: 'All Terrain' },
  'rugged-terrain': { family: 'truck', letters: 'RT', word: 'Rugged' },
  'mud-terrain': { family: 'truck', letters: 'MT', word: 'Mud' },
  'studless-winter': { family: 'winter', letters: 'W', word: 'Ice' },
  'studdable-winter': { family: 'winter', letters: 'WS', word: 'Stud' },
  'performance-winter': { family: 'winter', letters: 'WP', word: 'Cold Sport' },
  'commercial-light-truck': { family: 'truck', letters: 'CV', word: 'Cargo' },
  'commercial-truck': { family: 'truck', letters: 'HD', word: 'Freight' },
  'trailer-st': { family: 'touring', letters: 'ST', word: 'Trailer' },
  'temporary-spare': { family: 'winter', letters: 'T', word: 'Spare' },
}

const ranges: Record<Focus, readonly CategorySlug[]> = {
  full: [
    'touring-all-season',
    'grand-touring-all-season',
    'uhp-all-season',
    'crossover-suv-touring',
    'ev-specific',
    'all-weather',
    'max-performance-summer',
    'studless-winter',
    'performance-winter',
    'highway-all-season',
    'all-terrain',
    'rugged-terrain',
    'commercial-light-truck',
  ],
  value: [
    'touring-all-season',
    'grand-touring-all-season',
    'uhp-all-season',
    'crossover-suv-touring',
    'all-weather',
    'studless-winter',
    'highway-all-season',
    'all-terrain',
    'mud-terrain',
    'commercial-light-truck',
  ],
  passenger: [
    'touring-all-season',
    'grand-touring-all-season',
    'uhp-all-season',
    'crossover-suv-touring',
    'ev-specific',
    'all-weather',
    'max-performance-summer',
    'studless-winter',
    'performance-winter',
  ],
  performance: [
    'grand-touring-all-season',
    'uhp-all-season',
    'max-performance-summer',
    'extreme-performance-summer',
    'track-competition',
    'performance-winter',
    'ev-specific',
  ],
  truck: [
    'highway-all-season',
    'all-terrain',
    'rugged-terrain',
    'mud-terrain',
    'crossover-suv-touring',
    'all-weather',
    'studless-winter',
    'commercial-light-truck',
    'trailer-st',
  ],
  winter: [
    'studless-winter',
    'studdable-winter',
    'performance-winter',
    'all-weather',
    'touring-all-season',
    'crossover-suv-touring',
    'all-terrain',
  ],
  work: [
    'commercial-light-truck',
    'commercial-truck',
    'highway-all-season',
    'all-terrain',
    'trailer-st',
    'temporary-spare',
  ],
  trailer: ['trailer-st', 'temporary-spare', 'commercial-light-truck', 'commercial-truck'],
}

/** Lines that the store mentions by name, the same in every market. */
const signatures: Record<
  string,
  Partial<
    Pick<Line, 'name' | 'warranty_miles' | 'treadwear' | 'priceFactor' | 'quality' | 'reach' | 'reviews' | 'runFlat'>
  >
> = {
  'Kestrel touring-all-season': {
    name: 'Alltide AS2',
    warranty_miles: 65_000,
    treadwear: 640,
    priceFactor: 0.953,
    quality: 0.62,
    reach: 2,
    reviews: 1284,
  },
  'Alder & Stone crossover-suv-touring': {
    name: 'Greyline CX',
    warranty_miles: 70_000,
    treadwear: 700,
    priceFactor: 0.953,
    quality: 0.75,
    reach: 2,
    reviews: 2046,
  },
  'Alder & Stone max-performance-summer': { name: 'Vantage RS', quality: 0.7, reach: 2, reviews: 820 },
  'Tarn all-weather': {
    name: 'Fellgrip AW',
    warranty_miles: 60_000,
    treadwear: 600,
    priceFactor: 0.933,
    quality: 0.6,
    reach: 2,
    reviews: 938,
  },
  'Tarn studless-winter': { name: 'Fellgrip W3', priceFactor: 0.865, quality: 0.72, reach: 2, reviews: 517 },
  'Northpass highway-all-season': {
    name: 'Meridian HT',
    warranty_miles: 60_000,
    treadwear: 600,
    priceFactor: 1.008,
    quality: 0.25,
    reach: 2,
    reviews: 612,
  },
  'Northpass all-terrain': { name: 'Scree AT', warranty_miles: 55_000, quality: 0.45, reach: 2, reviews: 884 },
  'Beckett touring-all-season': {
    name: 'Longhaul 80',
    warranty_miles: 80_000,
    treadwear: 800,
    priceFactor: 1.2,
    quality: 0.4,
    reach: 2,
    reviews: 701,
  },
  'Corvane touring-all-season': {
    name: 'Passage',
    warranty_miles: 50_000,
    treadwear: 500,
    priceFactor: 1.08,
    quality: -0.35,
    reach: 2,
    reviews: 341,
  },
}

const roman = ['', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI', 'XII']

/**
 * Every line of every brand. `generations` above 1 repeats the range as later models ("Updraft CX II"), for catalogs
 * far larger than a real one; the first generation is the same at any number.
 */
export function makeLines(generations = 1): Line[] {
  const lines: Line[] = []
  for (let generation = 1; generation <= generations; generation++) {
    for (const brand of brands) {
      for (const category of ranges[brand.focus])
        lines.push({ ...makeLine(brand, category, generation), id: lines.length + 1 })
    }
  }
  return lines
}

/** The same as rows of the table. */
export function lineRows(lines: readonly Line[]): Row<'product_line'>[] {
  return lines.map(({ id, brand, name, slug, profile, m_plus_s, three_peak, winter, ev, warranty_miles, about }) => ({
    id,
    brand_id: brand.id,
    slug,
    name,
    category_slug: profile.slug,
    tread: profile.tread,
    m_plus_s,
    three_peak,
    winter,
    ev,
    warranty_miles,
    feed_about: about,
  }))
}

function makeLine(brand: Brand, category: CategorySlug, generation: number): Omit<Line, 'id'> {
  const random = randomStream(`line ${brand.slug} ${category} ${generation}`)
  const profile = { ...profileOf(category), slug: category }
  const isWinter = profile.tread === 'winter'
  const tierStep = { value: -0.35, mid: 0.05, premium: 0.4 }[brand.tier]
  const signature = generation === 1 ? signatures[`${brand.name} ${category}`] : undefined
  const warranty_miles = signature?.warranty_miles ?? warrantyOf(profile, brand, random)
  const made = {
    brand,
    generation,
    profile,
    m_plus_s: !['summer', 'trailer'].includes(profile.tread) && category !== 'temporary-spare',
    three_peak: isWinter || profile.tread === 'all-weather' || (profile.type === 'all-terrain' && random.chance(0.6)),
    winter: isWinter,
    ev: category === 'ev-specific',
    warranty_miles,
    treadwear: treadwearOf(profile, warranty_miles, random),
    priceFactor: random.normal(1, 0.05),
    quality: Math.max(-0.9, Math.min(0.85, random.normal(tierStep, 0.18))),
    reach: random.normal(brand.tier === 'premium' ? 1.15 : 1, 0.15),
    runFlat:
      brand.tier === 'premium' &&
      ['grand-touring-all-season', 'max-performance-summer', 'uhp-all-season', 'performance-winter'].includes(
        category,
      ) &&
      random.chance(0.55),
    name: nameOf(brand, category, warranty_miles, generation),
    ...signature,
  }
  return { ...made, slug: slugOf(made.name), about: aboutOf(made, random) }
}

function nameOf(brand: Brand, category: CategorySlug, warranty: number | null, generation: number): string {
  const { family, letters, word } = naming[category]
  const first = brand.words[family]
  const isPlain =
    brand.style === 'numbers' && warranty !== null && ['touring-all-season', 'highway-all-season'].includes(category)
  const last = isPlain ? String(warranty / 1000) : brand.style === 'words' ? word : letters
  return [first, last, roman[generation - 1]].filter(Boolean).join(' ')
}

/** Costlier lines warrant more miles; multiples of 5,000. */
function warrantyOf(profile: CategoryProfile, brand: Brand, random: Random): number | null {
  if (profile.warranty === null) return null
  const [low, high] = profile.warranty
  const lean = { value: 0.2, mid: 0.5, premium: 0.75 }[brand.tier]
  const share = Math.max(0, Math.min(1, random.normal(lean, 0.2)))
  return Math.round((low + (high - low) * share) / 5000) * 5000
}

/** The grade follows the warranty. Within a category, a longer warranty means a harder tread. Multiples of 20. */
function treadwearOf(profile: CategoryProfile, warranty: number | null, random: Random): number | null {
  if (profile.treadwear === null) return null
  const [low, high] = profile.treadwear
  const share =
    profile.warranty && warranty !== null
      ? (warranty - profile.warranty[0]) / (profile.warranty[1] - profile.warranty[0])
      : random.next()
  return Math.round((low + (high - low) * Math.max(0, Math.min(1, share))) / 20) * 20
}

function aboutOf(
  line: Pick<Line, 'profile' | 'three_peak' | 'warranty_miles' | 'brand' | 'runFlat'>,
  random: Random,
): string {
  const opening = random.pick(openings[line.profile.tread])
  const middle = random.pick(
    line.brand.tier === 'value' ? valueTraits : line.brand.tier === 'mid' ? midTraits : premiumTraits,
  )
  const warranty =
    line.warranty_miles === null
      ? 'Sold without a mileage warranty, as is usual for its kind.'
      : `Tread life warranty of up to ${line.warranty_miles.toLocaleString('en-US')} miles, by size.`
  const snow =
    line.three_peak && !line.profile.tread.startsWith('winter') ? ' Carries the three-peak mountain snowflake.' : ''
  return `${opening} ${middle}${snow} ${warranty}`
}

const openings: Record<CategoryProfile['tread'], readonly string[]> = {
  'all-season': [
    'Wide grooves clear the water, and a closed shoulder means a quiet cabin.',
    'Five ribs and staggered pitches for little noise and even wear.',
    'A steady center rib and cut shoulders balance steering and light-snow grip.',
  ],
  'all-weather': [
    'A V-shaped tread throws slush aside and locks its cuts under braking.',
    'Half winter tire, half touring tire, and left on all year.',
    'Zigzag cuts in every block hold cold wet roads and packed snow.',
  ],
  summer: [
    'Big outer blocks stand up in corners; three deep grooves drain the rest.',
    'An asymmetric tread puts grip outside and drainage inside.',
    'A soft shoulder compound over a stiff frame, for warm roads only.',
  ],
  winter: [
    'Soft rubber and interlocking cuts keep working far below freezing.',
    'Deep arrowed grooves bite loose snow; fine cuts hold the ice under it.',
    'A wide footprint with thousands of edges for packed snow and ice.',
  ],
  highway: [
    'Straight ribs, closed shoulders and a deep tread for long days on the interstate.',
    'Built for pickups and SUVs that tow on weekends and commute on weekdays.',
    'An even footprint means even wear, loaded or empty.',
  ],
  'all-terrain': [
    'Interlocking blocks and stepped shoulders find edges in gravel, dirt and snow.',
    'Stone ejectors, two-ply sidewalls and a tread that still runs straight on pavement.',
    'Open shoulders for the trail, tied center blocks for the drive there.',
  ],
  'mud-terrain': [
    'Tall, widely spaced lugs throw the mud out before the next turn.',
    'Sidewall lugs and a three-ply frame for rocks and ruts.',
    'Big scalloped blocks clean themselves and climb.',
  ],
  trailer: [
    'A stiff sidewall keeps the trailer in line; a shallow tread runs cool.',
    'Radial construction for long tows at highway speed.',
    'Extra heat resistance for tires that sit in the sun between trips.',
  ],
  commercial: [
    'A reinforced casing and scuff ribs take curbs and full loads.',
    'Wide shoulders for even wear on routes with many turns.',
    'A cool-running compound for vans that never rest.',
  ],
}
const valueTraits = [
  'A simple design at a low price.',
  'Fewer features, and you do not pay for them.',
  'Covers the sizes most people need.',
]
const midTraits = [
  'A little more grip in the wet than its price suggests.',
  'A good middle between price, comfort and wear.',
  'Even-wearing shoulders make rotation worth it.',
]
const premiumTraits = [
  'Among the quietest of its kind we list.',
  'Holds its wet grip as it wears.',
  'A stiff bead and light frame make the steering exact.',
]
