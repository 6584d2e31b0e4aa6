/** Tables that are divided by month (docs/decisions/026-large-tables.md). */
import { sql } from 'kysely'
import type { Database } from './db.ts'

/** The number of prepared months beyond the current one, in case a worker is down for long. */
const monthsAhead = 2

/**
 * Creates a table's upcoming monthly partitions and drops partitions that start before `before`, with all their rows.
 * Returns the number of deleted rows. Refuses a table without partitions.
 */
export async function turnMonths(
  db: Database,
  table: 'email_copy' | 'provider_event_body',
  before: Temporal.Instant,
): Promise<number> {
  await sql`select prepare_months(${table}, ${monthsAhead})`.execute(db)
  const { rows } = await sql<{ dropped: number }>`select drop_months(${table}, ${before}) as dropped`.execute(db)
  return rows[0]?.dropped ?? 0
}
