/**
 * Stock is published in slices, each in a separate transaction, because orders wait for the rows they need and
 * shouldn't wait for a million others. Rows are locked in key order, as orders lock them.
 */
import { sql } from 'kysely'
import { countInventory } from '#domain/supply/stock/stock.server.ts'
import type { Database, Tx } from '#platform/db.ts'
import { largestLossPercent, type ChangeCount, type Warning } from './catalog-import.ts'
import { refuseTwins, refuseUnknownTires } from './staged.sql.server.ts'

const rowsPerSlice = 2_000

/** Checks that each SKU appears once per warehouse, and exists. */
export async function checkStock(tx: Tx, runId: number): Promise<void> {
  await refuseTwins(tx, runId, 'import_stock', {
    keys: ['sku', 'warehouse_id'],
    column: 'sku',
    value: sql`sku`,
    problem: 'is counted in this warehouse already in row',
    expected: 'each SKU once per warehouse',
  })
  await refuseUnknownTires(tx, runId, 'import_stock')
}

/**
 * Warns if too many tires in stock would be out of stock everywhere: one empty warehouse is no loss, a column of zeros
 * is.
 */
export async function weighStock(tx: Tx, runId: number): Promise<Warning[]> {
  const { rows } = await sql<{ count: number; of: number; examples: string[] }>`
    with counted as materialized (
      select item.id as item_id, warehouse_id, on_hand from import_stock join item using (sku) where run_id = ${runId} and not refused),
    stocked as materialized (
      select item_id, max(coalesce(counted.on_hand, stock.on_hand)) as left_over
      from stock full join counted using (item_id, warehouse_id) group by item_id having max(stock.on_hand) > 0)
    select count(*) filter (where left_over = 0)::int as count, count(*)::int as of,
      array(select sku from stocked join item on item.id = item_id where left_over = 0 order by sku limit 20) as examples
    from stocked`.execute(tx)
  const { count, of, examples } = rows[0] ?? { count: 0, of: 0, examples: [] }
  return count * 100 > of * largestLossPercent ? [{ kind: 'empties-stock', count, of, examples }] : []
}

/** Counts what publishing would change now, without writing or locking. */
export async function countStockChanges(tx: Tx, runId: number): Promise<ChangeCount[]> {
  const { rows } = await sql<ChangeCount>`
    select 'stock' as entity, case when stock.item_id is null then 'created' else 'changed' end as action, count(*)::int as count
    from (${wantedStock(runId, { after: 0, to: 2_147_483_647 })}) as wanted left join stock using (item_id, warehouse_id)
    where stock.on_hand is distinct from wanted.on_hand group by 2 order by 2`.execute(tx)
  return rows
}

/**
 * Publishes the slice after row `after`, and enters what it changes in our warehouses as inventory. Returns the slice's
 * last row, or undefined at the end.
 */
