/** The sets that all shops store, for the office. */
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { selectStoredSets, type StoredSetRow } from './stored-sets.sql.server.ts'
import type { StoredSetState } from './stored-sets.ts'

/**
 * Returns a page of sets in a state, of these shops or of all. Stored sets come in the order of their last day, and
 * picked-up ones newest first. `after` and `next` are the last order on a page.
 */
export async function listOfficeStoredSets(
  { db, clock }: { db: Database; clock: Clock },
  { state, shopIds }: { state: StoredSetState; shopIds: readonly number[] | null },
  { after, limit }: { after: number | null; limit: number },
): Promise<{ sets: StoredSetRow[]; next: number | null }> {
  const found = await selectStoredSets(db, {
    shopIds,
    isReturned: state === 'picked-up',
    endedBy: state === 'ended' ? clock.now() : null,
    orderId: null,
    after,
    limit: limit + 1,
  })
  const sets = found.slice(0, limit)
  return { sets, next: found.length > limit ? (sets.at(-1)?.orderId ?? null) : null }
}

/** Returns an order's set in any state; undefined without one. */
export async function findOfficeStoredSet(
  { db }: { db: Database },
  orderId: number,
): Promise<StoredSetRow | undefined> {
  const one = { shopIds: null, endedBy: null, orderId, after: null, limit: 1 }
  const [stored] = await selectStoredSets(db, { ...one, isReturned: false })
  return stored ?? (await selectStoredSets(db, { ...one, isReturned: true }))[0]
}
