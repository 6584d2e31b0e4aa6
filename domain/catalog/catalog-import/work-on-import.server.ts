/** What the worker does with a run of the office, step by step; each step may be repeated after a crash. */
import { Readable } from 'node:stream'
import { discardIfCanceled } from './cancel.server.ts'
import { canDiscard, canResume, type ImportAnswer } from './catalog-import.ts'
import { continueImport, rollBackImport, type ImportDeps, type RollBackRefusal } from './run-imports.server.ts'
import { queueImport } from './office-imports.server.ts'
import { queueWaitingSample, waitsForSample } from './samples.server.ts'
import { lockRun, selectRun, setRequest, type Run } from './runs.sql.server.ts'
import { readParts } from './uploads.sql.server.ts'

type Deps = Omit<ImportDeps, 'by' | 'reason'>

/** One import runs at a time; the next one looks again after this long. */
const waitSeconds = 5

/**
 * Reads a run's file up to its preview, or publishes or rolls back as requested by staff. While another import is
 * active, the step is queued again.
 */
export async function workOnImport(deps: Deps, runId: number): Promise<void> {
  const run = await selectRun(deps.db, runId)
  if (!run) return
  if (canDiscard(run) && (await discardIfCanceled(deps, runId))) return
  if (await waitsForSample(deps.db, run)) return
  const isBusy = run.request?.act === 'roll-back' ? await rollBack(deps, run) : await goOn(deps, run)
  if (isBusy) await queueImport(deps.db, runId, deps.clock.now().add({ seconds: waitSeconds }))
  else await queueWaitingSample(deps.db, run)
}

/** Returns whether another import is in the way. */
async function goOn(deps: Deps, run: Run): Promise<boolean> {
  if (!canResume(run) || (run.state === 'waiting-for-yes' && run.request === null)) return false
  const { by, reason } = run.request ?? { by: { via: 'command line', name: 'worker' } as const, reason: null }
  const done = await continueImport(
    { ...deps, by, reason },
    {
      runId: run.id,
      source: { name: run.fileName, open: () => Readable.from(readParts(deps.db, { runId: run.id })) },
      consent: run.request ? 'as-previewed' : run.isSample ? 'no-warnings' : 'preview',
    },
  )
  return !done.ok && (done.reason === 'busy' || done.reason === 'half-done')
}

async function rollBack(deps: Deps, { id, request }: Run): Promise<boolean> {
  if (!request) return false
  const { by, reason } = request
  const done = await rollBackImport({ ...deps, by, reason }, { runId: id })
  if (done.ok) return false
  if (done.reason === 'busy' || done.reason === 'half-done') return true
  await deps.db.transaction().execute(async (tx) => {
    await lockRun(tx, id)
    await setRequest(tx, id, { request: null, answer: answerOf(done) })
  })
  return false
}

function answerOf(refusal: RollBackRefusal): ImportAnswer | null {
  switch (refusal.reason) {
    case 'changed-since':
      return {
        reason: 'changed-since',
        laterRuns: refusal.detail.laterRuns,
        otherwise: refusal.detail.otherwise.count,
      }
    case 'in-the-way':
      return { reason: 'in-the-way', constraint: refusal.detail.constraint }
    case 'not-allowed':
      return { reason: 'not-allowed' }
    default:
      // It is rolled back already.
      return null
  }
}
