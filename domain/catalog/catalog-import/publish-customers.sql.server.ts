import { sql } from 'kysely'
import type { Tx } from '#platform/db.ts'
import type { CustomerRecords, ImportedCustomer } from './customer-records.port.ts'
import { refuseTwins } from './staged.sql.server.ts'

/** Checks that each email appears once, and notes which customers the store has. */
export async function checkCustomers(
  tx: Tx,
  runId: number,
  _: Temporal.Instant,
  { hasCustomer }: CustomerRecords,
): Promise<void> {
  await refuseTwins(tx, runId, 'import_customer', {
    keys: [sql<string>`lower(email)`],
    column: 'email',
    value: sql`''`,
    problem: 'is the same as in row',
    expected: 'each email once',
  })
  await sql`
    update import_customer set is_known = ${hasCustomer(sql`import_customer.email`)}
    where run_id = ${runId} and not refused`.execute(tx)
}

/** Adds and completes the customers of a run. */
export async function publishCustomers(
  tx: Tx,
  runId: number,
  at: Temporal.Instant,
  { mergeCustomers }: CustomerRecords,
): Promise<void> {
  await mergeCustomers(
    tx,
    sql<ImportedCustomer>`select email, name, phone, street, city, state_code, zip, consented_at, note from import_customer where run_id = ${runId} and not refused`,
    { at, by: `Import ${runId}` },
  )
}

/** Deletes the unpublished rows of an erased person's emails, in lowercase, with their past orders'. */
export async function eraseStagedCustomers(tx: Tx, emails: readonly string[]): Promise<void> {
  await sql`delete from import_customer where lower(email) = any(${emails}::text[])`.execute(tx)
  await sql`delete from import_order where lower(email) = any(${emails}::text[])`.execute(tx)
}
