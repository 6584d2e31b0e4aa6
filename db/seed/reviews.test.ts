import { expect, test } from 'vitest'
import { makeLines } from './lines.ts'
import { makeReviews, type Owned, type Review } from './reviews.ts'

const now = Temporal.Instant.from('2026-11-20T12:00:00Z')
const lines = makeLines()
const cars: Owned[] = [
  { year: 2012, name: '2012 Honda Civic LX', model: 'Honda Civic' },
  { year: 2025, name: '2025 Toyota Camry LE', model: 'Toyota Camry' },
]
const reviews = makeReviews(lines, 60_000, () => cars, now)
const byLine = Map.groupBy(reviews, (review) => review.product_line_id)
const attributes = ['dry', 'wet', 'winter', 'comfort', 'noise', 'treadwear'] as const

function mean(rows: readonly Review[], of: (review: Review) => number | null | undefined): number {
  const values = rows.map(of).filter((value) => value != null)
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

test('there are about 60,000, and each line has some', () => {
  expect(Math.abs(reviews.length - 60_000)).toBeLessThan(600)
  expect(byLine.size).toBe(lines.length)
})

test('stars are whole and add up to the overall', () => {
  const wrong = reviews.filter((review) => {
    const given = attributes.map((attribute) => review[attribute]).filter((rating) => rating != null)
    const overall = Math.round((given.reduce((sum, rating) => sum + rating, 0) / given.length) * 100)
    return given.some((rating) => ![1, 2, 3, 4, 5].includes(rating)) || review.overall_hundredths !== overall
  })
  expect(wrong).toEqual([])
})

test('averages follow tier and category', () => {
  const ofLines = (wanted: (line: (typeof lines)[number]) => boolean): Review[] =>
    lines.filter(wanted).flatMap((line) => byLine.get(line.id) ?? [])
  const overall = (tier: string): number =>
    mean(
      ofLines((line) => line.brand.tier === tier && line.profile.slug === 'touring-all-season'),
      (review) => review.overall_hundredths,
    )
  expect(overall('premium')).toBeGreaterThan(overall('mid') + 10)
  expect(overall('mid')).toBeGreaterThan(overall('value') + 10)
  const winter = (type: string): number =>
    mean(
      ofLines((line) => line.profile.type === type),
      (review) => review.winter,
    )
  expect(winter('winter')).toBeGreaterThan(4.4)
  expect(winter('all-weather')).toBeGreaterThan(winter('all-season') + 0.5)
  expect(ofLines((line) => line.profile.type === 'summer').every((review) => review.winter === null)).toBe(true)
  const noise = (slug: string): number =>
    mean(
      ofLines((line) => line.profile.slug === slug),
      (review) => review.noise,
    )
  expect(noise('ev-specific')).toBeGreaterThan(noise('mud-terrain') + 1)
})

test('the lines mentioned on pages have the number of reviews stated there', () => {
  const count = (name: string): number =>
    byLine.get(lines.find((line) => `${line.brand.name} ${line.name}` === name)?.id ?? 0)?.length ?? 0
  expect(count('Kestrel Alltide AS2')).toBe(1_284)
  expect(count('Alder & Stone Greyline CX')).toBe(2_046)
  expect(count('Corvane Passage')).toBe(341)
})

test('no tire was bought before its car was built, and no review is older than three years', () => {
  const tooEarly = reviews.filter(
    (review) =>
      Number(/^\d{4}/.exec(review.vehicle)?.[0] ?? 0) >= Temporal.PlainDate.from(String(review.purchased_on)).year,
  )
  expect(tooEarly).toEqual([])
  const hoursAgo = reviews.map((review) => Temporal.Instant.from(String(review.written_at)).until(now).total('hours'))
  expect(Math.min(...hoursAgo)).toBeGreaterThan(0)
  expect(Math.max(...hoursAgo)).toBeLessThan(24 * 1_097)
})

test('texts are short, complete and mostly unique', () => {
  const broken = reviews.filter(
    ({ summary, comments }) =>
      summary.length > 80 || comments.length <= 10 || /[{}]|undefined|NaN|  /.test(`${summary} ${comments}`),
  )
  expect(broken).toEqual([])
  expect(new Set(reviews.map((review) => review.comments)).size / reviews.length).toBeGreaterThan(0.85)
})

test('all are samples; a few await moderation', () => {
  expect(reviews.every((review) => review.sample && review.verified_order_id === null && review.email === null)).toBe(
    true,
  )
  expect(reviews.filter((review) => review.state !== 'published').map((review) => review.state)).toEqual(
    Array.from({ length: 11 }, () => 'waiting'),
  )
})

test('the same seed writes the same reviews', () => {
  expect(makeReviews(lines.slice(0, 12), 500, () => cars, now)).toEqual(
    makeReviews(lines.slice(0, 12), 500, () => cars, now),
  )
})
