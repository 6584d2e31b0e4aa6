import { expect, test } from 'vitest'
import { deepestCut, exceededLimits, priceCutOf, type ConcessionLimits } from './concessions.ts'

const limits: ConcessionLimits = {
  orderCents: 75_000,
  shopCents: 10_000,
  personCents: 500_000,
  marginFloorPpm: 100_000,
  discountPpm: 300_000,
}
const none = { orderCents: null, recipientCents: null, shopCents: null, personCents: null }

test('a concession exceeds a limit only together with earlier concessions, to the cent', () => {
  const of = (amountCents: number, given: Partial<typeof none> | Record<string, number>) =>
    exceededLimits({ amountCents, cut: null }, { ...none, ...given }, limits)
  expect(of(75_000, { orderCents: 0 })).toEqual([])
  expect(of(75_001, { orderCents: 0 })).toEqual(['order'])
  expect(of(1, { orderCents: 75_000 })).toEqual(['order'])
  expect(of(1, { orderCents: 0, recipientCents: 75_000 })).toEqual(['recipient'])
  expect(of(10_001, { shopCents: 0, personCents: 0 })).toEqual(['shop'])
  expect(of(2, { orderCents: 0, personCents: 499_999 })).toEqual(['person'])
  expect(of(80_000, { orderCents: 0, personCents: 450_000 })).toEqual(['order', 'person'])
  expect(of(999_999, {})).toEqual([])
})

test('a price cut exceeds the margin limit below the minimum, and the discount limit without a known cost', () => {
  const of = (retailCents: number, costCents: number | null, reducedCents: number) =>
    exceededLimits({ amountCents: 0, cut: priceCutOf({ retailCents, costCents, reducedCents }) }, none, limits)
  expect(of(10_000, 7_200, 8_000)).toEqual([])
  expect(of(10_000, 7_201, 8_000)).toEqual(['margin'])
  expect(of(10_000, null, 7_000)).toEqual([])
  expect(of(10_000, null, 6_999)).toEqual(['discount'])
  expect(of(10_000, 1, 0)).toEqual(['margin', 'discount'])
  expect(of(10_000, 8_000, 12_000)).toEqual([])
})

test('the deepest cut has the largest discount and the smallest known margin', () => {
  expect(deepestCut([])).toBeNull()
  expect(deepestCut([{ discountPpm: 1, marginPpm: null }])).toEqual({ discountPpm: 1, marginPpm: null })
  expect(
    deepestCut([
      { discountPpm: 300_000, marginPpm: 200_000 },
      { discountPpm: 100_000, marginPpm: 50_000 },
      { discountPpm: 200_000, marginPpm: null },
    ]),
  ).toEqual({ discountPpm: 300_000, marginPpm: 50_000 })
})
