/** Database support for publishing apart from rows, covering locking, memory, statistics and undoing a dry run. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import type { Entity } from './catalog-import.ts'
import type { StagingTable } from './feed.ts'

/** Takes the publishing lock, which blocks until the server ends any publishing by a killed process. */
export async function lockPublishing(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('sidewall import publishing', 0))`.execute(tx)
}

/**
 * Blocks imports from publishing until the transaction ends, shared with other edits; false if one is publishing now.
 */
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

/** Updates the statistics of published tables, for the query plans of upcoming requests. */
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
