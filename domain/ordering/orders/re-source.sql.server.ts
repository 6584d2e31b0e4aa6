/** The statements of moving a part of an order to another warehouse. */
import type { Tx } from '#platform/db.ts'

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

/** Has another warehouse send a parcel that the carrier does not know yet; returns its id. */
export async function moveParcel(tx: Tx, { orderId, warehouseId }: Part, to: number): Promise<string | undefined> {
  const row = await tx
    .updateTable('shipment')
    .set({ warehouse_id: to })
    .where('order_id', '=', orderId)
    .where('warehouse_id', '=', warehouseId)
    .where('state', '=', 'processed')
    .where('carrier_ref', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row?.id
}
