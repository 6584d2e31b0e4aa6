/** The demo's stock and suppliers, with a purchase order in each state and stock adjustments. */
import type { PoolClient } from 'pg'
import { adjustStock } from '#domain/supply/stock/stock.server.ts'
import type { AdjustmentReason, PurchaseOrderState } from '#domain/supply/stock/stock.ts'
import { insertRows, type Row } from '#db/insert-rows.ts'
import { staffEmail } from './accounts.ts'
import type { OrderRows } from './order-rows.ts'
import { accepted, byStaff, depsAt } from './seed-transaction.ts'
import { supplierWarehouses, type DemoWarehouse } from './warehouses.ts'

const firstId = 5001
const unitsEach = 4

/** How many purchase orders the demo has in each state, and the sample orders they are for. */
const wanted: readonly { state: PurchaseOrderState; count: number; order: string; parcels: readonly string[] }[] = [
  { state: 'held', count: 1, order: 'needs-confirmation', parcels: ['processed'] },
  { state: 'released', count: 2, order: 'confirmed', parcels: ['processed', 'pending-pickup'] },
  { state: 'rejected', count: 1, order: 'confirmed', parcels: ['processed', 'pending-pickup'] },
  { state: 'accepted', count: 3, order: 'confirmed', parcels: ['in-transit', 'delivered'] },
  { state: 'canceled', count: 1, order: 'canceled', parcels: ['canceled'] },
]

type Supply = {
  state: PurchaseOrderState
  orderId: number
  lineNo: number
  itemId: number
  warehouseId: number
  supplierId: number
  unitCostCents: number | null
  placedAt: Temporal.Instant
}

/**
 * Has suppliers ship some of the guests' sample orders, the newest: changes where `rows` come from, and takes parcels
 * that wait for their supplier's answer back to the start. Returns the purchase orders to write with them.
 */
export function supplySomeOrders(rows: OrderRows): Supply[] {
  const taken = new Set<number>()
  const orders = rows.sales_order.toReversed().filter((order) => isGuests(rows, order))
  return wanted.flatMap(({ state, count, order, parcels }, index) =>
    orders
      .filter(
        ({ id, state: of }) => of === order && !taken.has(id ?? 0) && parcels.includes(parcelOf(rows, id).state ?? ''),
      )
      .slice(0, count)
      .map((found, place) => {
        taken.add(found.id ?? 0)
        const warehouse = supplierWarehouses[(index + place) % supplierWarehouses.length]
        return supply(rows, found, { state, warehouse })
      }),
  )
}

function isGuests(rows: OrderRows, { cart_id }: Row<'sales_order'>): boolean {
  return rows.cart.some(({ id, account_id }) => id === cart_id && account_id === null)
}

function parcelOf(rows: OrderRows, orderId: number | undefined): Row<'shipment'> {
  const parcel = rows.shipment.find(({ order_id }) => order_id === orderId)
  if (!parcel) throw new Error(`The sample order ${orderId} has no parcel.`)
  return parcel
}

function supply(
  rows: OrderRows,
  order: Row<'sales_order'>,
  { state, warehouse }: { state: PurchaseOrderState; warehouse: DemoWarehouse | undefined },
): Supply {
  const allocation = rows.stock_allocation.find(({ order_id }) => order_id === order.id)
  const line = rows.order_line.find(({ order_id, line_no }) => order_id === order.id && line_no === allocation?.line_no)
  const parcel = parcelOf(rows, order.id)
  const placedAt = order.placed_at
  if (!allocation || !line?.item_id || !warehouse?.supplierId || !(placedAt instanceof Temporal.Instant))
    throw new Error(`The sample order ${order.id} cannot come from a supplier.`)
  allocation.warehouse_id = warehouse.id
  parcel.warehouse_id = warehouse.id
  if (state === 'released' || state === 'rejected') {
    Object.assign(parcel, { state: 'processed', carrier: null, tracking_number: null, delivered_at: null })
    rows.shipment_event = rows.shipment_event.filter(
      ({ shipment_id, to_state }) => shipment_id !== parcel.id || to_state === 'processed',
    )
  }
  return {
    state,
    orderId: order.id ?? 0,
    lineNo: allocation.line_no,
    itemId: line.item_id,
    warehouseId: warehouse.id,
    supplierId: warehouse.supplierId,
    unitCostCents: line.unit_cost_cents ?? null,
    placedAt,
  }
}

