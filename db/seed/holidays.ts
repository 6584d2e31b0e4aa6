import { federalHoliday } from '#domain/supply/delivery/delivery.ts'

export type Holiday = { date: Temporal.PlainDate; name: string; everyoneCloses: boolean }

/** Holidays on which nearly all retail is closed. */
const great: ReadonlySet<string> = new Set([
  "New Year's Day",
  'Memorial Day',
  'Independence Day',
  'Labor Day',
  'Thanksgiving Day',
  'Christmas Day',
])

/** Short everyday names for holidays with long legal names. */
const usualNames: Readonly<Record<string, string>> = {
  'Birthday of Martin Luther King, Jr.': 'Martin Luther King Jr. Day',
  "Washington's Birthday": "Presidents' Day",
  'Juneteenth National Independence Day': 'Juneteenth',
}

/**
 * The federal holidays from `from` on for `months` months, on the day they are observed. `everyoneCloses` marks the
 * major ones.
 */
export function federalHolidays(from: Temporal.PlainDate, months: number): Holiday[] {
  const dates = Array.from({ length: from.until(from.add({ months })).days }, (_, days) => from.add({ days }))
  return dates.flatMap((date) => {
    const name = federalHoliday(date)
    return name === undefined ? [] : [{ date, name: usualNames[name] ?? name, everyoneCloses: great.has(name) }]
  })
}
