import { expect, test } from 'vitest'
import { makeItem } from './catalog.testing.ts'
import { accountPriceBook } from './account-prices.ts'
import { advertisedBook, advertisedPrice, isBelowMap } from './map-price.ts'
import { priceBook, type Promotion } from './promotion.ts'

const now = Temporal.Instant.from('2026-11-20T15:00:00Z')
const base = makeItem({ id: 1 })
const item = { ...base, retailCents: 10_000, fetCents: 300, mapCents: 9_500 }
const deal = (kind: Promotion['kind'], amount: number): Promotion => ({
  id: 1,
  slug: 'deal',
  name: 'Deal',
  headline: 'Deal',
  kind,
  amount,
  itemId: null,
  lineId: null,
  brandId: null,
  fundedBy: 'store',
  alreadyApplied: false,
  linkToCoverage: false,
  daily: false,
  startsAt: now,
  endsAt: now.add({ hours: 1 }),
})
const tag = (promotion: Promotion, of = item) => advertisedBook(priceBook([promotion], now)).priceOf(of)

test('a price at or above the minimum, or without a minimum, is shown unchanged', () => {
  expect(isBelowMap(9_500, 9_500)).toBe(false)
  expect(isBelowMap(9_499, 9_500)).toBe(true)
  expect(isBelowMap(1, null)).toBe(false)
  expect(tag(deal('Percentage', 5))).toMatchObject({ unitCents: 9_800, wasCents: 10_300 })
  expect(tag(deal('Percentage', 5)).charged).toBeUndefined()
  expect(tag(deal('Percentage', 50), { ...item, mapCents: null as never }).unitCents).toBe(5_300)
})

test.each([
  ['a percentage', deal('Percentage', 10)],
  ['an amount', deal('Flat Amount', 501)],
  ['a free tire of four', deal('Buy3Get1', 0)],
] as const)('%s below the minimum shows the minimum without the promotion, and is charged', (_, promotion) => {
  const price = tag(promotion)
  expect(price).toMatchObject({ unitCents: 9_800, wasCents: null, promotion: null, promotions: [] })
  expect(price.charged?.promotions.map(({ id }) => id)).toEqual([1])
})

test('a retail price below the minimum shows the minimum', () => {
  const price = advertisedPrice(
    { ...item, retailCents: 9_000 },
    priceBook([], now).priceOf({ ...item, retailCents: 9_000 }),
  )
  expect(price).toMatchObject({ unitCents: 9_800, charged: { unitCents: 9_300 } })
})

test('an account price is not advertised and is compared with the retail price', () => {
  const everyone = advertisedBook(priceBook([deal('Percentage', 10)], now))
  const book = accountPriceBook(everyone, { type: 'none', list: null }, { hasMemberDeals: true })
  expect(book.priceOf(item)).toMatchObject({ unitCents: 9_800, charged: { unitCents: 9_300 } })
})
