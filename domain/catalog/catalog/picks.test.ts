import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Requirement } from '#domain/catalog/fitment/fitment.ts'
import { loadOf, parseTire, speedOf } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { anyItems, fitAt, makeItem, makeLine, makeRating, now } from './catalog.testing.ts'
import { judging } from './fit.ts'
import type { Item, Line, Rating } from './items.ts'
import { tireOffer } from './offer.ts'
import { isPickable, pickReasons, topPicks } from './picks.ts'
import { priceBook } from './promotion.ts'

const needed = parseTire('225/65R17 102T')!
const rav4: Requirement = {
  source: 'catalog',
  vehicleClass: 'suv',
  drive: 'awd',
  make: 'Toyota',
  modelYear: 2021,
  configurations: [{ front: needed, rear: needed }],
}

function offersOf(items: readonly Item[], requirement: Requirement = rav4) {
  return items.map((item) =>
    tireOffer(item, { prices: priceBook([], now), at: fitAt, judge: judging(requirement, fitAt) }),
  )
}

test('no pick is refused, unclear, or below the required load or speed', () => {
  fc.assert(
    fc.property(anyItems, (items) => {
      const picks = topPicks(offersOf(items))
      expect(new Set(picks.map(({ offer }) => offer.line.id)).size).toBe(picks.length)
      for (const { offer } of picks) {
        const [item] = offer.items
        expect(['fits', 'fits_with_conditions']).toContain(offer.fitment?.verdict)
        expect(loadOf(item.loadIndex ?? undefined)?.kg ?? 0).toBeGreaterThanOrEqual(loadOf(102)?.kg ?? Infinity)
        expect(speedOf(item.speed ?? undefined)?.kmh ?? 0).toBeGreaterThanOrEqual(speedOf('T')?.kmh ?? Infinity)
        expect(offer.isInStock).toBe(true)
      }
    }),
  )
})

test('never picks a winter tire allowed only by the speed exception, even among winter tires', () => {
  const winter = makeLine({ winter: true, threePeak: true, tread: 'winter' })
  const [slow, fast] = [makeItem({ id: 1, line: winter, speed: 'S' }), makeItem({ id: 2, line: winter, speed: 'T' })]
  expect(offersOf([slow])[0]?.fitment).toMatchObject({ verdict: 'fits_with_conditions', isBelowRequirement: true })
  expect(topPicks(offersOf([slow, fast])).map(({ offer }) => offer.key)).toEqual(['2'])
})

test('has no picks while fit is unknown', () => {
  expect(topPicks(offersOf([makeItem()], { ...rav4, source: 'weak' }))).toEqual([])
  expect(
    topPicks(
      offersOf([makeItem()], {
        ...rav4,
        configurations: [
          ...rav4.configurations,
          { front: parseTire('235/55R19 105V')!, rear: parseTire('235/55R19 105V')! },
        ],
      }),
    ),
  ).toEqual([])
})

function stars(hundredths: number): Rating {
  const each = hundredths
  return makeRating({
    overallHundredths: each,
    attributes: { dry: each, wet: each, winter: each, comfort: each, noise: each, treadwear: each },
  })
}

test('each pick is the best for its reason, and no tire has two reasons', () => {
  const offers = offersOf([
    makeItem({ id: 1, retailCents: 25_000, line: makeLine({ id: 1, rating: stars(490) }) }),
    makeItem({ id: 2, retailCents: 11_000, line: makeLine({ id: 2, rating: stars(450) }) }),
    makeItem({
      id: 3,
      retailCents: 21_000,
      line: makeLine({ id: 3, rating: stars(440), threePeak: true, tread: 'all-weather' }),
    }),
    makeItem({ id: 4, retailCents: 7_000, line: makeLine({ id: 4, rating: stars(310), warrantyMiles: null }) }),
    makeItem({ id: 5, retailCents: 24_000, line: makeLine({ id: 5, rating: stars(400), warrantyMiles: 90_000 }) }),
    makeItem({ id: 6, retailCents: 5_000, loadIndex: 98, line: makeLine({ id: 6, rating: stars(500) }) }),
    makeItem({ id: 7, retailCents: 6_000, stock: [[1, 3]], line: makeLine({ id: 7, rating: stars(500) }) }),
    makeItem({
      id: 8,
      retailCents: 6_500,
      line: makeLine({ id: 8, rating: stars(500), winter: true, threePeak: true, tread: 'winter' }),
    }),
  ])
  expect(topPicks(offers).map(({ reason, offer }) => [reason, offer.key])).toEqual(
    pickReasons.map((reason, index) => [reason, String(index + 1)]),
  )
})

