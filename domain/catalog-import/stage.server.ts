/**
 * Stages a feed as rows and problems, in batches. Each batch commits with its end position, so that a killed run
 * resumes there.
 */
import type { PoolClient } from 'pg'
import { copyRows, type CopyValue } from '#platform/copy.ts'
import type { Feed, Problem } from './feed.ts'
import { readRows, UnreadableFeed, type FeedRow, type FeedSource } from './read-rows.server.ts'
import type { Run } from './runs.sql.server.ts'

const rowsPerBatch = 5_000
/** The maximum number of reported problems per run. Rows beyond it are refused all the same. */
export const mostProblems = 100_000

const problemColumns = ['run_id', 'row_no', 'column_name', 'value', 'problem', 'expected'] as const

type Batch = { readTo: number; staged: CopyValue[][]; problems: CopyValue[][]; refused: number }

/**
 * Stages every row after the last one staged. `say` is called after each batch with the number of rows read. Returns
 * false if the file becomes unreadable; its problems are recorded, and nothing of it can be published.
 */
export async function stageFeed(
  client: PoolClient,
  run: Run,
  source: FeedSource,
  feed: Feed,
  say: (rowsRead: number) => void,
): Promise<boolean> {
  let batch = emptyBatch(run.readTo)
  let noted = await countProblems(client, run.id)
  const send = async () => {
    batch.problems.length = Math.min(batch.problems.length, Math.max(0, mostProblems - noted))
    noted += batch.problems.length
    await sendBatch(client, run, feed, batch)
    say(batch.readTo - 1)
    batch = emptyBatch(batch.readTo)
  }
  try {
    for await (const row of readRows(source, feed)) {
      if (row.rowNo <= run.readTo) continue
      addRow(batch, run, feed, row)
      if (batch.staged.length >= rowsPerBatch) await send()
    }
    await send()
    return true
  } catch (error) {
    if (!(error instanceof UnreadableFeed)) throw error
    batch.problems.push(...error.problems.map((problem) => problemRow(run.id, error.rowNo, problem)))
    await send()
    return false
  }
}

function emptyBatch(readTo: number): Batch {
  return { readTo, staged: [], problems: [], refused: 0 }
}

function addRow(batch: Batch, run: Run, feed: Feed, row: FeedRow): void {
  const read = 'problem' in row ? { problems: [row.problem], key: null } : feed.read(row.cells)
  const isRefused = 'problems' in read
  const values = isRefused ? read.key : read.row
  batch.readTo = row.rowNo
  batch.staged.push([run.id, row.rowNo, isRefused, ...feed.staged.map((column) => values?.[column] ?? null)])
  if (!isRefused) return
  batch.refused++
  for (const problem of read.problems) batch.problems.push(problemRow(run.id, row.rowNo, problem))
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

async function sendBatch(
  client: PoolClient,
  run: Run,
  feed: Feed,
  { readTo, staged, problems, refused }: Batch,
): Promise<void> {
  await client.query('begin')
  try {
    await copyRows(client, feed.table, ['run_id', 'row_no', 'refused', ...feed.staged], staged)
    await copyRows(client, 'import_problem', problemColumns, problems)
    await client.query(
      'update import_run set read_to = $2, row_count = row_count + $3, refused_count = refused_count + $4 where id = $1',
      [run.id, readTo, staged.length, refused],
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {}) // report the first failure
    throw error
  }
}
