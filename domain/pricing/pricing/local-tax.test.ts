import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allocate } from '#platform/money.ts'
import { ORDER, stateRule } from './price-input.example.ts'
import { answered, estimated, importedTaxRule, priceCart, taxAsk, type TaxPart } from './pricing.ts'

const day = Temporal.PlainDate.from('2026-11-20')
const newYork: TaxPart[] = [
  { level: 'state', name: 'New York', ratePpm: 40_000 },
  { level: 'county', name: 'County', ratePpm: 0 },
  { level: 'city', name: 'New York City', ratePpm: 45_000 },
  { level: 'special', name: 'Special districts', ratePpm: 3_750 },
]
const ruleOf = (state: string, parts: TaxPart[], scope: 'zip' | 'state' = 'zip') => {
  const rule = importedTaxRule(state, day, { scope, parts, source: 'test' })
  if (!rule) throw new Error(`There is no ${state}.`)
  return rule
}
const taxRow = ({ explain }: ReturnType<typeof priceCart>) => explain.find(({ key }) => key === 'sales-tax')

test('local rates are named, each rounded once for the order', () => {
  const price = priceCart({ ...ORDER, taxRule: ruleOf('NY', newYork) })
  const { taxBaseCents: base, taxCents } = price.totals
  expect(price.tax).toMatchObject({ ratePpm: 88_750, basis: 'destination' })
  const half = (ppm: number) => Math.floor((base * ppm + 500_000) / 1_000_000)
  expect(price.tax.parts?.map(({ name, cents }) => [name, cents])).toEqual([
    ['New York', half(40_000)],
    ['New York City', half(45_000)],
    ['Special districts', half(3_750)],
  ])
  expect(taxCents).toBe(half(40_000) + half(45_000) + half(3_750))
  expect(taxRow(price)).toMatchObject({
    label: 'Sales tax, 8.875%',
    detail: expect.stringMatching(/\. New York 4%, New York City 4\.5%, Special districts 0\.375%$/),
  })
})

test('a state row replaces the built-in rate and stays an estimate', () => {
  const price = priceCart({ ...ORDER, taxRule: ruleOf('NY', newYork.slice(0, 1), 'state') })
  expect(taxRow(price)?.label).toBe('Estimated sales tax, 4%')
  expect(price.tax.parts).toBeUndefined()
})

test('local tax applies in a state without state tax, and a true zero is zero', () => {
  const borough: TaxPart = { level: 'city', name: 'Juneau', ratePpm: 50_000 }
  expect(priceCart({ ...ORDER, taxRule: ruleOf('AK', [borough]) }).totals.taxCents).toBeGreaterThan(0)
  const none = priceCart({ ...ORDER, taxRule: ruleOf('AK', [{ ...borough, ratePpm: 0 }]) })
  expect(none.totals.taxCents).toBe(0)
  expect(taxRow(none)?.detail).toBe('No sales tax is charged here')
})

test('the provider is queried for items the state taxes, and its response is charged per line', () => {
  const rule = stateRule('TX')
  const price = priceCart({ ...ORDER, taxRule: rule })
  const ask = taxAsk(price, rule)
  const untaxed = ask.filter(({ isTaxable }) => !isTaxable)
  expect(untaxed.length).toBeGreaterThan(0)
  expect(ask.filter(({ isTaxable }) => isTaxable).reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(
    price.totals.taxBaseCents,
  )
  fc.assert(
    fc.property(fc.nat(20_000), (cents) => {
      const shares = allocate(
        cents,
        ask.map(({ isTaxable }) => (isTaxable ? 1 : 0)),
      )
      const lines = ask.map(({ lineId }, index) => ({ lineId, taxCents: shares[index] ?? 0 }))
      const parts = [{ level: 'state' as const, name: 'Texas', ratePpm: 62_500, cents }]
      const taxed = answered(price, rule, { lines, parts })
      expect(taxed.totals.taxCents).toBe(cents)
      expect(taxed.totals.totalCents - cents).toBe(price.totals.totalCents - price.totals.taxCents)
      expect(taxed.explain.at(-1)?.cents).toBe(taxed.totals.totalCents)
      expect(taxed.explain.length).toBe(price.explain.length)
    }),
  )
  expect(() => answered(price, rule, { lines: [], parts: [] })).toThrow('There is no tax for')
})

test('an estimate is labeled', () => {
  const local = ruleOf('NY', newYork)
  const price = priceCart({ ...ORDER, taxRule: local })
  const marked = estimated(price, 'last-answer')
  expect(taxRow(marked)?.label).toBe('Estimated sales tax, 8.875%')
  expect(marked.tax.estimatedBy).toBe('last-answer')
  expect(marked.totals).toEqual(price.totals)
})

test('a city’s tax is queried in a state without state tax', () => {
  const rule = stateRule('AK')
  const price = priceCart({ ...ORDER, taxRule: rule })
  const ask = taxAsk(price, rule)
  expect(ask.filter(({ isTaxable }) => isTaxable).map(({ kind }) => kind)).toContain('tire')
  const lines = ask.map(({ lineId, isTaxable }) => ({ lineId, taxCents: isTaxable ? 100 : 0 }))
  const parts = [{ level: 'city' as const, name: 'Juneau', ratePpm: 50_000, cents: 100 }]
  const taxed = answered(price, rule, { lines, parts })
  expect(taxed.totals.taxBaseCents).toBeGreaterThan(0)
  expect(taxRow(taxed)?.label).toBe('Sales tax, 5%')
  const none = answered(price, rule, { lines: ask.map(({ lineId }) => ({ lineId, taxCents: 0 })), parts: [] })
  expect(none.totals.taxBaseCents).toBe(0)
  expect(taxRow(none)?.detail).toBe('No sales tax is charged here')
})
