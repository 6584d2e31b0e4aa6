/** Where the van of a held time comes, once the shopper has entered the address. */
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { isTaken } from './change-bay.server.ts'
import { updateStop } from './van-stops.sql.server.ts'

/**
 * Sets the destination of a cart's van hold to `zip`; no effect without such a hold. Refuses `out-of-reach` when the
 * van cannot drive there from the stop before, or from there to the next one, in time.
 */
export async function setVanStop(
  { db }: { db: Database },
  stop: { cartId: string; zip: string },
): Promise<Outcome<null, Refused<'out-of-reach'>>> {
  try {
    await updateStop(db, stop)
    return ok(null)
  } catch (error) {
    if (isTaken(error)) return refused('out-of-reach')
    throw error
  }
}
