/** The choice of a warehouse for units, in carts and after a supplier rejected them. */
import { expect, test } from 'vitest'
import { chooseSources, obstacleOf } from './choose-source.ts'

const terms = { promisedOn: '2026-12-04', paidCents: 40_000 }
const source = (code: string, day: string | null, costCents: number | null) => {
  const arrivesOn = day === null ? null : Temporal.PlainDate.from(day)
  const place = { warehouseId: 1, code, name: code, supplier: null, freightCents: 0 }
  return { ...place, costCents, arrivesOn, obstacle: obstacleOf({ arrivesOn, costCents }, terms) }
}
const codesOf = (options: ReturnType<typeof source>[]) => chooseSources(options).map(({ code }) => code)

test('only warehouses that deliver by the promised day are chosen', () => {
  expect(codesOf([source('LATE', '2026-12-05', 1), source('DAY', '2026-12-04', 2), source('NONE', null, 1)])).toEqual([
    'DAY',
  ])
})

test('the cheapest is first, then the earliest, and an unknown cost is last', () => {
  expect(
    codesOf([
      source('UNKNOWN', '2026-12-01', null),
      source('DEAR', '2026-12-01', 30_000),
      source('SLOW', '2026-12-04', 20_000),
      source('FAST', '2026-12-02', 20_000),
    ]),
  ).toEqual(['FAST', 'SLOW', 'DEAR', 'UNKNOWN'])
})

test('a warehouse that costs more than the customer paid is left to staff', () => {
  expect(codesOf([source('EQUAL', '2026-12-01', 40_000), source('LOSS', '2026-12-01', 40_001)])).toEqual(['EQUAL'])
})
