/**
 * The tire score, 0 to 10 in tenths: three quarters what owners say, the rest what the maker promises (mileage warranty) and what the law makes
 * him measure (UTQG). A part that a kind of tire cannot have (winter tires carry no UTQG by law) is left out and its weight goes to the others,
 * so that no tire loses points for it. Every input is shown on the product page: a shopper can redo the sum.
 */
import { warrantyOf, type Attribute, type Item, type Rating, type Score, type ScoreBand, type ScorePart, type Tread, type Utqg } from './items.ts'

/** Fewer reviews than this say too little for a number. */
export const reviewsForScore = 3

/** The score of an item from its line's reviews, its warranty and its grades; null while it has fewer than three reviews. */
export function scoreOf(item: Pick<Item, 'line' | 'warrantyMiles' | 'utqg'>): Score | null {
  const { rating, tread } = item.line
  if (!rating || rating.count < reviewsForScore) return null
  const kind = kinds[tread]
  const parts: ScorePart[] = [{ name: 'reviews', points: reviewPoints(rating, kind.weights), weight: 75 }]
  if (kind.fullWarrantyMiles) parts.push({ name: 'warranty', points: warrantyPoints(warrantyOf(item), kind.fullWarrantyMiles), weight: 15 })
  if (item.utqg && kind.fullTreadwear) parts.push({ name: 'grades', points: gradePoints(item.utqg, kind.fullTreadwear), weight: 10 })
  const tenths = Math.round((parts.reduce((sum, part) => sum + part.points * part.weight, 0) / parts.reduce((sum, part) => sum + part.weight, 0)) * 10)
  return { tenths, band: bandOf(tenths), parts }
}

/** Good 7 to 8, Great 8 to 9, Excellent 9 to 10; the lower bound belongs to the band, and the number is the one shown. */
export function bandOf(tenths: number): ScoreBand {
  return tenths >= 90 ? 'Excellent' : tenths >= 80 ? 'Great' : tenths >= 70 ? 'Good' : 'Fair'
}

/** How much each attribute counts for a kind of tread, and the warranty and treadwear grade that earn full points there. */
const kinds: Record<Tread, { weights: Partial<Record<Attribute, number>>; fullWarrantyMiles?: number; fullTreadwear?: number }> = {
  'all-season': { weights: { dry: 2, wet: 3, winter: 1, comfort: 1, noise: 1, treadwear: 2 }, fullWarrantyMiles: 80_000, fullTreadwear: 700 },
  'all-weather': { weights: { dry: 1, wet: 3, winter: 3, comfort: 1, noise: 1, treadwear: 2 }, fullWarrantyMiles: 70_000, fullTreadwear: 650 },
  highway: { weights: { dry: 2, wet: 3, winter: 1, comfort: 1, noise: 1, treadwear: 3 }, fullWarrantyMiles: 70_000, fullTreadwear: 650 },
  'all-terrain': { weights: { dry: 2, wet: 2, winter: 2, comfort: 1, noise: 1, treadwear: 3 }, fullWarrantyMiles: 65_000, fullTreadwear: 600 },
  'mud-terrain': { weights: { dry: 2, wet: 2, winter: 1, comfort: 1, noise: 1, treadwear: 3 } },
  summer: { weights: { dry: 4, wet: 3, comfort: 1, noise: 1, treadwear: 1 }, fullWarrantyMiles: 40_000, fullTreadwear: 360 },
  winter: { weights: { dry: 1, wet: 2, winter: 5, comfort: 1, noise: 1, treadwear: 1 } },
  trailer: { weights: { dry: 2, wet: 3, treadwear: 5 } },
  commercial: { weights: { dry: 2, wet: 3, winter: 1, noise: 1, treadwear: 4 } },
}

/** Eight imagined reviews of 3.6 stars keep three glowing ones from beating three hundred good ones. */
const prior = { count: 8, stars: 3.6 }

function reviewPoints(rating: Rating, weights: Partial<Record<Attribute, number>>): number {
  let sum = 0
  let total = 0
  for (const [attribute, weight] of Object.entries(weights) as [Attribute, number][]) {
    const stars = rating.attributes[attribute]
    if (stars === null) continue
    sum += (stars / 100) * weight
    total += weight
  }
  const stars = total === 0 ? rating.overallHundredths / 100 : sum / total
  const tempered = (stars * rating.count + prior.stars * prior.count) / (rating.count + prior.count)
  return ((tempered - 1) / 4) * 10
}

/** No warranty where the kind usually has one earns 3; the full one earns 10. */
function warrantyPoints(miles: number | null, full: number): number {
  return 3 + 7 * Math.min(1, (miles ?? 0) / full)
}

function gradePoints(utqg: Utqg, fullTreadwear: number): number {
  const traction: Record<string, number> = { AA: 10, A: 8, B: 5, C: 2 }
  const temperature: Record<string, number> = { A: 10, B: 7, C: 4 }
  return Math.min(10, (utqg.treadwear / fullTreadwear) * 10) * 0.5 + (traction[utqg.traction] ?? 2) * 0.3 + (temperature[utqg.temperature] ?? 4) * 0.2
}
