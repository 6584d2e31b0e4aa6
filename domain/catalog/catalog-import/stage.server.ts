/**
 * Stages a feed as rows and problems, in batches. Each batch commits with its end position, so that a killed run
 * resumes there.
 */
import type { PoolClient } from 'pg'
import { copyRows, type CopyValue } from '#platform/copy.ts'
import { countOf } from '#platform/count-text.ts'
import { maxStagedRefusals } from './catalog-import.ts'
import { isPersonal } from './feed-kinds.ts'
import type { Feed, Problem } from './feed.ts'
import { readRows, UnreadableFeed, type FeedRow, type FeedSource } from './read-rows.server.ts'
import type { Run } from './runs.sql.server.ts'

const rowsPerBatch = 5_000
/** The maximum number of reported problems per run. Rows beyond it are refused all the same. */
export const mostProblems = 100_000

const problemColumns = ['run_id', 'row_no', 'column_name', 'value', 'problem', 'expected'] as const

type Batch = { readTo: number; rows: number; staged: CopyValue[][]; problems: CopyValue[][]; refused: number }

/**
 * The result of staging. A file that becomes unreadable or has too many refused rows can't be published at all; its
 * problems are recorded. `canceled`: the run is no longer being read, or should not be.
 */
export type Staging = 'whole' | 'unreadable' | 'too-many-refused' | 'canceled'

class Canceled extends Error {}

/** Stages every row after the last one staged. `say` is called after each batch with the number of rows read. */
export async function stageFeed(
  client: PoolClient,
  run: Run,
  source: FeedSource,
  feed: Feed,
  say: (rowsRead: number) => void,
): Promise<Staging> {
  let batch = emptyBatch(run.readTo)
  let noted = await countProblems(client, run.id)
  let refusedCount = run.refusedCount
  const send = async (aboutTheFile: CopyValue[][] = []) => {
    batch.problems.length = Math.min(batch.problems.length, Math.max(0, mostProblems - noted))
    batch.problems.push(...aboutTheFile)
    noted += batch.problems.length
    await sendBatch(client, run, feed, batch)
    say(batch.readTo - 1)
    batch = emptyBatch(batch.readTo)
  }
  try {
    for await (const row of readRows(source, feed)) {
      if (row.rowNo <= run.readTo) continue
      const isRefused = addRow(batch, run, feed, row, refusedCount < maxStagedRefusals)
      if (isRefused) refusedCount++
      if (batch.rows >= rowsPerBatch) await send()
    }
    await send(refusedCount > maxStagedRefusals ? [problemRow(run.id, 1, tooManyRefused)] : [])
    return refusedCount > maxStagedRefusals ? 'too-many-refused' : 'whole'
  } catch (error) {
    if (error instanceof Canceled) return 'canceled'
    if (!(error instanceof UnreadableFeed)) throw error
    return await sendLast(() => send(error.problems.map((problem) => problemRow(run.id, error.rowNo, problem))))
  }
}

/** Deleting the file of a canceled run also makes it unreadable. */
async function sendLast(send: () => Promise<void>): Promise<Staging> {
  try {
    await send()
    return 'unreadable'
  } catch (error) {
    if (error instanceof Canceled) return 'canceled'
    throw error
  }
}

const refusalLimit = countOf(maxStagedRefusals, 'bad row')
const tooManyRefused: Problem = {
  column: '',
  value: '',
  problem: `the file has more than ${refusalLimit}`,
  expected: `at most ${refusalLimit}, also where good rows are published without them`,
}

function emptyBatch(readTo: number): Batch {
  return { readTo, rows: 0, staged: [], problems: [], refused: 0 }
}

/** Returns whether the row is refused. Then it is stored only if `storesRefused`, and counted otherwise. */
function addRow(batch: Batch, run: Run, feed: Feed, row: FeedRow, storesRefused: boolean): boolean {
  const read = 'problem' in row ? { problems: [row.problem], key: null } : feed.read(row.cells)
  const isRefused = 'problems' in read
  batch.readTo = row.rowNo
  batch.rows++
  if (isRefused) batch.refused++
  if (isRefused && !storesRefused) return true
  const values = isRefused ? read.key : read.row
  batch.staged.push([run.id, row.rowNo, isRefused, ...feed.staged.map((column) => values?.[column] ?? null)])
  if (isRefused)
    for (const problem of read.problems)
      // A customer's data is stored with the customer only.
      batch.problems.push(problemRow(run.id, row.rowNo, isPersonal(run.kind) ? { ...problem, value: '' } : problem))
  return isRefused
}

function problemRow(runId: number, rowNo: number, { column, value, problem, expected }: Problem): CopyValue[] {
  return [runId, rowNo, column, value.replaceAll('\0', '').slice(0, 200).toWellFormed(), problem, expected]
}

async function countProblems(client: PoolClient, runId: number): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::int as count from import_problem where run_id = $1',
    [runId],
  )
  return rows[0]?.count ?? 0
}

/** Throws `Canceled` if the run is no longer being read, or someone asked to cancel it. */
async function sendBatch(
  client: PoolClient,
  run: Run,
  feed: Feed,
  { readTo, rows, staged, problems, refused }: Batch,
): Promise<void> {
  await client.query('begin')
  try {
    const { rowCount } = await client.query(
      `update import_run set read_to = $2, row_count = row_count + $3, refused_count = refused_count + $4
       where id = $1 and state = 'reading' and not exists (select from import_cancellation where run_id = $1)`,
      [run.id, readTo, rows, refused],
    )
    if (rowCount === 0) throw new Canceled()
    await copyRows(client, feed.table, ['run_id', 'row_no', 'refused', ...feed.staged], staged)
    await copyRows(client, 'import_problem', problemColumns, problems)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {}) // report the first failure
    throw error
  }
}
