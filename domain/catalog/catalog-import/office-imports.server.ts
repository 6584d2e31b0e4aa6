/**
 * Imports in the office. Requests are stored and queued, because a file with a million rows takes minutes. The worker
 * uses the same functions as the command.
 */
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { enqueue } from '#platform/jobs.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { cancelRun } from './cancel.server.ts'
import {
  canRollBack,
  isAtWork,
  type FeedKind,
  type ImportMode,
  type ImportRun,
  type RunState,
} from './catalog-import.ts'
import { checkSources, requiresMapping, offerColumns, toHeader } from './column-mapping.ts'
import type { CellsByColumn, Feed } from './feed.ts'
import { findFeed } from './find-feed.server.ts'
import type { ColumnSource } from './guess-columns.ts'
import { permitsKind } from './kind-permission.server.ts'
import { peekRows } from './read-rows.server.ts'
import { insertRun, lockRun, selectLastMapping, selectRun, setRequest, type Run } from './runs.sql.server.ts'
import { lockUpload, readParts, selectUpload, setRunOfUpload } from './uploads.sql.server.ts'

type Deps = { db: Database; clock: Clock }
type NotAllowed = Refused<'not-allowed'>

/** Queues the worker's next step with a run; queued twice, it is done once. */
export function queueImport(db: Database | Tx, runId: number, runAt?: Temporal.Instant): Promise<void> {
  return enqueue(db, 'work-on-import', { runId }, { key: `import-${runId}`, ...(runAt && { runAt }) })
}

type NoFile = Refused<'no-file'> | Refused<'still-arriving'>

/**
 * Starts the import of an uploaded file. The same upload starts one run. Without `sources`, a file with other columns
 * than the feed's starts no run (`runId` is null), and `findUploadColumns` offers its columns. Refuses files of others
 * and broken ones, and sources that name no column of the file or leave out what the feed needs, by column of the feed.
 * `last` matches the columns as `startImportIn` does.
 */
export async function startImport(
  { db, clock }: Deps,
  by: Actor,
  request: ImportStart & { sources?: Readonly<Record<string, ColumnSource>> | 'last' },
): Promise<Outcome<{ runId: number | null }, NotAllowed | NoFile | BadColumns>> {
  return db.transaction().execute((tx) => startImportIn(tx, by, { ...request, at: clock.now() }))
}

type ImportStart = { uploadId: string; kind: FeedKind; mode: ImportMode; isSample?: boolean }
type BadColumns = Refused<'bad-columns', Record<string, string>>

/**
 * The same in a transaction. `last` sources match a file with other columns as the last file with the same header was
 * matched; `runId` is null without such a file.
 */
export async function startImportIn(
  tx: Tx,
  by: Actor,
  {
    uploadId,
    kind,
    mode,
    sources: given,
    isSample = false,
    at,
  }: ImportStart & { sources?: Readonly<Record<string, ColumnSource>> | 'last'; at: Temporal.Instant },
): Promise<Outcome<{ runId: number | null }, NotAllowed | NoFile | BadColumns>> {
  const permitted = await permitsKind(tx, by, { kind, permission: 'catalog.import' }, at)
  if (!permitted.ok) return permitted
  const upload = await lockUpload(tx, uploadId)
  if (!upload || upload.sentBy !== by.name) return refused('no-file')
  if (upload.runId !== null) return ok({ runId: upload.runId })
  const { fileName, sha256 } = upload
  if (sha256 === null) return refused('still-arriving')
  const feed = await findFeed(tx, kind, { now: at, countedAt: at })
  const { header } = await peekUpload(tx, upload, feed)
  const requires = requiresMapping(header, feed)
  const chosen = given === 'last' ? await lastSources(tx, { kind, header, requires }) : given
  if (requires && !chosen) return ok({ runId: null })
  const faults = chosen ? checkSources(feed, { header, sources: chosen }) : {}
  if (Object.keys(faults).length > 0) return refused('bad-columns', faults)
  const run = await insertRun(tx, {
    kind,
    mode,
    isDry: false,
    fileName,
    sha256,
    startedAt: at,
    startedBy: by.name,
    mapping: chosen ? { header, sources: { ...chosen } } : null,
    isSample,
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
}

async function lastSources(
  tx: Tx,
  { kind, header, requires }: { kind: FeedKind; header: readonly string[]; requires: boolean },
): Promise<Readonly<Record<string, ColumnSource>> | undefined> {
  return requires ? (await selectLastMapping(tx, kind, header))?.sources : undefined
}

/** What the page for a file with other columns offers. `values` are the current choices. */
export type UploadColumns = {
  fileName: string
  columns: { name: string; example: string }[]
  /** The columns of the feed, the needed ones first. */
  wanted: { name: string; isRequired: boolean }[]
  guessed: Record<string, ColumnSource>
}

const peekedRows = 100

/** Returns the columns of an uploaded file without a run. Returns undefined if `by` didn't upload this file. */
export async function findUploadColumns(
  { db, clock }: Deps,
  by: Pick<Actor, 'name'>,
  { uploadId, kind }: { uploadId: string; kind: FeedKind },
): Promise<UploadColumns | undefined> {
  const upload = await selectUpload(db, uploadId)
  if (!upload || upload.sentBy !== by.name || upload.sha256 === null || upload.runId !== null) return undefined
  const now = clock.now()
  const feed = await findFeed(db, kind, { now, countedAt: now })
  const { header, rows } = await peekUpload(db, upload, feed)
  const previous = await selectLastMapping(db, kind, header)
  const wanted = feed.columns.map((name) => ({ name, isRequired: feed.required.includes(name) }))
  return {
    fileName: upload.fileName,
    wanted: [...wanted.filter(({ isRequired }) => isRequired), ...wanted.filter(({ isRequired }) => !isRequired)],
    ...offerColumns(kind, feed, { header, rows, previous }),
  }
}

async function peekUpload(
  db: Database | Tx,
  { id, fileName }: { id: string; fileName: string },
  feed: Pick<Feed, 'xml'>,
): Promise<{ header: string[]; rows: CellsByColumn[] }> {
  const source = { name: fileName, open: () => Readable.from(readParts(db, { uploadId: id })) }
  const [first = [], ...records] = await peekRows(source, feed, peekedRows)
  const header = toHeader(first)
  const rows = records.map((record) =>
    Object.fromEntries(header.map((column, index): [string, string] => [column, record[index]?.trim() ?? ''])),
  )
  return { header, rows }
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
    const permitted = await permitsKind(tx, by, { kind: run.kind, permission }, clock.now())
    if (!permitted.ok) return permitted
    if (run.asked !== null) return run.asked === act ? ok(null) : refused('asked-already')
    if (act === 'publish' ? run.state !== 'waiting-for-yes' : !canRollBack(run))
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
