import { expect, test } from 'vitest'
import { makeLines } from './lines.ts'
import { makeRebates } from './rebates.ts'

const now = Temporal.Instant.from('2026-11-20T12:00:00Z')
const rebates = makeRebates(makeLines(), now)

test('rebates run now, each on one brand or line, and can be claimed for a month after', () => {
  expect(rebates.length).toBeGreaterThan(3)
  expect(new Set(rebates.map(({ name }) => name)).size).toBe(rebates.length)
  for (const { name, subject, startsAt, endsAt, lastClaimOn } of rebates) {
    expect(name).toMatch(/ rebate$/)
    expect(subject).toMatch(/^[a-z0-9-]+(?:\/[a-z0-9-]+)?$/)
    expect(Temporal.Instant.compare(startsAt, now)).toBe(-1)
    expect(Temporal.Instant.compare(now, endsAt)).toBe(-1)
    const lastDay = endsAt.toZonedDateTimeISO('America/New_York').toPlainDate()
    expect(lastDay.until(lastClaimOn).days).toBe(30)
  }
})

test('the brand on the home page has a rebate on four tires', () => {
  expect(rebates[0]).toMatchObject({
    name: 'Kestrel $60 rebate',
    amountCents: 6_000,
    units: 4,
    subject: 'kestrel',
  })
})
