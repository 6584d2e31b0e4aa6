/** The page that explains the score, built from the numbers the score uses. */
import {
  attributes,
  scoreExample,
  scoreRules,
  type Attribute,
  type ScorePart,
  type ScoreRules,
  type Tread,
} from '#domain/catalog/catalog/catalog.ts'
import { grouped } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { attributeNames } from '#domain/aftercare/reviews/reviews.ts'
import { countOf } from '#platform/count-text.ts'
import { scoreNames } from './product-view.server.ts'

const rules: ScoreRules = scoreRules

const kindNames: Record<Tread, string> = {
  'all-season': 'All-season',
  'all-weather': 'All-weather',
  highway: 'Highway',
  'all-terrain': 'All-terrain',
  'mud-terrain': 'Mud-terrain',
  summer: 'Summer',
  winter: 'Winter',
  trailer: 'Trailer',
  commercial: 'Commercial',
}

/** The page's text and preformatted numbers. */
export function readScorePage(store: string) {
  const { weights, bands, imagined, pointsWithoutWarranty, gradeShares, kinds } = rules
  return {
    store,
    bands: bands
      .map(([word, from], index) => ({
        word,
        tenths: from,
        from: points(from),
        to: points(bands[index - 1]?.[1] ?? 100),
      }))
      .toReversed(),
    parts: (Object.entries(weights) as [ScorePart['name'], number][]).map(([name, weight]) => ({
      name: scoreNames[name],
      weight,
      text: partTexts[name],
    })),
    imagined: `${countOf(imagined.count, 'imagined review')} of ${countOf(imagined.stars, 'star')} are added to the real ones, so that three glowing ones do not beat three hundred good ones.`,
    withoutWarranty: pointsWithoutWarranty,
    grades: `treadwear ${gradeShares.treadwear}%, wet traction ${gradeShares.traction}%, heat ${gradeShares.temperature}%`,
    attributes: attributes.map((name) => attributeNames[name]),
    kinds: (Object.keys(kindNames) as Tread[]).map((kind) => ({
      name: kindNames[kind],
      weights: attributes.map((name) => kinds[kind].weights[name] ?? 0),
      warranty:
        kinds[kind].fullWarrantyMiles === undefined ? 'Not counted' : `${grouped(kinds[kind].fullWarrantyMiles)} mi`,
      treadwear: kinds[kind].fullTreadwear === undefined ? 'Not counted' : String(kinds[kind].fullTreadwear),
    })),
    example: exampleSteps(),
  }
}

const partTexts: Record<ScorePart['name'], string> = {
  reviews:
    'What owners rate, from 1 star (0 points) to 5 stars (10 points), each weighted by how much the kind of tire needs it.',
  warranty: 'The miles the maker warrants, compared with the longest that is usual for the kind.',
  grades: 'The treadwear, traction and temperature grades of the federal test, printed on the sidewall.',
}

/** The example, step by step, each with the numbers that the next one starts from. */
function exampleSteps() {
  const { rating, warrantyMiles, utqg, meanStars, temperedStars, score } = scoreExample()
  const { weights, fullWarrantyMiles, fullTreadwear } = scoreRules.kinds['all-season']
  const { imagined, pointsWithoutWarranty, traction, temperature, gradeShares } = rules
  const rated = Object.entries(weights) as [Attribute, number][]
  const total = rated.reduce((sum, [, weight]) => sum + weight, 0)
  const [ownerPoints = '', warrantyPoints = '', gradePoints = ''] = score.parts.map(
    (part) => `${part.points.toFixed(2)} points`,
  )
  const grade = (points: number, share: number) => `${trimmed(points)} × ${share}%`
  return {
    tire: `An all-season tire with ${countOf(rating.count, 'review')}, a ${grouped(warrantyMiles)} mile warranty and the grades ${utqg.treadwear} ${utqg.traction} ${utqg.temperature}.`,
    steps: [
      `Owners: ${rated.map(([name, weight]) => `${attributeNames[name].toLowerCase()} ${stars(rating.attributes[name])} × ${weight}`).join(', ')}; together divided by ${total} is ${meanStars.toFixed(2)} stars.`,
      `With the imagined reviews: (${meanStars.toFixed(2)} × ${rating.count} + ${imagined.stars} × ${imagined.count}) ÷ ${rating.count + imagined.count} is ${temperedStars.toFixed(2)} stars, which is (${temperedStars.toFixed(2)} − 1) ÷ 4 × 10, or ${ownerPoints}.`,
      `Warranty: ${pointsWithoutWarranty} + ${10 - pointsWithoutWarranty} × ${grouped(warrantyMiles)} ÷ ${grouped(fullWarrantyMiles)} is ${warrantyPoints}.`,
      `Grades: ${grade(Math.min(10, (utqg.treadwear / fullTreadwear) * 10), gradeShares.treadwear)} + ${grade(traction[utqg.traction] ?? 0, gradeShares.traction)} + ${grade(temperature[utqg.temperature] ?? 0, gradeShares.temperature)} is ${gradePoints}.`,
      `Together: ${score.parts.map(({ points: own, weight }) => `${own.toFixed(2)} × ${weight}%`).join(' + ')} is ${points(score.tenths)}, which is ${score.band}.`,
    ],
    tenths: score.tenths,
    word: score.band,
  }
}

function points(tenths: number): string {
  return trimmed(tenths / 10)
}

/** "7", "8.7", "9.14" */
function trimmed(value: number): string {
  return String(Math.round(value * 100) / 100)
}

function stars(hundredths: number | null): string {
  return ((hundredths ?? 0) / 100).toFixed(1)
}
