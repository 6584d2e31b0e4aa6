/** How an available time is written on its button, the same on every page. */
import { dayText, weekdayText } from '#platform/day-text.ts'
import { clockRangeText, clockText, shortClockText } from '#platform/time-text.ts'
import { dropOffWindows, type DropOffWindow, type OfferedDropOff, type Opening } from '#domain/booking/booking.ts'

/** See `slotText`. */
export function openingLabel(opening: Opening, timeZone: string, now: Temporal.Instant): string {
  return slotText(opening.start, timeZone, opening.kind === 'drop-off' ? opening.window : null, now)
}

/** "Tue 9:30 CST" within the coming week, "Thu, Dec 3, 9:30 CST" after it, "Wed morning" for a drop-off. */
export function slotText(
  start: Temporal.Instant,
  timeZone: string,
  window: DropOffWindow | null,
  now: Temporal.Instant,
): string {
  const local = start.toZonedDateTimeISO(timeZone)
  const ahead = now.toZonedDateTimeISO(timeZone).toPlainDate().until(local.toPlainDate(), { largestUnit: 'day' }).days
  const day = ahead < 7 ? weekdayText(local) : `${dayText(local)},`
  return `${day} ${window ? dropOffWindows[window].name.toLowerCase() : shortClockText(start, timeZone)}`
}

/**
 * "Leave it 8:00 AM to 10:00 AM CST, ready by 2:00 PM CST"; in the evening "Leave it after 4:00 PM CST, ready Fri, Nov
 * 27 by 12:00 PM CST": the next day the shop is open, which need not be the day after.
 */
export function dropOffText(
  { window, start, end, readyBy }: Pick<OfferedDropOff, 'window' | 'start' | 'end' | 'readyBy'>,
  timeZone: string,
): string {
  const ready = clockText(readyBy, timeZone)
  return dropOffWindows[window].readyNextDay
    ? `Leave it after ${clockText(start, timeZone)}, ready ${dayText(readyBy.toZonedDateTimeISO(timeZone))} by ${ready}`
    : `Leave it ${clockRangeText(start, end, timeZone)}, ready by ${ready}`
}
