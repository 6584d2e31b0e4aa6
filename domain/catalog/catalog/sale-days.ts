/** The two annual sales, and texts for when a deal ends. The store's day is in New York time everywhere. */
import { dayText } from '#platform/day-text.ts'
import { storeDay, storeZone } from '#platform/store-zone.ts'
import { clockText } from '#platform/time-text.ts'
import { countOf } from '#platform/count-text.ts'

export const saleNames = { 'black-friday-sale': 'Black Friday', 'cyber-monday-sale': 'Cyber Monday' } as const
export type SaleName = keyof typeof saleNames

/** `before` from January 1 on, `after` until the year ends. The sale runs from `starts` to before `ends`. */
export type Sale = {
  readonly state: 'before' | 'running' | 'after'
  readonly year: number
  readonly starts: Temporal.ZonedDateTime
  readonly ends: Temporal.ZonedDateTime
}

/**
 * Returns the sale of the year of `now` in New York: Black Friday from Friday to the end of Sunday, Cyber Monday on
 * Monday.
 */
export function saleOf(name: SaleName, now: Temporal.Instant): Sale {
  const { year } = now.toZonedDateTimeISO(storeZone)
  const friday = blackFriday(year)
  const monday = friday.add({ days: 3 })
  const [first, last] = name === 'black-friday-sale' ? [friday, monday] : [monday, monday.add({ days: 1 })]
  const [starts, ends] = [first.toZonedDateTime(storeZone), last.toZonedDateTime(storeZone)]
  const isBegun = Temporal.Instant.compare(starts.toInstant(), now) <= 0
  const isOver = Temporal.Instant.compare(ends.toInstant(), now) <= 0
  return { state: isOver ? 'after' : isBegun ? 'running' : 'before', year, starts, ends }
}

/** Returns the day after the fourth Thursday of November. It isn't always the fourth Friday. */
export function blackFriday(year: number): Temporal.PlainDate {
  const first = Temporal.PlainDate.from({ year, month: 11, day: 1 })
  const thursday = first.add({ days: (11 - first.dayOfWeek) % 7 })
  return thursday.add({ weeks: 3, days: 1 })
}

/**
 * Words the end of a deal at `end` so that it stays correct without JavaScript: "through Thu, Dec 3", or on the last
 * day "today until midnight ET, 5 hours left". An end other than midnight includes its hour.
 */
export function endOfDeal(end: Temporal.Instant, now: Temporal.Instant): string {
  const [at, today] = [end.toZonedDateTimeISO(storeZone), storeDay(now)]
  const isMidnight = at.hour === 0 && at.minute === 0
  const lastDay = at.toPlainDate().subtract({ days: isMidnight ? 1 : 0 })
  const time = isMidnight ? 'midnight ET' : clockText(end, storeZone)
  const days = today.until(lastDay, { largestUnit: 'day' }).days
  if (days === 0) return `today until ${time}, ${leftText(now, end)}`
  const day = days > 300 ? `${dayText(lastDay)}, ${lastDay.year}` : dayText(lastDay)
  return isMidnight ? `through ${day}` : `${day} until ${time}`
}

/** "5 hours left", "1 hour left", "38 minutes left": rounded down, but never to zero. */
function leftText(now: Temporal.Instant, end: Temporal.Instant): string {
  const minutes = Math.max(1, Math.floor(now.until(end).total('minutes')))
  const [count, unit] = minutes >= 60 ? [Math.floor(minutes / 60), 'hour'] : [minutes, 'minute']
  return `${countOf(count, unit)} left`
}
