/** The clock the store itself goes by, where no shop with a clock of its own is concerned: its days begin and end on it. */
export const storeZone = 'America/New_York'

/** The store's day at `now`. */
export function storeDay(now: Temporal.Instant): Temporal.PlainDate {
  return now.toZonedDateTimeISO(storeZone).toPlainDate()
}
