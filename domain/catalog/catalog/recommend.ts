/**
 * Guided recommendations, based on four questions about driving and resulting in five tires with reasons. Answers
 * weight owner ratings, warranty and price. No other factor counts, and the product page backs up every reason.
 */
import { grouped } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { TOP_PICKS } from '#platform/business-constants.ts'
import { countOf } from '#platform/count-text.ts'
import { formatCents } from '#platform/money.ts'
import { attributes, type Attribute } from './items.ts'
import type { Offer } from './offer.ts'
import { isPickable } from './picks.ts'

/** The questions in order, with the answers' form values. */
export const questions = {
  weather: {
    text: 'What weather do you drive in?',
    answers: { dry: 'Mostly dry', rain: 'Often rain', snow: 'A few snow days', 'deep-snow': 'Long snowy winters' },
  },
  roads: {
    text: 'Where do you drive most?',
    answers: { city: 'In town', highway: 'On the highway', curves: 'On winding roads', unpaved: 'On gravel and dirt' },
  },
  priority: {
    text: 'What matters most to you?',
    answers: { quiet: 'Quiet and comfort', grip: 'Grip and short stops', life: 'A long life', price: 'A low price' },
  },
  miles: {
    text: 'How much do you drive in a year?',
    answers: { few: 'Less than 8,000 miles', usual: '8,000 to 15,000 miles', many: 'More than 15,000 miles' },
  },
} as const

type Questions = typeof questions
export type Answers = { readonly [Question in keyof Questions]: keyof Questions[Question]['answers'] }

export type Recommendation = { readonly offer: Offer; readonly reasons: readonly string[] }

/** Parses the answers in a query; undefined until all four questions have a valid answer. */
export function parseAnswers(params: URLSearchParams): Answers | undefined {
  const given = Object.entries(questions).map(([question, { answers }]) => ({
    question,
    answer: params.get(question) ?? '',
    answers,
  }))
  if (!given.every(({ answer, answers }) => Object.hasOwn(answers, answer))) return undefined
  return Object.fromEntries(given.map(({ question, answer }) => [question, answer])) as Answers
}

/**
 * Returns up to five tires for these answers, best first, one per line, each with one to three reasons. The rules of
 * the top picks apply.
 */
export function recommend(offers: readonly Offer[], answers: Answers): Recommendation[] {
  const suited = offers.filter((offer) => isPickable(offer) && offer.score !== null && suits(offer, answers))
  const medianCents = median(suited.map(({ perTireCents }) => perTireCents))
  const weights = weightsFor(answers)
  const rated = suited
    .map((offer) => ({ offer, ...rate(offer, weights, medianCents, answers) }))
    .sort(
      (a, b) =>
        b.points - a.points || a.offer.perTireCents - b.offer.perTireCents || (a.offer.key < b.offer.key ? -1 : 1),
    )
  const bestOfLine = [...new Map(rated.toReversed().map((each) => [each.offer.line.id, each])).values()].toReversed()
  return bestOfLine.slice(0, TOP_PICKS).map(({ offer, reasons }) => ({ offer, reasons }))
}

type Weights = Readonly<Record<Attribute | 'warranty' | 'price', number>>

const weightsOf: { readonly [Question in keyof Questions]: Readonly<Record<Answers[Question], Partial<Weights>>> } = {
  weather: {
    dry: { dry: 3, wet: 1 },
    rain: { wet: 4, dry: 1 },
    snow: { winter: 3, wet: 2 },
    'deep-snow': { winter: 6, wet: 1 },
  },
  roads: {
    city: { comfort: 2, noise: 1 },
    highway: { noise: 2, comfort: 1, treadwear: 1 },
    curves: { dry: 3, wet: 1 },
    unpaved: { treadwear: 2, winter: 1 },
  },
  priority: {
    quiet: { noise: 4, comfort: 2 },
    grip: { dry: 2, wet: 3 },
    life: { treadwear: 4, warranty: 3 },
    price: { price: 6 },
  },
  miles: { few: {}, usual: { treadwear: 1, warranty: 1 }, many: { treadwear: 2, warranty: 2 } },
}

function weightsFor(answers: Answers): Weights {
  const weights = { dry: 0, wet: 0, winter: 0, comfort: 0, noise: 0, treadwear: 0, warranty: 0, price: 1 }
  const given = [
    weightsOf.weather[answers.weather],
    weightsOf.roads[answers.roads],
    weightsOf.priority[answers.priority],
    weightsOf.miles[answers.miles],
  ]
  for (const [name, weight] of given.flatMap((each) => Object.entries(each) as [keyof Weights, number][]))
    weights[name] += weight
  return weights
}

/**
 * Returns whether a tire suits the weather. Excludes winter tires without long winters, and tires without the
 * three-peak mark with them.
 */
function suits({ line }: Offer, { weather }: Answers): boolean {
  if (weather === 'deep-snow') return line.threePeak
  if (weather === 'snow') return (line.threePeak || line.mPlusS) && !line.winter
  return !line.winter
}

function rate(
  offer: Offer,
  weights: Weights,
  medianCents: number,
  answers: Answers,
): { points: number; reasons: string[] } {
  const { line, warrantyMiles, perTireCents } = offer
  const parts: { weight: number; points: number; reason: string | null }[] = attributes.map((attribute) => {
    const stars = (line.rating?.attributes[attribute] ?? 300) / 100
    return {
      weight: weights[attribute],
      points: ((stars - 1) / 4) * 10,
      reason:
        stars >= 4
          ? `${praise[attribute]}: ${stars.toFixed(1)} of 5 from ${countOf(line.rating?.count ?? 0, 'owner')}`
          : null,
    }
  })
  parts.push({
    weight: weights.warranty,
    points: Math.min(10, (warrantyMiles ?? 0) / 8_000),
    reason: warrantyMiles === null ? null : `${grouped(warrantyMiles)} mile warranty`,
  })
  parts.push({
    weight: weights.price,
    points: Math.max(0, Math.min(10, 10 * (1.5 - perTireCents / medianCents))),
    reason:
      perTireCents < medianCents
        ? `${formatCents(medianCents - perTireCents)} a tire below the middle of this list`
        : null,
  })
  const total = parts.reduce((sum, { weight }) => sum + weight, 0)
  const points = parts.reduce((sum, part) => sum + part.weight * part.points, 0) / total
  const isMadeForIt = answers.roads === 'unpaved' && (line.tread === 'all-terrain' || line.tread === 'mud-terrain')
  const strongest = parts
    .filter(({ weight, reason }) => weight > 0 && reason !== null)
    .sort((a, b) => b.weight * b.points - a.weight * a.points)
  const reasons = [
    ...(isMadeForIt ? ['Made for gravel and dirt'] : []),
    ...(line.threePeak && answers.weather !== 'dry' && answers.weather !== 'rain'
      ? ['Three-peak snowflake, rated for severe snow']
      : []),
    ...strongest.map(({ reason }) => reason ?? ''),
  ]
  return {
    points: points + (isMadeForIt ? 2 : 0),
    reasons: reasons.length > 0 ? reasons.slice(0, 3) : [`Tire score ${((offer.score?.tenths ?? 0) / 10).toFixed(1)}`],
  }
}

const praise: Record<Attribute, string> = {
  dry: 'Dry grip',
  wet: 'Wet grip',
  winter: 'Snow',
  comfort: 'Comfort',
  noise: 'Quiet',
  treadwear: 'Wear',
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0
}
