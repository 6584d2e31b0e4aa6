/** Writing a hold, within the limits on live holds. */
import { isDeadlock, type Database } from '#platform/db.ts'
import { maxHoldsPerNetwork, maxHoldsPerVisitor, type Actor } from './booking.ts'
import { countOtherHolds, insertHold, type NewHold } from './booking.sql.server.ts'
import { attemptsAfterDeadlock, isTaken } from './change-bay.server.ts'

export type TooManyHolds = 'too-many-holds' | 'too-many-holds-of-network'

/** Writes a hold in a transaction of its own; the constraints decide. What a deadlock ended is tried again. */
export async function tryHold(
  db: Database,
  hold: NewHold,
  change: { now: Temporal.Instant; actor: Actor; note?: string },
  attempts = attemptsAfterDeadlock,
): Promise<'held' | 'taken' | TooManyHolds> {
  const tx = await db.startTransaction().execute()
  try {
    const tooMany = await tooManyHolds(tx, hold, change.now)
    const isHeld = tooMany === null && (await insertHold(tx, hold, change))
    await (isHeld ? tx.commit() : tx.rollback()).execute()
    return tooMany ?? (isHeld ? 'held' : 'taken')
  } catch (error) {
    await tx.rollback().execute()
    if (isDeadlock(error) && attempts > 0) return tryHold(db, hold, change, attempts - 1)
    if (isTaken(error)) return 'taken'
    throw error
  }
}

/** Checks the visitor's own limit first, so that the network limit is reported only to people who share an address. */
async function tooManyHolds(
  tx: Database,
  { heldBy, cartId }: NewHold,
  now: Temporal.Instant,
): Promise<TooManyHolds | null> {
  if (heldBy === null) return null
  const { ofVisitor, ofNetwork } = await countOtherHolds(tx, { heldBy, cartId, now })
  if (ofVisitor >= maxHoldsPerVisitor) return 'too-many-holds'
  return ofNetwork >= maxHoldsPerNetwork ? 'too-many-holds-of-network' : null
}
