/** Tables that are divided by month (docs/decisions/092-growth.md). */
import { sql } from 'kysely'
import type { Database } from './db.ts'

/** How many months beyond this one have a place for their rows: a worker may be away for long. */
const monthsAhead = 2

/**
 * Prepares the months to come of a divided table, and drops those that began before `before`, all rows of a month with
 * its first. Returns how many rows went. Refuses a table that is not divided.
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
