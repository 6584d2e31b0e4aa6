import type { Row } from '#db/insert-rows.ts'
import type { Line } from './lines.ts'
import { randomStream, type Random } from './random.ts'
import {
  asides,
  attributes,
  closings,
  names,
  openings,
  openingsAfterAYear,
  parts,
  type Attribute,
  type Level,
} from './review-texts.ts'

export type Review = Row<'review'>
type Ratings = Partial<Record<Attribute, number>>
/** A vehicle a reviewer may drive: "2019 Honda CR-V EX", of the model "Honda CR-V". */
export type Owned = { year: number; name: string; model: string }
/** A buyer with a delivered sample order. */
export type Buyer = {
  orderId: number
  firstName: string
  line: Line
  vehicle: Owned
  placedAt: Temporal.Instant
  deliveredAt: Temporal.Instant
}

const published = 'published'
/** Left for moderation, so that the queue is not empty. */
const waitingReviews = 11

/**
 * About `count` reviews over the three years before `now`, in the order of the lines. `vehiclesOf` names the vehicles
 * that take a size of the line ("2019 Honda CR-V EX"). Good lines of premium brands rate better than plain ones, and
 * each category has its strengths: a winter tire in snow, a summer tire in the dry.
 */
export function makeReviews(
  lines: readonly Line[],
  count: number,
  vehiclesOf: (line: Line) => readonly Owned[],
  now: Temporal.Instant,
): Review[] {
  const shares = lines.map((line) => shareOf(line))
  const named = lines.reduce((sum, line) => sum + (line.reviews ?? 0), 0)
  const scale = Math.min(1, count / 60_000)
  const rest = Math.max(0, count - named * scale) / shares.reduce((sum, share) => sum + share, 0)
  const reviews = lines.flatMap((line, index) => {
    const random = randomStream(`reviews ${line.brand.slug} ${line.slug}`)
    const vehicles = vehiclesOf(line)
    const number =
      line.reviews === undefined
        ? Math.round((shares[index] ?? 0) * rest)
        : Math.max(5, Math.round(line.reviews * scale))
    return Array.from({ length: number }, () => makeReview(line, vehicles, random, now))
  })
  const random = randomStream('moderation')
  for (let left = Math.min(waitingReviews, reviews.length); left > 0; left--) {
    const review = random.pick(reviews)
    review.state = 'waiting'
    review.helpful_count = 0
    review.written_at = now.subtract({ hours: random.between(1, 60) })
  }
  return reviews
}

/** Returns verified reviews from about half of the buyers with tires that arrived at least two days ago. */
export function makeBuyerReviews(buyers: readonly Buyer[], now: Temporal.Instant): Review[] {
  return buyers.flatMap(({ orderId, firstName, line, vehicle, placedAt, deliveredAt }) => {
    const random = randomStream(`buyer review ${orderId}`)
    const hours = deliveredAt.until(now).total('hours')
    if (hours < 48 || random.chance(0.5)) return []
    const written = now.subtract({ minutes: Math.round((hours - 30) * 60 * random.next()) })
    const purchased = placedAt.toZonedDateTimeISO('UTC').toPlainDate()
    const use = {
      written,
      purchased,
      monthsDriven: 0,
      miles: random.between(3, 30) * 10,
      vehicle,
      helpful: () => random.between(0, 3),
    }
    return [
      {
        ...reviewOf(line, use, random),
        author_name: `${firstName} ${String.fromCharCode(65 + random.between(0, 25))}.`,
        verified_order_id: orderId,
      },
    ]
  })
}

/** Returns a model's share of the reviews. A few models get most of them. */
function shareOf(line: Line): number {
  if (line.reviews !== undefined) return 0
  const odd =
    { 'commercial-truck': 0.1, 'temporary-spare': 0.05, 'trailer-st': 0.3, 'track-competition': 0.25 }[
      line.profile.slug as string
    ] ?? 1
  return Math.exp(randomStream(`review share ${line.brand.slug} ${line.slug}`).normal(0, 0.75)) * line.reach * odd
}

