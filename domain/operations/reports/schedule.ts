/** When a report is emailed, and for which days. */
import { z } from 'zod'
import { storeZone } from '#platform/store-zone.ts'
import { daysOfMonth, type Period } from './periods.ts'

export type Every = 'week' | 'month'

/** The form for a report email subscription. */
export const subscriptionForm = z.object({
  every: z.enum(['week', 'month'], 'Choose weekly or monthly.'),
  hour: z
    .string()
    .regex(/^(?:1?\d|2[0-3])$/, 'Choose a time.')
    .transform(Number),
})

/**
 * Returns the latest due time at or before `now` and its days. Weekly reports are due on Mondays for the previous
 * Sunday to Saturday, monthly ones on the first for the previous month. `hour` is in the store's time zone.
 */
export function lastDue(
  { every, hour }: { every: Every; hour: number },
  now: Temporal.Instant,
): { at: Temporal.Instant; period: Period } {
  const today = now.toZonedDateTimeISO(storeZone).toPlainDate()
  const latest = every === 'week' ? today.subtract({ days: today.dayOfWeek - 1 }) : today.with({ day: 1 })
  const atOf = (date: Temporal.PlainDate) =>
    date.toZonedDateTime({ timeZone: storeZone, plainTime: Temporal.PlainTime.from({ hour }) }).toInstant()
  const isPast = Temporal.Instant.compare(atOf(latest), now) <= 0
  const date = isPast ? latest : latest.subtract(every === 'week' ? { days: 7 } : { months: 1 })
  const period =
    every === 'week'
      ? { from: date.subtract({ days: 8 }), to: date.subtract({ days: 2 }) }
      : daysOfMonth(date.toPlainYearMonth().subtract({ months: 1 }))
  return { at: atOf(date), period }
}
