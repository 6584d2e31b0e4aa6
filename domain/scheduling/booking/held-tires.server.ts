/** The tires that are held with a time, and why the store released it. */
import { holdStock, type StockTaken } from '#domain/supply/delivery/delivery.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { retryDeadlocks } from '#platform/deadlocks.ts'
import { maxHeldTires, type Booking } from './booking.ts'
import { selectBooking, selectEndNote } from './booking.sql.server.ts'

/**
 * Holds these tires with a time that is held, instead of those held with it before. False if other carts hold or bought
 * too many of them; then those before stay held. Retries after a deadlock, such as with the expiry of other holds.
 */
export async function holdTires(
  deps: { db: Database; clock: Clock },
  booking: Pick<Booking, 'id'>,
  tires: { parcels: readonly StockTaken[]; heldBy?: string | undefined },
): Promise<boolean> {
  const held = { bookingId: booking.id, heldBy: tires.heldBy ?? null, at: deps.clock.now() }
  return (await retryDeadlocks(() => holdStock(deps.db, parcelsToHold(tires.parcels), held))) !== 'short'
}

/** Returns the parcels to hold for a cart. It is all of them or, above the limit, an empty list. */
export function parcelsToHold(parcels: readonly StockTaken[]): readonly StockTaken[] {
  const tires = parcels.flatMap(({ items }) => items).reduce((sum, { quantity }) => sum + quantity, 0)
  return tires <= maxHeldTires ? parcels : []
}

/** Returns the last time of a cart and why it was released; undefined unless the store released it. */
export async function findReleaseNote(
  db: Database,
  cartId: string,
): Promise<{ booking: Booking; note: string | null } | undefined> {
  const booking = await selectBooking(db, { cartId })
  if (booking?.state !== 'canceled' || booking.orderId !== null) return undefined
  const note = await selectEndNote(db, { bookingId: booking.id, actor: 'system' })
  return note === undefined ? undefined : { booking, note }
}
