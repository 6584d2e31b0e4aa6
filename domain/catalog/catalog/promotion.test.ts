import fc from 'fast-check'
import { expect, test } from 'vitest'
import { priceOffer } from '#domain/catalog/offers/offers.ts'
import { makeItem, makePromotion, now } from './catalog.testing.ts'
import { priceBook, type Promotion } from './promotion.ts'
import { standardTerms } from '#domain/kernel/settings/settings.ts'

const item = makeItem({ retailCents: 16_400 })
const tag = (...promotions: Promotion[]) => priceBook(promotions, now).priceOf(item)

test('applies the best promotion, and of two equal ones the narrower', () => {
  const everything = makePromotion({ id: 1, amount: 10 })
  const brand = makePromotion({ id: 2, amount: 10, brandId: item.line.brand.id })
  const line = makePromotion({ id: 3, kind: 'Flat Amount', amount: 1_000, lineId: item.line.id })
  const onBrand = {
    unitCents: 14_760,
    wasCents: 16_400,
    fetCents: 0,
    label: null,
    promotion: brand,
    promotions: [brand, everything, line],
  }
  expect(tag(everything, line, brand)).toEqual(onBrand)
  const article = makePromotion({ id: 4, kind: 'Flat Amount', amount: 1_700, itemId: item.id })
  expect(tag(everything, brand, article)).toMatchObject({ unitCents: 14_700, promotions: [article, brand, everything] })
})

test('a promotion of another article, line or brand does not apply', () => {
  const ours = { brandId: item.line.brand.id, lineId: item.line.id }
  const others = [
    makePromotion({ itemId: 7 }),
    makePromotion({ lineId: 7 }),
    makePromotion({ brandId: 7 }),
    makePromotion({ ...ours, itemId: 7 }),
    makePromotion({ ...ours, lineId: 7 }),
  ]
  expect(tag(...others)).toEqual({
    unitCents: 16_400,
    wasCents: null,
    fetCents: 0,
    label: null,
    promotion: null,
    promotions: [],
  })
})

test('a promotion runs from its first instant to just before its last', () => {
  const sale = makePromotion({})
  const at = (instant: Temporal.Instant) => priceBook([sale], instant).priceOf(item).promotions.length
  expect(at(sale.startsAt)).toBe(1)
  expect(at(sale.endsAt.subtract({ nanoseconds: 1 }))).toBe(1)
  expect(at(sale.endsAt)).toBe(0)
  expect(at(sale.startsAt.subtract({ nanoseconds: 1 }))).toBe(0)
})

test('offers of free tires, and promotions already in the price, leave the tag unchanged', () => {
  expect(tag(makePromotion({ kind: 'Buy3Get1', amount: 0 }))).toMatchObject({ unitCents: 16_400, wasCents: null })
  const inPrice = makePromotion({ id: 9, alreadyApplied: true, amount: 5 })
  expect(tag(makePromotion({ amount: 50 }), inPrice)).toMatchObject({
    unitCents: 16_400,
    wasCents: null,
    promotions: [inPrice, { id: 1 }],
  })
})

test('the price includes federal excise tax, which is never discounted', () => {
  const heavy = makeItem({ retailCents: 26_500, fetCents: 234 })
  expect(priceBook([], now).priceOf(heavy)).toMatchObject({ unitCents: 26_734, wasCents: null, fetCents: 234 })
  const half = makePromotion({ amount: 50 })
  expect(priceBook([half], now).priceOf(heavy)).toMatchObject({
    unitCents: 13_250 + 234,
    wasCents: 26_734,
    fetCents: 234,
  })
})

test('a flat amount never exceeds the price of the tire', () => {
  expect(tag(makePromotion({ kind: 'Flat Amount', amount: 99_999 })).unitCents).toBe(0)
})

test('four tires cost four times the tag, or less with free tires, as charged by the cart', () => {
  const kinds = fc.constantFrom('Percentage' as const, 'Flat Amount' as const, 'Buy3Get1' as const)
  const some = fc.uniqueArray(
    fc.record({
      id: fc.integer({ min: 1, max: 99 }),
      kind: kinds,
      amount: fc.integer({ min: 1, max: 60 }),
      alreadyApplied: fc.boolean(),
    }),
    { selector: ({ id }) => id, maxLength: 4 },
  )
  fc.assert(
    fc.property(some, fc.integer({ min: 1_000, max: 60_000 }), (given, retailCents) => {
      const promotions = given.map((each) =>
        makePromotion({ ...each, amount: each.kind === 'Flat Amount' ? each.amount * 10 : each.amount }),
      )
      const price = priceBook(promotions, now).priceOf({ ...item, retailCents })
      const { lines } = priceOffer(
        [
          {
            itemId: item.id,
            name: 'Tire',
            quantity: 4,
            unitCents: retailCents,
            fetUnitCents: 0,
            weightLb: 25,
            coveredQuantity: 0,
            spec: { rimIn: 17, aspect: 65, runFlat: false, sizeKind: 'P' },
            promotions: price.promotions,
          },
        ],
        {
          stateCode: 'OR',
          installation: null,
          shopName: null,
          shippingCents: 0,
          shippingTo: 'address',
          terms: standardTerms,
        },
        Temporal.PlainDate.from('2026-11-20'),
      )
      const [line] = lines
      const isFree = price.promotions[0]?.kind === 'Buy3Get1' && !price.promotions[0].alreadyApplied
      expect(line?.netCents).toBe(isFree ? retailCents * 3 : price.unitCents * 4)
    }),
  )
})
