/** The statements for the fetches of supplier feeds. */
import type { Database, Tx } from '#platform/db.ts'
import type { FeedFault, FeedHold, FetchState } from './supplier-feeds.ts'

export type FeedFetch = {
  id: number
  feedId: number
  dueAt: Temporal.Instant
  requestedBy: string | null
  state: FetchState
  attempts: number
  fault: FeedFault | null
  detail: string | null
  runId: number | null
  held: FeedHold | null
}

function fetches(db: Database | Tx) {
  return db
    .selectFrom('supplier_feed_fetch')
    .select([
      'id',
      'feed_id as feedId',
      'due_at as dueAt',
      'requested_by as requestedBy',
      'state',
      'attempts',
      'fault',
      'detail',
      'run_id as runId',
      'held',
    ])
    .$narrowType<{ state: FetchState; fault: FeedFault | null; held: FeedHold | null }>()
}

/** A feed's fetches, newest first. */
export function selectFetches(db: Database | Tx, feedId: number, limit: number): Promise<FeedFetch[]> {
  return fetches(db).where('feed_id', '=', feedId).orderBy('id', 'desc').limit(limit).execute()
}

/** Each feed's newest fetch. */
export function selectLastFetches(db: Database): Promise<FeedFetch[]> {
  return fetches(db).distinctOn('feed_id').orderBy('feed_id').orderBy('id', 'desc').execute()
}

export function selectFetch(db: Database | Tx, id: number): Promise<FeedFetch | undefined> {
  return fetches(db).where('id', '=', id).executeTakeFirst()
}

export function lockFetch(tx: Tx, id: number): Promise<FeedFetch | undefined> {
  return fetches(tx).where('id', '=', id).forUpdate().executeTakeFirst()
}

export function selectFetchOfRun(db: Database | Tx, runId: number): Promise<FeedFetch | undefined> {
  return fetches(db).where('run_id', '=', runId).executeTakeFirst()
}

/** Adds a fetch. Returns undefined if the time has one already, or the feed has another that is due. */
export async function insertFetch(
  tx: Tx,
  { feedId, dueAt, requestedBy }: Pick<FeedFetch, 'feedId' | 'dueAt' | 'requestedBy'>,
): Promise<number | undefined> {
  const row = await tx
    .insertInto('supplier_feed_fetch')
    .values({ feed_id: feedId, due_at: dueAt, requested_by: requestedBy })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Ends a locked fetch, or counts an attempt of one that stays due. */
export async function updateFetch(
  tx: Tx,
  { id, attempts }: Pick<FeedFetch, 'id' | 'attempts'>,
  {
    state,
    fault = null,
    detail = null,
    runId = null,
    at,
  }: Partial<Pick<FeedFetch, 'fault' | 'detail' | 'runId'>> & { state: FetchState; at: Temporal.Instant },
): Promise<void> {
  await tx
    .updateTable('supplier_feed_fetch')
    .set({
      state,
      attempts: attempts + 1,
      fault,
      detail: detail?.slice(0, 300) || null,
      run_id: runId,
      finished_at: state === 'due' ? null : at,
    })
    .where('id', '=', id)
    .execute()
}

/** Records once why an import was not published. Returns false if it was recorded before. */
export async function updateHeld(tx: Tx, id: number, held: FeedHold): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('supplier_feed_fetch')
    .set({ held })
    .where('id', '=', id)
    .where('held', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
