/** Queries for reorder points. */
import { sql, type RawBuilder } from 'kysely'
import { heldUnits } from '#domain/supply/delivery/delivery.server.ts'
import type { Database, Tx } from '#platform/db.ts'

/** A reorder point with available, held, and incoming units. */
export type ReorderPoint = {
  id: number
  itemId: number
  sku: string
  name: string
  costCents: number | null
  warehouseId: number
  warehouse: string
  supplierId: number
  supplier: string
  reorderAt: number
  orderUpTo: number
  free: number
  held: number
  incoming: number
}

/** Outstanding units on open orders, including drafts. */
const incomingUnits = sql`
  coalesce((select sum(greatest(0, quantity + over_units - received_units - damaged_units - short_units))
    from stock_order_line line join stock_order on stock_order.id = line.stock_order_id
    where line.item_id = point.item_id and stock_order.warehouse_id = point.warehouse_id
      and stock_order.state in ('draft', 'sending', 'sent', 'partly-received')), 0)::int`

const inOpenWarehouse = sql`warehouse.retired_at is null`

/** Reorder points by a condition, except in closing warehouses unless they are included. */
function points(
  condition: RawBuilder<unknown>,
  where: RawBuilder<unknown> = inOpenWarehouse,
): RawBuilder<ReorderPoint> {
  return sql<ReorderPoint>`
    select * from (
      select point.id, point.item_id as "itemId", item.sku, item.cost_cents as "costCents",
        brand.name || ' ' || product_line.name || ' ' || size.designation as name,
        point.warehouse_id as "warehouseId", warehouse.code as warehouse, point.supplier_id as "supplierId",
        supplier.name as supplier, reorder_at as "reorderAt", order_up_to as "orderUpTo",
        coalesce(stock.on_hand, 0) as free, ${heldUnits(sql`point.item_id`, sql`point.warehouse_id`)} as held,
        ${incomingUnits} as incoming
      from reorder_point point join item on item.id = point.item_id
        join product_line on product_line.id = item.product_line_id join brand on brand.id = product_line.brand_id
        join size on size.id = item.size_id join warehouse on warehouse.id = point.warehouse_id
        join supplier on supplier.id = point.supplier_id
        left join stock on stock.item_id = point.item_id and stock.warehouse_id = point.warehouse_id
      where ${where}) as point
    where ${condition}`
}

/** Lists up to `limit` low points by id after `after`. `isUncovered` also counts incoming units. */
export async function selectLowPoints(
  db: Database,
  { isUncovered, after }: { isUncovered: boolean; after: number },
  limit: number,
): Promise<ReorderPoint[]> {
  const low = isUncovered ? sql`free + incoming <= "reorderAt"` : sql`free <= "reorderAt"`
  const { rows } =
    await sql<ReorderPoint>`${points(sql`id > ${after}::int and ${low}`)} order by id limit ${limit}`.execute(db)
  return rows
}

/** A reorder point, also in a closing warehouse. */
export async function selectAnyPoint(db: Database, id: number): Promise<ReorderPoint | undefined> {
  return (await points(sql`id = ${id}::int`, sql`true`).execute(db)).rows[0]
}

export async function selectPoint(db: Database, id: number): Promise<ReorderPoint | undefined> {
  return (await points(sql`id = ${id}::int`).execute(db)).rows[0]
}

/** The reorder points of a tire by warehouse. */
export async function selectPointsOf(db: Database, itemId: number): Promise<ReorderPoint[]> {
  return (await sql<ReorderPoint>`${points(sql`"itemId" = ${itemId}::int`)} order by warehouse`.execute(db)).rows
}

/** Locks a reorder point. */
export async function lockPoint(tx: Tx, id: number): Promise<void> {
  await tx.selectFrom('reorder_point').select('id').where('id', '=', id).forUpdate().execute()
}

type Place = { itemId: number; warehouseId: number }

/** Whether there is a tire with this id. */
export async function isTire(tx: Tx, itemId: number): Promise<boolean> {
  return (await tx.selectFrom('item').select('id').where('id', '=', itemId).executeTakeFirst()) !== undefined
}

/** Sets a reorder point. Throws the violated `reorder_point_item_id_fkey` for an unknown tire. */
export async function upsertPoint(
  tx: Tx,
  { itemId, warehouseId }: Place,
  point: { supplierId: number; reorderAt: number; orderUpTo: number; by: string; at: Temporal.Instant },
): Promise<void> {
  const row = {
    supplier_id: point.supplierId,
    reorder_at: point.reorderAt,
    order_up_to: point.orderUpTo,
    changed_by: point.by,
    changed_at: point.at,
  }
  await tx
    .insertInto('reorder_point')
    .values({ item_id: itemId, warehouse_id: warehouseId, ...row })
    .onConflict((conflict) => conflict.constraint('reorder_point_once').doUpdateSet(row))
    .execute()
}

export async function deletePoint(tx: Tx, { itemId, warehouseId }: Place): Promise<void> {
  await tx.deleteFrom('reorder_point').where('item_id', '=', itemId).where('warehouse_id', '=', warehouseId).execute()
}

type Route = { supplierId: number; warehouseId: number }

/** Serializes the drafts that the low-stock list makes for a supplier and warehouse, and locks the one there is. */
export async function lockSuggestedDraft(tx: Tx, { supplierId, warehouseId }: Route): Promise<number | undefined> {
  await sql`select pg_advisory_xact_lock(hashtext('suggested stock order'), ${supplierId * 32_768 + warehouseId}::int)`.execute(
    tx,
  )
  const row = await tx
    .selectFrom('stock_order')
    .select('id')
    .where('supplier_id', '=', supplierId)
    .where('warehouse_id', '=', warehouseId)
    .where('state', '=', 'draft')
    .where('is_suggested', '=', true)
    .orderBy('id', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
  return row?.id
}
