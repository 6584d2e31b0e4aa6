import { expect, test } from 'vitest'
import { federalExciseTaxCents, type TireForExciseTax } from './pricing.ts'

const DAY = Temporal.PlainDate.from('2026-11-20')
const tire = (maxLoadLb: number, rest: Partial<TireForExciseTax> = {}): TireForExciseTax => ({
  maxLoadLb,
  construction: 'radial',
  supplierCents: null,
  forDefenseUse: false,
  ...rest,
})

test.each([
  [1709, 0],
  [3500, 0],
  [3501, 1],
  [3638, 130],
  [3748, 234],
  [4080, 548],
  [6175, 2528],
])('a tire rated for %i lb is taxed %i cents', (maxLoadLb, cents) => {
  expect(federalExciseTaxCents(tire(maxLoadLb), DAY)).toBe(cents)
})

test.each([
  ['bias-ply', 4080, 274],
  ['super-single', 10_500, 3308],
] as const)('a %s tire rated for %i lb is taxed at half the rate: %i cents', (construction, maxLoadLb, cents) => {
  expect(federalExciseTaxCents(tire(maxLoadLb, { construction }), DAY)).toBe(cents)
})

test("the supplier's amount overrides the calculation", () => {
  expect(federalExciseTaxCents(tire(4080, { supplierCents: 550 }), DAY)).toBe(550)
  expect(federalExciseTaxCents(tire(4080, { supplierCents: 0 }), DAY)).toBe(0)
})

test('the tax ends on October 1, 2028, and never applies to defense use', () => {
  expect(federalExciseTaxCents(tire(4080), Temporal.PlainDate.from('2028-09-30'))).toBe(548)
  expect(federalExciseTaxCents(tire(4080), Temporal.PlainDate.from('2028-10-01'))).toBe(0)
  expect(federalExciseTaxCents(tire(4080, { supplierCents: 548 }), Temporal.PlainDate.from('2030-01-01'))).toBe(0)
  expect(federalExciseTaxCents(tire(4080, { forDefenseUse: true }), DAY)).toBe(0)
})
