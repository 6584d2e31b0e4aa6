/**
 * Imports in the office. Requests are stored and queued, because a file with a million rows takes minutes. The worker
 * uses the same functions as the command.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { recordAct, requirePermission, type Actor } from '#domain/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { enqueue } from '#platform/jobs.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { cancelRun } from './cancel.server.ts'
import { isAtWork, type FeedKind, type ImportMode, type ImportRun, type RunState } from './catalog-import.ts'
import { insertRun, lockRun, selectRun, setRequest, type Run } from './runs.sql.server.ts'
import { lockUpload, setRunOfUpload } from './uploads.sql.server.ts'

type Deps = { db: Database; clock: Clock }
type NotAllowed = Refused<'not-allowed'>

/** Queues the worker's next step with a run; queued twice, it is done once. */
export function queueImport(db: Database | Tx, runId: number, runAt?: Temporal.Instant): Promise<void> {
  return enqueue(db, 'work-on-import', { runId }, { key: `import-${runId}`, ...(runAt && { runAt }) })
}

/** Starts the import of an uploaded file. The same upload starts one run. Refuses files of others and broken ones. */
export async function startImport(
  { db, clock }: Deps,
  by: Actor,
  { uploadId, kind, mode }: { uploadId: string; kind: FeedKind; mode: ImportMode },
): Promise<Outcome<{ runId: number }, NotAllowed | Refused<'no-file'> | Refused<'still-arriving'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'catalog.import', at)
    if (!permitted.ok) return permitted
    const upload = await lockUpload(tx, uploadId)
    if (!upload || upload.sentBy !== by.name) return refused('no-file')
    if (upload.runId !== null) return ok({ runId: upload.runId })
    const { fileName, sha256 } = upload
    if (sha256 === null) return refused('still-arriving')
    const run = await insertRun(tx, {
      kind,
      mode,
      isDry: false,
      fileName,
      sha256,
      startedAt: at,
      startedBy: by.name,
    })
    await setRunOfUpload(tx, uploadId, run.id)
    await recordAct(tx, {
      by,
      act: 'import.uploaded',
      subject: `import ${run.id}`,
      after: { kind, file: fileName, sha256 },
      at,
    })
    await queueImport(tx, run.id)
    return ok({ runId: run.id })
  })
}

const awaitSteps = 15
const awaitStepMs = 200

/**
 * Returns a run, if it exists, after waiting for the worker for up to three seconds: a small file is done by then, and
 * staff see the result instead of a page to reload.
 */
export async function awaitImport({ db }: Pick<Deps, 'db'>, runId: number): Promise<ImportRun | undefined> {
  for (let step = 0; ; step++) {
    const run = await selectRun(db, runId)
    if (run === undefined || !isAtWork(run) || step >= awaitSteps) return run
    await sleep(awaitStepMs)
  }
}

export type AskRefusal =
  | NotAllowed
  | Refused<'not-found'>
  | Refused<'asked-already'>
  | Refused<'not-now', { state: RunState }>
  | Refused<'shown-another'>
  | Refused<'no-reason'>

/**
 * Queues publishing a previewed run, or rolling back a published one. `seen` is the time of the preview that was shown;
 * a newer one must be reviewed first. A run with warnings needs `catalog.publish` and a reason.
 */
export async function askImport(
  { db, clock }: Deps,
  by: Actor,
  { runId, act, seen, reason }: { runId: number; act: 'publish' | 'roll-back'; seen: string; reason: string | null },
): Promise<Outcome<null, AskRefusal>> {
  return db.transaction().execute(async (tx) => {
    const run = await findLocked(tx, runId)
    if (!run) return refused('not-found')
    const hasWarnings = act === 'publish' && (run.summary.warnings ?? []).length > 0
    const permission = hasWarnings ? 'catalog.publish' : 'catalog.import'
    const permitted = await requirePermission(tx, by, permission, clock.now())
    if (!permitted.ok) return permitted
    if (run.asked !== null) return run.asked === act ? ok(null) : refused('asked-already')
    if (run.state !== (act === 'publish' ? 'waiting-for-yes' : 'published'))
      return refused('not-now', { state: run.state })
    if (act === 'publish' && run.summary.previewedAt !== seen) return refused('shown-another')
    if (hasWarnings && !reason) return refused('no-reason')
    await setRequest(tx, runId, { request: { act, by, reason }, answer: null })
    await queueImport(tx, runId)
    return ok(null)
  })
}

/**
 * Cancels a run that is not published, with its staged rows and its file: directly, or, while the worker is at it, after
 * its current step (`requested`).
 */
export async function discardImport(
  { db, clock }: Deps,
  by: Actor,
  { runId, reason }: { runId: number; reason: string | null },
): Promise<
  Outcome<'discarded' | 'requested', NotAllowed | Refused<'not-found'> | Refused<'not-now', { state: RunState }>>
> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'catalog.import', at)
    if (!permitted.ok) return permitted
    const run = await selectRun(tx, runId)
    if (!run) return refused('not-found')
    const canceled = await cancelRun(tx, run, { by, reason, at })
    if (typeof canceled === 'object') return refused('not-now', canceled)
    // The worker may be between two steps, or have ended the last one just now.
    if (canceled === 'requested') await queueImport(tx, runId)
    return ok(canceled)
  })
}

async function findLocked(tx: Tx, runId: number): Promise<Run | undefined> {
  return (await selectRun(tx, runId)) ? lockRun(tx, runId) : undefined
}
