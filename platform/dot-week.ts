/** DOT weeks, the week of manufacture on a tire (49 CFR 574.5). Safe in the browser. */

/**
 * Reads a DOT week, such as "2326" for week 23 of 2026, and returns that week's Monday, "2026-06-01". Undefined unless
 * the text is four digits for an existing week (ISO 8601) that started by `today`.
 */
export function parseDotWeek(text: string, today: Temporal.PlainDate): string | undefined {
  const [, week = '', year = ''] = /^(\d\d)(\d\d)$/.exec(text) ?? []
  if (week === '' || Number(week) < 1) return undefined
  // The week containing January 4 is the first (ISO 8601).
  const inFirst = Temporal.PlainDate.from({ year: 2000 + Number(year), month: 1, day: 4 })
  const monday = inFirst.add({ days: 1 - inFirst.dayOfWeek + 7 * (Number(week) - 1) })
  if (monday.weekOfYear !== Number(week)) return undefined
  return Temporal.PlainDate.compare(monday, today) > 0 ? undefined : monday.toString()
}

/** Returns the DOT week that starts on this Monday, such as "2326" for "2026-06-01". */
export function dotWeekText(monday: string): string {
  const day = Temporal.PlainDate.from(monday)
  const digits = (value: number) => String(value % 100).padStart(2, '0')
  return digits(day.weekOfYear ?? 1) + digits(day.yearOfWeek ?? day.year)
}
