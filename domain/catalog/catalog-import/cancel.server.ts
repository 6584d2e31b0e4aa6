/** Cancels imports. Pending runs are discarded directly, active ones between two of their steps. */
import { recordAct, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { insertCancellation, selectCancellation, type Cancellation } from './cancellations.sql.server.ts'
import { canDiscard } from './catalog-import.ts'
import { stagingTables } from './feed.ts'
import { enterState, lockRun, tryLockRun, type Run } from './runs.sql.server.ts'
import { clearStaged } from './staged.sql.server.ts'
import { deleteParts } from './uploads.sql.server.ts'

/** Thrown inside the transaction of a step, which rolls it back. */
export class ImportCanceled extends Error {}

/** Ends the transaction of a step if someone asked to cancel the run. Called between statements that take long. */
export async function stopIfCanceled(tx: Tx, runId: number): Promise<void> {
  if (await selectCancellation(tx, runId)) throw new ImportCanceled()
}

/**
 * Cancels a discardable run directly, or after the current step if another transaction works on it. Returns the state
 * that forbids it otherwise.
 */
export async function cancelRun(
  tx: Tx,
  known: Run,
  request: { by: Actor; reason: string | null; at: Temporal.Instant },
): Promise<'discarded' | 'requested' | { state: Run['state'] }> {
  const run = await tryLockRun(tx, known.id)
  if (run) {
    if (run.state === 'discarded') return 'discarded'
    if (!canDiscard(run)) return { state: run.state }
    await discard(tx, run, request)
    return 'discarded'
  }
  if (!canDiscard(known)) return { state: known.state }
  await insertCancellation(tx, known.id, request)
  return 'requested'
}

/** Discards a run with a cancellation request. Returns the resulting run; undefined without a request. */
export async function discardIfCanceled(
  { db, clock }: { db: Database; clock: Clock },
  runId: number,
): Promise<Run | undefined> {
  if (!(await selectCancellation(db, runId))) return undefined
  return db.transaction().execute(async (tx) => {
    const [run, cancellation] = [await lockRun(tx, runId), await selectCancellation(tx, runId)]
    return cancellation && canDiscard(run) ? discard(tx, run, { ...cancellation, at: clock.now() }) : run
  })
}

async function discard(
  tx: Tx,
  { id, kind, fileName }: Run,
  { by, reason, at }: Cancellation & { at: Temporal.Instant },
): Promise<Run> {
  await clearStaged(tx, id, stagingTables[kind])
  await deleteParts(tx, id)
  const run = await enterState(tx, id, 'discarded', { finishedAt: at })
  await recordAct(tx, {
    by,
    act: 'import.discarded',
    subject: `import ${id}`,
    before: { kind, file: fileName },
    reason: reason ?? undefined,
    at,
  })
  return run
}
