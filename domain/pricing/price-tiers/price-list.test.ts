import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ACCOUNT_TYPES } from '#domain/pricing/pricing/pricing.ts'
import {
  accountPrice,
  priceListAt,
  type Formula,
  type ListedItem,
  type PriceRule,
  type RuleScope,
} from './price-list.ts'

const noon = Temporal.Instant.from('2026-11-20T17:00:00Z')

function rule(scope: RuleScope, formula: Formula, dates: Partial<Pick<PriceRule, 'since' | 'until'>> = {}): PriceRule {
  return { id: 1, scope, formula, since: noon, until: null, ...dates }
}

const tire: ListedItem = {
  id: 100_001,
  lineId: 7,
  brandId: 3,
  sizeSlug: '225-65r17',
  retailCents: 16_400,
  costCents: 11_000,
}
const everyTire: RuleScope = { kind: 'every-tire' }
const off = (percent: number): Formula => ({ kind: 'percent-off', ratePpm: percent * 10_000 })
const fixed = (amountCents: number): Formula => ({ kind: 'fixed', amountCents })

const fleetPays = (...rules: PriceRule[]) =>
  accountPrice({ type: 'Fleet', list: priceListAt(rules, noon) }, tire)?.unitCents ?? null

test.each<[says: string, formula: Formula, unitCents: number | null]>([
  ['percent off retail', off(8), 15_088],
  ['the price rounded half up, not the saving', { kind: 'percent-off', ratePpm: 12_531 }, 16_194],
  ['a price of its own', fixed(13_999), 13_999],
  ['cost plus a share', { kind: 'cost-plus', ratePpm: 125_000, amountCents: 0 }, 12_375],
  ['cost plus cents', { kind: 'cost-plus', ratePpm: 0, amountCents: 1_500 }, 12_500],
  ['cost plus both', { kind: 'cost-plus', ratePpm: 50_000, amountCents: 250 }, 11_800],
  ['retail itself is no own price', off(0), null],
  ['nor is more than retail', fixed(16_401), null],
])('a rule can be %s', (_says, formula, unitCents) => {
  expect(fleetPays(rule(everyTire, formula))).toBe(unitCents)
})

test('half a cent is rounded up, once', () => {
  const odd = { ...tire, retailCents: 1_001 }
  expect(accountPrice({ type: 'EPP', list: priceListAt([rule(everyTire, off(50))], noon) }, odd)?.unitCents).toBe(501)
})

test('the narrowest rule applies, even if a wider one is lower', () => {
  const wide: PriceRule[] = []
  const scopes: [RuleScope, number][] = [
    [everyTire, 10_000],
    [{ kind: 'brand', id: 3 }, 11_000],
    [{ kind: 'size', slug: '225-65r17' }, 12_000],
    [{ kind: 'line', id: 7 }, 13_000],
    [{ kind: 'item', id: 100_001 }, 14_000],
  ]
  for (const [scope, cents] of scopes) {
    wide.unshift(rule(scope, fixed(cents)))
    expect(fleetPays(...wide)).toBe(cents)
  }
  const others: RuleScope[] = [
    { kind: 'item', id: 9 },
    { kind: 'line', id: 9 },
    { kind: 'size', slug: '205-55r16' },
    { kind: 'brand', id: 9 },
  ]
  expect(fleetPays(...others.map((scope) => rule(scope, fixed(1))), rule(everyTire, fixed(15_000)))).toBe(15_000)
})

test('a rule applies from its start until before its end, and the list reports its next change', () => {
  const week = noon.add({ hours: 168 })
  const first = rule(everyTire, fixed(15_000), { until: week })
  const second = rule(everyTire, fixed(14_000), { since: week })
  const at = (now: Temporal.Instant) => {
    const list = priceListAt([first, second], now)
    return [accountPrice({ type: 'Fleet', list }, tire)?.unitCents, list.until?.toString()]
  }
  expect(at(noon.subtract({ seconds: 1 }))).toEqual([undefined, noon.toString()])
  expect(at(noon)).toEqual([15_000, week.toString()])
  expect(at(week.subtract({ seconds: 1 }))).toEqual([15_000, week.toString()])
  expect(at(week)).toEqual([14_000, undefined])
  expect(accountPrice({ type: 'Fleet', list: priceListAt([first], week) }, tire)).toBeNull()
})

test('a tire of unknown cost has its retail price under cost plus', () => {
  const list = priceListAt([rule(everyTire, { kind: 'cost-plus', ratePpm: 0, amountCents: 1 })], noon)
  expect(accountPrice({ type: 'WholeSale', list }, { ...tire, costCents: null })).toBeNull()
})

test('special pricing applies as written, even above retail', () => {
  const list = priceListAt([rule(everyTire, fixed(17_000))], noon)
  expect(accountPrice({ type: 'Special Order', list }, tire)?.unitCents).toBe(17_000)
  expect(accountPrice({ type: 'Fleet', list }, tire)).toBeNull()
})

const amount = fc.integer({ min: 1, max: 200_000 })
const formulas: fc.Arbitrary<Formula> = fc.oneof(
  fc.record({ kind: fc.constant('percent-off' as const), ratePpm: fc.integer({ min: 0, max: 1_000_000 }) }),
  fc.record({ kind: fc.constant('fixed' as const), amountCents: amount }),
  fc.record({
    kind: fc.constant('cost-plus' as const),
    ratePpm: fc.integer({ min: 0, max: 1_000_000 }),
    amountCents: fc.integer({ min: 0, max: 5_000 }),
  }),
)

test('an account price is whole cents, at least one, and below retail unless special', () => {
  const items = fc.record({ retailCents: amount, costCents: fc.option(amount) })
  fc.assert(
    fc.property(formulas, items, fc.constantFrom(...ACCOUNT_TYPES), (formula, prices, type) => {
      const found = accountPrice({ type, list: priceListAt([rule(everyTire, formula)], noon) }, { ...tire, ...prices })
      if (!found) return
      expect(Number.isSafeInteger(found.unitCents)).toBe(true)
      expect(found.unitCents).toBeGreaterThanOrEqual(1)
      if (type !== 'Special Order') expect(found.unitCents).toBeLessThan(prices.retailCents)
    }),
    // Half a cent off a cent leaves zero, which is no price.
    { examples: [[{ kind: 'percent-off', ratePpm: 500_001 }, { retailCents: 1, costCents: null }, 'Fleet']] },
  )
})

test('under one rule a more expensive tire never costs an account less than a cheaper one', () => {
  fc.assert(
    fc.property(formulas, amount, amount, amount, (formula, one, other, costCents) => {
      const list = priceListAt([rule(everyTire, formula)], noon)
      const pays = (retailCents: number) =>
        accountPrice({ type: 'EPP', list }, { ...tire, retailCents, costCents })?.unitCents ?? retailCents
      expect(pays(Math.min(one, other))).toBeLessThanOrEqual(pays(Math.max(one, other)))
    }),
  )
})
