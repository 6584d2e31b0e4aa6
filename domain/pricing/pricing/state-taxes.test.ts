import { expect, test } from 'vitest'
import { importedTaxRule, priceCart, taxRuleFor } from './pricing.ts'
import { DAY, stateRule, tiresOnly } from './price-input.example.ts'
import { STATE_RATES } from './state-rates.ts'

const on = (day: string) => Temporal.PlainDate.from(day)

test('the 50 states, the District and five territories have a current rule', () => {
  const codes = new Set(STATE_RATES.map(({ code }) => code))
  expect(codes.size).toBe(56)
  for (const code of codes) expect(stateRule(code)).toMatchObject({ stateCode: code, basis: 'state-base' })
})

test("every row has a source, and a state's rows are in date order", () => {
  for (const [index, row] of STATE_RATES.entries()) {
    expect(row.source).not.toBe('')
    expect(Number.isInteger(row.ratePpm) && row.ratePpm >= 0 && row.ratePpm <= 105_000).toBe(true)
    const before = STATE_RATES[index - 1]
    if (before?.code === row.code) expect(before.validFrom < row.validFrom).toBe(true)
    else expect(STATE_RATES.slice(0, index).some(({ code }) => code === row.code)).toBe(false)
  }
})

test('imported parts without a rate are left out', () => {
  const state = { level: 'state', name: 'Illinois', ratePpm: 62_500 } as const
  const city = { level: 'city', name: 'Evanston', ratePpm: 0 } as const
  const rule = importedTaxRule('IL', DAY, { scope: 'zip', parts: [state, city], source: 'test' })
  expect(rule).toMatchObject({ ratePpm: 62_500, parts: [state] })
})

test('military mail codes, unknown codes and earlier days have no rule', () => {
  expect(taxRuleFor('AE', DAY)).toBeNull()
  expect(taxRuleFor('ZZ', DAY)).toBeNull()
  expect(taxRuleFor('IL', on('2024-12-31'))).toBeNull()
})

test.each([
  ['SD', '2027-06-30', 42_000],
  ['SD', '2027-07-01', 45_000],
  ['DC', '2026-09-30', 60_000],
  ['DC', '2026-10-01', 70_000],
])('%s on %s: %i ppm', (code, day, ratePpm) => {
  expect(taxRuleFor(code, on(day))?.ratePpm).toBe(ratePpm)
})

test.each([
  ['AZ', '2025-03-31', 200],
  ['AZ', '2025-04-01', 466],
  ['WA', '2025-12-31', 100],
  ['WA', '2026-01-01', 500],
])('the tire fee of %s on %s is %i cents on a $300 tire', (code, day, cents) => {
  expect(
    priceCart({ ...tiresOnly({ quantity: 1, retailUnitCents: 30_000 }), taxRule: stateRule(code, on(day)) }).totals
      .tireFeeCents,
  ).toBe(cents)
})

test.each([
  ['CA', ['tire', 'service-kit', 'fet']],
  ['TX', ['tire', 'service-kit', 'disposal', 'shipping', 'fet']],
  ['NY', ['tire', 'coverage', 'installation', 'service-kit', 'disposal', 'shipping', 'fet']],
  ['OH', ['tire', 'coverage', 'installation', 'service-kit', 'shipping', 'fet', 'tire-fee']],
  ['MN', ['tire', 'service-kit', 'shipping', 'fet']],
  ['TN', ['tire', 'coverage', 'installation', 'service-kit', 'shipping', 'fet', 'tire-fee']],
  ['IL', ['tire', 'service-kit', 'fet']],
  ['OR', []],
])('%s taxes %j', (code, kinds) => {
  const { taxable } = stateRule(code)
  expect(Object.entries(taxable).flatMap(([kind, isTaxable]) => (isTaxable ? [kind] : []))).toEqual(kinds)
})

test('a confirmed flag names its source', () => {
  expect(stateRule('CA').taxableSources.installation).toContain('315.0610')
  expect(stateRule('TX').taxableSources.installation).toBeUndefined()
})
