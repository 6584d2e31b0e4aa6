import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Requirement } from '#domain/catalog/fitment/fitment.ts'
import { parseTire } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { anyItems, fitAt, makeItem, makeLine, makeRating, now } from './catalog.testing.ts'
import { judging } from './fit.ts'
import type { Item } from './items.ts'
import { tireOffer } from './offer.ts'
import { isPickable } from './picks.ts'
import { priceBook } from './promotion.ts'
import { parseAnswers, questions, recommend, type Answers } from './recommend.ts'

const needed = parseTire('225/65R17 102T')!
const requirement: Requirement = {
  source: 'placard',
  vehicleClass: 'suv',
  drive: 'awd',
  modelYear: 2021,
  configurations: [{ front: needed, rear: needed }],
}
const offersOf = (items: readonly Item[]) =>
  items.map((item) => tireOffer(item, { prices: priceBook([], now), at: fitAt, judge: judging(requirement, fitAt) }))
const usual: Answers = { weather: 'rain', roads: 'city', priority: 'grip', miles: 'usual' }

test('parses four answers from a URL, and rejects partial answers', () => {
  expect(parseAnswers(new URLSearchParams('weather=rain&roads=city&priority=grip&miles=usual'))).toEqual(usual)
  expect(parseAnswers(new URLSearchParams('weather=rain&roads=city&priority=grip'))).toBeUndefined()
  expect(parseAnswers(new URLSearchParams('weather=hail&roads=city&priority=grip&miles=usual'))).toBeUndefined()
  expect(parseAnswers(new URLSearchParams('weather=toString&roads=city&priority=grip&miles=usual'))).toBeUndefined()
})

test('recommends at most five lines, each with its reasons, for any answers', () => {
  const any = <Question extends keyof typeof questions>(question: Question) =>
    fc.constantFrom(...(Object.keys(questions[question].answers) as Answers[Question][]))
  const anyAnswers: fc.Arbitrary<Answers> = fc.record({
    weather: any('weather'),
    roads: any('roads'),
    priority: any('priority'),
    miles: any('miles'),
  })
  fc.assert(
    fc.property(anyItems, anyAnswers, (items, answers) => {
      const found = recommend(offersOf(items), answers)
      expect(found.length).toBeLessThanOrEqual(5)
      expect(new Set(found.map(({ offer }) => offer.line.id)).size).toBe(found.length)
      for (const { offer, reasons } of found) {
        expect(isPickable(offer)).toBe(true)
        expect(reasons.length).toBeGreaterThan(0)
        expect(reasons.length).toBeLessThanOrEqual(3)
        if (answers.weather === 'deep-snow') expect(offer.line.threePeak).toBe(true)
        else expect(offer.line.winter).toBe(false)
      }
    }),
  )
})

const rated = (attribute: string) =>
  makeRating({
    attributes: {
      ...makeRating({ overallHundredths: 400 }).attributes,
      dry: 400,
      wet: 400,
      winter: 400,
      comfort: 400,
      noise: 400,
      treadwear: 400,
      [attribute]: 495,
    },
  })
const quiet = makeItem({ id: 1, line: makeLine({ id: 1, rating: rated('noise') }) })
const grippy = makeItem({ id: 2, line: makeLine({ id: 2, rating: rated('wet') }) })
const lasting = makeItem({ id: 3, line: makeLine({ id: 3, rating: rated('treadwear'), warrantyMiles: 80_000 }) })
const cheap = makeItem({ id: 4, retailCents: 9_900, line: makeLine({ id: 4, rating: rated('none') }) })
const snowy = makeItem({
  id: 5,
  line: makeLine({ id: 5, rating: rated('winter'), threePeak: true, tread: 'all-weather' }),
})
const rough = makeItem({ id: 6, line: makeLine({ id: 6, rating: rated('none'), tread: 'all-terrain' }) })

test.each([
  ['quiet', { priority: 'quiet' }, 1, 'Quiet: 5.0 of 5 from 200 owners'],
  ['grip in the rain', { priority: 'grip' }, 2, 'Wet grip: 5.0 of 5 from 200 owners'],
  ['a long life', { priority: 'life', miles: 'many' }, 3, '80,000 mile warranty'],
  ['a low price', { priority: 'price' }, 4, '$65.00 a tire below the middle of this list'],
  ['snow', { weather: 'deep-snow' }, 5, 'Three-peak snowflake, rated for severe snow'],
  ['gravel', { roads: 'unpaved', priority: 'life', weather: 'dry' }, 6, 'Made for gravel and dirt'],
] as const)('an answer of %s puts that first, with the reason', (_, change, id, reason) => {
  const [first] = recommend(offersOf([quiet, grippy, lasting, cheap, snowy, rough]), { ...usual, ...change })
  expect(first?.offer.key).toBe(String(id))
  expect(first?.reasons).toContain(reason)
})
