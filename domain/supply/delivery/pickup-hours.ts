/** When tires are ready at a warehouse for their buyer. Pure. */
import { WAREHOUSE_PICKUP_READY_HOURS } from '#platform/business-constants.ts'
import { federalHoliday } from './business-days.ts'

/** Local time as HH:MM or HH:MM:SS; `weekday` from 1, Monday, to 7. */
export type CounterHours = { weekday: number; opens: string; closes: string }

/** How long a warehouse takes to make an order ready, at most. */
export const readyWithinHours = WAREHOUSE_PICKUP_READY_HOURS
/** Days a ready order is kept, and how long before their end its buyer is reminded. */
export const pickupKeptDays = 7
export const remindDaysBefore = 2
/** How far people drive to a warehouse. */
export const warehousesWithinMiles = 50

/** How far ahead the next open day is looked for. */
const daysAhead = 60

/**
 * When an order released at `released` is ready: 24 hours later, or when the counter opens next after that. Counters are
 * closed on federal holidays and the warehouse's `closedDays`. Undefined for one that doesn't open in the next 60 days.
 */
export function readyBy(
  { week, closedDays, timeZone }: { week: readonly CounterHours[]; closedDays: readonly string[]; timeZone: string },
  released: Temporal.Instant,
): Temporal.Instant | undefined {
  const from = released.add({ hours: readyWithinHours })
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
