import { sql } from 'kysely'
import { countOf } from '#platform/count-text.ts'
import type { Tx } from '#platform/db.ts'
import type { CustomerRecords, ImportedOrderRow } from './customer-records.port.ts'
import { refuseRows, type FaultyRow } from './staged.sql.server.ts'

/** The most line items of an order. */
const maxLines = 500

/**
 * Checks that the rows of an order agree and are all readable, so that no order is stored with a part of its lines, and
 * notes which past orders the store has.
 */
export async function checkOrders(
  tx: Tx,
  runId: number,
  _: Temporal.Instant,
  { hasPastOrder }: CustomerRecords,
): Promise<void> {
  await refuseRows(
    tx,
    runId,
    'import_order',
    'number',
    sql<FaultyRow>`
      select row_no, '' as value, problem, expected from (
        select row_no, case
          when first_value((placed_at, lower(email), total_cents)) over rows is distinct from (placed_at, lower(email), total_cents)
            then 'is the number of another order in row ' || first_value(row_no) over rows
          when count(*) over orders > ${maxLines} then ${`has more than ${countOf(maxLines, 'line')}`}::text end as problem,
          ${`each number once, with at most ${countOf(maxLines, 'line')}`}::text as expected
        from import_order where run_id = ${runId}::int and not refused
        window orders as (partition by lower(store), lower(number)), rows as (orders order by row_no)) as checked
      where problem is not null`,
  )
  await refuseRows(
    tx,
    runId,
    'import_order',
    'number',
    sql<FaultyRow>`
      select row_no, '' as value, 'is of an order with another row that is refused' as problem, 'only readable rows of an order' as expected
      from import_order as staged where run_id = ${runId}::int and not refused and exists (
        select from import_order as other where other.run_id = ${runId}::int and other.refused
          and lower(other.store) = lower(staged.store) and lower(other.number) = lower(staged.number))`,
  )
  await sql`
    update import_order set is_known = ${hasPastOrder(sql`import_order.store`, sql`import_order.number`)}
    where run_id = ${runId} and not refused`.execute(tx)
}

/** Adds and replaces the past orders of a run. */
export async function publishOrders(
  tx: Tx,
  runId: number,
  at: Temporal.Instant,
  { mergePastOrders }: CustomerRecords,
): Promise<void> {
  await mergePastOrders(
    tx,
    sql<ImportedOrderRow>`
      select row_no, store, number, placed_at, email, phone, customer_name, total_cents, status, line_sku, line_name, line_quantity, line_price_cents
      from import_order where run_id = ${runId} and not refused`,
    at,
  )
}
