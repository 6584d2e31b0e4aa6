/** Days that office pages ask for, and ages and times left as they show them. */
import type { Tone } from '#app/ui/office/office-parts.tsx'
import { storeZone } from '#platform/store-zone.ts'
import { countOf } from '#platform/count-text.ts'

/** A day as a date field sends it, in the years that a database takes; empty for anything else. */
export function readDay(text: string): string {
  if (!/^20\d\d-\d\d-\d\d$/.test(text)) return ''
  try {
    return Temporal.PlainDate.from(text).toString()
  } catch {
    return ''
  }
}

/** The days from `from` to `to`, both included and each optional, as instants in the store's zone. */
export function instantsOf({ from, to }: { from: string; to: string }): {
  from: Temporal.Instant | null
  until: Temporal.Instant | null
} {
  const start = (day: string, later: number) =>
    day === '' ? null : Temporal.PlainDate.from(day).add({ days: later }).toZonedDateTime(storeZone).toInstant()
  return { from: start(from, 0), until: start(to, 1) }
}

/** "3 days", "1 hour", "12 min": how long ago something was. */
export function ageText(since: Temporal.Instant, now: Temporal.Instant): string {
  return spanText(Math.max(0, Math.floor(now.since(since).total('minutes'))))
}

/** How long is left until `until`, rounded down to what counts; null once it has passed. */
export function leftText(until: Temporal.Instant, now: Temporal.Instant): string | null {
  const minutes = until.since(now).total('minutes')
  return minutes <= 0 ? null : spanText(Math.ceil(minutes))
}

/** What is left until `due`, close once less than a sixth of two days, eight hours, is left. */
export function timerTo(due: Temporal.Instant, now: Temporal.Instant): { tone: Tone; words: string } {
  const left = leftText(due, now)
  if (left === null) return { tone: 'stop', words: `Overdue ${ageText(due, now)}` }
  return { tone: due.since(now).total('hours') < 8 ? 'signal' : 'plain', words: `${left} left` }
}

function spanText(minutes: number): string {
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return countOf(hours, 'hour')
  return countOf(Math.floor(hours / 24), 'day')
}
