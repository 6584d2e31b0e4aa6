import { expect, test } from 'vitest'
import { makeItem, candidatesOf } from './items.ts'
import { makeLines } from './lines.ts'
import { makePromotions } from './promotions.ts'
import { readSizes } from './sizes.ts'

const now = Temporal.Instant.from('2026-11-20T12:00:00Z')
const lines = makeLines()
const sizes = readSizes([])
const items = lines
  .flatMap((line) => candidatesOf(line, sizes).slice(0, 4))
  .map((candidate, index) => makeItem(candidate, index + 1, Temporal.PlainDate.from('2026-11-16')))
const promotions = makePromotions(lines, items, now)
const instant = (value: unknown): Temporal.Instant => Temporal.Instant.from(String(value))

test('offers run now and end in 10 to 41 days', () => {
  const offers = promotions.filter((promotion) => !promotion.daily)
  expect(offers.length).toBeGreaterThan(50)
  for (const promotion of offers) {
    expect(Temporal.Instant.compare(instant(promotion.starts_at), now)).toBeLessThan(0)
    const days = now.until(instant(promotion.ends_at)).total('hours') / 24
    expect(days).toBeGreaterThan(10)
    expect(days).toBeLessThan(41)
  }
})

test('each day of the coming weeks has deals, at most 20 percent, from midnight to midnight in New York', () => {
  const deals = promotions.filter((promotion) => promotion.daily)
  const days = Map.groupBy(deals, (deal) =>
    instant(deal.starts_at).toZonedDateTimeISO('America/New_York').toPlainDate().toString(),
  )
  expect(days.size).toBe(45)
  expect([...days.keys()].sort()[0]).toBe('2026-11-20')
  for (const deal of deals) {
    expect(deal.kind).toBe('Percentage')
    expect(deal.amount).toBeLessThanOrEqual(20)
    expect(instant(deal.starts_at).toZonedDateTimeISO('America/New_York').toPlainTime().toString()).toBe('00:00:00')
    expect(instant(deal.ends_at).toZonedDateTimeISO('America/New_York').toPlainTime().toString()).toBe('00:00:00')
  }
})

test('promotion slugs are unique, and each promotion has one subject', () => {
  expect(new Set(promotions.map((promotion) => promotion.slug)).size).toBe(promotions.length)
  for (const promotion of promotions)
    expect([promotion.brand_id, promotion.product_line_id, promotion.item_id].filter((id) => id != null)).toHaveLength(
      1,
    )
  expect(new Set(promotions.map((promotion) => promotion.kind))).toEqual(
    new Set(['Percentage', 'Flat Amount', 'Buy3Get1']),
  )
  expect(new Set(promotions.map((promotion) => promotion.funded_by))).toEqual(new Set(['store', 'maker']))
})

test('the offers on the home page exist', () => {
  const line = lines.find((candidate) => candidate.name === 'Alltide AS2')
  expect(promotions.find((promotion) => promotion.product_line_id === line?.id)).toMatchObject({
    slug: 'kestrel-alltide-as2-16-off',
    kind: 'Flat Amount',
    amount: 1_600,
    headline: 'Save $16 a tire on Kestrel Alltide AS2',
  })
})
