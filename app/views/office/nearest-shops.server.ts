/** The nearest shops that could take over appointments, for staff who stop a shop. */
import { nextShops, type NextShop } from '#domain/installer-portal/appointments/appointments.server.ts'
import type { Settlement } from '#domain/ordering/order-changes/order-changes.ts'
import { readOrder } from '#domain/ordering/orders/orders.server.ts'
import { formatCents } from '#platform/money.ts'
import { timeText } from '#platform/time-text.ts'
import type { Application } from '#application'

/** A shop with its free time closest to the appointment, and the price difference there. */
export type NearestShop = { name: string; time: string; price: string }

/** The number of appointments with a suggestion. Each takes a few queries. */
const mostSuggested = 5

/**
 * Returns the nearest shop for each of the first appointments, by appointment ID. A shop with a free time on the same day
 * comes first. Appointments without a free time nearby are missing.
 */
export async function nearestShops(
  app: Application,
  appointments: readonly { id: string; orderId: number; start: Temporal.Instant; timeZone: string }[],
): Promise<ReadonlyMap<string, NearestShop>> {
  const found = new Map<string, NearestShop>()
  for (const { id, orderId, start, timeZone } of appointments.slice(0, mostSuggested)) {
    const order = await readOrder(app.db, orderId)
    const day = start.toZonedDateTimeISO(timeZone).toPlainDate()
    const shops = order ? await nextShops(app, order, true) : []
    const offers = shops.flatMap((shop) => {
      const time = closestTime(shop, start, day)
      return time ? [{ shop, ...time }] : []
    })
    const best = offers.find(({ isSameDay }) => isSameDay) ?? offers[0]
    if (best) found.set(id, viewOf(best.shop, best.start))
  }
  return found
}

/** Returns the free time closest to `start` on the same day, or the first one on another. */
function closestTime({ preview: { days } }: NextShop, start: Temporal.Instant, day: Temporal.PlainDate) {
  const free = days.flatMap(({ date, times }) =>
    times.flatMap((time) => (time.free ? [{ start: time.start, isSameDay: date.equals(day) }] : [])),
  )
  const distance = (time: Temporal.Instant) => Math.abs(time.epochMilliseconds - start.epochMilliseconds)
  const [closest] = free
    .filter(({ isSameDay }) => isSameDay)
    .toSorted((one, other) => distance(one.start) - distance(other.start))
  return closest ?? free[0]
}

function viewOf(
  { name, preview: { timeZone, beforeCents, afterCents, settledBy } }: NextShop,
  start: Temporal.Instant,
): NearestShop {
  return { name, time: timeText(start, timeZone), price: priceText(settledBy, afterCents - beforeCents) }
}

function priceText(settledBy: Settlement, cents: number): string {
  if (cents === 0) return 'Same price'
  if (cents < 0) return `${formatCents(-cents)} back`
  return `${formatCents(cents)} more, paid by the ${settledBy === 'waiver' ? 'store' : 'customer'}`
}