test('picks no summer tire in winter while there are others', () => {
  const type = (slug: string) => ({ ...makeLine().type, slug })
  const offers = offersOf([
    makeItem({ id: 1, line: makeLine({ id: 1, rating: stars(490), type: type('summer') }) }),
    makeItem({ id: 2, line: makeLine({ id: 2, rating: stars(400), type: type('all-season') }) }),
  ])
  const keys = (picks: ReturnType<typeof topPicks>) => picks.map(({ offer }) => offer.key)
  expect(keys(topPicks(offers, 'winter'))).toEqual(['2'])
  expect(keys(topPicks(offers, 'other'))).toContain('1')
  expect(keys(topPicks(offers.slice(0, 1), 'winter'))).toEqual(['1'])
})

test('a model with several load indexes is picked once', () => {
  const [popular, other] = [makeLine({ id: 1 }), makeLine({ id: 2, warrantyMiles: 90_000 })]
  const offers = offersOf([
    makeItem({ id: 1, line: popular, loadIndex: 102, retailCents: 11_000 }),
    makeItem({ id: 2, line: popular, loadIndex: 105, retailCents: 10_000 }),
    makeItem({ id: 3, line: other, retailCents: 30_000 }),
  ])
  const lines = topPicks(offers).map(({ offer }) => offer.line.id)
  expect(lines.toSorted((one, other) => one - other)).toEqual([1, 2])
})

/** A line of a brand with so many hundredths of stars. */
function lineOf(id: number, brandId: number, hundredths: number, change: Partial<Line> = {}): Line {
  return makeLine({
    id,
    brand: { id: brandId, slug: `b${brandId}`, name: `B${brandId}`, tier: 'mid' },
    rating: stars(hundredths),
    warrantyMiles: 40_000,
    ...change,
  })
}

test('at most two picks are of one brand while others qualify, and only the winner of a reason is called that', () => {
  const offers = offersOf([
    makeItem({ id: 1, line: lineOf(1, 1, 490), retailCents: 30_000 }),
    makeItem({ id: 2, line: lineOf(2, 1, 480), retailCents: 6_000 }),
    makeItem({ id: 3, line: lineOf(3, 1, 300), retailCents: 5_000 }),
    makeItem({ id: 4, line: lineOf(4, 2, 300), retailCents: 7_000 }),
    makeItem({ id: 5, line: lineOf(5, 1, 300, { warrantyMiles: 90_000 }), retailCents: 25_000 }),
    makeItem({ id: 6, line: lineOf(6, 3, 300, { warrantyMiles: 80_000 }), retailCents: 26_000 }),
  ])
  expect(topPicks(offers).map(({ reason, offer }) => [reason, offer.key])).toEqual([
    ['Highest score', '1'],
    ['Best value', '2'],
    ['Low price that fits', '4'],
    ['Long warranty', '6'],
  ])
  // Without other brands, the same two models more.
  const ofOne = offers.filter(({ line }) => line.brand.id === 1)
  expect(topPicks(ofOne).map(({ reason, offer }) => [reason, offer.key])).toEqual([
    ['Highest score', '1'],
    ['Best value', '2'],
    ['Lowest price that fits', '3'],
    ['Longest warranty', '5'],
  ])
})

test('a brand is picked a third time only for a reason for which no other brand qualifies', () => {
  fc.assert(
    fc.property(anyItems, (items) => {
      const offers = offersOf(items)
      const picks = topPicks(offers)
      const third = picks.filter(
        ({ offer }, index) =>
          picks.slice(0, index).filter((each) => each.offer.line.brand.id === offer.line.brand.id).length >= 2,
      )
      const free = offers.filter(
        (offer) =>
          isPickable(offer) &&
          !offer.line.winter &&
          picks.filter((each) => each.offer.line.brand.id === offer.line.brand.id).length < 2 &&
          !picks.some((each) => each.offer.line.id === offer.line.id),
      )
      // The cheapest tire of another brand would do as well.
      for (const { reason } of third)
        if (reason.endsWith('price that fits')) expect(free.map(({ key }) => key)).toEqual([])
    }),
  )
})
