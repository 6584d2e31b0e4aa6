import fc from 'fast-check'
import { expect, test } from 'vitest'
import { attributes } from '#domain/catalog/catalog/catalog.ts'
import { unreachableStates } from '#platform/transitions.testing.ts'
import { reviewLife } from './content-rules.ts'
import { parseReviewQuery, rankingMean, reviewForm, reviewParameters } from './reviews.ts'
import { screenReview } from './screening.ts'

const now = Temporal.Instant.from('2026-11-20T15:00:00Z')
const form = reviewForm(now)

const typed = {
  wet: '5',
  summary: 'Calm in heavy rain',
  comments: 'Held the lane on the interstate in a downpour.',
  name: 'Dana R.',
  email: 'Dana@Example.com',
  purchasedOn: '03/14/2026',
  vehicle: '2021 Toyota RAV4 XLE',
  milesDriven: '12,400',
  drivingStyle: 'Average',
  whereUsed: 'Mixed',
  buyAgain: 'yes',
}

/** The first message of each field, as pages show them. */
function messagesFor(change: Record<string, string | undefined>): Record<string, string> {
  const checked = form.safeParse({ ...typed, ...change })
  const messages: Record<string, string> = {}
  for (const issue of checked.error?.issues ?? []) messages[String(issue.path[0])] ??= issue.message
  return messages
}

test('parses a complete review into stars, a day and miles', () => {
  expect(form.parse(typed)).toEqual({
    dry: null,
    wet: 5,
    winter: null,
    comfort: null,
    noise: null,
    treadwear: null,
    summary: 'Calm in heavy rain',
    comments: 'Held the lane on the interstate in a downpour.',
    name: 'Dana R.',
    email: 'dana@example.com',
    purchasedOn: '2026-03-14',
    vehicle: '2021 Toyota RAV4 XLE',
    milesDriven: 12_400,
    drivingStyle: 'Average',
    whereUsed: 'Mixed',
    buyAgain: true,
    orderNumber: null,
  })
})

test.for([
  ['13/01/2026', 'Please enter a valid date format MM/DD/YYYY'],
  ['02/30/2026', 'Please enter a valid date format MM/DD/YYYY'],
  ['2026-03-14', 'Please enter a valid date format MM/DD/YYYY'],
  ['', 'Please enter a valid date format MM/DD/YYYY'],
  ['11/22/2026', 'This day has not come yet. Enter the day you bought the tires.'],
  ['12/31/1989', 'This day is before 1990. Enter the day you bought the tires.'],
] as const)('refuses the purchase date %s: %s', ([purchasedOn, message]) => {
  expect(messagesFor({ purchasedOn })).toEqual({ purchasedOn: message })
})

test('accepts today as purchase date, in every time zone', () => {
  expect(messagesFor({ purchasedOn: '11/20/2026' })).toEqual({})
  expect(messagesFor({ purchasedOn: '1/1/1990' })).toEqual({})
})

test('requires every field, and reports all missing fields together', () => {
  const empty = Object.fromEntries(Object.keys(typed).map((name) => [name, '']))
  expect(Object.keys(messagesFor(empty)).toSorted()).toEqual(
    [...Object.keys(typed).filter((name) => name !== 'wet'), 'ratings'].toSorted(),
  )
  for (const name of Object.keys(typed))
    expect(Object.keys(messagesFor({ [name]: undefined })), name).toEqual([name === 'wet' ? 'ratings' : name])
})

test('requires at least one attribute rating, from 1 to 5', () => {
  expect(messagesFor({ wet: '' })).toEqual({ ratings: 'Rate at least one of these from 1 to 5.' })
  for (const attribute of attributes) expect(messagesFor({ wet: '', [attribute]: '1' })).toEqual({})
  for (const stars of ['0', '6', '-1', '4.5', 'x']) expect(Object.keys(messagesFor({ dry: stars }))).toEqual(['dry'])
})

test('refuses invalid emails and miles, and texts that are too long', () => {
  expect(messagesFor({ email: 'dana@' })).toEqual({ email: 'Please enter a valid email' })
  for (const milesDriven of ['-1', '12.5', '1e3', '500,001', '9999999'])
    expect(Object.keys(messagesFor({ milesDriven }))).toEqual(['milesDriven'])
  expect(messagesFor({ summary: 'x'.repeat(80) })).toEqual({})
  expect(messagesFor({ summary: 'x'.repeat(81) })).toEqual({ summary: 'Sum it up in up to 80 characters.' })
  expect(messagesFor({ name: '<b>Dana</b>' })).toEqual({ name: 'Enter a display name with letters, up to 25.' })
})

test.for([
  ['I read about it on tires-for-less.com', ['link']],
  ['see https://example.test/x', ['link']],
  ['Call me at (312) 555-0142', ['contact-details']],
  ['dana@example.org knows', ['contact-details']],
  ['What a piece of sh1t', ['profanity']],
  ['f**k this tire', ['profanity']],
  ['fuuuuck', ['profanity']],
  ['THESE ARE THE WORST TIRES I EVER HAD', ['shouting']],
  ['Terrible!!!!', ['shouting']],
  ['Never again. Slid through a stop sign, twice; the shop shrugged.', []],
  ['225/65R17 102H at 32 psi, 12,000 miles, 2019 CR-V, M+S and 3PMSF.', []],
  ['My Scunthorpe cousin pushes shiitake in a Dickinson assembly hall.', []],
  ['GREAT', []],
] as const)('screening of "%s" flags %j', ([comments, reasons]) => {
  expect(screenReview({ summary: 'Fine', comments, name: 'Dana' })).toEqual(reasons)
})

test('the rating doesn’t affect screening', () => {
  const words = fc.oneof(
    fc.string(),
    fc.constantFrom('fuck', 'www.x.com', '312-555-0142', 'NEVER AGAIN THESE TIRES', 'Fine tires, quiet ride.'),
  )
  fc.assert(
    fc.property(words, words, fc.constantFrom(...attributes), (summary, comments, attribute) => {
      const review = (stars: number) => ({ summary, comments, name: 'Dana', [attribute]: stars, buyAgain: stars === 5 })
      expect(screenReview(review(1))).toEqual(screenReview(review(5)))
    }),
  )
})

test('few reviews move a line less than many', () => {
  expect(rankingMean(3, 500)).toBeLessThan(rankingMean(300, 460))
  expect(rankingMean(0, 0)).toBe(360)
})

test('every review state is reachable', () => {
  expect(unreachableStates(reviewLife, 'waiting')).toEqual([])
})

test('a query round-trips, and invalid values are ignored', () => {
  const query = { sort: 'lowest', stars: 2, vehicle: 'Toyota RAV4', after: 812 } as const
  const written = new URLSearchParams(
    Object.entries(reviewParameters(query)).map(([name, value]) => [name, String(value)]),
  )
  expect(parseReviewQuery(written)).toEqual(query)
  expect(parseReviewQuery(new URLSearchParams('sort=best&stars=6&vehicle=%20&after=0x1'))).toEqual({
    sort: 'helpful',
    stars: null,
    vehicle: null,
    after: null,
  })
})
