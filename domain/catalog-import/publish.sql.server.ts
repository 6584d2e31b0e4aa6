/** What publishing a run asks of the server beside the rows: its turn, memory, statistics and the way back of a dry run. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import type { Entity } from './catalog-import.ts'
import type { StagingTable } from './feed.ts'

/** Waits until what a killed process of another run left publishing on the server has ended, then holds the turn. */
export async function lockPublishing(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('sidewall import publishing', 0))`.execute(tx)
}

/** Joins of a million rows by the million do not fit what is right for a page: more memory until the transaction ends. */
export async function allowLargeJoins(tx: Tx): Promise<void> {
  await sql`set local work_mem = '128MB'`.execute(tx)
}

/** Statistics of what is staged, for the plans of the checks that follow in the transaction. */
export async function analyzeStaged(tx: Tx, table: StagingTable): Promise<void> {
  await sql`analyze ${sql.table(table)}`.execute(tx)
}

/** Statistics of what was published: the next shopper's plan is made with them. */
export async function analyzePublished(db: Database, tables: readonly Entity[]): Promise<void> {
  await sql`analyze ${sql.join(tables.map((table) => sql.table(table)))}`.execute(db)
}

/** Marks the point to which `undoDryRun` takes the transaction back. */
export async function beginDryRun(tx: Tx): Promise<void> {
  await sql`savepoint dry`.execute(tx)
}

/** Lets go of everything written since `beginDryRun`. */
export async function undoDryRun(tx: Tx): Promise<void> {
  await sql`rollback to savepoint dry`.execute(tx)
}
