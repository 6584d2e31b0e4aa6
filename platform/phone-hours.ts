/**
 * Phone support hours by weekday in one time zone, and holidays. Set by the owner in the office, or the standard hours.
 * Safe in the browser.
 */
import { dayNames, isSpan, weekSpans } from '#platform/week-hours.ts'
import { compactClock } from '#platform/time-text.ts'
import { SUPPORT_HOURS } from '#platform/business-constants.ts'
import { storeZone } from '#platform/store-zone.ts'

/** Times are 'HH:MM'. */
type Span = { opens: string; closes: string }

export type PhoneHours = {
  zone: string
  /** Open days: 1 is Monday, in order, each once. */
  week: readonly (Span & { weekday: number })[]
  /** Days with other hours than their weekday, in order; closed where `hours` is null. */
  holidays: readonly { date: string; name: string; hours: Span | null }[]
}

const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`

/** Mon-Fri 8am-7pm ET, Sat 9am-5pm ET (specification, section 9). */
export const standardPhoneHours: PhoneHours = {
  zone: storeZone,
  week: SUPPORT_HOURS.flatMap(({ weekdays, opensHour, closesHour }) =>
    weekdays.map((weekday) => ({ weekday, opens: clock(opensHour), closes: clock(closesHour) })),
  ),
  holidays: [],
}

/** The zones that hours can be in, with the letters behind a time. */
export const phoneZones: Readonly<Record<string, string>> = {
  'America/New_York': 'ET',
  'America/Chicago': 'CT',
  'America/Denver': 'MT',
  'America/Phoenix': 'MST',
  'America/Los_Angeles': 'PT',
  'America/Anchorage': 'AKT',
  'Pacific/Honolulu': 'HST',
}

/** "Mon–Fri 8am–7pm ET · Sat 9am–5pm ET": days in a row with the same hours are named together. */
export function phoneHoursText({ week, zone }: PhoneHours = standardPhoneHours): string {
  return weekSpans(week)
    .map((span) => `${span} ${lettersOf(zone)}`.trim())
    .join(' · ')
}

/** "Dec 24 9am–12pm, Dec 25 closed": holidays of the next days from `now`; empty without one. */
export function comingHolidaysText({ holidays, zone }: PhoneHours, now: Temporal.Instant): string {
  const today = now.toZonedDateTimeISO(zone).toPlainDate()
  const coming = holidays.filter(({ date }) => {
    const days = today.until(date).days
    return days >= 0 && days <= daysAhead
  })
  return coming
    .map(({ date, hours }) => {
      const day = Temporal.PlainDate.from(date).toLocaleString('en-US', { month: 'short', day: 'numeric' })
      return `${day} ${hours ? `${compactClock(hours.opens)}–${compactClock(hours.closes)}` : 'closed'}`
    })
    .join(', ')
}

/** How long before a holiday its hours are shown. */
const daysAhead = 14

/**
 * Returns whether phone support is open at `now` and the next change: `{ open: true, until: '7pm ET' }` or `{ open:
 * false, from: 'Mon 8am ET' }`. `from` is null if no day in the next weeks is open.
 */
export function phoneStatus(
  hours: PhoneHours,
  now: Temporal.Instant,
): { open: true; until: string } | { open: false; from: string | null } {
  const local = now.toZonedDateTimeISO(hours.zone)
  const time = local.toPlainTime().toString({ smallestUnit: 'minute' })
  const letters = lettersOf(hours.zone)
  const today = hoursOn(hours, local.toPlainDate())
  if (today && time >= today.opens && time < today.closes)
    return { open: true, until: `${compactClock(today.closes)} ${letters}` }
  if (today && time < today.opens) return { open: false, from: `today ${compactClock(today.opens)} ${letters}` }
  for (let ahead = 1; ahead <= 30; ahead++) {
    const day = local.toPlainDate().add({ days: ahead })
    const next = hoursOn(hours, day)
    const name = ahead < 7 ? dayNames[day.dayOfWeek] : day.toLocaleString('en-US', { month: 'short', day: 'numeric' })
    if (next) return { open: false, from: `${name} ${compactClock(next.opens)} ${letters}` }
  }
  return { open: false, from: null }
}

function hoursOn({ week, holidays }: PhoneHours, day: Temporal.PlainDate): Span | null {
  const holiday = holidays.find(({ date }) => date === day.toString())
  if (holiday) return holiday.hours
  return week.find(({ weekday }) => weekday === day.dayOfWeek) ?? null
}

function lettersOf(zone: string): string {
  return phoneZones[zone] ?? zone
}

/** The week as it is stored: "1 08:00-19:00, 6 09:00-17:00". */
export function weekLine(week: PhoneHours['week']): string {
  return week.map(({ weekday, opens, closes }) => `${weekday} ${opens}-${closes}`).join(', ')
}

/** Parses stored weekly hours. Ignores text that `weekLine` didn't write. */
export function readWeekLine(line: string): PhoneHours['week'] {
  return [...line.matchAll(/([1-7]) (\d\d:\d\d)-(\d\d:\d\d)/g)].map(([, weekday, opens = '', closes = '']) => ({
    weekday: Number(weekday),
    opens,
    closes,
  }))
}

/** Holidays as they are stored and typed, one a line: "2026-12-24 09:00-12:00 Christmas Eve", "2026-12-25 closed Christmas". */
export function holidayLines(holidays: PhoneHours['holidays']): string {
  return holidays
    .map(({ date, hours, name }) => `${date} ${hours ? `${hours.opens}-${hours.closes}` : 'closed'} ${name}`)
    .join('\n')
}

const holidayLine = /^(\d{4}-\d\d-\d\d) (?:closed|(\d\d:\d\d)-(\d\d:\d\d)) (\S.{0,39})$/

/** Reads such lines in the order of their days; undefined where one is not of this form, no day, or named twice. */
export function readHolidayLines(text: string): PhoneHours['holidays'] | undefined {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const read = lines.flatMap((line): { date: string; name: string; hours: Span | null }[] => {
    const [, date = '', opens, closes, name = ''] = holidayLine.exec(line) ?? []
    if (!isDay(date)) return []
    if (opens === undefined || closes === undefined) return [{ date, name, hours: null }]
    return isSpan({ opens, closes }) ? [{ date, name, hours: { opens, closes } }] : []
  })
  const isWhole = read.length === lines.length && new Set(read.map(({ date }) => date)).size === read.length
  return isWhole ? read.toSorted((one, other) => one.date.localeCompare(other.date)) : undefined
}

function isDay(text: string): boolean {
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' }).toString() === text
  } catch {
    return false
  }
}
