import { expect, test } from 'vitest'
import { overlapsOf, readPriceListRows } from './price-list-rows.ts'

const good = {
  scope: 'brand',
  target: 'kestrel',
  kind: 'percent-off',
  percent: '12.5',
  amount: '',
  starts: '2027-01-01',
  ends: '2027-06-30',
}
const faultsOf = (...records: Record<string, string>[]) => readPriceListRows(records).faults

test('a row states the tires, their price and the days, end date included', () => {
  expect(
    readPriceListRows([
      good,
      { ...good, kind: 'cost-plus', percent: '5', amount: '2.50', starts: '2027-07-01', ends: '' },
    ]),
  ).toEqual({
    rows: [
      {
        line: 2,
        scope: 'brand',
        target: 'kestrel',
        formula: { kind: 'percent-off', ratePpm: 125_000 },
        since: Temporal.Instant.from('2027-01-01T05:00:00Z'),
        until: Temporal.Instant.from('2027-07-01T04:00:00Z'),
      },
      {
        line: 3,
        scope: 'brand',
        target: 'kestrel',
        formula: { kind: 'cost-plus', ratePpm: 50_000, amountCents: 250 },
        since: Temporal.Instant.from('2027-07-01T04:00:00Z'),
        until: null,
      },
    ],
    faults: [],
  })
})

test.each<[fault: string, change: Record<string, string>]>([
  ['Line 2: scope must be one of every-tire, brand, line, size, item.', { scope: 'tread' }],
  ['Line 2: target must be the slug of the brand, brand/line, the size or the SKU.', { target: '' }],
  ['Line 2: target must be empty.', { scope: 'every-tire' }],
  ['Line 2: kind must be percent-off, fixed or cost-plus.', { kind: 'half' }],
  ['Line 2: percent must be a number from 0 to 100, such as 12.5.', { percent: '101' }],
  ['Line 2: percent must be a number from 0 to 100, such as 12.5.', { percent: '8%' }],
  ['Line 2: amount must be dollars, such as 129.99.', { amount: '1,200' }],
  ['Line 2: percent-off takes a percent and no amount.', { amount: '5' }],
  ['Line 2: fixed takes an amount above zero and no percent.', { kind: 'fixed', percent: '', amount: '0' }],
  ['Line 2: cost-plus takes a percent, an amount or both.', { kind: 'cost-plus', percent: '' }],
  ['Line 2: starts must be a day, such as 2027-01-31.', { starts: '2027-02-30' }],
  ['Line 2: ends must not be before starts.', { ends: '2026-12-31' }],
])('%s', (fault, change) => {
  expect(faultsOf({ ...good, ...change })).toEqual([fault])
})

test('reports rules for the same tires on the same day, but not consecutive ones', () => {
  const overlaps = (...days: [starts: string, ends: string][]) =>
    overlapsOf(
      readPriceListRows(days.map(([starts, ends]) => ({ ...good, starts, ends }))).rows,
      ({ target }) => target,
    )
  expect(overlaps(['2027-06-30', ''], ['2027-01-01', '2027-06-30'])).toEqual([
    'Line 2: line 3 is for the same tires on some of the same days.',
  ])
  expect(overlaps(['2027-07-01', ''], ['2027-01-01', '2027-06-30'])).toEqual([])
  // A long one overlaps each of those within it.
  expect(overlaps(['2027-01-01', ''], ['2027-02-01', '2027-02-28'], ['2027-03-01', ''])).toEqual([
    'Line 3: line 2 is for the same tires on some of the same days.',
    'Line 4: line 2 is for the same tires on some of the same days.',
  ])
})
