/** The statements of moving a part of an order to another warehouse. */
import { sql, type RawBuilder } from 'kysely'
import { averageUnitCost, soldFreight, soldUnitCost } from '#domain/supply/stock/stock.server.ts'
import type { UnshippedParcel } from './reallocation.ts'
import type { Database, Tx } from '#platform/db.ts'

type Part = { orderId: number; warehouseId: number }

/** The units that an order has from a warehouse, by tire in key order. */
export async function selectAllocatedItems(
  tx: Tx,
  { orderId, warehouseId }: Part,
): Promise<{ itemId: number; quantity: number }[]> {
  const rows = await tx
    .selectFrom('stock_allocation as allocation')
    .innerJoin('order_line as line', (join) =>
      join.onRef('line.order_id', '=', 'allocation.order_id').onRef('line.line_no', '=', 'allocation.line_no'),
    )
    .select(({ fn }) => ['line.item_id as itemId', fn.sum<string>('allocation.quantity').as('quantity')])
    .where('allocation.order_id', '=', orderId)
    .where('allocation.warehouse_id', '=', warehouseId)
    .groupBy('line.item_id')
    .orderBy('line.item_id')
    .execute()
  return rows.flatMap(({ itemId, quantity }) => (itemId === null ? [] : [{ itemId, quantity: Number(quantity) }]))
}

/** Allocates the units to another warehouse. */
export async function moveAllocation(tx: Tx, { orderId, warehouseId }: Part, to: number): Promise<void> {
  await tx
    .updateTable('stock_allocation')
    .set({ warehouse_id: to })
    .where('order_id', '=', orderId)
    .where('warehouse_id', '=', warehouseId)
    .execute()
}

/** Records the landed cost of an order's lines with units from a warehouse that was chosen for them. */
export async function updateUnitCosts(tx: Tx, { orderId, warehouseId }: Part): Promise<void> {
  const part = {
    orderId: sql`part.order_id`,
    lineNo: sql`part.line_no`,
    itemId: sql`line.item_id`,
    warehouseId: sql`part.warehouse_id`,
  }
  const average = (cents: RawBuilder<unknown>) =>
    averageUnitCost(sql`
      select part.quantity, ${cents} from stock_allocation part where part.order_id = line.order_id and part.line_no = line.line_no`)
  await sql`
    update order_line as line set unit_cost_cents = ${average(soldUnitCost(part))}, unit_freight_cents = coalesce(${average(soldFreight(part))}, 0)
    where line.order_id = ${orderId}::bigint and exists (
      select from stock_allocation moved
      where moved.order_id = line.order_id and moved.line_no = line.line_no and moved.warehouse_id = ${warehouseId}::smallint)`.execute(
    tx,
  )
}

/**
 * Moves a parcel that isn't registered with the carrier to another warehouse with its deadline there, null if unknown.
 * Returns its id.
 */
export async function moveParcel(
  tx: Tx,
  { orderId, warehouseId }: Part,
  { to, shipsBy }: { to: number; shipsBy: Temporal.Instant | null },
): Promise<string | undefined> {
  const row = await tx
    .updateTable('shipment')
    .set({ warehouse_id: to, ship_by: shipsBy })
    .where('order_id', '=', orderId)
    .where('warehouse_id', '=', warehouseId)
    .where('state', '=', 'processed')
    .where('carrier_ref', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** A warehouse's unshipped parcels, unlabeled ones first, then by promised day; only the parcel `id` if given. */
export async function selectUnshippedParcels(
  db: Database,
  { warehouseId, id, limit }: { warehouseId: number; id: string | null; limit: number },
): Promise<UnshippedParcel[]> {
  const { rows } = await sql<UnshippedParcel>`
    select h.id, h.order_id::int as "orderId", o.ship_to_zip as zip, o.released_at is not null as "isReleased",
      h.state <> 'processed' or h.carrier_ref is not null as "isLabeled", h.promised_on as "promisedOn", h.expected_on as "expectedOn",
      (select json_agg(json_build_object('itemId', item_id, 'sku', sku, 'quantity', quantity) order by item_id) from (
        select line.item_id, item.sku, sum(part.quantity)::int as quantity
        from stock_allocation part join order_line line on line.order_id = part.order_id and line.line_no = part.line_no join item on item.id = line.item_id
        where part.order_id = h.order_id and part.warehouse_id = h.warehouse_id group by 1, 2) as parts) as items,
      array(select other.warehouse_id from shipment other where other.order_id = h.order_id) as "shipsFrom"
    from shipment h join sales_order o on o.id = h.order_id
    where h.warehouse_id = ${warehouseId}::smallint and h.state in ('processed', 'pending-pickup')
      and o.state in ('confirmed', 'needs-confirmation') and o.fulfillment <> 'warehouse-pickup'
      and (${id}::uuid is null or h.id = ${id}::uuid)
      and exists (select from stock_allocation part where part.order_id = h.order_id and part.warehouse_id = h.warehouse_id)
      -- The other warehouse may not have its parts.
      and not exists (select from order_line packed where packed.order_id = h.order_id and packed.part_warehouse_id = h.warehouse_id)
    order by 5, h.promised_on, h.id limit ${limit}`.execute(db)
  return rows
}
