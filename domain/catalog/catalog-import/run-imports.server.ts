/**
 * Imports supplier feeds. Stages them row by row, publishes them, and rolls them back. One import runs at a time. The
 * commands and the back office use the same functions.
 */
import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import type { Pool, PoolClient } from 'pg'
import { announceCatalogChange } from '#domain/catalog/catalog/catalog.server.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database, type Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { discardIfCanceled } from './cancel.server.ts'
import { mapFeed } from './column-mapping.ts'
import { isPersonal } from './feed-kinds.ts'
import { findFeed } from './find-feed.server.ts'
import {
  canResume,
  canRollBack,
  type BelowMap,
  type FeedKind,
  type ImportMode,
  type ImportRun,
  type RunState,
} from './catalog-import.ts'
import { removePictures } from './import-pictures.server.ts'
import { planBelowMinimum } from './minimums.sql.server.ts'
import type { CustomerRecords } from './customer-records.port.ts'
import { publishRun, type Consent } from './publish.server.ts'
import { allowLargeJoins } from './publish.sql.server.ts'
import type { FeedSource } from './read-rows.server.ts'
import { reportHeader, reportLine, type RowProblem } from './report.ts'
import {
  findChangedSince,
  restoreCatalog,
  restoredPrices,
  restoreStockSlice,
  type ChangedSince,
} from './roll-back.sql.server.ts'
import {
  enterState,
  importLock,
  insertRun,
  lockRun,
  selectHalfDone,
  selectLastPublished,
  selectRun,
  selectRuns,
  type Run,
} from './runs.sql.server.ts'
import { clearStaged, selectProblems } from './staged.sql.server.ts'
import { stageFeed } from './stage.server.ts'
import { deleteParts } from './uploads.sql.server.ts'

/**
 * `pool` is for COPY, which Kysely does not support, and for the lock that allows one import at a time. `by` publishes
 * or rolls back, for the audit log, with their optional `reason`.
 */
export type ImportDeps = {
  db: Database
  pool: Pool
  clock: Clock
  customerRecords: CustomerRecords
  by: Actor
  reason?: string | null
}

export type ImportRequest = {
  kind: FeedKind
  source: FeedSource
  mode: ImportMode
  isDry: boolean
  /** Also publish changes that need confirmation. */
  isYes: boolean
  say?: (progress: ImportProgress) => void
}

/** Rows of the file read so far; then rows published, for kinds published in slices. */
export type ImportProgress = { step: 'reading' | 'publishing'; rows: number }

type Busy = Refused<'busy'>
type HalfDone = Refused<'half-done', { run: ImportRun }>

/**
 * Reads a feed and publishes it. Returns the run as published, refused, checked (a dry run) or waiting for
 * confirmation; `listProblems` lists the problems of its rows. Refuses while another import runs, and while one is half
 * done.
 */
export function importFeed(deps: ImportDeps, request: ImportRequest): Promise<Outcome<ImportRun, Busy | HalfDone>> {
  return alone(deps, async (client) => {
    const halfDone = await selectHalfDone(deps.db)
    if (halfDone) return refused('half-done', { run: halfDone })
    const { kind, mode, isDry, source } = request
    const run = await insertRun(deps.db, {
      kind,
      mode,
      isDry,
      fileName: source.name,
      sha256: await digest(source),
      startedAt: deps.clock.now(),
      startedBy: deps.by.name,
    })
    return ok(await work(deps, client, run, { ...request, consent: request.isYes ? 'any-warnings' : 'no-warnings' }))
  })
}

export type ResumeRefusal =
  | Busy
  | HalfDone
  | Refused<'not-found'>
  | Refused<'over', { state: RunState }>
  | Refused<'another-file'>

/**
 * Resumes a run that was killed or is pending confirmation. `source` must be the same file, compared by content.
 * Confirming a pending run covers only the warnings it has shown; with others it requires confirmation again.
 */
export function resumeImport(
  deps: ImportDeps,
  { isYes, ...request }: Pick<ImportRequest, 'source' | 'isYes' | 'say'> & { runId: number },
): Promise<Outcome<ImportRun, ResumeRefusal>> {
  return continueImport(deps, { ...request, consent: isYes ? 'any-warnings' : 'no-warnings' })
}

