/** When tires are ready at a warehouse for their buyer. Pure. */
import { WAREHOUSE_PICKUP_READY_HOURS } from '#platform/business-constants.ts'
import { federalHoliday } from './business-days.ts'

/** Local time as HH:MM or HH:MM:SS; `weekday` from 1, Monday, to 7. */
export type CounterHours = { weekday: number; opens: string; closes: string }

/** Hours within which a warehouse can have an order ready, the last one unless staff choose another. */
export const pickupReadyHours = [1, 2, 4, 8, WAREHOUSE_PICKUP_READY_HOURS] as const
/** Days for which a warehouse can keep a ready order, `standardKeptDays` unless staff choose others. */
export const pickupKeptDays = [3, 5, 7, 14, 30] as const
export const standardKeptDays = 7
/** How many days before their end its buyer is reminded. */
export const remindDaysBefore = 2
/** How far people drive to a warehouse. */
export const warehousesWithinMiles = 50

/** How far ahead the next open day is looked for. */
const daysAhead = 60

/**
 * When an order released at `released` is ready: `readyHours` later, or when the counter opens next after that. Counters are
 * closed on federal holidays and the warehouse's `closedDays`. Undefined for one that doesn't open in the next 60 days.
 */
export function readyBy(
  {
    week,
    closedDays,
    timeZone,
    readyHours,
  }: { week: readonly CounterHours[]; closedDays: readonly string[]; timeZone: string; readyHours: number },
  released: Temporal.Instant,
): Temporal.Instant | undefined {
  const from = released.add({ hours: readyHours })
  const local = from.toZonedDateTimeISO(timeZone)
  for (let days = 0; days <= daysAhead; days += 1) {
    const date = local.toPlainDate().add({ days })
    const isClosed = federalHoliday(date) !== undefined || closedDays.includes(date.toString())
    const open = !isClosed && week.find(({ weekday }) => weekday === date.dayOfWeek)
    if (!open) continue
    const [opens, closes] = [open.opens, open.closes].map((time) =>
      date.toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from(time) }).toInstant(),
    )
    if (!opens || !closes) continue
    if (Temporal.Instant.compare(from, opens) <= 0) return opens
    if (Temporal.Instant.compare(from, closes) < 0) return from
  }
  return undefined
}
