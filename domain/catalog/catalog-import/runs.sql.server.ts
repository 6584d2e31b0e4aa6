/** The rows of import_run. */
import { sql, type Selectable } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import type { ImportRun as RunRow } from '#db/types.ts'
import { statesBefore } from '#platform/transitions.ts'
import type { Actor } from '#domain/kernel/staff/staff.server.ts'
import { readMapping, type ColumnMapping } from './column-mapping.ts'
import { catalogKinds } from './feed-kinds.ts'
import { importLife, type ImportAnswer, type ImportRun, type ImportSummary, type RunState } from './catalog-import.ts'

/** The key of the lock that one import at a time holds, as SQL. */
export const importLock = "hashtextextended('sidewall import', 0)"

/** What a staff member asked the worker to do with a run. */
export type RunRequest = { act: 'publish' | 'roll-back'; by: Actor; reason: string | null }

/** A run with fields only the import itself needs. */
export type Run = ImportRun & {
  readonly sha256: string
  readonly readTo: number
  readonly publishedTo: number
  readonly request: RunRequest | null
  /** Null for a file with the feed's own columns. */
  readonly mapping: ColumnMapping | null
  /** Whether the file has sample tires. */
  readonly isSample: boolean
}

export async function insertRun(
  db: Database | Tx,
  run: Pick<ImportRun, 'kind' | 'mode' | 'isDry' | 'fileName' | 'startedAt'> & {
    sha256: string
    startedBy: string
    mapping?: ColumnMapping | null
    isSample?: boolean
  },
): Promise<Run> {
  const row = await db
    .insertInto('import_run')
    .values({
      kind: run.kind,
      mode: run.mode,
      dry: run.isDry,
      file_name: run.fileName,
      file_sha256: run.sha256,
      started_at: run.startedAt,
      started_by: run.startedBy,
      columns: run.mapping ? JSON.stringify(run.mapping) : null,
      is_sample: run.isSample ?? false,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toRun(row)
}

export async function selectRun(db: Database | Tx, id: number): Promise<Run | undefined> {
  const row = await db.selectFrom('import_run').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toRun(row)
}

/** Newest first; `before` pages. */
export async function selectRuns(
  db: Database,
  { limit, before }: { limit: number; before: number | null },
): Promise<Run[]> {
  const rows = await db
    .selectFrom('import_run')
    .selectAll()
    .$if(before !== null, (query) => query.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toRun)
}

/** Sets the worker's request on a locked run, or null when it is done; `answer` is the reason it was not done. */
export async function setRequest(
  tx: Tx,
  id: number,
  { request, answer }: { request: RunRequest | null; answer: ImportAnswer | null },
): Promise<void> {
  await tx
    .updateTable('import_run')
    .set({ asked: request && JSON.stringify(request), answer: answer && JSON.stringify(answer) })
    .where('id', '=', id)
    .execute()
}

/** Returns the last file's mapping with the same kind and header. Returns null if not found. */
export async function selectLastMapping(
  db: Database | Tx,
  kind: ImportRun['kind'],
  header: readonly string[],
): Promise<ColumnMapping | null> {
  const row = await db
    .selectFrom('import_run')
    .select('columns')
    .where('kind', '=', kind)
    .where(sql<boolean>`columns -> 'header' = ${JSON.stringify(header)}::jsonb`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return readMapping(row?.columns ?? null)
}

export async function selectLastPublished(db: Database): Promise<Run | undefined> {
  const row = await db
    .selectFrom('import_run')
    .selectAll()
    .where('state', '=', 'published')
    .where('kind', 'in', catalogKinds)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return row && toRun(row)
}

/** Returns the half-published or half-rolled-back run, at most one. */
export async function selectHalfDone(db: Database): Promise<Run | undefined> {
  const row = await db
    .selectFrom('import_run')
    .selectAll()
    .where('state', 'in', ['publishing', 'rolling-back'])
    .executeTakeFirst()
  return row && toRun(row)
}

/** Returns the newest import of sample tires with a kind, if any. */
export async function selectSampleRun(db: Database | Tx, kind: 'products' | 'stock'): Promise<Run | undefined> {
  const row = await db
    .selectFrom('import_run')
    .selectAll()
    .where('is_sample', '=', true)
    .where('kind', '=', kind)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && toRun(row)
}

/** Counts the tires that a run added and that are still in the catalog. */
export async function countAddedTires(db: Database | Tx, runId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from import_change join item using (id)
    where run_id = ${runId} and entity = 'item' and action = 'created'`.execute(db)
  return rows[0]?.count ?? 0
}

/** Locks out concurrent requests for sample tires until the transaction ends. Returns whether the catalog has tires. */
export async function lockSamples(tx: Tx): Promise<{ hasTires: boolean }> {
  await sql`select pg_advisory_xact_lock(hashtextextended('sidewall samples', 0))`.execute(tx)
  const { rows } = await sql<{ hasTires: boolean }>`select exists (select from item) as "hasTires"`.execute(tx)
  return { hasTires: rows[0]?.hasTires ?? false }
}

/**
 * Locks the run until the transaction ends. When this returns, any work left on the server by a killed process has
 * ended. A cancellation request can still reference the run concurrently.
 */
export async function lockRun(tx: Tx, id: number): Promise<Run> {
  return toRun(
    await tx.selectFrom('import_run').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow(),
  )
}

/** The same without waiting; undefined while another transaction works on the run. */
export async function tryLockRun(tx: Tx, id: number): Promise<Run | undefined> {
  const row = await tx
    .selectFrom('import_run')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .skipLocked()
    .executeTakeFirst()
  return row && toRun(row)
}

/**
 * Changes the state of a locked run. Throws if the transition is not allowed, because the lock rules out concurrent
 * changes.
 */
export async function enterState(
  tx: Database | Tx,
  id: number,
  state: RunState,
  {
    summary,
    finishedAt,
    answer = null,
  }: { summary?: ImportSummary; finishedAt?: Temporal.Instant; answer?: ImportAnswer | null } = {},
): Promise<Run> {
  const row = await tx
    .updateTable('import_run')
    .set({
      state,
      ...(summary ? { summary: JSON.stringify(summary) } : {}),
      ...(finishedAt ? { finished_at: finishedAt } : {}),
      // The request was completed or answered.
      ...(isBetween(state) ? {} : { asked: null, answer: answer && JSON.stringify(answer) }),
    })
    .where('id', '=', id)
    .where('state', 'in', [...statesBefore(importLife, state), ...(state === 'waiting-for-yes' ? [state] : [])])
    .returningAll()
    .executeTakeFirstOrThrow()
  return toRun(row)
}

/** Returns a locked run to its start. Throws if its state does not allow it. */
export async function restartRun(tx: Tx, id: number): Promise<void> {
  await tx
    .updateTable('import_run')
    .set({
      state: 'reading',
      read_to: 0,
      row_count: 0,
      refused_count: 0,
      summary: '{}',
      finished_at: null,
      answer: null,
    })
    .where('id', '=', id)
    .where('asked', 'is', null)
    .where('state', 'in', statesBefore(importLife, 'reading'))
    .returning('id')
    .executeTakeFirstOrThrow()
}

function isBetween(state: RunState): boolean {
  return state === 'publishing' || state === 'rolling-back'
}

export async function setPublishedTo(tx: Tx, id: number, rowNo: number): Promise<void> {
  await tx.updateTable('import_run').set({ published_to: rowNo }).where('id', '=', id).execute()
}

/** Counts staged rows again; cross-row checks may have refused more. */
export async function recount(tx: Tx, id: number, table: string): Promise<{ rows: number; refused: number }> {
  const { rows } = await sql<{ row_count: number; refused_count: number }>`
    update import_run set row_count = counted.rows, refused_count = counted.refused
    from (select count(*)::int as rows, (count(*) filter (where refused))::int as refused from ${sql.table(table)} where run_id = ${id}) as counted
    where id = ${id} returning row_count, refused_count`.execute(tx)
  return { rows: rows[0]?.row_count ?? 0, refused: rows[0]?.refused_count ?? 0 }
}

function toRun(row: Selectable<RunRow>): Run {
  return {
    id: row.id,
    kind: row.kind as Run['kind'],
    mode: row.mode as Run['mode'],
    isDry: row.dry,
    state: row.state as RunState,
    fileName: row.file_name,
    rowCount: row.row_count,
    refusedCount: row.refused_count,
    summary: row.summary as ImportSummary,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    startedBy: row.started_by,
    asked: (row.asked as RunRequest | null)?.act ?? null,
    answer: row.answer as ImportAnswer | null,
    request: row.asked as RunRequest | null,
    sha256: row.file_sha256,
    readTo: row.read_to,
    publishedTo: row.published_to,
    mapping: readMapping(row.columns),
    isSample: row.is_sample,
  }
}
