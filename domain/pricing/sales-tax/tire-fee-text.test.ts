import { expect, test } from 'vitest'
import { stateTaxRules } from '#domain/pricing/pricing/pricing.ts'
import { maxTireFeeText, parseTireFee, tireFeeText } from './tire-fee-text.ts'

test('every built-in fee is read back as it is shown', () => {
  for (const { stateCode, tireFee } of stateTaxRules(Temporal.PlainDate.from('2027-01-01')))
    expect(parseTireFee(tireFeeText(tireFee)), stateCode).toEqual(tireFee)
})

test.each([
  ['2.5', [{ belowRimInches: null, cents: 250 }]],
  [
    '$1 below 24 in; 2',
    [
      { belowRimInches: 24, cents: 100 },
      { belowRimInches: null, cents: 200 },
    ],
  ],
  ['2% up to $4.66', [{ belowRimInches: null, ratePpm: 20_000, capCents: 466 }]],
  ['0', []],
  ['none', []],
  ['', []],
])('reads %j', (text, bands) => {
  expect(parseTireFee(text)).toEqual(bands)
})

test.each(['two dollars', '-1', '1000', '1; 2', '2; 1 below 24 in', '1 below 24; 1 below 24', '1;1;1;1;1', '$'])(
  'refuses %j',
  (text) => {
    expect(parseTireFee(text)).toBeNull()
  },
)

test('refuses a text over the limit', () => {
  expect(parseTireFee(`1${' '.repeat(maxTireFeeText)}below 24`)).toBeNull()
})
