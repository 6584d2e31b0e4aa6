/** How a free time is written on its button, the same on every page. */
import { dropOffWindows, type Opening } from '#domain/booking/booking.ts'

/** "Tue 9:30" within the coming week, "Thu, Dec 3, 9:30" after it, "Wed morning" to leave the car; shops work by day, so the clock needs no am and pm. */
export function openingLabel(opening: Opening, timeZone: string, now: Temporal.Instant): string {
  const start = opening.start.toZonedDateTimeISO(timeZone)
  const ahead = now.toZonedDateTimeISO(timeZone).toPlainDate().until(start.toPlainDate(), { largestUnit: 'day' }).days
  const day =
    ahead < 7 ? start.toLocaleString('en-US', { weekday: 'short' }) : `${start.toLocaleString('en-US', { weekday: 'short', month: 'short', day: 'numeric' })},`
  const time =
    opening.kind === 'drop-off' ? dropOffWindows[opening.window].name.toLowerCase() : `${start.hour % 12 || 12}:${String(start.minute).padStart(2, '0')}`
  return `${day} ${time}`
}

/** What the button of a free time posts: an instant, or "2026-11-24|AM". */
export function openingValue(opening: Opening): string {
  return opening.kind === 'drop-off' ? `${opening.date.toString()}|${opening.window}` : opening.start.toString()
}
