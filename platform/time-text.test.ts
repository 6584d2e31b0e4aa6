import { expect, test } from 'vitest'
import { clockFields, clockOf, clockRangeText, clockText, localClock, timeText, zoneName } from './time-text.ts'

const at = Temporal.Instant.from('2026-11-24T20:05:00Z')

test.for([
  ['America/New_York', '3:05 PM EST'],
  ['America/Chicago', '2:05 PM CST'],
  ['America/Phoenix', '1:05 PM MST'],
  ['Pacific/Honolulu', '10:05 AM HST'],
  ['America/Puerto_Rico', '4:05 PM AST'],
  ['Pacific/Guam', '6:05 AM ChST'],
  ['Pacific/Palau', '5:05 AM GMT+9'],
] as const)('a time in %s names its zone: %s', ([zone, text]) => {
  expect(clockText(at, zone)).toBe(text)
})

test('the zone name follows daylight saving time', () => {
  expect(timeText(Temporal.Instant.from('2026-07-04T17:00:00Z'), 'America/Chicago')).toBe('Sat, Jul 4, 12:00 PM CDT')
  expect(timeText(at, 'America/Chicago')).toBe('Tue, Nov 24, 2:05 PM CST')
  expect(localClock(Temporal.Instant.from('2026-11-24T06:00:00Z'), 'America/Chicago')).toBe('12:00 AM')
  expect(zoneName(Temporal.Instant.from('2026-07-04T17:00:00Z'), 'America/Chicago')).toBe('CDT')
  expect(
    clockRangeText(
      Temporal.Instant.from('2026-11-24T14:00:00Z'),
      Temporal.Instant.from('2026-11-24T18:00:00Z'),
      'America/Chicago',
    ),
  ).toBe('8:00 AM to 12:00 PM CST')
  expect(clockFields(at, 'America/Chicago')).toEqual({ startTime: '2:05', amOrPm: 'PM' })
})

test('times shown together share one zone name', () => {
  const clock = clockOf('America/Denver', Temporal.PlainDate.from('2026-07-04'))
  expect(clock.zone).toBe('MDT')
  expect(clock.minute(480)).toBe('8:00 AM')
  expect(clock.minute(24 * 60)).toBe('12:00 AM')
  expect(clock.minute(12 * 60)).toBe('12:00 PM')
})
