/** Making an appointment shorter when its work became less. */
import { quoteInstallation } from '#domain/scheduling/installers/installers.ts'
import type { Clock } from '#platform/clock.ts'
import type { Tx } from '#platform/db.ts'
import type { Actor, Installation } from './booking.ts'
import { selectBooking, updateEnd } from './booking.sql.server.ts'
import { selectShops } from './shop-calendar.sql.server.ts'

/**
 * Shortens an order's appointment to the time `tires` take, in the caller's transaction. The window doesn't change for
 * a dropped-off car. Skips appointments that have started and shops that no longer offer this work. Returns whether it
 * is shorter.
 */
export async function shortenBooking(
  { db, clock }: { db: Tx; clock: Clock },
  { orderId, tires, actor }: { orderId: number; tires: Installation['tires']; actor: Actor },
): Promise<boolean> {
  const booking = await selectBooking(db, { orderId })
  if (booking?.state !== 'confirmed' || booking.dropOff !== null) return false
  const now = clock.now()
  const shop = (await selectShops(db, [booking.shopId], now)).get(booking.shopId)
  const quote = shop && quoteInstallation(shop, tires)
  if (!quote?.ok || Temporal.Instant.compare(booking.start, now) <= 0) return false
  const end = booking.start.add({ minutes: quote.value.minutes })
  if (Temporal.Instant.compare(end, booking.end) >= 0) return false
  return updateEnd(db, booking.id, end, { now, actor, note: 'Fewer tires.' })
}
