/** The statements of purchase orders. */
import { sql, type RawBuilder } from 'kysely'
import type { PurchaseOrderState } from './purchase-orders.ts'
import { freightFrom, unitCostFrom } from './unit-cost.sql.server.ts'
import type { Database, Tx } from '#platform/db.ts'

/** A purchase order with its units, as "4 KES-TOUR-2256517". */
export type PurchaseOrder = {
  id: number
  orderId: number
  supplier: string
  warehouse: string
  state: PurchaseOrderState
  createdAt: Temporal.Instant
  releasedAt: Temporal.Instant | null
  answeredAt: Temporal.Instant | null
  reference: string | null
  rejectReason: string | null
  units: string[]
}

/**
 * Inserts an order's held purchase orders, one per supplier warehouse, or only for `warehouseId`. Units that were ordered
 * from it before keep their price and freight.
 */
export async function insertHeld(
  tx: Tx,
  { orderId, warehouseId = null }: { orderId: number; warehouseId?: number | null },
  at: Temporal.Instant,
): Promise<void> {
  await sql`
    with raised as (
      insert into purchase_order (order_id, warehouse_id, supplier_id, created_at)
      select distinct allocation.order_id, warehouse.id, warehouse.supplier_id, ${at.toString()}::timestamptz
      from stock_allocation allocation join warehouse on warehouse.id = allocation.warehouse_id
      where allocation.order_id = ${orderId}::bigint and warehouse.supplier_id is not null
        and (${warehouseId}::int is null or warehouse.id = ${warehouseId}::int)
      returning id, order_id, warehouse_id)
    insert into purchase_order_line (purchase_order_id, line_no, item_id, quantity, unit_cost_cents, freight_cents)
    select raised.id, allocation.line_no, line.item_id, allocation.quantity,
      coalesce(earlier.unit_cost_cents, ${unitCostFrom(sql`line.item_id`, sql`raised.warehouse_id`)}),
      coalesce(earlier.freight_cents, ${freightFrom(sql`raised.warehouse_id`)})
    from raised join stock_allocation allocation on allocation.order_id = raised.order_id and allocation.warehouse_id = raised.warehouse_id
      join order_line line on line.order_id = allocation.order_id and line.line_no = allocation.line_no
      left join lateral (
        select priced.unit_cost_cents, priced.freight_cents
        from purchase_order as before join purchase_order_line as priced on priced.purchase_order_id = before.id
        where before.order_id = raised.order_id and before.warehouse_id = raised.warehouse_id and priced.line_no = allocation.line_no
        order by before.id desc limit 1) as earlier on true`.execute(tx)
}

/**
 * Releases an order's held purchase orders. Returns the warehouses without an acceptance, and the newly released ones.
 */
export async function updateToReleased(
  tx: Tx,
  orderId: number,
  at: Temporal.Instant,
): Promise<{ awaited: number[]; released: number[] }> {
  const released = await tx
    .updateTable('purchase_order')
    .set({ state: 'released', released_at: at })
    .where('order_id', '=', orderId)
    .where('state', '=', 'held')
    .returning('id')
    .execute()
  const rows = await tx
    .selectFrom('purchase_order')
    .select('warehouse_id as warehouseId')
    .where('order_id', '=', orderId)
    .where('state', 'not in', ['accepted', 'canceled'])
    .execute()
  return { awaited: rows.map(({ warehouseId }) => warehouseId), released: released.map(({ id }) => id) }
}

/**
 * Cancels the purchase orders of an order; with a warehouse, that one's. Returns those that their supplier still means to
 * fill.
 */
export async function updateToCanceled(
  tx: Tx,
  orderId: number,
  warehouseId: number | undefined,
): Promise<{ id: number; askedNo: number }[]> {
  const rows = await tx
    .updateTable('purchase_order')
    .set({ state: 'canceled' })
    .where('order_id', '=', orderId)
    .where('state', '<>', 'canceled')
    .$if(warehouseId !== undefined, (query) => query.where('warehouse_id', '=', warehouseId ?? 0))
    .returning(['id', 'asked_no as askedNo', 'sent_at as sentAt', 'reject_reason as rejectReason'])
    .execute()
  return rows.filter(({ sentAt, rejectReason }) => sentAt !== null && rejectReason === null)
}

/** Locks the purchase orders of an order at these warehouses that are not canceled. */
export async function selectOpen(
  tx: Tx,
  orderId: number,
  warehouseIds: readonly number[],
): Promise<{ warehouseId: number; state: PurchaseOrderState }[]> {
  const rows = await tx
    .selectFrom('purchase_order')
    .select(['warehouse_id as warehouseId', 'state'])
    .where('order_id', '=', orderId)
    .where('warehouse_id', 'in', [...warehouseIds])
    .where('state', '<>', 'canceled')
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map((row) => ({ ...row, state: row.state as PurchaseOrderState }))
}

