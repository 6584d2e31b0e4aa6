/** On which days carriers deliver, and federal holidays, on which warehouses are closed. Pure. */

/**
 * Returns the federal holiday observed on `date`, or undefined. Source: 5 U.S.C. 6103; one on a Saturday is observed on
 * Friday, one on a Sunday on Monday.
 */
export function federalHoliday(date: Temporal.PlainDate): string | undefined {
  const floating = floatingHolidays.find(
    (holiday) =>
      holiday.month === date.month &&
      holiday.weekday === date.dayOfWeek &&
      holiday.nth === nthOfItsWeekday(date, holiday.nth),
  )
  if (floating) return floating.name
  if (isWeekend(date)) return undefined
  return (
    fixedHoliday(date) ??
    (date.dayOfWeek === 5
      ? fixedHoliday(date.add({ days: 1 }))
      : date.dayOfWeek === 1
        ? fixedHoliday(date.subtract({ days: 1 }))
        : undefined)
  )
}

/** Returns whether carriers deliver on a date. They do from Monday to Friday, except on federal holidays. */
export function isBusinessDay(date: Temporal.PlainDate): boolean {
  return !isWeekend(date) && federalHoliday(date) === undefined
}

type FloatingHoliday = { name: string; month: number; weekday: number; nth: number | 'last' }
const floatingHolidays: readonly FloatingHoliday[] = [
  { name: 'Birthday of Martin Luther King, Jr.', month: 1, weekday: 1, nth: 3 },
  { name: "Washington's Birthday", month: 2, weekday: 1, nth: 3 },
  { name: 'Memorial Day', month: 5, weekday: 1, nth: 'last' },
  { name: 'Labor Day', month: 9, weekday: 1, nth: 1 },
  { name: 'Columbus Day', month: 10, weekday: 1, nth: 2 },
  { name: 'Thanksgiving Day', month: 11, weekday: 4, nth: 4 },
]
const fixedHolidays: Readonly<Record<string, string>> = {
  '1-1': "New Year's Day",
  '6-19': 'Juneteenth National Independence Day',
  '7-4': 'Independence Day',
  '11-11': 'Veterans Day',
  '12-25': 'Christmas Day',
}

function fixedHoliday(date: Temporal.PlainDate): string | undefined {
  return fixedHolidays[`${date.month}-${date.day}`]
}

function nthOfItsWeekday(date: Temporal.PlainDate, asked: number | 'last'): number | 'last' {
  return asked === 'last' ? (date.day + 7 > date.daysInMonth ? 'last' : 0) : Math.ceil(date.day / 7)
}

function isWeekend(date: Temporal.PlainDate): boolean {
  return date.dayOfWeek > 5
}
