/** Database support for publishing a run besides the rows: locking, memory, statistics and undoing a dry run. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import type { Entity } from './catalog-import.ts'
import type { StagingTable } from './feed.ts'

/** Waits for any publishing that a killed process left running on the server, then takes the publishing lock. */
export async function lockPublishing(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('sidewall import publishing', 0))`.execute(tx)
}

/** Keeps imports from publishing until the transaction ends, as other edits may at once; false if one publishes now. */
export async function holdPublishing(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ isFree: boolean }>`
    select pg_try_advisory_xact_lock_shared(hashtextextended('sidewall import publishing', 0)) as "isFree"`.execute(tx)
  return rows[0]?.isFree ?? false
}

/** Joins of a million rows need more memory than a page's setting: raises it until the transaction ends. */
export async function allowLargeJoins(tx: Tx): Promise<void> {
  await sql`set local work_mem = '128MB'`.execute(tx)
}

/** Updates the statistics of staged rows for the checks later in the transaction. */
export async function analyzeStaged(tx: Tx, table: StagingTable): Promise<void> {
  await sql`analyze ${sql.table(table)}`.execute(tx)
}

/** Updates the statistics of what was published, for the query plans of the next shoppers. */
export async function analyzePublished(db: Database, tables: readonly Entity[]): Promise<void> {
  await sql`analyze ${sql.join(tables.map((table) => sql.table(table)))}`.execute(db)
}

/** Sets the savepoint that `undoDryRun` rolls back to. */
export async function beginDryRun(tx: Tx): Promise<void> {
  await sql`savepoint dry`.execute(tx)
}

/** Rolls back everything since `beginDryRun`. */
export async function undoDryRun(tx: Tx): Promise<void> {
  await sql`rollback to savepoint dry`.execute(tx)
}
