/**
 * Times of day for display. A time is in the zone of its location, and the zone is shown: "9:30 AM CST". Lists of open
 * times show the zone once if it differs from the visitor's. Only this file formats times of day
 * (`tools/lint-times.mjs`), so the zone is never missing.
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

/** "8:00 AM to 10:00 AM CST" */
export function clockRangeText(from: Temporal.Instant, to: Temporal.Instant, timeZone: string): string {
  return `${localClock(from, timeZone)} to ${clockText(to, timeZone)}`
}

/**
 * Returns "7:00 AM" for open times. Their list shows the zone if the visitor's differs (`content/messages/times.ts`).
 */
export function localClock(instant: Temporal.Instant, timeZone: string): string {
  const local = instant.toZonedDateTimeISO(timeZone)
  return `${face(local)} ${half(local.hour)}`
}

/** "CST": the name of the zone at that instant. */
export function zoneName(instant: Temporal.Instant, timeZone: string): string {
  return nameAt(instant.toZonedDateTimeISO(timeZone))
}

/** Returns a time for formats with a separate zone field: "9:30" and "AM". */
export function clockFields(instant: Temporal.Instant, timeZone: string): { startTime: string; amOrPm: 'AM' | 'PM' } {
  const local = instant.toZonedDateTimeISO(timeZone)
  return { startTime: face(local), amOrPm: half(local.hour) }
}

/** Returns "8am", "8:30am", or "12pm" for "08:00" and so on. For phone hours, where the zone is shown once per week. */
export function compactClock(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const minutes = minute === 0 ? '' : `:${String(minute).padStart(2, '0')}`
  return `${hour % 12 === 0 ? 12 : hour % 12}${minutes}${half(hour).toLowerCase()}`
}

/**
 * Formats several times shown together, as in a table or on buttons, with one shared `zone` ("CST" on `day`). `minute`
 * returns "8:00 AM" for 480 minutes after midnight.
 */
export function clockOf(timeZone: string, day: Temporal.PlainDate): { zone: string; minute(minutes: number): string } {
  return {
    zone: nameAt(day.toZonedDateTime({ timeZone, plainTime: '12:00' })),
    minute: minuteText,
  }
}

/** Returns "8:00 AM" for 480 minutes after midnight, for pages that state the zone, such as a shop's opening hours. */
export function minuteText(minutes: number): string {
  const hour = Math.floor(minutes / 60) % 24
  return `${face({ hour, minute: minutes % 60 })} ${half(hour)}`
}

function face({ hour, minute }: { hour: number; minute: number }): string {
  return `${hour % 12 || 12}:${String(minute).padStart(2, '0')}`
}

function half(hour: number): 'AM' | 'PM' {
  return hour < 12 ? 'AM' : 'PM'
}

/** Zone names of the islands, where the locale data has only an offset. */
const islands: Readonly<Record<string, string>> = {
  'Pacific/Guam': 'ChST',
  'Pacific/Saipan': 'ChST',
  'Pacific/Pago_Pago': 'SST',
}
/** Looking up a name takes 40 microseconds, and a listing shows dozens; there are a few zones with two names each. */
const names = new Map<string, string>()

/** "CST", "HST"; for a zone without an abbreviation, its UTC offset: "GMT+9". */
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
