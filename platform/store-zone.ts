import { dateText } from '#platform/day-text.ts'

/** The store's own time zone, used outside of shops. The store's days start and end in it. */
export const storeZone = 'America/New_York'

/** The store's day at `now`. */
export function storeDay(now: Temporal.Instant): Temporal.PlainDate {
  return now.toZonedDateTimeISO(storeZone).toPlainDate()
}

/** "Nov 9, 2026": an instant's date in the store's zone. */
export function storeDateText(instant: Temporal.Instant): string {
  return dateText(storeDay(instant).toString())
}
