/**
 * The tire score, 0 to 10 in tenths. Three quarters come from owner reviews, the rest from the manufacturer's mileage
 * warranty and the legally required grades (UTQG). A part that a kind of tire cannot have (winter tires carry no UTQG
 * by law) is left out and its weight redistributed, so that no tire loses points for it. The product page shows every
 * input, so that shoppers can redo the sum.
 */
import { SCORE_BANDS, SCORE_MAX_TENTHS } from '#platform/business-constants.ts'
import {
  warrantyOf,
  type Attribute,
  type Item,
  type Rating,
  type Score,
  type ScoreBand,
  type ScorePart,
  type Tread,
  type Utqg,
} from './items.ts'

/** What a part earns at best, and the whole too. */
const fullPoints = SCORE_MAX_TENTHS / 10

/** Fewer reviews than this say too little for a number. */
export const reviewsForScore = 3

/**
 * The score's parameters. Its page and rule docs are generated from them (docs/rules/score.md, /tire-score). `kinds`
 * has, per kind of tread, the weight of each attribute, and the warranty and treadwear grade that earn full points.
 */
export const scoreRules = {
  weights: { reviews: 75, warranty: 15, grades: 10 },
  /** Minimum tenths, displayed as they are. Below Good it is Fair. */
  bands: SCORE_BANDS,
  /** Imaginary reviews keep three glowing ones from beating three hundred good ones. */
  imagined: { count: 8, stars: 3.6 },
  /** For no warranty where the kind usually has one; the full one earns 10. */
  pointsWithoutWarranty: 3,
  gradeShares: { treadwear: 50, traction: 30, temperature: 20 },
  traction: { AA: 10, A: 8, B: 5, C: 2 },
  temperature: { A: 10, B: 7, C: 4 },
  kinds: {
    'all-season': {
      weights: { dry: 2, wet: 3, winter: 1, comfort: 1, noise: 1, treadwear: 2 },
      fullWarrantyMiles: 80_000,
      fullTreadwear: 700,
    },
    'all-weather': {
      weights: { dry: 1, wet: 3, winter: 3, comfort: 1, noise: 1, treadwear: 2 },
      fullWarrantyMiles: 70_000,
      fullTreadwear: 650,
    },
    highway: {
      weights: { dry: 2, wet: 3, winter: 1, comfort: 1, noise: 1, treadwear: 3 },
      fullWarrantyMiles: 70_000,
      fullTreadwear: 650,
    },
    'all-terrain': {
      weights: { dry: 2, wet: 2, winter: 2, comfort: 1, noise: 1, treadwear: 3 },
      fullWarrantyMiles: 65_000,
      fullTreadwear: 600,
    },
    'mud-terrain': { weights: { dry: 2, wet: 2, winter: 1, comfort: 1, noise: 1, treadwear: 3 } },
    summer: {
      weights: { dry: 4, wet: 3, comfort: 1, noise: 1, treadwear: 1 },
      fullWarrantyMiles: 40_000,
      fullTreadwear: 360,
    },
    winter: { weights: { dry: 1, wet: 2, winter: 5, comfort: 1, noise: 1, treadwear: 1 } },
    trailer: { weights: { dry: 2, wet: 3, treadwear: 5 } },
    commercial: { weights: { dry: 2, wet: 3, winter: 1, noise: 1, treadwear: 4 } },
  },
} as const satisfies ScoreRules

export type ScoreRules = {
  readonly weights: Readonly<Record<ScorePart['name'], number>>
  readonly bands: readonly (readonly [Exclude<ScoreBand, 'Fair'>, number])[]
  readonly imagined: { readonly count: number; readonly stars: number }
  readonly pointsWithoutWarranty: number
  /** Percent. */
  readonly gradeShares: Readonly<Record<keyof Utqg, number>>
  readonly traction: Readonly<Record<string, number>>
  readonly temperature: Readonly<Record<string, number>>
  readonly kinds: Readonly<Record<Tread, Kind>>
}

type Kind = {
  readonly weights: Partial<Record<Attribute, number>>
  readonly fullWarrantyMiles?: number
  readonly fullTreadwear?: number
}

const rules: ScoreRules = scoreRules

