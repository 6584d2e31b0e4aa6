import { expect, test } from 'vitest'
import { makeLines } from './lines.ts'
import { makeRebates } from './rebates.ts'

const now = Temporal.Instant.from('2026-11-20T12:00:00Z')
const rebates = makeRebates(makeLines(), now)

test('rebates run now, each on one brand or line, and can be claimed for a month after', () => {
  expect(rebates.length).toBeGreaterThan(3)
  expect(new Set(rebates.map(({ slug }) => slug)).size).toBe(rebates.length)
  for (const {
    slug,
    starts_at: starts,
    ends_at: ends,
    last_claim_on: claimBy,
    brand_id: brandId,
    product_line_id: lineId,
  } of rebates) {
    expect(slug).toMatch(/-rebate$/)
    expect([brandId, lineId].filter((id) => id !== null)).toHaveLength(1)
    expect(Temporal.Instant.compare(String(starts), now)).toBe(-1)
    expect(Temporal.Instant.compare(now, String(ends))).toBe(-1)
    const lastDay = Temporal.Instant.from(String(ends)).toZonedDateTimeISO('America/New_York').toPlainDate()
    expect(lastDay.until(claimBy).days).toBe(30)
  }
})

test('the brand on the home page has a rebate on four tires', () => {
  expect(rebates[0]).toMatchObject({
    slug: 'kestrel-60-rebate',
    name: 'Kestrel $60 rebate',
    amount_cents: 6_000,
    units: 4,
  })
})