/** When the tires were bought and reviewed, on which vehicle, and how far they were driven. */
type Use = {
  written: Temporal.Instant
  purchased: Temporal.PlainDate
  monthsDriven: number
  miles: number
  vehicle: { name: string; model: string | null }
  helpful: () => number
}

function makeReview(line: Line, vehicles: readonly Owned[], random: Random, now: Temporal.Instant): Review {
  const daysAgo = Math.floor(1095 * random.next() ** 1.3)
  const written = now.subtract({ hours: daysAgo * 24 + random.between(1, 23), minutes: random.between(0, 59) })
  const monthsDriven = random.weighted([1, 2, 4, 8, 14, 22, 30], (months) => 9 - months / 5)
  const miles = Math.round((monthsDriven * random.between(450, 1350)) / 100) * 100
  const purchased = written
    .subtract({ hours: 24 * 30 * monthsDriven })
    .toZonedDateTimeISO('UTC')
    .toPlainDate()
  const vehicle = vehicleAt(purchased.year, vehicles, line, random)
  const helpful = () => Math.floor(26 * random.next() ** 5 * (1 + (1095 - daysAgo) / -1600))
  return reviewOf(line, { written, purchased, monthsDriven, miles, vehicle, helpful }, random)
}

function reviewOf(
  line: Line,
  { written, purchased, monthsDriven, miles, vehicle, helpful }: Use,
  random: Random,
): Review {
  const ratings = ratingsFor(line, random)
  const given = Object.values(ratings)
  const overall = given.reduce((sum, rating) => sum + rating, 0) / given.length
  const again = overall >= 4 ? random.chance(0.95) : overall >= 3.4 ? random.chance(0.55) : random.chance(0.08)
  const { summary, headline } = summaryOf(ratings, random)
  return {
    product_line_id: line.id,
    dry: ratings.dry ?? null,
    wet: ratings.wet ?? null,
    winter: ratings.winter ?? null,
    comfort: ratings.comfort ?? null,
    noise: ratings.noise ?? null,
    treadwear: ratings.treadwear ?? null,
    overall_hundredths: Math.round(overall * 100),
    summary,
    comments: commentsOf(ratings, { vehicle: vehicle.name, miles, monthsDriven, overall, again }, headline, random),
    author_name: `${random.pick(names)} ${String.fromCharCode(65 + random.between(0, 25))}.`,
    email: null,
    purchased_on: purchased.toString(),
    vehicle: vehicle.name,
    vehicle_model: vehicle.model,
    miles_driven: miles,
    driving_style: drivingStyleOf(line, random),
    where_used: random.weighted(['Highway', 'City', 'Mixed', 'Country roads', 'Off road'], (place) =>
      place === 'Off road' ? (line.profile.tread.endsWith('terrain') ? 8 : 0) : place === 'Mixed' ? 8 : 5,
    ),
    buy_again: again,
    verified_order_id: null,
    sample: true,
    state: published,
    helpful_count: helpful(),
    written_at: written,
  }
}

/** One to five for each attribute that the reviewer rated; winter is left out for tires that are not driven in it. */
function ratingsFor(line: Line, random: Random): Ratings {
  const mood = random.normal(0, 0.38) - (random.chance(0.04) ? 1.5 : 0)
  const ratings: Ratings = {}
  for (const attribute of attributes) {
    const leaning = line.profile.character[attribute]
    if (leaning === null || random.chance(attribute === 'winter' ? 0.3 : 0.05)) continue
    const seen = 4.32 + line.quality * 0.72 + leaning + mood + random.normal(0, 0.42)
    ratings[attribute] = Math.max(1, Math.min(5, Math.round(seen)))
  }
  if (Object.keys(ratings).length === 0) ratings.dry = 4
  return ratings
}

