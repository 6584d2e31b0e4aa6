import { dateText } from '#platform/day-text.ts'

/**
 * The clock the store itself goes by, where no shop with a clock of its own is concerned: its days begin and end on it.
 */
export const storeZone = 'America/New_York'

/** The store's day at `now`. */
export function storeDay(now: Temporal.Instant): Temporal.PlainDate {
  return now.toZonedDateTimeISO(storeZone).toPlainDate()
}

/** "Nov 9, 2026", the store's day of an instant. */
export function storeDateText(instant: Temporal.Instant): string {
  return dateText(storeDay(instant).toString())
}
