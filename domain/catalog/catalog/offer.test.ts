import { expect, test } from 'vitest'
import type { Requirement } from '#domain/catalog/fitment/fitment.ts'
import { parseTire } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { cardOf } from './card.ts'
import { makeItem, makeLine, makeSize, fitAt, now } from './catalog.testing.ts'
import { judging } from './fit.ts'
import { lineOffer, setOffers, tireOffer } from './offer.ts'
import { priceBook } from './promotion.ts'

const frontSize = makeSize({
  slug: '245-35r19',
  designation: '245/35R19',
  sectionWidthMm: 245,
  aspect: 35,
  rimIn: 19,
  overallDiameterMm: 654.1,
})
const rearSize = makeSize({
  slug: '305-30r20',
  designation: '305/30R20',
  sectionWidthMm: 305,
  aspect: 30,
  rimIn: 20,
  overallDiameterMm: 691,
})
const front = makeItem({
  id: 1,
  size: frontSize,
  loadIndex: 89,
  speed: 'Y',
  retailCents: 20_000,
  measuredDiameterMm: 654,
  stock: [[1, 2]],
})
const rear = makeItem({
  id: 2,
  size: rearSize,
  loadIndex: 99,
  speed: 'Y',
  retailCents: 30_001,
  measuredDiameterMm: 691,
  stock: [[2, 3]],
})

const corvette: Requirement = {
  source: 'placard',
  vehicleClass: 'car',
  drive: 'rwd',
  make: 'Chevrolet',
  modelYear: 2020,
  configurations: [{ front: parseTire('245/35ZR19 89Y')!, rear: parseTire('305/30ZR20 99Y')! }],
}
const context = { prices: priceBook([], now), at: fitAt, judge: judging(corvette, fitAt, 'Corvette') }

test('a staggered set is one offer with front and rear articles of one line', () => {
  const [offer, ...others] = setOffers([front], [rear], {
    ...context,
    arrivalOf: ([stock]) => (stock?.[0] === 1 ? '2026-11-24' : '2026-11-27'),
  })
  expect(others).toEqual([])
  expect(offer).toMatchObject({
    kind: 'set',
    key: '1-2',
    perTireCents: 25_001,
    isInStock: true,
    readyOn: '2026-11-27',
    fitment: { verdict: 'fits' },
  })
  // Two and two, where the rounded mean is exact.
  expect(cardOf(offer!)).toMatchObject({
    fourCents: 100_002,
    items: [
      { size: '245/35R19', service: '89Y' },
      { size: '305/30R20', service: '99Y' },
    ],
  })
})

test("picks a line's pair that fits, then the cheaper one", () => {
  const weakRear = makeItem({ ...rear, id: 3, loadIndex: 90, retailCents: 20_000 })
  const dearFront = makeItem({ ...front, id: 4, retailCents: 25_000 })
  expect(setOffers([dearFront, front], [weakRear, rear], context).map(({ key }) => key)).toEqual(['1-2'])
})

test("a set never mixes lines, run-flats or makers' marks", () => {
  const otherLine = makeItem({ ...rear, id: 5, line: makeLine({ id: 9 }) })
  const runFlat = makeItem({ ...rear, id: 6, runFlat: true })
  const marked = makeItem({ ...rear, id: 7, oeMark: 'N0' })
  expect(setOffers([front], [otherLine, runFlat, marked], context)).toEqual([])
  expect(
    setOffers([front, makeItem({ ...front, id: 8, runFlat: true })], [rear, runFlat], context).map(({ key }) => key),
  ).toEqual(['1-2', '8-6'])
})

test('a set is in stock only with two of each', () => {
  const [offer] = setOffers([makeItem({ ...front, stock: [[1, 1]] })], [rear], {
    ...context,
    arrivalOf: (stock) => (stock[0]?.[1] === 1 ? null : '2026-11-24'),
  })
  expect(offer).toMatchObject({ isInStock: false, readyOn: null })
})

test('four units of an item need four in stock across warehouses', () => {
  expect(tireOffer(makeItem({ stock: [[1, 3]] }), context).isInStock).toBe(false)
  expect(
    tireOffer(
      makeItem({
        stock: [
          [1, 3],
          [2, 1],
        ],
      }),
      context,
    ).isInStock,
  ).toBe(true)
})

test("a line's price is its lowest, including promotions", () => {
  const cheapest = makeItem({ id: 1, retailCents: 9_000 })
  const onSale = makeItem({ id: 2, retailCents: 9_500 })
  const prices = priceBook(
    [
      {
        id: 1,
        slug: 's',
        name: 'n',
        headline: 'h',
        kind: 'Flat Amount',
        amount: 1_000,
        itemId: 2,
        lineId: null,
        brandId: null,
        fundedBy: 'store',
        alreadyApplied: false,
        linkToCoverage: false,
        daily: true,
        startsAt: now,
        endsAt: now.add({ hours: 1 }),
      },
    ],
    now,
  )
  const summary = { line: cheapest.line, items: [cheapest, onSale], sizes: 12, hasRunFlat: true, isInStock: true }
  expect(lineOffer(summary, { prices })).toMatchObject({
    kind: 'line',
    perTireCents: 8_500,
    sizes: 12,
    isRunFlat: true,
    items: [{ id: 2 }],
  })
})
