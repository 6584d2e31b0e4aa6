import { expect, test } from 'vitest'
import {
  comingHolidaysText,
  holidayLines,
  phoneHoursText,
  phoneStatus,
  readHolidayLines,
  readWeekLine,
  standardPhoneHours,
  weekLine,
  type PhoneHours,
} from './phone-hours.ts'

const at = (text: string, zone = 'America/New_York') => Temporal.ZonedDateTime.from(`${text}[${zone}]`).toInstant()

test.for([
  ['2026-11-20T08:00', { open: true, until: '7pm ET' }],
  ['2026-11-20T18:59', { open: true, until: '7pm ET' }],
  ['2026-11-20T19:00', { open: false, from: 'Sat 9am ET' }],
  ['2026-11-21T16:59', { open: true, until: '5pm ET' }],
  ['2026-11-21T17:00', { open: false, from: 'Mon 8am ET' }],
  ['2026-11-22T12:00', { open: false, from: 'Mon 8am ET' }],
  ['2026-11-23T07:59', { open: false, from: 'today 8am ET' }],
  // Daylight saving time ended on November 1. Uses wall time, not the offset.
  ['2026-11-02T08:00', { open: true, until: '7pm ET' }],
] as const)('at %s New York time support is %o', ([time, expected]) => {
  expect(phoneStatus(standardPhoneHours, at(time))).toEqual(expected)
})

const holidays = readHolidayLines('2026-12-25 closed Christmas Day\n2026-12-24 09:00-12:30 Christmas Eve') ?? []
const set: PhoneHours = {
  zone: 'America/Chicago',
  week: readWeekLine('1 07:30-12:00, 2 07:30-12:00, 4 07:30-12:00'),
  holidays,
}

test.for([
  ['2026-12-24T12:29', { open: true, until: '12:30pm CT' }],
  ['2026-12-24T12:30', { open: false, from: 'Mon 7:30am CT' }],
  ['2026-12-25T10:00', { open: false, from: 'Mon 7:30am CT' }],
  ['2026-12-28T08:00', { open: true, until: '12pm CT' }],
  ['2026-12-29T23:00', { open: false, from: 'Thu 7:30am CT' }],
] as const)('with a holiday, at %s Chicago time support is %o', ([time, expected]) => {
  expect(phoneStatus(set, at(time, 'America/Chicago'))).toEqual(expected)
})

test('hours are written with their zone, days in a row together, and holidays two weeks before', () => {
  expect(phoneHoursText(standardPhoneHours)).toBe('Mon–Fri 8am–7pm ET · Sat 9am–5pm ET')
  expect(phoneHoursText(set)).toBe('Mon–Tue 7:30am–12pm CT · Thu 7:30am–12pm CT')
  expect(comingHolidaysText(set, at('2026-12-11T12:00'))).toBe('Dec 24 9am–12:30pm, Dec 25 closed')
  expect(comingHolidaysText(set, at('2026-12-09T12:00'))).toBe('')
  expect(comingHolidaysText(set, at('2026-12-25T12:00'))).toBe('Dec 25 closed')
})

test('a phone without hours is shown as unavailable', () => {
  expect(phoneStatus({ ...set, week: [], holidays: [] }, at('2026-12-29T23:00'))).toEqual({ open: false, from: null })
})

test('stored hours parse back unchanged', () => {
  expect(readWeekLine(weekLine(standardPhoneHours.week))).toEqual(standardPhoneHours.week)
  expect(readHolidayLines(holidayLines(holidays))).toEqual(holidays)
  expect(readHolidayLines('')).toEqual([])
})

test.for([
  '2026-02-30 closed No such day',
  '2026-12-24 12:00-09:00 Backward',
  '2026-12-24 9-12 Short',
  '2026-12-24 closed',
  'Christmas',
  '2026-12-24 closed Once\n2026-12-24 closed Twice',
])('%s is no holiday', (text) => {
  expect(readHolidayLines(text)).toBeUndefined()
})
