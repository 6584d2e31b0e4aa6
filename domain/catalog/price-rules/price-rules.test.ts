/** Prices by rules, with their floors and endings. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PPM } from '#platform/money.ts'
import {
  maxListedChanges,
  noEffect,
  priceEndings,
  ruledPrice,
  ruleFor,
  termsText,
  withTires,
  type PricedTire,
  type MarkupTerms,
} from './price-rules.ts'

const terms: MarkupTerms = {
  markupPpm: 200_000,
  addCents: 500,
  marginFloorPpm: 0,
  raisesToMap: false,
  competitorDays: null,
  competitorBeatPpm: 0,
  competitorBeatCents: 0,
  endingCents: null,
}
const costs = { costCents: 10_000, highestCostCents: 10_000, mapCents: null }

test('a price is the cost plus the markup and the amount', () => {
  expect(ruledPrice(terms, costs)).toMatchObject({ cents: 12_500, by: 'markup' })
  expect(ruledPrice({ ...terms, markupPpm: 333_333, addCents: 0 }, costs).cents).toBe(13_333)
})

test('the minimum margin is of the price, at the highest cost', () => {
  const floored = { ...terms, marginFloorPpm: 100_000 }
  expect(ruledPrice(floored, costs)).toMatchObject({ cents: 12_500, by: 'markup' })
  expect(ruledPrice(floored, { ...costs, highestCostCents: 11_700 })).toMatchObject({ cents: 13_000, by: 'margin' })
})

test('a price below MAP is raised to it only if the rule says so', () => {
  const mapped = { ...costs, mapCents: 13_900 }
  expect(ruledPrice({ ...terms, raisesToMap: true }, mapped)).toMatchObject({ cents: 13_900, by: 'map' })
  expect(ruledPrice(terms, mapped)).toMatchObject({ cents: 12_500, by: 'markup' })
})

test('an ending raises the price, and never reduces it', () => {
  const ending = (cents: number, endingCents: number) =>
    ruledPrice(
      { ...terms, markupPpm: 0, addCents: 0, endingCents },
      { ...costs, costCents: cents, highestCostCents: 1 },
    ).cents
  expect([12_345, 12_399, 12_400].map((cents) => ending(cents, 99))).toEqual([12_399, 12_399, 12_499])
  expect([12_300, 12_301].map((cents) => ending(cents, 0))).toEqual([12_300, 12_400])
  expect(ending(12_396, 95)).toBe(12_495)
})

test('a price matches or beats the lowest recent competitor, down to the minimum margin and MAP', () => {
  const harbor = { competitor: 'Harbor Tire', cents: 12_000, ageDays: 3 }
  const prices = [harbor, { competitor: 'Prairie Tire', cents: 11_000, ageDays: 8 }]
  const match = { ...terms, competitorDays: 7 }
  expect(ruledPrice(match, costs, prices)).toEqual({ cents: 12_000, by: 'competitor', competitor: harbor })
  expect(ruledPrice({ ...match, competitorBeatPpm: 20_000, competitorBeatCents: 100 }, costs, prices).cents).toBe(
    11_660,
  )
  expect(ruledPrice({ ...match, competitorDays: 8 }, costs, prices).cents).toBe(11_000)
  expect(ruledPrice({ ...match, competitorDays: 2 }, costs, prices)).toMatchObject({ cents: 12_500, competitor: null })
  expect(ruledPrice(terms, costs, prices)).toMatchObject({ cents: 12_500, competitor: null })
  // Competitors never raise a price.
  expect(ruledPrice(match, costs, [{ ...harbor, cents: 99_900 }])).toMatchObject({ cents: 12_500, by: 'markup' })

  const floored = { ...match, marginFloorPpm: 180_000 }
  expect(ruledPrice(floored, costs, prices)).toMatchObject({ cents: 12_196, by: 'margin' })
  const map = (mapCents: number) => ruledPrice(match, { ...costs, mapCents }, prices)
  expect(map(12_300)).toMatchObject({ cents: 12_300, by: 'map' })
  // Without the rule's consent, MAP doesn't raise a price above the markup.
  expect(map(13_900)).toMatchObject({ cents: 12_500, by: 'markup' })
  const ended = (cents: number) => ruledPrice({ ...match, endingCents: 99 }, costs, [{ ...harbor, cents }]).cents
  expect([12_000, 12_099, 10_150, 10_050].map(ended)).toEqual([11_999, 12_099, 10_099, 10_050])
})

const anyTerms = fc.record({
  markupPpm: fc.integer({ min: 0, max: 9_990_000 }),
  addCents: fc.integer({ min: 0, max: 1_000_000 }),
  marginFloorPpm: fc.integer({ min: 0, max: 900_000 }),
  raisesToMap: fc.boolean(),
  competitorDays: fc.option(fc.integer({ min: 1, max: 365 })),
  competitorBeatPpm: fc.integer({ min: 0, max: 500_000 }),
  competitorBeatCents: fc.integer({ min: 0, max: 1_000_000 }),
  endingCents: fc.constantFrom(...Object.values(priceEndings)),
})
const anyCosts = fc
  .tuple(
    fc.integer({ min: 1, max: 300_000 }),
    fc.integer({ min: 0, max: 100_000 }),
    fc.option(fc.integer({ min: 1, max: 500_000 })),
  )
  .map(([costCents, more, mapCents]) => ({ costCents, highestCostCents: costCents + more, mapCents }))

test('prices have their ending, and keep the markup, the margin, and MAP', () => {
  fc.assert(
    fc.property(anyTerms, anyCosts, (rule, cost) => {
      const { cents } = ruledPrice(rule, cost)
      expect(Number.isSafeInteger(cents)).toBe(true)
      expect(cents * PPM).toBeGreaterThanOrEqual(cost.costCents * (PPM + rule.markupPpm) - PPM / 2)
      expect((cents - cost.highestCostCents) * PPM).toBeGreaterThanOrEqual(cents * rule.marginFloorPpm)
      if (rule.raisesToMap) expect(cents).toBeGreaterThanOrEqual(cost.mapCents ?? 0)
      if (rule.endingCents !== null) expect(cents % 100).toBe(rule.endingCents)
      const exact = ruledPrice({ ...rule, endingCents: null }, cost).cents
      expect(cents - exact).toBeGreaterThanOrEqual(0)
      expect(cents - exact).toBeLessThan(100)
    }),
  )
})

test('a higher cost, markup, or margin never reduces the price', () => {
  fc.assert(
    fc.property(anyTerms, anyCosts, fc.integer({ min: 0, max: 90_000 }), (rule, cost, more) => {
      const { cents } = ruledPrice(rule, cost)
      const dearer = { ...cost, costCents: cost.costCents + more, highestCostCents: cost.highestCostCents + more }
      expect(ruledPrice(rule, dearer).cents).toBeGreaterThanOrEqual(cents)
      expect(ruledPrice({ ...rule, markupPpm: rule.markupPpm + more }, cost).cents).toBeGreaterThanOrEqual(cents)
    }),
  )
})

test('the rule of a brand and supplier comes first, then of the brand, then of the supplier', () => {
  const all = [
    { name: 'any', brandId: null, supplierId: null },
    { name: 'supplier', brandId: null, supplierId: 7 },
    { name: 'brand', brandId: 1, supplierId: null },
    { name: 'both', brandId: 1, supplierId: 7 },
  ]
  const tires = [
    { brandId: 1, supplierId: 7 },
    { brandId: 1, supplierId: null },
    { brandId: 2, supplierId: 7 },
    { brandId: 2, supplierId: null },
  ]
  expect(tires.map((tire) => ruleFor(all, tire)?.name)).toEqual(['both', 'brand', 'supplier', 'any'])
  expect(ruleFor(all.slice(2), { brandId: 2, supplierId: 7 })).toBeUndefined()
})

test('an effect counts changes, floors, and the lowest margin, and lists the largest', () => {
  const tire = (retailCents: number, ruled: PricedTire['ruled']): PricedTire => ({
    sku: String(retailCents),
    name: 'Tire',
    retailCents,
    freightCents: retailCents === 20_000 ? 450 : 0,
    ...costs,
    ruled,
  })
  const first = withTires(noEffect, [
    tire(12_500, { cents: 12_500, by: 'markup', competitor: null }),
    tire(10_000, { cents: 12_500, by: 'margin', competitor: null }),
    tire(20_000, { cents: 11_000, by: 'map', competitor: null }),
    tire(9_000, 'no-rule'),
    tire(8_000, 'no-cost'),
  ])
  expect(first).toMatchObject({
    tires: 5,
    changes: 2,
    raised: 1,
    byMargin: 1,
    byMap: 1,
    withFreight: 1,
    withoutRule: 1,
    withoutCost: 1,
    fromCents: 30_000,
    toCents: 23_500,
    lowestMarginPpm: 90_909,
  })
  expect(first.largest.map(({ fromCents }) => fromCents)).toEqual([20_000, 10_000])
  const many = Array.from({ length: 50 }, (_, index) =>
    tire(10_001 + index, { cents: 10_000, by: 'markup', competitor: null }),
  )
  expect(withTires(first, many).largest).toHaveLength(maxListedChanges)
  expect(withTires(first, many).lowestMarginPpm).toBe(0)
})

test('terms are in words', () => {
  expect(termsText(terms)).toBe('Cost plus 20% and $5.00')
  expect(termsText({ ...terms, addCents: 0, marginFloorPpm: 85_000, raisesToMap: true, endingCents: 0 })).toBe(
    'Cost plus 20%, margin of at least 8.5%, MAP or more, ending in .00',
  )
})
