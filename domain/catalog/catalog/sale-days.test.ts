import fc from 'fast-check'
import { expect, test } from 'vitest'
import { blackFriday, endOfDeal, saleOf, type SaleName } from './sale-days.ts'

test.each([
  // A month that starts on a Friday, where the fourth Friday is before the fourth Thursday.
  [2024, '2024-11-29'],
  [2019, '2019-11-29'],
  [2013, '2013-11-29'],
  [2025, '2025-11-28'],
  [2026, '2026-11-27'],
  [2027, '2027-11-26'],
  [2018, '2018-11-23'],
])('Black Friday of %i is %s', (year, day) => {
  expect(blackFriday(year).toString()).toBe(day)
})

test('it is the day after the fourth Thursday in every year', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1950, max: 2150 }), (year) => {
      const days = Array.from({ length: 30 }, (_, index) =>
        Temporal.PlainDate.from({ year, month: 11, day: index + 1 }),
      )
      expect(blackFriday(year).equals(days.filter(({ dayOfWeek }) => dayOfWeek === 4)[3]!.add({ days: 1 }))).toBe(true)
    }),
  )
})

test.each<[SaleName, string, string]>([
  ['black-friday-sale', '2026-11-27T04:59:59Z', 'before 2026'],
  ['black-friday-sale', '2026-11-27T05:00:00Z', 'running 2026'],
  ['black-friday-sale', '2026-11-30T04:59:59Z', 'running 2026'],
  ['black-friday-sale', '2026-11-30T05:00:00Z', 'after 2026'],
  ['cyber-monday-sale', '2026-11-30T04:59:59Z', 'before 2026'],
  ['cyber-monday-sale', '2026-11-30T05:00:00Z', 'running 2026'],
  ['cyber-monday-sale', '2026-12-01T05:00:00Z', 'after 2026'],
  // The new year starts in New York.
  ['cyber-monday-sale', '2027-01-01T04:59:59Z', 'after 2026'],
  ['cyber-monday-sale', '2027-01-01T05:00:00Z', 'before 2027'],
])('%s at %s is %s', (name, now, expected) => {
  const { state, year } = saleOf(name, Temporal.Instant.from(now))
  expect(`${state} ${year}`).toBe(expected)
})

test.each([
  ['2026-11-21T05:00:00Z', '2026-11-20T15:00:00Z', 'today until midnight ET, 14 hours left'],
  ['2026-11-21T05:00:00Z', '2026-11-21T03:30:00Z', 'today until midnight ET, 1 hour left'],
  ['2026-11-21T05:00:00Z', '2026-11-21T04:22:30Z', 'today until midnight ET, 37 minutes left'],
  ['2026-11-21T05:00:00Z', '2026-11-21T04:59:59Z', 'today until midnight ET, 1 minute left'],
  ['2026-11-20T20:30:00Z', '2026-11-20T15:00:00Z', 'today until 3:30 PM EST, 5 hours left'],
  ['2026-11-22T20:30:00Z', '2026-11-20T15:00:00Z', 'Sun, Nov 22 until 3:30 PM EST'],
  ['2026-12-14T05:00:00Z', '2026-11-20T15:00:00Z', 'through Sun, Dec 13'],
  ['2027-12-14T05:00:00Z', '2026-11-20T15:00:00Z', 'through Mon, Dec 13, 2027'],
  // Already Saturday in London, still Friday in New York.
  ['2026-11-21T05:00:00Z', '2026-11-21T00:30:00Z', 'today until midnight ET, 4 hours left'],
  // Nov 1, 2026 has 25 hours because clocks are set back. Mar 14, 2027 has 23 because they are set forward.
  ['2026-11-02T05:00:00Z', '2026-11-01T04:00:00Z', 'today until midnight ET, 25 hours left'],
  ['2027-03-15T04:00:00Z', '2027-03-14T05:00:00Z', 'today until midnight ET, 23 hours left'],
])('a deal ending at %s reads, at %s, as %s', (end, now, words) => {
  expect(endOfDeal(Temporal.Instant.from(end), Temporal.Instant.from(now))).toBe(words)
})
