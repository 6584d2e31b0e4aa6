/**
 * Inventory at moving average cost. `inventory_value` has units and value by tire, and each movement is entered in the
 * ledger by the database functions of the migration `inventory-value`, in the transaction that moves the tires
 * (docs/decisions/032-inventory-cost.md).
 */
import { sql } from 'kysely'
import { soldUnitCost } from './unit-cost.sql.server.ts'
import type { Database, Tx } from '#platform/db.ts'

/** Why the units on the shelf differ from the units that have a value. */
type CountCause =
  | { kind: 'adjusted' | 'returned'; source: { adjustment_id: number } }
  | { kind: 'imported'; source: { import_run_id: number } }
  | { kind: 'opening'; source: Record<string, never> }

/**
 * Enters by how much these tires' stock in our warehouses differs from their inventory, after the caller changed it.
 * New units come in at the average cost, or the catalog's cost if there is none. Has no effect if units don't differ.
 */
export async function countInventory(
  tx: Tx,
  itemIds: readonly number[],
  { kind, source }: CountCause,
  at: Temporal.Instant,
): Promise<void> {
  if (itemIds.length === 0) return
  await sql`
    select count_inventory(${kind}, ${at.toString()}::timestamptz, ${[...new Set(itemIds)]}::int[], ${JSON.stringify(source)}::jsonb)`.execute(
    tx,
  )
}

/** Enters received units at their cost with freight, in cents for all units, against goods received but not invoiced. */
export async function receiveInventory(
  tx: Tx,
  receiptId: number,
  lines: readonly { itemId: number; units: number; cents: number }[],
  at: Temporal.Instant,
): Promise<void> {
  const received = lines.filter(({ units }) => units > 0)
  await enterInventory(tx, {
    kind: 'received',
    lines: received.map(({ itemId, units, cents }) => ({ item_id: itemId, units, cents })),
    source: { receipt_id: receiptId },
    at,
  })
}

/**
 * Enters the cost of goods sold of a parcel that just left, once per parcel. From our warehouses, inventory leaves at
 * its average cost. A supplier's parcel is owed at the supplier's price and freight.
 */
export async function shipInventory(tx: Tx, shipmentId: string, at: Temporal.Instant): Promise<void> {
  const { rows } = await sql<{
    orderId: number
    itemId: number
    quantity: number
    costCents: number
    isOurs: boolean
  }>`
    select shipment.order_id as "orderId", line.item_id as "itemId", allocation.quantity, warehouse.supplier_id is null as "isOurs",
      coalesce(${soldUnitCost({ orderId: sql`shipment.order_id`, lineNo: sql`line.line_no`, itemId: sql`line.item_id`, warehouseId: sql`warehouse.id` })}, 0) as "costCents"
    from shipment join stock_allocation allocation on allocation.order_id = shipment.order_id and allocation.warehouse_id = shipment.warehouse_id
      join order_line line on line.order_id = allocation.order_id and line.line_no = allocation.line_no
      join warehouse on warehouse.id = shipment.warehouse_id
    where shipment.id = ${shipmentId}::uuid`.execute(tx)
  const [first] = rows
  if (first === undefined) return
  const { isOurs } = first
  // The same tire can be on two lines, one for each axle.
  const lines = [...Map.groupBy(rows, ({ itemId }) => itemId)].map(([itemId, parts]) => ({
    item_id: itemId,
    units: -parts.reduce((sum, { quantity }) => sum + quantity, 0),
    cents: isOurs ? null : -parts.reduce((sum, { quantity, costCents }) => sum + quantity * costCents, 0),
  }))
  const source = { order_id: first.orderId, shipment_id: shipmentId }
  await enterInventory(tx, { kind: isOurs ? 'shipped' : 'supplier-shipped', lines, source, at })
}

/** Enters units returned to a supplier at their average cost, against goods received but not invoiced. */
export function returnInventory(
  tx: Tx,
  supplierReturnId: number,
  lines: readonly { itemId: number; quantity: number }[],
  at: Temporal.Instant,
): Promise<void> {
  return enterInventory(tx, {
    kind: 'supplier-returned',
    lines: lines.map(({ itemId, quantity }) => ({ item_id: itemId, units: -quantity, cents: null })),
    source: { supplier_return_id: supplierReturnId },
    at,
  })
}

async function enterInventory(
  tx: Tx,
  movement: {
    kind: 'received' | 'shipped' | 'supplier-shipped' | 'supplier-returned'
    lines: readonly { item_id: number; units: number; cents: number | null }[]
    source: Record<string, number | string>
    at: Temporal.Instant
  },
): Promise<void> {
  if (movement.lines.length === 0) return
  await sql`
    select enter_inventory(${movement.kind}, ${movement.at.toString()}::timestamptz, ${JSON.stringify(movement.lines)}::jsonb, ${JSON.stringify(movement.source)}::jsonb)`.execute(
    tx,
  )
}

/** A tire's units in our warehouses, including units in orders that haven't left, and what they cost in cents. */
export type InventoryValue = { units: number; valueCents: number }

/** Returns a tire's inventory; zero for one that was never in our warehouses. */
export async function selectInventoryValue(db: Database, itemId: number): Promise<InventoryValue> {
  const row = await db
    .selectFrom('inventory_value')
    .select(['units', 'value_cents as valueCents'])
    .where('item_id', '=', itemId)
    .executeTakeFirst()
  return row ?? { units: 0, valueCents: 0 }
}
