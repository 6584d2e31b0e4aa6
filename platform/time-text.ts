/**
 * Times of day as people read them. A time is said on the clock of the place it concerns, and the clock is named: "9:30
 * AM CST". Nothing else in the product writes a time of day (`tools/lint-times.mjs`), so none can be without its zone.
 */
import { dayText } from './day-text.ts'

/** "Tue, Nov 24, 9:30 AM CST" */
export function timeText(instant: Temporal.Instant, timeZone: string): string {
  return `${dayText(instant.toZonedDateTimeISO(timeZone))}, ${clockText(instant, timeZone)}`
}

/** "9:30 AM CST" */
export function clockText(instant: Temporal.Instant, timeZone: string): string {
  const local = instant.toZonedDateTimeISO(timeZone)
  return `${face(local)} ${half(local.hour)} ${nameAt(local)}`
}

/** "9:30 CST", where the day says enough: shops work by day. */
export function shortClockText(instant: Temporal.Instant, timeZone: string): string {
  const local = instant.toZonedDateTimeISO(timeZone)
  return `${face(local)} ${nameAt(local)}`
}

/** "8:00 AM to 10:00 AM CST" */
export function clockRangeText(from: Temporal.Instant, to: Temporal.Instant, timeZone: string): string {
  const local = from.toZonedDateTimeISO(timeZone)
  return `${face(local)} ${half(local.hour)} to ${clockText(to, timeZone)}`
}

/** A time of a specification that keeps its zone in a field of its own: "9:30" and "AM". */
export function clockFields(instant: Temporal.Instant, timeZone: string): { startTime: string; amOrPm: 'AM' | 'PM' } {
  const local = instant.toZonedDateTimeISO(timeZone)
  return { startTime: face(local), amOrPm: half(local.hour) }
}

/**
 * Several times that stand together, as in a table or among buttons: `zone` is shown once for all of them ("CST" on
 * `day`), so that they need not repeat it. `short` is "9:30"; `minute` is "8:00 AM" of 480 minutes after midnight.
 */
export function clockOf(
  timeZone: string,
  day: Temporal.PlainDate,
): { zone: string; short(instant: Temporal.Instant): string; minute(minutes: number): string } {
  return {
    zone: nameAt(day.toZonedDateTime({ timeZone, plainTime: '12:00' })),
    short: (instant) => face(instant.toZonedDateTimeISO(timeZone)),
    minute(minutes) {
      const hour = Math.floor(minutes / 60) % 24
      return `${face({ hour, minute: minutes % 60 })} ${half(hour)}`
    },
  }
}

function face({ hour, minute }: { hour: number; minute: number }): string {
  return `${hour % 12 || 12}:${String(minute).padStart(2, '0')}`
}

function half(hour: number): 'AM' | 'PM' {
  return hour < 12 ? 'AM' : 'PM'
}

/** What the islands call their clocks, where the language's data has only an offset. */
const islands: Readonly<Record<string, string>> = {
  'Pacific/Guam': 'ChST',
  'Pacific/Saipan': 'ChST',
  'Pacific/Pago_Pago': 'SST',
}
/** A name takes 40 microseconds to look up, and a listing writes dozens of them: a few zones, two names each. */
const names = new Map<string, string>()

/** "CST", "HST"; where a zone has no letters of its own, its distance from UTC: "GMT+9". */
function nameAt(local: Temporal.ZonedDateTime): string {
  const key = `${local.timeZoneId} ${local.offset}`
  const known = names.get(key)
  if (known !== undefined) return known
  const name =
    islands[local.timeZoneId] ??
    local.toLocaleString('en-US', { timeZoneName: 'short' }).split(' ').at(-1) ??
    local.offset
  names.set(key, name)
  return name
}
