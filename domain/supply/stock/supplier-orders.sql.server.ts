/** The statements of purchase orders on the wire. */
import { sql } from 'kysely'
import type { PurchaseOrderState } from './purchase-orders.ts'
import type { LineAnswer, SupplierOrderLine } from './supplier.port.ts'
import { freightFrom, landedCostFrom } from './unit-cost.sql.server.ts'
import type { Database, Tx } from '#platform/db.ts'

/** A purchase order with what its supplier needs to know, and how far it is on the wire. */
export type WiredOrder = {
  id: number
  orderId: number
  warehouseId: number
  supplierId: number
  supplier: string
  networkId: string | null
  state: PurchaseOrderState
  askedNo: number
  releasedAt: Temporal.Instant | null
  sentAt: Temporal.Instant | null
  lines: SupplierOrderLine[]
}

/** Reads a purchase order for transmission, with its lines in order; undefined if it doesn't exist. */
export async function selectWired(db: Database, id: number): Promise<WiredOrder | undefined> {
  const row = await db
    .selectFrom('purchase_order as po')
    .innerJoin('supplier', 'supplier.id', 'po.supplier_id')
    .select([
      'po.id',
      'po.order_id as orderId',
      'po.warehouse_id as warehouseId',
      'po.supplier_id as supplierId',
      'supplier.name as supplier',
      'supplier.network_id as networkId',
      'po.state',
      'po.asked_no as askedNo',
      'po.released_at as releasedAt',
      'po.sent_at as sentAt',
    ])
    .where('po.id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const lines = await db
    .selectFrom('purchase_order_line as line')
    .innerJoin('item', 'item.id', 'line.item_id')
    .innerJoin('product_line', 'product_line.id', 'item.product_line_id')
    .innerJoin('brand', 'brand.id', 'product_line.brand_id')
    .innerJoin('order_line', (join) =>
      join.onRef('order_line.line_no', '=', 'line.line_no').on('order_line.order_id', '=', row.orderId),
    )
    .select([
      'line.line_no as lineNo',
      'item.sku',
      'item.mpn',
      'brand.name as brand',
      'order_line.description as name',
      'line.quantity',
      // Zero for an unknown cost, since the supplier's own price list applies.
      sql<number>`coalesce(line.unit_cost_cents, 0)`.as('unitCents'),
    ])
    .where('line.purchase_order_id', '=', id)
    .orderBy('line.line_no')
    .execute()
  return { ...row, state: row.state as PurchaseOrderState, lines: lines.map(lineOf) }
}

function lineOf({ brand, mpn, ...line }: Omit<SupplierOrderLine, 'part'> & { brand: string; mpn: string | null }) {
  return { ...line, part: partOf({ brand, mpn }) }
}

/** A tire as its supplier finds it, or null without a part number. */
export function partOf({ brand, mpn }: { brand: string; mpn: string | null }): SupplierOrderLine['part'] {
  return mpn === null ? null : { brand, mpn }
}

/** Records that the supplier's system received an order, for the given send count. */
export async function updateSent(
  tx: Tx,
  { id, askedNo }: { id: number; askedNo: number },
  at: Temporal.Instant,
): Promise<void> {
  await tx
    .updateTable('purchase_order')
    .set({ sent_at: at })
    .where('id', '=', id)
    .where('asked_no', '=', askedNo)
    .where('sent_at', 'is', null)
    .execute()
}

/** Records that the supplier's system received the cancellation of an order. */
export async function updateWithdrawn(
  tx: Tx,
  { id, askedNo }: { id: number; askedNo: number },
  at: Temporal.Instant,
): Promise<void> {
  await tx
    .updateTable('purchase_order')
    .set({ withdrawn_at: at })
    .where('id', '=', id)
    .where('asked_no', '=', askedNo)
    .execute()
}

/** Notes what a supplier shipped; of several notices, the first. */
export async function updateShipped(tx: Tx, id: number, notice: string, at: Temporal.Instant): Promise<void> {
  await tx
    .updateTable('purchase_order')
    .set({ shipped_at: at, ship_notice: notice })
    .where('id', '=', id)
    .where('shipped_at', 'is', null)
    .execute()
}

/** Writes a supplier's answer for each line. */
export async function updateLineAnswers(tx: Tx, id: number, lines: readonly LineAnswer[]): Promise<void> {
  for (const { lineNo, filled, rejected, backordered } of lines)
    await tx
      .updateTable('purchase_order_line')
      .set({ filled_units: filled, rejected_units: rejected, backordered_units: backordered })
      .where('purchase_order_id', '=', id)
      .where('line_no', '=', lineNo)
      .execute()
}

/** Sets the same answer for all units in an order. */
export async function updateWholeAnswer(tx: Tx, id: number, answer: 'filled' | 'rejected' | 'none'): Promise<void> {
  await sql`
    update purchase_order_line set filled_units = case when ${answer} = 'filled' then quantity else 0 end,
      rejected_units = case when ${answer} = 'rejected' then quantity else 0 end, backordered_units = 0
    where purchase_order_id = ${id}::bigint`.execute(tx)
}

/** A kept message of a supplier. */
type KeptMessage = {
  supplierId: number
  payloadId: string
  kind: 'confirmation' | 'ship-notice'
  summary: string
  code: number
  at: Temporal.Instant
} & ({ purchaseOrderId: number } | { stockOrderId: number })

/** What a message was answered with before; undefined for a new one. */
export async function selectAnswerCode(
  tx: Tx,
  { supplierId, payloadId }: { supplierId: number; payloadId: string },
): Promise<number | undefined> {
  const row = await tx
    .selectFrom('supplier_message')
    .select('answer_code')
    .where('supplier_id', '=', supplierId)
    .where('payload_id', '=', payloadId)
    .executeTakeFirst()
  return row?.answer_code
}

export async function insertMessage(tx: Tx, message: KeptMessage): Promise<void> {
  await tx
    .insertInto('supplier_message')
    .values({
      supplier_id: message.supplierId,
      payload_id: message.payloadId,
      ...('stockOrderId' in message
        ? { stock_order_id: message.stockOrderId }
        : { purchase_order_id: message.purchaseOrderId }),
      kind: message.kind,
      summary: message.summary.slice(0, 500),
      answer_code: message.code,
      received_at: message.at,
    })
    .execute()
}

export type ShownMessage = { payloadId: string; summary: string; receivedAt: Temporal.Instant }

/** The latest messages about an order, newest first. */
export function selectMessages(
  db: Database,
  order: 'purchase_order_id' | 'stock_order_id',
  id: number,
): Promise<ShownMessage[]> {
  return db
    .selectFrom('supplier_message')
    .select(['payload_id as payloadId', 'summary', 'received_at as receivedAt'])
    .where(order, '=', id)
    .orderBy('received_at', 'desc')
    .limit(20)
    .execute()
}

/** A warehouse with every unit of a purchase order, which ships no other part of the same order. */
/** `costCents` is the landed cost of all units; null if the cost of one is unknown. `freightCents` is part of it. */
export type Source = {
  warehouseId: number
  code: string
  name: string
  supplier: string | null
  costCents: number | null
  freightCents: number
}

/** Selects other warehouses where a purchase order's units are available and not held by a cart, by code. */
export async function selectSources(db: Database, id: number, at: Temporal.Instant): Promise<Source[]> {
  const { rows } = await sql<Source>`
    select warehouse.id as "warehouseId", warehouse.code, warehouse.name, supplier.name as supplier, (
        select case when bool_and(unit.cost is not null) then sum(line.quantity * unit.cost)::int end
        from purchase_order_line line cross join lateral (select ${landedCostFrom(sql`line.item_id`, sql`warehouse.id`)} as cost) as unit
        where line.purchase_order_id = po.id) as "costCents", (
        select sum(line.quantity)::int from purchase_order_line line where line.purchase_order_id = po.id) * ${freightFrom(sql`warehouse.id`)} as "freightCents"
    from purchase_order po, warehouse left join supplier on supplier.id = warehouse.supplier_id
    where po.id = ${id}::bigint
      and not exists (select from purchase_order other where other.order_id = po.order_id and other.warehouse_id = warehouse.id)
      and not exists (select from shipment where shipment.order_id = po.order_id and shipment.warehouse_id = warehouse.id)
      and not exists (
        select from purchase_order_line line
        where line.purchase_order_id = po.id and not exists (
          select from stock where stock.item_id = line.item_id and stock.warehouse_id = warehouse.id and stock.on_hand - held_units(stock.item_id, stock.warehouse_id, null, ${at.toString()}::timestamptz) >= (
            select sum(quantity) from purchase_order_line same where same.purchase_order_id = po.id and same.item_id = line.item_id)))
    order by warehouse.code`.execute(db)
  return rows
}

/** One purchase order as its page shows it. */
export type PurchaseOrderDetail = {
  id: number
  orderId: number
  supplier: string
  isWired: boolean
  warehouse: string
  state: PurchaseOrderState
  createdAt: Temporal.Instant
  releasedAt: Temporal.Instant | null
  sentAt: Temporal.Instant | null
  answeredAt: Temporal.Instant | null
  withdrawnAt: Temporal.Instant | null
  shippedAt: Temporal.Instant | null
  reference: string | null
  rejectReason: string | null
  shipNotice: string | null
  lines: {
    lineNo: number
    itemId: number
    sku: string
    quantity: number
    /** The supplier's price of a unit, null if unknown, and its freight. */
    unitCostCents: number | null
    freightCents: number
    filled: number
    rejected: number
    backordered: number
  }[]
  messages: ShownMessage[]
}

/** Reads a purchase order with its lines and messages, newest first; undefined if it doesn't exist. */
export async function selectDetail(db: Database, id: number): Promise<PurchaseOrderDetail | undefined> {
  const row = await db
    .selectFrom('purchase_order as po')
    .innerJoin('supplier', 'supplier.id', 'po.supplier_id')
    .innerJoin('warehouse', 'warehouse.id', 'po.warehouse_id')
    .select([
      'po.id',
      'po.order_id as orderId',
      'supplier.name as supplier',
      'supplier.network_id as networkId',
      sql<string>`warehouse.code || ' ' || warehouse.name`.as('warehouse'),
      'po.state',
      'po.created_at as createdAt',
      'po.released_at as releasedAt',
      'po.sent_at as sentAt',
      'po.answered_at as answeredAt',
      'po.withdrawn_at as withdrawnAt',
      'po.shipped_at as shippedAt',
      'po.supplier_reference as reference',
      'po.reject_reason as rejectReason',
      'po.ship_notice as shipNotice',
    ])
    .where('po.id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const [lines, messages] = await Promise.all([
    db
      .selectFrom('purchase_order_line as line')
      .innerJoin('item', 'item.id', 'line.item_id')
      .select([
        'line.line_no as lineNo',
        'item.id as itemId',
        'item.sku',
        'line.quantity',
        'line.unit_cost_cents as unitCostCents',
        'line.freight_cents as freightCents',
        'line.filled_units as filled',
        'line.rejected_units as rejected',
        'line.backordered_units as backordered',
      ])
      .where('line.purchase_order_id', '=', id)
      .orderBy('line.line_no')
      .execute(),
    selectMessages(db, 'purchase_order_id', id),
  ])
  const { networkId, state, ...rest } = row
  return { ...rest, state: state as PurchaseOrderState, isWired: networkId !== null, lines, messages }
}
