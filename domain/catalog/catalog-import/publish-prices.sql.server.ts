import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '#platform/db.ts'
import { largestMovePercent, type Warning } from './catalog-import.ts'
import { changeRows } from './changes.sql.server.ts'
import { isPricePublished } from './minimums.sql.server.ts'
import { refuseTwins, refuseUnknownTires } from './staged.sql.server.ts'

/** Checks that each SKU appears once and is for sale here. */
export async function checkPrices(tx: Tx, runId: number): Promise<void> {
  await refuseTwins(tx, runId, 'import_price', {
    keys: ['sku'],
    column: 'sku',
    value: sql`sku`,
    problem: 'has a price already in row',
    expected: 'each SKU once',
  })
  await refuseUnknownTires(tx, runId, 'import_price')
}

/** The prices of a run's rows: (item_id, was_cents, retail_cents, row_no). */
export function stagedPrices(runId: number): RawBuilder<unknown> {
  return sql`select item.id as item_id, item.retail_cents as was_cents, import_price.retail_cents, row_no
    from import_price join item on item.sku = import_price.sku where run_id = ${runId} and not refused`
}

export function weighPrices(tx: Tx, runId: number): Promise<Warning[]> {
  return weighMoves(tx, stagedPrices(runId))
}

export async function mergePrices(tx: Tx, runId: number): Promise<void> {
  await changeRows(
    tx,
    runId,
    'item',
    ['retail_cents', 'cost_cents'],
    // A file without costs leaves them unchanged.
    sql`select item.id, case when ${isPricePublished(sql`item.id`)} then import_price.retail_cents else item.retail_cents end as retail_cents, coalesce(import_price.cost_cents, item.cost_cents) as cost_cents from import_price join item on item.sku = import_price.sku where run_id = ${runId} and not refused`,
  )
}

/**
 * Warns of large price changes, apart from prices that are refused. `changes` selects (item_id, was_cents, retail_cents).
 */
export async function weighMoves(tx: Tx, changes: RawBuilder<unknown>): Promise<Warning[]> {
  const { rows } = await sql<{ sku: string; before: number; after: number; count: number }>`
    select sku, was_cents as before, moved.retail_cents as after, (count(*) over ())::int as count
    from (${changes}) as moved join item on item.id = moved.item_id
    where abs(moved.retail_cents - was_cents) * 100::bigint > was_cents * ${largestMovePercent}::bigint and ${isPricePublished(sql`moved.item_id`)}
    order by abs(moved.retail_cents - was_cents)::numeric / was_cents desc, sku limit 20`.execute(tx)
  const [first] = rows
  if (first === undefined) return []
  return [
    {
      kind: 'moves-prices',
      count: first.count,
      biggest: rows.map(({ sku, before, after }) => ({ sku, fromCents: before, toCents: after })),
    },
  ]
}
