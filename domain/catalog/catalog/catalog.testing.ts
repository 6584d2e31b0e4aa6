/** Test items, both plain ones and arbitrary ones for property tests. */
import fc from 'fast-check'
import type { Database } from '#platform/db.ts'
import type { Item, Line, Rating, Size } from './items.ts'
import type { Promotion } from './promotion.ts'
import { scoreOf } from './score.ts'

export const now = Temporal.Instant.from('2026-11-20T12:00:00Z')
/** Tires up to six years old are sold. */
export const fitAt = { now, maxAgeYears: 6 }

export function makeRating(rating: Partial<Rating> = {}): Rating {
  return {
    count: 200,
    overallHundredths: 450,
    attributes: { dry: 450, wet: 450, winter: 450, comfort: 450, noise: 450, treadwear: 450 },
    buyAgainPercent: 90,
    histogram: [2, 4, 14, 60, 120],
    ...rating,
  }
}

export function makeLine(line: Partial<Line> = {}): Line {
  return {
    id: 1,
    slug: 'alltide-as2',
    name: 'Alltide AS2',
    brand: { id: 1, slug: 'kestrel', name: 'Kestrel', tier: 'premium' },
    category: { slug: 'touring-all-season', name: 'Touring' },
    type: { slug: 'all-season', name: 'All-season' },
    typePosition: 1,
    categoryPosition: 1,
    tread: 'all-season',
    mPlusS: true,
    threePeak: false,
    winter: false,
    ev: false,
    warrantyMiles: 65_000,
    rating: makeRating(),
    ...line,
  }
}

export function makeSize(size: Partial<Size> = {}): Size {
  return {
    slug: '225-65r17',
    designation: '225/65R17',
    kind: 'P',
    sectionWidthMm: 225,
    aspect: 65,
    rimIn: 17,
    overallDiameterMm: 724.3,
    ...size,
  }
}

/** 10% off everything, for another hour. */
export function makePromotion(change: Partial<Promotion> = {}): Promotion {
  return {
    id: 1,
    slug: 'sale',
    name: 'Sale',
    headline: 'Save',
    kind: 'Percentage',
    amount: 10,
    itemId: null,
    lineId: null,
    brandId: null,
    fundedBy: 'store',
    alreadyApplied: false,
    linkToCoverage: false,
    daily: false,
    startsAt: now.subtract({ hours: 1 }),
    endsAt: now.add({ hours: 1 }),
    ...change,
  }
}

export function makeItem(change: Partial<Omit<Item, 'score'>> = {}): Item {
  const item = {
    id: 100_001,
    sku: 'KES-AS2-2256517H',
    line: makeLine(),
    size: makeSize(),
    loadIndex: 102,
    dualLoadIndex: null,
    speed: 'H',
    loadClass: 'SL',
    loadRange: null,
    plyRating: 4,
    maxLoadLb: 1874,
    maxPsi: 51,
    measuredWidthMm: 228,
    measuredDiameterMm: 724,
    rimWidthMinIn: 6,
    rimWidthMaxIn: 8,
    treadDepth32nds: 10,
    weightLb: 25.1,
    utqg: { treadwear: 640, traction: 'A', temperature: 'A' },
    runFlat: false,
    sidewall: 'BSW',
    oeMark: null,
    gtin: null,
    mpn: null,
    originCountry: null,
    warrantyMiles: null,
    oldestDotWeek: '2026-03-02',
    retailCents: 16_400,
    fetCents: 0,
    costCents: null,
    stock: [[1, 12]],
    ...change,
  } satisfies Omit<Item, 'score'>
  return { ...item, score: scoreOf(item) }
}

const types = [
  {
    type: { slug: 'all-season', name: 'All-season' },
    category: { slug: 'touring-all-season', name: 'Touring' },
    tread: 'all-season',
    threePeak: false,
    winter: false,
  },
  {
    type: { slug: 'all-season', name: 'All-season' },
    category: { slug: 'uhp-all-season', name: 'Ultra-high-performance' },
    tread: 'all-season',
    threePeak: false,
    winter: false,
  },
  {
    type: { slug: 'all-weather', name: 'All-weather' },
    category: { slug: 'all-weather', name: 'All-weather' },
    tread: 'all-weather',
    threePeak: true,
    winter: false,
  },
  {
    type: { slug: 'winter', name: 'Winter' },
    category: { slug: 'studless-winter', name: 'Studless' },
    tread: 'winter',
    threePeak: true,
    winter: true,
  },
] as const
const brands = ['kestrel', 'tarn', 'corvane'].map((slug, index) => ({
  id: index + 1,
  slug,
  name: slug.toUpperCase(),
  tier: 'mid' as const,
}))

const anyRating = fc.option(
  fc
    .record({ count: fc.integer({ min: 1, max: 900 }), stars: fc.integer({ min: 200, max: 500 }) })
    .map(({ count, stars }) =>
      makeRating({
        count,
        overallHundredths: stars,
        attributes: { dry: stars, wet: stars, winter: null, comfort: stars, noise: stars, treadwear: stars },
      }),
    ),
)

export const anyLine: fc.Arbitrary<Line> = fc
  .record({
    id: fc.integer({ min: 1, max: 12 }),
    rating: anyRating,
    warrantyMiles: fc.option(fc.constantFrom(40_000, 50_000, 65_000, 80_000)),
    mPlusS: fc.boolean(),
    ev: fc.boolean(),
  })
  .map(({ id, ...rest }) =>
    makeLine({ id, slug: `line-${id}`, name: `Line ${id}`, brand: brands[id % 3]!, ...types[id % 4]!, ...rest }),
  )

/** An arbitrary item in 225/65R17, with any model, load, speed, price, and stock. */
export const anyItem: fc.Arbitrary<Item> = fc
  .record({
    id: fc.integer({ min: 100_000, max: 999_999 }),
    line: anyLine,
    strength: fc.constantFrom(
      { loadIndex: 98, loadClass: 'SL' as const },
      { loadIndex: 102, loadClass: 'SL' as const },
      { loadIndex: 106, loadClass: 'XL' as const },
    ),
    speed: fc.constantFrom('Q', 'S', 'T', 'H', 'V', 'W', null),
    // Often whole dollars, because equal prices and prices at range limits are error-prone.
    retailCents: fc.oneof(fc.constantFrom(10_000, 15_000, 22_200), fc.integer({ min: 5_000, max: 40_000 })),
    runFlat: fc.boolean(),
    sidewall: fc.constantFrom('BSW' as const, 'OWL' as const),
    oeMark: fc.constantFrom(null, null, 'N0', 'MO'),
    gtin: fc.constantFrom(null, '036000291452'),
    mpn: fc.constantFrom(null, 'A-1'),
    originCountry: fc.constantFrom(null, 'US'),
    units: fc.constantFrom(0, 2, 4, 40),
  })
  .map(({ strength, units, ...item }) => makeItem({ ...item, ...strength, stock: units === 0 ? [] : [[1, units]] }))

export const anyItems: fc.Arbitrary<Item[]> = fc.uniqueArray(anyItem, {
  minLength: 1,
  maxLength: 60,
  selector: ({ id }) => id,
})

/** The database with its statements counted. */
export function counted(db: Database): { db: Database; statements(): number } {
  let count = 0
  const counting = db.withPlugin({
    transformQuery({ node }) {
      count += 1
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  })
  return {
    db: counting,
    statements() {
      const before = count
      count = 0
      return before
    },
  }
}
