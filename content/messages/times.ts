/** The format of open times on pages, in the widget, in the API, and in email. */
import { dayText } from '#platform/day-text.ts'
import { localClock, zoneName } from '#platform/time-text.ts'
import { dropOffWindows, type DropOffWindow, type OfferedDropOff } from '#domain/scheduling/booking/booking.ts'

/** A time to wait at the shop, or a day and the part of it in which the car is left. */
export type Slot =
  | { start: Temporal.Instant; window?: DropOffWindow | null }
  | { date: Temporal.PlainDate; window: DropOffWindow }

/**
 * Returns "Tue, Dec 1, 7:00 AM" or "Wed, Dec 2, morning drop-off" in the shop's time zone. Lists show the zone once if
 * `slotZone` returns one.
 */
export function slotText(slot: Slot, timeZone: string): string {
  const day = dayText('start' in slot ? slot.start.toZonedDateTimeISO(timeZone) : slot.date)
  if (slot.window) return `${day}, ${dropOffWindows[slot.window].name.toLowerCase()} drop-off`
  return 'start' in slot ? `${day}, ${localClock(slot.start, timeZone)}` : day
}

/** "Tue, Dec 1, 7:00 AM CST": a single offered time, where no list names the zone. */
export function slotTextWithZone(slot: Slot, timeZone: string): string {
  const text = slotText(slot, timeZone)
  return 'start' in slot && !slot.window ? `${text} ${zoneName(slot.start, timeZone)}` : text
}

/**
 * Returns the shop's time zone, such as "CST", if it differs from the visitor's ZIP code's. Otherwise returns null. A
 * visitor without a ZIP code can be anywhere, so the zone is returned.
 */
export function slotZone(
  at: Temporal.Instant,
  timeZone: string,
  visitorZone: string | null | undefined,
): string | null {
  const zone = zoneName(at, timeZone)
  return visitorZone && zoneName(at, visitorZone) === zone ? null : zone
}

/**
 * "Leave it 8:00 AM to 10:00 AM, ready by 2:00 PM"; in the evening "Leave it after 4:00 PM, ready Fri, Nov 27 by 12:00
 * PM": the next day the shop is open, which need not be the day after.
 */
export function dropOffText(
  { window, start, end, readyBy }: Pick<OfferedDropOff, 'window' | 'start' | 'end' | 'readyBy'>,
  timeZone: string,
): string {
  const [from, to, ready] = [start, end, readyBy].map((instant) => localClock(instant, timeZone))
  return dropOffWindows[window].readyNextDay
    ? `Leave it after ${from}, ready ${dayText(readyBy.toZonedDateTimeISO(timeZone))} by ${ready}`
    : `Leave it ${from} to ${to}, ready by ${ready}`
}
