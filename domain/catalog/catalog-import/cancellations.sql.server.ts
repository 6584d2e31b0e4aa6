/** The rows of import_cancellation. */
import type { Database, Tx } from '#platform/db.ts'
import type { Actor } from '#domain/kernel/staff/staff.server.ts'

/** The requester of a run's cancellation, with their reason if given. */
export type Cancellation = { by: Actor; reason: string | null }

/** Stores a request to cancel; the first one counts. */
export async function insertCancellation(
  tx: Tx,
  runId: number,
  { by, reason, at }: Cancellation & { at: Temporal.Instant },
): Promise<void> {
  await tx
    .insertInto('import_cancellation')
    .values({ run_id: runId, requested_by: JSON.stringify(by), reason, requested_at: at })
    .onConflict((conflict) => conflict.column('run_id').doNothing())
    .execute()
}

export async function selectCancellation(db: Database | Tx, runId: number): Promise<Cancellation | undefined> {
  const row = await db
    .selectFrom('import_cancellation')
    .select(['requested_by', 'reason'])
    .where('run_id', '=', runId)
    .executeTakeFirst()
  return row && { by: row.requested_by as Actor, reason: row.reason }
}
