/** Units that orders took from warehouses. */
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'

/**
 * Returns the tires that orders placed since `since` took from warehouses, canceled orders excluded, by item id and
 * warehouse id, such as "100001 2".
 */
export async function readSoldUnits(
  db: Database,
  places: readonly { itemId: number; warehouseId: number }[],
  since: Temporal.Instant,
): Promise<Map<string, number>> {
  if (places.length === 0) return new Map()
  const wanted = JSON.stringify(places.map((place) => ({ item_id: place.itemId, warehouse_id: place.warehouseId })))
  const { rows } = await sql<{ itemId: number; warehouseId: number; units: number }>`
    select wanted.item_id as "itemId", wanted.warehouse_id as "warehouseId", sum(allocation.quantity)::int as units
    from json_to_recordset(${wanted}::json) as wanted (item_id int, warehouse_id smallint)
      join order_line line on line.item_id = wanted.item_id
      join sales_order on sales_order.id = line.order_id and placed_at >= ${since.toString()}::timestamptz and state <> 'canceled'
      join stock_allocation allocation on allocation.order_id = line.order_id and allocation.line_no = line.line_no
        and allocation.warehouse_id = wanted.warehouse_id
    group by wanted.item_id, wanted.warehouse_id`.execute(db)
  return new Map(rows.map(({ itemId, warehouseId, units }) => [`${itemId} ${warehouseId}`, units]))
}
