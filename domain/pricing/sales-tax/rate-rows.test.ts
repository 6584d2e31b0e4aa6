import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { stateTaxRules } from '#domain/pricing/pricing/pricing.ts'
import { compareRates, rateColumns, readRateRows } from './rate-rows.ts'

const row = {
  state: 'TX',
  zip: '77002',
  starts: '2026-01-01',
  ends: '',
  state_percent: '6.25',
  county: '',
  county_percent: '',
  city: 'Houston',
  city_percent: '1',
  special_percent: '1',
  source: 'Texas Comptroller',
}
const known = (zip: string) => ({ '77002': 'TX', '10001': 'NY' })[zip]
const faultsOf = (...records: Partial<typeof row>[]) =>
  readRateRows(
    records.map((record) => ({ ...row, ...record })),
    known,
  ).faults

test('a row is read to parts per million', () => {
  expect(readRateRows([row], known)).toEqual({
    faults: [],
    rows: [
      {
        state: 'TX',
        zip: '77002',
        startsOn: '2026-01-01',
        endsOn: null,
        statePpm: 62_500,
        county: null,
        countyPpm: 0,
        city: 'Houston',
        cityPpm: 10_000,
        specialPpm: 10_000,
        source: 'Texas Comptroller',
      },
    ],
  })
})

test.for<[Partial<typeof row>, string]>([
  [{ state: 'Texas' }, 'state must be two capital letters'],
  [{ zip: '7700' }, 'zip must be five digits'],
  [{ zip: '00000' }, 'we do not know ZIP 00000'],
  [{ zip: '10001' }, 'ZIP 10001 is in NY, not in TX'],
  [{ starts: '2026-02-30' }, 'starts must be a day'],
  [{ ends: '2025-12-31' }, 'ends must not be before starts'],
  [{ state_percent: '' }, 'state_percent must be a number from 0 to 30'],
  [{ state_percent: '31' }, 'state_percent must be a number from 0 to 30'],
  [{ state_percent: '-1' }, 'state_percent must be a number from 0 to 30'],
  [{ city: '' }, 'city must name the city'],
  [{ county_percent: '1' }, 'county must name the county'],
  [{ zip: '' }, 'a row without a ZIP is the rate of the state alone'],
  [{ source: '' }, 'source must be where the rate is published'],
])('%j is refused', ([record, words]) => {
  expect(faultsOf({}, record)[0]).toContain(`Line 3: ${words}`)
})

test('rows of one place never share a day', () => {
  const until = (ends: string) => ({ ends })
  expect(faultsOf(until('2026-06-30'), { starts: '2026-07-01' })).toEqual([])
  expect(faultsOf(until('2026-07-01'), { starts: '2026-07-01' })).toEqual([
    'Line 3: line 2 is for the same place on some of the same days.',
  ])
  expect(faultsOf({}, { starts: '2027-01-01' }, { starts: '2028-01-01' })).toHaveLength(2)
})

test('the sample file has the built-in rates for all states, without local rates', () => {
  const text = readFileSync(new URL('../../../docs/feeds/sales-tax.csv', import.meta.url), 'utf8')
  const { rows, faults } = readRateRows(parse(text, { columns: true }), known)
  expect(faults).toEqual([])
  expect(text.split('\n')[0]).toBe(rateColumns.join())
  expect(rows.filter(({ zip }) => zip !== null)).toEqual([])
  for (const day of ['2025-01-01', '2026-11-22', '2027-08-01'])
    expect(
      rows
        .filter(({ startsOn, endsOn }) => startsOn <= day && (endsOn === null || endsOn >= day))
        .map(({ state, statePpm }) => [state, statePpm])
        .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
    ).toEqual(stateTaxRules(Temporal.PlainDate.from(day)).map(({ stateCode, ratePpm }) => [stateCode, ratePpm]))
})

test('a file is compared with the table by place and first day', () => {
  const [before] = readRateRows([row], known).rows
  if (!before) throw new Error('The row was refused.')
  const moved = { ...before, cityPpm: 20_000 }
  const later = { ...before, startsOn: '2027-01-01' }
  expect(compareRates([before], [before, later])).toEqual({ added: 1, removed: 0, changed: 0, same: 1 })
  expect(compareRates([before, later], [moved])).toEqual({ added: 0, removed: 1, changed: 1, same: 0 })
})
