const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

type Day = Pick<Temporal.PlainDate, 'dayOfWeek' | 'month' | 'day'>

/**
 * "Tue, Nov 24". Hand-made because a listing writes dozens of these and `toLocaleString` takes 40 microseconds for
 * each.
 */
export function dayText(date: Day): string {
  return `${weekdayText(date)}, ${monthDayText(date)}`
}

/** "Nov 24" */
export function monthDayText({ month, day }: Pick<Day, 'month' | 'day'>): string {
  return `${months[month - 1]} ${day}`
}

/** The week that starts on `monday`, such as "Nov 16 to 22" or "Nov 30 to Dec 6". */
export function weekSpanText(monday: Temporal.PlainDate): string {
  const sunday = monday.add({ days: 6 })
  return `${monthDayText(monday)} to ${sunday.month === monday.month ? sunday.day : monthDayText(sunday)}`
}

/** "2026-11-09" → "Nov 9, 2026" */
export function dateText(day: string): string {
  const date = Temporal.PlainDate.from(day)
  return `${monthDayText(date)}, ${date.year}`
}

/** Parses a date as Americans type it, "11/9/2026". Returns undefined if the day doesn't exist. */
export function parseUsDay(text: string): Temporal.PlainDate | undefined {
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text.trim()) ?? []
  if (month === undefined) return undefined
  try {
    return Temporal.PlainDate.from(
      { year: Number(year), month: Number(month), day: Number(day) },
      { overflow: 'reject' },
    )
  } catch {
    return undefined
  }
}

/** "Nov 2026" */
export function monthText({ month, year }: Pick<Temporal.PlainYearMonth, 'month' | 'year'>): string {
  return `${months[month - 1]} ${year}`
}

/** "Tue" */
export function weekdayText({ dayOfWeek }: Pick<Day, 'dayOfWeek'>): string {
  return weekdays[dayOfWeek - 1] ?? ''
}
