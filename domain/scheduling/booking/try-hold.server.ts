/** Writing a hold, within the limits on live holds. */
import { holdStock, lockStockToHold, type StockTaken } from '#domain/supply/delivery/delivery.server.ts'
import { atOnce } from '#platform/at-once.ts'
import type { Database } from '#platform/db.ts'
import { retryDeadlocks } from '#platform/deadlocks.ts'
import { maxHoldsPerNetwork, maxHoldsPerVisitor, type Actor } from './booking.ts'
import { countOtherHolds, insertHold, lockHolder, type Holder, type NewHold } from './booking.sql.server.ts'
import { isTaken } from './change-bay.server.ts'

export type TooManyHolds = 'too-many-holds' | 'too-many-holds-of-network'

type TriedHold = NewHold & { parcels?: readonly StockTaken[] }
type HoldOutcome = 'held' | 'taken' | 'out-of-stock' | TooManyHolds

/**
 * Creates a hold with its tires in a separate transaction; the constraints decide. Stock is locked before the bay is
 * taken, as an order locks them.
 */
export async function tryHold(
  db: Database,
  hold: TriedHold,
  change: { now: Temporal.Instant; actor: Actor; note?: string },
): Promise<HoldOutcome> {
  try {
    return await retryDeadlocks(() => writeHold(db, hold, change))
  } catch (error) {
    if (isTaken(error)) return 'taken'
    throw error
  }
}

async function writeHold(
  db: Database,
  hold: TriedHold,
  change: { now: Temporal.Instant; actor: Actor; note?: string },
): Promise<HoldOutcome> {
  const tx = await db.startTransaction().execute()
  try {
    const holder = hold.heldBy === null ? null : { heldBy: hold.heldBy, cartId: hold.cartId, now: change.now }
    const { parcels = [], ...row } = hold
    const hasTires = parcels.length > 0
    const units = { bookingId: hold.id, heldBy: hold.heldBy, at: change.now }
    const [, tooMany, , inserted, tires] = await atOnce(tx, [
      (own) => holder && lockHolder(own, holder),
      (own) => holder && tooManyHolds(own, holder),
      (own) => hasTires && lockStockToHold(own, parcels),
      (own) => settled(insertHold(own, row, change)),
      (own) => settled(hasTires ? holdStock(own, parcels, units) : Promise.resolve('held')),
    ])
    const outcome = tooMany ?? outcomeOf(inserted, tires)
    await (outcome === 'held' ? tx.commit() : tx.rollback()).execute()
    return outcome
  } catch (error) {
    await tx.rollback().execute()
    throw error
  }
}

/** Returns the result of a hold. Its tires count only if its bay is available. */
function outcomeOf(inserted: () => boolean, tires: () => string): 'held' | 'taken' | 'out-of-stock' {
  if (!inserted()) return 'taken'
  return tires() === 'short' ? 'out-of-stock' : 'held'
}

/** What a piece of work came to, for its caller to see after what counts more. */
async function settled<Value>(work: Promise<Value>): Promise<() => Value> {
  try {
    const value = await work
    return () => value
  } catch (error) {
    return () => {
      throw error
    }
  }
}

/** Checks the visitor's own limit first, so that the network limit is reported only to people who share an address. */
async function tooManyHolds(tx: Database, holder: Holder): Promise<TooManyHolds | null> {
  const { ofVisitor, ofNetwork } = await countOtherHolds(tx, holder)
  if (ofVisitor >= maxHoldsPerVisitor) return 'too-many-holds'
  return ofNetwork >= maxHoldsPerNetwork ? 'too-many-holds-of-network' : null
}
