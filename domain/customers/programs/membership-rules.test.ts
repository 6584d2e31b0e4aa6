import { expect, test } from 'vitest'
import { canRenew, dueReminder, gracefulEnd, nextTerm, refuseRefund } from './membership-rules.ts'

const at = (text: string) => Temporal.Instant.from(text)
const last = { endsAt: at('2027-11-20T15:00:00Z'), graceDays: 14 }
const startOf = (now: string) => nextTerm(at(now), last).startsAt.toString()

test('a term is a calendar year, across leap days and clock changes', () => {
  expect(nextTerm(at('2027-11-20T15:00:00Z'), null).endsAt.toString()).toBe('2028-11-20T15:00:00Z')
  expect(nextTerm(at('2028-02-29T15:00:00Z'), null).endsAt.toString()).toBe('2029-02-28T15:00:00Z')
  expect(nextTerm(at('2026-03-10T15:00:00Z'), null).endsAt.toString()).toBe('2027-03-10T16:00:00Z')
})

test.for([
  ['before its end', '2027-11-01T00:00:00Z', '2027-11-20T15:00:00Z'],
  ['in the last hour of grace', '2027-12-04T14:59:59Z', '2027-11-20T15:00:00Z'],
  ['after that', '2027-12-04T15:00:00Z', '2027-12-04T15:00:00Z'],
])('a year bought %s starts on the right day', ([, now = '', startsAt]) => {
  expect(startOf(now)).toBe(startsAt)
})

test('renewal opens thirty days before the end', () => {
  expect(canRenew(at('2027-10-21T14:59:59Z'), last)).toBe(false)
  expect(canRenew(at('2027-10-21T15:00:00Z'), last)).toBe(true)
  expect(canRenew(at('2027-01-01T00:00:00Z'), null)).toBe(true)
})

test("a term's prices last through the grace period", () => {
  expect(gracefulEnd(last).toString()).toBe('2027-12-04T15:00:00Z')
})

test.for<[string, boolean, string | null]>([
  ['2026-12-20T14:59:59Z', false, null],
  ['2026-12-20T14:59:59Z', true, 'used'],
  ['2026-12-20T15:00:00Z', false, 'too-late'],
  ['2026-12-20T15:00:00Z', true, 'too-late'],
])('at %s, used %s, a refund is refused for %s', ([now, isUsed, reason]) => {
  expect(refuseRefund({ boughtAt: at('2026-11-20T15:00:00Z'), isUsed, refundDays: 30 }, at(now))).toBe(reason)
})

test.for<[string, number | null]>([
  ['2027-10-21T14:59:59Z', null],
  ['2027-10-21T15:00:00Z', 30],
  ['2027-11-13T15:00:00Z', 7],
  ['2027-11-20T15:00:00Z', 0],
  ['2027-12-01T15:00:00Z', 0],
])('at %s the %s-day reminder is due', ([now, days]) => {
  expect(dueReminder(at(now), last.endsAt)).toBe(days)
})
