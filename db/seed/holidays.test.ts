import { expect, test } from 'vitest'
import { federalHolidays } from './holidays.ts'

test('thirteen months of holidays, on the days they are observed', () => {
  const days = federalHolidays(Temporal.PlainDate.from('2026-05-20'), 13).map(
    (holiday) => `${holiday.date} ${holiday.name}`,
  )
  expect(days).toEqual([
    '2026-05-25 Memorial Day',
    '2026-06-19 Juneteenth',
    // July 4, 2026 is a Saturday.
    '2026-07-03 Independence Day',
    '2026-09-07 Labor Day',
    '2026-10-12 Columbus Day',
    '2026-11-11 Veterans Day',
    '2026-11-26 Thanksgiving Day',
    '2026-12-25 Christmas Day',
    "2027-01-01 New Year's Day",
    '2027-01-18 Martin Luther King Jr. Day',
    "2027-02-15 Presidents' Day",
    '2027-05-31 Memorial Day',
    // June 19, 2027 is a Saturday.
    '2027-06-18 Juneteenth',
  ])
})

test('a New Year that falls on a Saturday is observed in the old year', () => {
  const [first] = federalHolidays(Temporal.PlainDate.from('2027-12-26'), 1)
  expect(`${first?.date} ${first?.name}`).toBe("2027-12-31 New Year's Day")
})