/** The same, as far as `consent` goes. */
export function continueImport(
  deps: ImportDeps,
  { runId, source, consent, say }: Pick<ImportRequest, 'source' | 'say'> & { runId: number; consent: Consent },
): Promise<Outcome<ImportRun, ResumeRefusal>> {
  return alone(deps, async (client) => {
    const run = await selectRun(deps.db, runId)
    if (run === undefined) return refused('not-found')
    if (!canResume(run)) return refused('over', { state: run.state })
    const halfDone = await selectHalfDone(deps.db)
    if (halfDone && halfDone.id !== runId) return refused('half-done', { run: halfDone })
    // A fully staged run no longer needs the file.
    if (run.state === 'reading' && (await digest(source)) !== run.sha256) return refused('another-file')
    return ok(await work(deps, client, run, { source, consent, ...(say ? { say } : {}) }))
  })
}

export type RollBackRefusal =
  | Busy
  | HalfDone
  | Refused<'not-found'>
  | Refused<'not-published', { state: RunState }>
  | Refused<'changed-since', ChangedSince>
  | Refused<'in-the-way', { constraint: string }>
  | Refused<'not-allowed'>

/** The tires that a rollback's answer names. */
const mostAnswered = 20

type RolledBack = { run: ImportRun; kept: number; belowMap: BelowMap | null }

/**
 * Restores every row a published run changed; without `runId` the last published run. `kept`: created rows that are
 * referenced by now; `belowMap`: restored prices below a minimum advertised price. Refuses if the same rows
 * were changed since, naming the later runs.
 */
export function rollBackImport(
  deps: ImportDeps,
  { runId }: { runId?: number | undefined },
): Promise<Outcome<RolledBack, RollBackRefusal>> {
  return alone(deps, async () => {
    const halfDone = await selectHalfDone(deps.db)
    const run =
      runId === undefined ? (halfDone ?? (await selectLastPublished(deps.db))) : await selectRun(deps.db, runId)
    if (run === undefined) return refused('not-found')
    if (halfDone && halfDone.id !== run.id) return refused('half-done', { run: halfDone })
    if (!canRollBack(run) && run.state !== 'rolling-back') return refused('not-published', { state: run.state })
    return run.kind === 'stock' ? rollBackStock(deps, run) : rollBackCatalog(deps, run)
  })
}

/** Newest first; `before` is the run next to the page. */
export function listImports(
  { db }: Pick<ImportDeps, 'db'>,
  { limit = 20, before = null }: { limit?: number; before?: number | null } = {},
): Promise<ImportRun[]> {
  return selectRuns(db, { limit, before })
}

export function findImport({ db }: Pick<ImportDeps, 'db'>, runId: number): Promise<ImportRun | undefined> {
  return selectRun(db, runId)
}

/** The first `count` problems of a run's rows. */
export function listRefusedRows(
  { db }: Pick<ImportDeps, 'db'>,
  { runId, count }: { runId: number; count: number },
): Promise<RowProblem[]> {
  return selectProblems(db, runId, { rowNo: 0, id: 0 }, count)
}

/** Streams the report of a run as CSV, header first. */
export async function* reportOf({ db }: Pick<ImportDeps, 'db'>, runId: number): AsyncGenerator<string> {
  yield reportHeader
  let last = { rowNo: 0, id: 0 }
  for (;;) {
    const problems = await selectProblems(db, runId, last)
    const end = problems.at(-1)
    if (end === undefined) return
    last = end
    yield problems.map((problem) => reportLine(problem)).join('')
  }
}

/**
 * Holds the import lock on one connection while `task` runs. PostgreSQL releases it when the connection ends, however
 * that happens.
 */
async function alone<Result, Refusal extends Refused<string, unknown>>(
  { pool }: ImportDeps,
  task: (client: PoolClient) => Promise<Outcome<Result, Refusal>>,
): Promise<Outcome<Result, Refusal | Busy>> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<{ locked: boolean }>(`select pg_try_advisory_lock(${importLock}) as locked`)
    return rows[0]?.locked ? await task(client) : refused('busy')
  } finally {
    const isFree = await client.query(`select pg_advisory_unlock(${importLock})`).then(
      () => true,
      () => false,
    )
    client.release(!isFree)
  }
}