export async function publishStockSlice(
  tx: Tx,
  { runId, after, at }: { runId: number; after: number; at: Temporal.Instant },
): Promise<number | undefined> {
  const { rows } = await sql<{ last: number | null }>`
    select max(row_no) as last from (
      select row_no from import_stock where run_id = ${runId} and row_no > ${after} order by row_no limit ${rowsPerSlice}) as slice`.execute(
    tx,
  )
  const to = rows[0]?.last
  if (to == null) return undefined
  const wanted = wantedStock(runId, { after, to })
  // Blocks on a supplier that is retired concurrently, or leaves its rows out.
  await sql`
    select count(*) from (
      select from warehouse where id in (select distinct warehouse_id from import_stock where run_id = ${runId}) order by id for share) as held`.execute(
    tx,
  )
  // An order holding one of the rows commits first; the next statement sees what it took.
  await sql`
    select count(*) from (
      select from stock where (item_id, warehouse_id) in (
        select item.id, warehouse_id from import_stock as staged join item on item.sku = staged.sku
        where staged.run_id = ${runId} and not staged.refused and staged.row_no > ${after} and staged.row_no <= ${to})
      order by item_id, warehouse_id for update) as locked`.execute(tx)
  const changed = await sql<{ id: number }>`
    with wanted as materialized (${wanted}),
    noted as (
      insert into import_change (run_id, entity, id, warehouse_id, action, before, after)
      select ${runId}::int, 'stock', wanted.item_id, wanted.warehouse_id, case when stock.item_id is null then 'created' else 'changed' end,
        case when stock.item_id is not null then jsonb_build_object('on_hand', stock.on_hand) end, jsonb_build_object('on_hand', wanted.on_hand)
      from wanted left join stock using (item_id, warehouse_id) where stock.on_hand is distinct from wanted.on_hand
      returning id, warehouse_id),
    written as (
      insert into stock (item_id, warehouse_id, on_hand) select item_id, warehouse_id, on_hand from wanted order by item_id, warehouse_id
      on conflict (item_id, warehouse_id) do update set on_hand = excluded.on_hand where stock.on_hand <> excluded.on_hand)
    select distinct noted.id from noted join warehouse on warehouse.id = noted.warehouse_id where warehouse.pool = 'on-hand'`.execute(
    tx,
  )
  await countImported(tx, { runId, changed: changed.rows, at })
  await sql`
    insert into stock_count_time (warehouse_id, counted_at)
    select warehouse_id, max(as_of) from import_stock
    where run_id = ${runId} and not refused and row_no > ${after} and row_no <= ${to} group by warehouse_id
    on conflict (warehouse_id) do update set counted_at = greatest(stock_count_time.counted_at, excluded.counted_at)`.execute(
    tx,
  )
  return to
}

/** Returns when a stock file last counted the tires in each warehouse, by warehouse ID. */
export async function selectCountTimes(db: Database): Promise<Map<number, Temporal.Instant>> {
  const rows = await db.selectFrom('stock_count_time').select(['warehouse_id', 'counted_at']).execute()
  return new Map(rows.map((row) => [row.warehouse_id, row.counted_at]))
}

/** Enters by how much an import changed these tires' inventory. */
export function countImported(
  tx: Tx,
  { runId, changed, at }: { runId: number; changed: readonly { id: number }[]; at: Temporal.Instant },
): Promise<void> {
  const source = { import_run_id: runId }
  const itemIds = changed.map(({ id }) => id)
  return countInventory(tx, itemIds, { kind: 'imported', source }, at)
}

/**
 * The count minus units promised since, as (item_id, warehouse_id, on_hand). A warehouse receives an order at its
 * release (docs/decisions/011-placing-an-order.md), so its count still includes units for orders not released by then.
 */
export function wantedStock(runId: number, { after, to }: { after: number; to: number }) {
  return sql`
    select counted.item_id, counted.warehouse_id,
      greatest(0, counted.on_hand - coalesce(sum(promised.quantity) filter (where promised.released_at is null or promised.released_at > counted.as_of), 0))::int as on_hand
    from (
      select item.id as item_id, staged.warehouse_id, staged.on_hand, staged.as_of
      from import_stock as staged join item on item.sku = staged.sku
        join warehouse on warehouse.id = staged.warehouse_id and warehouse.retired_at is null
      where staged.run_id = ${runId} and not staged.refused and staged.row_no > ${after} and staged.row_no <= ${to}) as counted
    left join (
      select order_line.item_id, stock_allocation.warehouse_id, stock_allocation.quantity, sales_order.released_at
      from sales_order join order_line on order_line.order_id = sales_order.id
      join stock_allocation on stock_allocation.order_id = order_line.order_id and stock_allocation.line_no = order_line.line_no
      where sales_order.state <> 'canceled' and (sales_order.released_at is null or sales_order.released_at > (
        select min(as_of) from import_stock where run_id = ${runId} and not refused and row_no > ${after} and row_no <= ${to}))) as promised
      on promised.item_id = counted.item_id and promised.warehouse_id = counted.warehouse_id
    group by counted.item_id, counted.warehouse_id, counted.on_hand, counted.as_of`
}