/** Writes the purchase orders; each goes through the states that the schema insists on. */
export async function loadPurchaseOrders(client: PoolClient, supplies: readonly Supply[]): Promise<void> {
  const numbered = supplies.map((each, index) => ({ ...each, id: firstId + index }))
  const [stock, orders, lines] = [
    numbered.map(({ itemId, warehouseId }) => ({ item_id: itemId, warehouse_id: warehouseId, on_hand: 12 })),
    numbered.map(({ id, orderId, warehouseId, supplierId, placedAt }) => ({
      id,
      order_id: orderId,
      warehouse_id: warehouseId,
      supplier_id: supplierId,
      created_at: placedAt,
    })),
    numbered.map(({ id, lineNo, itemId, unitCostCents }) => ({
      purchase_order_id: id,
      line_no: lineNo,
      item_id: itemId,
      quantity: unitsEach,
      unit_cost_cents: unitCostCents,
    })),
  ]
  // What a supplier ships, it stocks.
  await client.query(
    'insert into stock (item_id, warehouse_id, on_hand) select item_id, warehouse_id, on_hand from json_populate_recordset(null::stock, $1) on conflict (item_id, warehouse_id) do nothing',
    [JSON.stringify(stock)],
  )
  await insertRows(client, 'purchase_order', orders, 'id')
  await insertRows(client, 'purchase_order_line', lines)
  for (const { id, state, placedAt } of numbered) {
    const [releasedAt, answeredAt] = [placedAt.add({ minutes: 31 }), placedAt.add({ minutes: 74 })]
    if (state === 'canceled') await client.query(`update purchase_order set state = 'canceled' where id = $1`, [id])
    if (state === 'held' || state === 'canceled') continue
    await client.query(
      `update purchase_order set state = 'released', released_at = $2::timestamptz, sent_at = $2::timestamptz where id = $1`,
      [id, releasedAt.toString()],
    )
    if (state === 'released') continue
    const [reference, reason] =
      state === 'accepted'
        ? [`C-PO-${id}`, null]
        : [null, 'Rejected: 4 of 4. The line was discontinued at this location.']
    await client.query(
      `update purchase_order set state = $2, answered_at = $3::timestamptz, supplier_reference = $4, reject_reason = $5 where id = $1`,
      [id, state, answeredAt.toString(), reference, reason],
    )
    await client.query(
      `update purchase_order_line set filled_units = case $2 when 'accepted' then quantity else 0 end, rejected_units = case $2 when 'rejected' then quantity else 0 end where purchase_order_id = $1`,
      [id, state],
    )
  }
}

const adjustments: readonly { reason: AdjustmentReason; units: number; note: string | null; hoursAgo: number }[] = [
  { reason: 'count', units: -2, note: 'Cycle count, aisle 14.', hoursAgo: 190 },
  { reason: 'damaged', units: 1, note: 'Forklift.', hoursAgo: 121 },
  { reason: 'found', units: 4, note: 'Behind the rack of the next size.', hoursAgo: 97 },
  { reason: 'returned', units: 2, note: null, hoursAgo: 51 },
  { reason: 'lost', units: 1, note: null, hoursAgo: 26 },
  { reason: 'count', units: 3, note: 'Count after receiving.', hoursAgo: 7 },
]

/** Enters the opening stock and, before `now`, adjusts the newest tires. Sample orders don’t need them. */
export async function loadAdjustments(client: PoolClient, now: Temporal.Instant): Promise<void> {
  await client.query(
    "select count_inventory('opening', $1, array(select distinct item_id from stock join warehouse on warehouse.id = warehouse_id where pool = 'on-hand'))",
    [now.subtract({ hours: 200 }).toString()],
  )
  const { rows } = await client.query<{ itemId: number; warehouseId: number; onHand: number }>(
    `select distinct on (item.id) item.id as "itemId", warehouse.id as "warehouseId", on_hand as "onHand"
     from item join stock on stock.item_id = item.id join warehouse on warehouse.id = stock.warehouse_id
     where on_hand >= 10 and supplier_id is null and not exists (select from order_line where item_id = item.id)
     order by item.id desc, warehouse.id limit $1`,
    [adjustments.length],
  )
  for (const [index, { reason, units, note, hoursAgo }] of adjustments.entries()) {
    const tire = rows[index]
    if (!tire) return
    const { itemId, warehouseId, onHand } = tire
    const adjusted = await adjustStock(depsAt(client, now.subtract({ hours: hoursAgo })), {
      itemId,
      warehouseId,
      reason,
      // A count is of all units on the shelf.
      units: reason === 'count' ? onHand + units : units,
      note,
      key: `00000000-0000-4000-8000-00000000030${index + 1}`,
      by: byStaff(staffEmail('warehouse')),
    })
    accepted(`The adjustment of ${itemId}`, adjusted)
  }
}