async function work(
  deps: ImportDeps,
  client: PoolClient,
  run: Run,
  { source, consent, say = () => {} }: Pick<ImportRequest, 'source' | 'say'> & { consent: Consent },
): Promise<Run> {
  if (run.state === 'reading') {
    const next = await read(deps, client, run, { source, say })
    if (next.state !== 'read') return next
  }
  const done = await publishRun(deps, run.id, { consent, say: (rows) => say({ step: 'publishing', rows }) })
  return (await discardIfCanceled(deps, run.id)) ?? done
}

/** Stages the file. Returns the run as read, refused or discarded. */
async function read(
  deps: ImportDeps,
  client: PoolClient,
  run: Run,
  { source, say }: Required<Pick<ImportRequest, 'source' | 'say'>>,
): Promise<Run> {
  const own = await findFeed(deps.db, run.kind, { now: deps.clock.now(), countedAt: run.startedAt })
  const feed = run.mapping ? mapFeed(own, run.mapping) : own
  const staging = await stageFeed(client, run, source, feed, (rows) => say({ step: 'reading', rows }))
  const canceled = await discardIfCanceled(deps, run.id)
  if (canceled) return canceled
  return deps.db.transaction().execute(async (tx) => {
    const locked = await lockRun(tx, run.id)
    if (locked.state !== 'reading') return locked
    if (staging === 'whole') return enterState(tx, run.id, 'read')
    await clearStaged(tx, run.id, feed.table)
    if (staging !== 'too-many-refused' || isPersonal(run.kind)) await deleteParts(tx, run.id)
    return enterState(tx, run.id, 'refused', { finishedAt: deps.clock.now() })
  })
}

/** Two files are equal when their bytes are. */
async function digest(source: FeedSource): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(source.open(), hash)
  return hash.digest('hex')
}

/** Records the audit entry in the transaction that rolls back, or starts to. Refuses an actor without permission. */
async function recordRollBack(
  tx: Tx,
  { by, reason, clock }: ImportDeps,
  { id, kind, fileName }: Run,
): Promise<Outcome<null, Refused<'not-allowed'>>> {
  const at = clock.now()
  const permitted = await requirePermission(tx, by, 'catalog.import', at)
  if (!permitted.ok) return permitted
  const after = { kind, file: fileName }
  await recordAct(tx, {
    by,
    act: 'import.rolled-back',
    subject: `import ${id}`,
    after,
    reason: reason ?? undefined,
    at,
  })
  return ok(null)
}

async function rollBackCatalog(deps: ImportDeps, { id }: Run): Promise<Outcome<RolledBack, RollBackRefusal>> {
  try {
    return await deps.db.transaction().execute(async (tx) => {
      const run = await lockRun(tx, id)
      await allowLargeJoins(tx)
      const since = await findChangedSince(tx, id)
      if (since) return refused('changed-since', since)
      const belowMap = await planBelowMinimum(tx, restoredPrices(id), deps.clock.now())
      const recorded = await recordRollBack(tx, deps, run)
      if (!recorded.ok) return recorded
      await removePictures(tx, id)
      const { kept } = await restoreCatalog(tx, id)
      await announceCatalogChange(tx)
      const answer =
        belowMap &&
        ({ reason: 'below-minimum', ...belowMap, examples: belowMap.examples.slice(0, mostAnswered) } as const)
      return ok({ run: await enterState(tx, id, 'rolled-back', { answer }), kept, belowMap })
    })
  } catch (error) {
    // A row created since, other than by a feed, conflicts with the restored one.
    const constraint = violatedConstraint(error)
    if (constraint === undefined) throw error
    return refused('in-the-way', { constraint: constraint })
  }
}

async function rollBackStock(deps: ImportDeps, { id }: Run): Promise<Outcome<RolledBack, RollBackRefusal>> {
  const { db } = deps
  const begun = await db.transaction().execute(async (tx) => {
    const run = await lockRun(tx, id)
    if (run.state === 'rolling-back') return ok(null)
    const since = await findChangedSince(tx, id)
    if (since) return refused('changed-since', since)
    const recorded = await recordRollBack(tx, deps, run)
    if (recorded.ok) await enterState(tx, id, 'rolling-back')
    return recorded
  })
  if (!begun.ok) return begun
  let isMore = true
  while (isMore) {
    isMore = await db.transaction().execute(async (tx) => {
      await lockRun(tx, id)
      return restoreStockSlice(tx, id, deps.clock.now())
    })
  }
  return ok({ run: await enterState(db, id, 'rolled-back'), kept: 0, belowMap: null })
}
