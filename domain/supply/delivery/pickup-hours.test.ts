import { expect, test } from 'vitest'
import { readyBy } from './pickup-hours.ts'

const weekdays = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, opens: '08:00', closes: '17:00' }))
const zone = 'America/Chicago'
const local = (text: string) => Temporal.PlainDateTime.from(text).toZonedDateTime(zone).toInstant()

test.for([
  ['a day later while the counter is open', '2026-11-17T10:30', '2026-11-18T10:30'],
  ['in the morning for what would be ready at night', '2026-11-17T05:00', '2026-11-18T08:00'],
  ['the next morning after closing', '2026-11-17T17:00', '2026-11-19T08:00'],
  ['on Monday after a Friday', '2026-11-20T10:00', '2026-11-23T08:00'],
  ['after Thanksgiving', '2026-11-25T10:00', '2026-11-27T08:00'],
] as const)('ready %s', ([, released, ready]) => {
  expect(readyBy({ week: weekdays, closedDays: [], timeZone: zone, readyHours: 24 }, local(released))).toEqual(
    local(ready),
  )
})

test('ready on the next day on which the warehouse isn’t closed', () => {
  const at = (closedDays: string[]) =>
    readyBy({ week: weekdays, closedDays, timeZone: zone, readyHours: 24 }, local('2026-11-17T10:30'))
  expect(at(['2026-11-18'])).toEqual(local('2026-11-19T08:00'))
  expect(at(['2026-11-18', '2026-11-19', '2026-11-20'])).toEqual(local('2026-11-23T08:00'))
})

test.for([
  [4, '2026-11-17T10:30', '2026-11-17T14:30'],
  [8, '2026-11-17T10:30', '2026-11-18T08:00'],
] as const)('ready within %i hours', ([readyHours, released, ready]) => {
  expect(readyBy({ week: weekdays, closedDays: [], timeZone: zone, readyHours }, local(released))).toEqual(local(ready))
})

test('a warehouse without hours has no pickup', () => {
  expect(
    readyBy({ week: [], closedDays: [], timeZone: zone, readyHours: 24 }, local('2026-11-17T10:30')),
  ).toBeUndefined()
})
