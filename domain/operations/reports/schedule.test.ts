import { expect, test } from 'vitest'
import { lastDue, subscriptionForm } from './schedule.ts'

const due = (every: 'week' | 'month', hour: number, now: string) => {
  const { at, period } = lastDue({ every, hour }, Temporal.Instant.from(now))
  return `${at.toString()} ${period.from.toString()} ${period.to.toString()}`
}

test('a weekly report is due on Mondays at its hour in the store’s zone, for Sunday to Saturday', () => {
  // Monday, November 23, 2026 at 7 AM Eastern.
  expect(due('week', 7, '2026-11-23T12:00:00Z')).toBe('2026-11-23T12:00:00Z 2026-11-15 2026-11-21')
  expect(due('week', 7, '2026-11-23T11:59:59Z')).toBe('2026-11-16T12:00:00Z 2026-11-08 2026-11-14')
  expect(due('week', 7, '2026-11-29T23:00:00Z')).toBe('2026-11-23T12:00:00Z 2026-11-15 2026-11-21')
})

test('a monthly report for the previous month is due on the first', () => {
  expect(due('month', 0, '2026-12-01T05:00:00Z')).toBe('2026-12-01T05:00:00Z 2026-11-01 2026-11-30')
  expect(due('month', 0, '2026-12-01T04:59:59Z')).toBe('2026-11-01T04:00:00Z 2026-10-01 2026-10-31')
  expect(due('month', 9, '2027-01-01T13:00:00Z')).toBe('2026-12-01T14:00:00Z 2026-11-01 2026-11-30')
})

test('the hour of a report is a whole hour of the day', () => {
  for (const hour of ['0', '7', '19', '23'])
    expect(subscriptionForm.safeParse({ every: 'week', hour }).success, hour).toBe(true)
  for (const hour of ['', '24', '-1', '7.5', '1e1', '07a'])
    expect(subscriptionForm.safeParse({ every: 'week', hour }).success, hour).toBe(false)
  expect(subscriptionForm.safeParse({ every: 'day', hour: '7' }).success).toBe(false)
})
