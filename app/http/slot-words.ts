/** How a free time is written on its button, the same on every page. */
import { dayText, weekdayText } from '#platform/day-text.ts'
import { dropOffWindows, type Choice, type DropOffWindow, type Opening } from '#domain/booking/booking.ts'

/** See `slotText`. */
export function openingLabel(opening: Opening, timeZone: string, now: Temporal.Instant): string {
  return slotText(opening.start, timeZone, opening.kind === 'drop-off' ? opening.window : null, now)
}

/** "Tue 9:30" within the coming week, "Thu, Dec 3, 9:30" after it, "Wed morning" to leave the car. */
export function slotText(start: Temporal.Instant, timeZone: string, window: DropOffWindow | null, now: Temporal.Instant): string {
  const local = start.toZonedDateTimeISO(timeZone)
  const ahead = now.toZonedDateTimeISO(timeZone).toPlainDate().until(local.toPlainDate(), { largestUnit: 'day' }).days
  const day = ahead < 7 ? weekdayText(local) : `${dayText(local)},`
  return `${day} ${window ? dropOffWindows[window].name.toLowerCase() : clockText(start, timeZone)}`
}

/** "9:30"; shops work by day, so the clock needs no am and pm. */
export function clockText(instant: Temporal.Instant, timeZone: string): string {
  const { hour, minute } = instant.toZonedDateTimeISO(timeZone)
  return `${hour % 12 || 12}:${String(minute).padStart(2, '0')}`
}

/** What a slot button posts, read back: an instant, or "2026-11-24|AM". Undefined for anything else. */
export function parseSlot(value: string): Choice | undefined {
  try {
    const dropOff = /^(\d{4}-\d{2}-\d{2})\|(AM|PM|EVE)$/.exec(value)
    if (dropOff) return { date: Temporal.PlainDate.from(dropOff[1] ?? ''), window: dropOff[2] as DropOffWindow }
    return value.length <= 40 ? { start: Temporal.Instant.from(value) } : undefined
  } catch {
    return undefined
  }
}

/** What the button of a free time posts: an instant, or "2026-11-24|AM". */
export function openingValue(opening: Opening): string {
  return opening.kind === 'drop-off' ? `${opening.date.toString()}|${opening.window}` : opening.start.toString()
}
