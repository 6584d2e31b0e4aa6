export type Holiday = { date: Temporal.PlainDate; name: string; everyoneCloses: boolean }

/**
 * The federal holidays (5 USC 6103) from `from` on for `months` months, on the day they are observed: Friday for a Saturday, Monday for a Sunday.
 * `everyoneCloses` tells those on which retail is shut nearly everywhere.
 */
export function federalHolidays(from: Temporal.PlainDate, months: number): Holiday[] {
  const until = from.add({ months })
  return [from.year - 1, from.year, from.year + 1, from.year + 2]
    .flatMap(holidaysOf)
    .filter(({ date }) => Temporal.PlainDate.compare(date, from) >= 0 && Temporal.PlainDate.compare(date, until) < 0)
}

function holidaysOf(year: number): Holiday[] {
  return [
    { name: "New Year's Day", date: observed(year, 1, 1), everyoneCloses: true },
    { name: 'Martin Luther King Jr. Day', date: nthMonday(year, 1, 3), everyoneCloses: false },
    { name: "Presidents' Day", date: nthMonday(year, 2, 3), everyoneCloses: false },
    { name: 'Memorial Day', date: nthMonday(year, 6, 0), everyoneCloses: true },
    { name: 'Juneteenth', date: observed(year, 6, 19), everyoneCloses: false },
    { name: 'Independence Day', date: observed(year, 7, 4), everyoneCloses: true },
    { name: 'Labor Day', date: nthMonday(year, 9, 1), everyoneCloses: true },
    { name: 'Columbus Day', date: nthMonday(year, 10, 2), everyoneCloses: false },
    { name: 'Veterans Day', date: observed(year, 11, 11), everyoneCloses: false },
    { name: 'Thanksgiving Day', date: nthWeekday(year, 11, 4, 4), everyoneCloses: true },
    { name: 'Christmas Day', date: observed(year, 12, 25), everyoneCloses: true },
  ]
}

function observed(year: number, month: number, day: number): Temporal.PlainDate {
  const date = Temporal.PlainDate.from({ year, month, day })
  return date.add({ days: date.dayOfWeek === 6 ? -1 : date.dayOfWeek === 7 ? 1 : 0 })
}

/** The `nth` Monday of the month; the 0th is the last one of the month before. */
function nthMonday(year: number, month: number, nth: number): Temporal.PlainDate {
  return nthWeekday(year, month, 1, nth)
}

function nthWeekday(year: number, month: number, weekday: number, nth: number): Temporal.PlainDate {
  const first = Temporal.PlainDate.from({ year, month, day: 1 })
  return first.add({ days: ((weekday - first.dayOfWeek + 7) % 7) + 7 * (nth - 1) })
}