/** Returns an item's score from its line's reviews, its warranty and its grades; null with fewer than three reviews. */
export function scoreOf(
  item: Pick<Item, 'warrantyMiles' | 'utqg'> & {
    readonly line: Pick<Item['line'], 'rating' | 'tread' | 'warrantyMiles'>
  },
): Score | null {
  const { rating, tread } = item.line
  if (!rating || rating.count < reviewsForScore) return null
  const { weights } = rules
  const kind = rules.kinds[tread]
  const parts: ScorePart[] = [
    { name: 'reviews', points: pointsOfStars(temperedStars(rating, kind.weights)), weight: weights.reviews },
  ]
  if (kind.fullWarrantyMiles)
    parts.push({
      name: 'warranty',
      points: warrantyPoints(warrantyOf(item), kind.fullWarrantyMiles),
      weight: weights.warranty,
    })
  if (item.utqg && kind.fullTreadwear)
    parts.push({ name: 'grades', points: gradePoints(item.utqg, kind.fullTreadwear), weight: weights.grades })
  const tenths = Math.round(
    (parts.reduce((sum, part) => sum + part.points * part.weight, 0) /
      parts.reduce((sum, part) => sum + part.weight, 0)) *
      10,
  )
  return { tenths, band: bandOf(tenths), parts }
}

/** The score of a fictitious tire with intermediate steps, for the page that explains it. */
export function scoreExample() {
  const rating = {
    count: 212,
    overallHundredths: 446,
    attributes: { dry: 460, wet: 450, winter: 370, comfort: 450, noise: 440, treadwear: 460 },
    buyAgainPercent: 91,
    histogram: [3, 6, 15, 58, 130],
  } satisfies Rating
  const [warrantyMiles, utqg] = [65_000, { treadwear: 640, traction: 'A', temperature: 'A' }]
  const score = scoreOf({ line: { rating, tread: 'all-season', warrantyMiles }, warrantyMiles, utqg })
  if (!score) throw new Error('The example has reviews enough for a score.')
  const { weights } = scoreRules.kinds['all-season']
  return {
    rating,
    warrantyMiles,
    utqg,
    meanStars: meanStars(rating, weights),
    temperedStars: temperedStars(rating, weights),
    score,
  }
}

/** Good 7 to 8, Great 8 to 9, Excellent 9 to 10; lower bounds are inclusive, of the displayed number. */
export function bandOf(tenths: number): ScoreBand {
  return rules.bands.find(([, from]) => tenths >= from)?.[0] ?? 'Fair'
}

/** The weighted mean of the attributes owners rated. */
function meanStars(rating: Rating, weights: Kind['weights']): number {
  let sum = 0
  let total = 0
  for (const [attribute, weight] of Object.entries(weights) as [Attribute, number][]) {
    const stars = rating.attributes[attribute]
    if (stars === null) continue
    sum += (stars / 100) * weight
    total += weight
  }
  return total === 0 ? rating.overallHundredths / 100 : sum / total
}

function temperedStars(rating: Rating, weights: Kind['weights']): number {
  const { count, stars } = rules.imagined
  return (meanStars(rating, weights) * rating.count + stars * count) / (rating.count + count)
}

/** One star is 0 points, five are all. */
function pointsOfStars(stars: number): number {
  return ((stars - 1) / 4) * fullPoints
}

function warrantyPoints(miles: number | null, full: number): number {
  const least = rules.pointsWithoutWarranty
  return least + (fullPoints - least) * Math.min(1, (miles ?? 0) / full)
}

/** A grade not in the table counts as the lowest. */
function gradePoints(utqg: Utqg, fullTreadwear: number): number {
  const { gradeShares, traction, temperature } = rules
  const points = {
    treadwear: Math.min(fullPoints, (utqg.treadwear / fullTreadwear) * fullPoints),
    traction: traction[utqg.traction] ?? Math.min(...Object.values(traction)),
    temperature: temperature[utqg.temperature] ?? Math.min(...Object.values(temperature)),
  }
  return (
    (points.treadwear * gradeShares.treadwear +
      points.traction * gradeShares.traction +
      points.temperature * gradeShares.temperature) /
    100
  )
}