/** Locks a purchase order; undefined if it doesn't exist. */
export async function lockPurchaseOrder(
  tx: Tx,
  id: number,
): Promise<{ orderId: number; warehouseId: number; askedNo: number; state: PurchaseOrderState } | undefined> {
  const row = await tx
    .selectFrom('purchase_order')
    .select(['order_id as orderId', 'warehouse_id as warehouseId', 'asked_no as askedNo', 'state'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row && { ...row, state: row.state as PurchaseOrderState }
}

/** Stores a supplier's answer, or resends the order, which clears the previous answer and increments the send count. */
export async function updateAnswer(
  tx: Tx,
  id: number,
  answer: {
    state: 'accepted' | 'rejected' | 'released'
    reference: string | null
    reason: string | null
    at: Temporal.Instant
  },
): Promise<void> {
  await tx
    .updateTable('purchase_order')
    .set({
      state: answer.state,
      supplier_reference: answer.reference,
      reject_reason: answer.reason,
      answered_at: answer.state === 'released' ? null : answer.at,
    })
    .$if(answer.state === 'released', (query) =>
      query.set({ asked_no: sql<number>`asked_no + 1`, sent_at: null, withdrawn_at: null }),
    )
    .where('id', '=', id)
    .execute()
}

/** The parcel that a warehouse sends for an order, unless it is canceled. */
export async function selectParcel(
  tx: Tx,
  { orderId, warehouseId }: { orderId: number; warehouseId: number },
): Promise<string | undefined> {
  const row = await tx
    .selectFrom('shipment')
    .select('id')
    .where('order_id', '=', orderId)
    .where('warehouse_id', '=', warehouseId)
    .where('state', '<>', 'canceled')
    .executeTakeFirst()
  return row?.id
}

/** Up to `limit` purchase orders of a state, newest first, older than `before`. */
export async function selectPurchaseOrders(
  db: Database,
  { state, before }: { state: PurchaseOrderState; before: number | null },
  limit: number,
): Promise<PurchaseOrder[]> {
  const rows = await db
    .selectFrom('purchase_order as po')
    .innerJoin('supplier', 'supplier.id', 'po.supplier_id')
    .innerJoin('warehouse', 'warehouse.id', 'po.warehouse_id')
    .select([
      'po.id',
      'po.order_id as orderId',
      'supplier.name as supplier',
      'warehouse.code as warehouse',
      'po.created_at as createdAt',
      'po.released_at as releasedAt',
      'po.answered_at as answeredAt',
      'po.supplier_reference as reference',
      'po.reject_reason as rejectReason',
      sql<string[]>`array(
        select line.quantity || ' ' || item.sku from purchase_order_line line join item on item.id = line.item_id
        where line.purchase_order_id = po.id order by line.line_no)`.as('units'),
    ])
    .where('po.state', '=', state)
    .$if(before !== null, (query) => query.where('po.id', '<', before ?? 0))
    .orderBy('po.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, state }))
}

/** One of an order's purchase orders. `isWired` means that its supplier receives orders electronically. */
export type OrderPurchase = { id: number; supplier: string; isWired: boolean; state: PurchaseOrderState }

/** The purchase orders of an order that are not canceled, oldest first. */
export async function selectOrderPurchases(db: Database, orderId: number): Promise<OrderPurchase[]> {
  const rows = await db
    .selectFrom('purchase_order as po')
    .innerJoin('supplier', 'supplier.id', 'po.supplier_id')
    .select(['po.id', 'supplier.name as supplier', 'supplier.network_id as networkId', 'po.state'])
    .where('po.order_id', '=', orderId)
    .where('po.state', '<>', 'canceled')
    .orderBy('po.id')
    .execute()
  return rows.map(({ networkId, state, ...row }) => ({
    ...row,
    isWired: networkId !== null,
    state: state as PurchaseOrderState,
  }))
}

/** A line's units from a supplier's warehouse, by its latest purchase order. Unit costs include the freight, in cents. */
export type LineSource = {
  purchaseOrderId: number
  state: PurchaseOrderState
  supplier: string
  warehouse: { id: number; code: string; name: string }
  quantity: number
  unitCostCents: number | null
  unitFreightCents: number
}

/** SQL for the suppliers' warehouses of an order line, as JSON in the order of their purchase orders. */
export function lineSources(orderId: RawBuilder<unknown>, lineNo: RawBuilder<unknown>): RawBuilder<LineSource[]> {
  return sql<LineSource[]>`coalesce((
    select json_agg(source order by source."purchaseOrderId") from (
      select distinct on (sourced.warehouse_id) sourced.id as "purchaseOrderId", sourced.state, supplier.name as supplier,
        json_build_object('id', warehouse.id, 'code', warehouse.code, 'name', warehouse.name) as warehouse, part.quantity,
        part.unit_cost_cents + part.freight_cents as "unitCostCents", part.freight_cents as "unitFreightCents"
      from purchase_order as sourced join purchase_order_line as part on part.purchase_order_id = sourced.id and part.line_no = ${lineNo}
        join supplier on supplier.id = sourced.supplier_id join warehouse on warehouse.id = sourced.warehouse_id
      where sourced.order_id = ${orderId}
      order by sourced.warehouse_id, sourced.id desc) as source), '[]')`
}

/** SQL for whether staff must buy an order's tires. A supplier rejected them, or takes no electronic orders. */
export function isToBuy(orderId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from purchase_order as wanted join supplier on supplier.id = wanted.supplier_id
    where wanted.order_id = ${orderId}
      and (wanted.state = 'rejected' or (wanted.state = 'released' and supplier.network_id is null)))`
}

/** Purchase orders that suppliers rejected, or have not accepted yet (`released`), longest waiting first. */
export async function selectWaiting(
  db: Database,
  state: 'released' | 'rejected',
  limit: number,
): Promise<{ id: number; orderId: number; supplier: string; since: Temporal.Instant }[]> {
  const since = state === 'rejected' ? sql`po.answered_at` : sql`po.released_at`
  const { rows } = await sql<{ id: number; orderId: number; supplier: string; since: Temporal.Instant }>`
    select po.id, po.order_id as "orderId", supplier.name as supplier, ${since} as since
    from purchase_order po join supplier on supplier.id = po.supplier_id
    where po.state = ${sql.lit(state)} order by ${state === 'rejected' ? since : sql`po.id`} limit ${limit}`.execute(db)
  return rows
}