function levelOf(rating: number): Level {
  return rating >= 4 ? 'good' : rating === 3 ? 'fair' : 'poor'
}

/** The headline uses the best attribute of a good review or the worst of a bad one, and sometimes also the opposite. */
function summaryOf(ratings: Ratings, random: Random): { summary: string; headline: Attribute[] } {
  const rated = random.shuffled(Object.entries(ratings) as [Attribute, number][])
  const mean = rated.reduce((sum, [, rating]) => sum + rating, 0) / rated.length
  rated.sort((a, b) => (mean >= 3.4 ? b[1] - a[1] : a[1] - b[1]))
  const [first, second] = rated
  const last = rated.at(-1)
  if (first === undefined || last === undefined) throw new Error('A review rates something')
  const say = ([attribute, rating]: [Attribute, number]): string =>
    random.pick(parts[attribute][levelOf(rating)].headline)
  const levels = new Set([levelOf(first[1]), levelOf(last[1])])
  if (levels.has('good') && levels.has('poor') && random.chance(0.5))
    return { summary: `${say(first)}, but ${lowered(say(last))}`, headline: [first[0], last[0]] }
  if (second && levelOf(first[1]) === 'good' && levelOf(second[1]) === 'good' && random.chance(0.2))
    return { summary: `${say(first)}, ${lowered(say(second))}`, headline: [first[0], second[0]] }
  return { summary: say(first), headline: [first[0]] }
}

type Story = { vehicle: string; miles: number; monthsDriven: number; overall: number; again: boolean }

/** One to four sentences about attributes, the headline's first among ties, with an opening and an aside. */
function commentsOf(
  ratings: Ratings,
  { vehicle, miles, monthsDriven, overall, again }: Story,
  headline: readonly Attribute[],
  random: Random,
): string {
  const others = random.shuffled(
    attributes.filter((attribute) => ratings[attribute] !== undefined && !headline.includes(attribute)),
  )
  const spoken = random.shuffled([
    ...headline,
    ...others.slice(
      0,
      random.weighted([0, 1, 2, 3], (count) => 4 - Math.abs(count - 1)),
    ),
  ])
  const sentences = spoken.map((attribute) => random.pick(parts[attribute][levelOf(ratings[attribute] ?? 3)].sentence))
  const opening = random.pick(monthsDriven >= 12 ? [...openings, ...openingsAfterAYear] : openings)
  const filled = opening
    .replace('{vehicle}', vehicle.replace(/^\d{4} /, ''))
    .replace('{miles}', miles.toLocaleString('en-US'))
  const aside = random.chance(0.22) ? random.pick(asides) : ''
  const closing = random.chance(0.6)
    ? random.pick(closings[again ? (overall >= 3.8 ? 'again' : 'unsure') : overall >= 3 ? 'unsure' : 'never'])
    : ''
  return [filled, ...sentences, aside, closing].filter(Boolean).join(' ')
}

/** A vehicle that takes the tire and was on the road when it was bought. */
function vehicleAt(year: number, vehicles: readonly Owned[], line: Line, random: Random): Use['vehicle'] {
  const odd =
    { trailer: 'Travel trailer', spare: 'Spare for the trunk', commercial: 'Box truck' }[line.profile.type] ??
    'Project truck'
  for (let attempt = 0; attempt < 12 && vehicles.length > 0; attempt++) {
    const vehicle = random.pick(vehicles)
    if (vehicle.year < year) return vehicle
  }
  return { name: odd, model: null }
}

function drivingStyleOf(line: Line, random: Random): string {
  const styles = ['Relaxed', 'Average', 'Spirited', 'Towing or hauling']
  return random.weighted(styles, (style) => {
    if (style === 'Spirited') return line.profile.type === 'summer' || line.profile.slug === 'uhp-all-season' ? 12 : 2
    if (style === 'Towing or hauling')
      return ['highway', 'all-terrain', 'commercial', 'trailer'].includes(line.profile.type) ? 5 : 0
    return 6
  })
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
