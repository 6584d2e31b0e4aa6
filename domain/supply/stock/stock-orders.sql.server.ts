/** Queries for stock orders. */
import { sql } from 'kysely'
import type { StockOrderState } from './stock-orders.ts'
import type { Database, Tx } from '#platform/db.ts'

/** An order in the list, with its units and cost in cents. */
export type StockOrderRow = {
  id: number
  supplier: string
  warehouse: string
  state: StockOrderState
  units: number
  totalCents: number
  /** The freight of its deliveries, which isn't in `totalCents`. */
  freightCents: number
  expectedOn: string
  createdAt: Temporal.Instant
  createdBy: string
  sentAt: Temporal.Instant | null
}

/** A line; `overUnits` arrived beyond the order, and `shortUnits` will not arrive. */
export type StockOrderLine = {
  itemId: number
  sku: string
  brand: string
  mpn: string | null
  name: string
  quantity: number
  unitCostCents: number
  receivedUnits: number
  damagedUnits: number
  shortUnits: number
  overUnits: number
  /** As the supplier answered last. */
  rejectedUnits: number
  backorderedUnits: number
}

/** An order with its supplier's terms as they are now. */
export type StockOrder = {
  id: number
  state: StockOrderState
  version: number
  expectedOn: string
  note: string | null
  paymentDays: number | null
  createdAt: Temporal.Instant
  createdBy: string
  sentAt: Temporal.Instant | null
  sentBy: string | null
  canceledAt: Temporal.Instant | null
  canceledBy: string | null
  cancelReason: string | null
  askedNo: number
  takenAt: Temporal.Instant | null
  refusal: string | null
  withdrawnAt: Temporal.Instant | null
  withdrawRefusal: string | null
  reference: string | null
  shippedAt: Temporal.Instant | null
  shipNotice: string | null
  supplier: {
    id: number
    code: string
    name: string
    accountNumber: string | null
    leadDays: number
    minimumOrderCents: number | null
    paymentDays: number
    networkId: string | null
    cxmlUrl: string | null
    ediUrl: string | null
  }
  warehouse: { id: number; code: string; name: string; street: string; city: string; state: string; zip: string }
}

/** `warehouse` is a code; orders are older than the one with ID `before`. */
export type StockOrderQuery = { state: StockOrderState | null; warehouse?: string | undefined; before: number | null }

/** Returns up to `limit` matching orders, newest first. */
export async function selectStockOrders(
  db: Database,
  { state, warehouse, before }: StockOrderQuery,
  limit: number,
): Promise<StockOrderRow[]> {
  const rows = await db
    .selectFrom('stock_order')
    .innerJoin('supplier', 'supplier.id', 'stock_order.supplier_id')
    .innerJoin('warehouse', 'warehouse.id', 'stock_order.warehouse_id')
    .select((from) => [
      'stock_order.id',
      'supplier.name as supplier',
      'warehouse.code as warehouse',
      'stock_order.state',
      sql<string>`expected_on::text`.as('expectedOn'),
      'created_at as createdAt',
      'created_by as createdBy',
      'sent_at as sentAt',
      from
        .selectFrom('stock_order_line as line')
        .select(sql<number>`coalesce(sum(quantity), 0)::int`.as('units'))
        .whereRef('line.stock_order_id', '=', 'stock_order.id')
        .as('units'),
      from
        .selectFrom('stock_order_line as line')
        .select(sql<string>`coalesce(sum(quantity::bigint * unit_cost_cents), 0)::text`.as('cents'))
        .whereRef('line.stock_order_id', '=', 'stock_order.id')
        .as('cents'),
      from
        .selectFrom('stock_receipt_line as received')
        .innerJoin('stock_receipt as receipt', 'receipt.id', 'received.receipt_id')
        .select(sql<string>`coalesce(sum(freight_cents), 0)::text`.as('cents'))
        .whereRef('receipt.stock_order_id', '=', 'stock_order.id')
        .as('freightCents'),
    ])
    .$if(state !== null, (query) => query.where('stock_order.state', '=', state ?? ''))
    .$if(warehouse !== undefined, (query) => query.where('warehouse.code', '=', warehouse ?? ''))
    .$if(before !== null, (query) => query.where('stock_order.id', '<', before ?? 0))
    .orderBy('stock_order.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ cents, units, freightCents, ...row }) => ({
    ...row,
    state: row.state as StockOrderState,
    units: units ?? 0,
    totalCents: Number(cents),
    freightCents: Number(freightCents),
  }))
}

/** Orders that a supplier's system refused, then open ones that were expected before `day`, longest ago first. */
export function selectStockOrdersToFollowUp(
  db: Database,
  day: Temporal.PlainDate,
  limit: number,
): Promise<{ id: number; supplier: string; expectedOn: string; refusedAt: Temporal.Instant | null }[]> {
  return db
    .selectFrom('stock_order')
    .innerJoin('supplier', 'supplier.id', 'stock_order.supplier_id')
    .select([
      'stock_order.id',
      'supplier.name as supplier',
      sql<string>`expected_on::text`.as('expectedOn'),
      'refused_at as refusedAt',
    ])
    .where((is) =>
      is.or([
        is('refused_at', 'is not', null),
        is.and([
          is('state', 'in', ['sending', 'sent', 'partly-received']),
          is('expected_on', '<', sql<string>`${day.toString()}::date`),
        ]),
      ]),
    )
    .orderBy('refused_at')
    .orderBy('expected_on')
    .orderBy('stock_order.id')
    .limit(limit)
    .execute()
}

export async function selectStockOrder(db: Database, id: number): Promise<StockOrder | undefined> {
  const { rows } = await sql<StockOrder>`
    select stock_order.id, stock_order.state, stock_order.version, expected_on::text as "expectedOn", note,
      stock_order.payment_days as "paymentDays", created_at as "createdAt", created_by as "createdBy",
      sent_at as "sentAt", sent_by as "sentBy", canceled_at as "canceledAt", canceled_by as "canceledBy",
      cancel_reason as "cancelReason", asked_no as "askedNo", taken_at as "takenAt", refusal,
      withdrawn_at as "withdrawnAt", withdraw_refusal as "withdrawRefusal", supplier_reference as reference,
      shipped_at as "shippedAt", ship_notice as "shipNotice",
      json_build_object('id', supplier.id, 'code', supplier.code, 'name', supplier.name,
        'accountNumber', supplier.account_number, 'leadDays', supplier.lead_days,
        'minimumOrderCents', supplier.minimum_order_cents, 'paymentDays', supplier.payment_days,
        'networkId', supplier.network_id, 'cxmlUrl', supplier.cxml_url, 'ediUrl', supplier.edi_url) as supplier,
      json_build_object('id', warehouse.id, 'code', warehouse.code, 'name', warehouse.name, 'street', warehouse.street,
        'city', warehouse.city, 'state', warehouse.state, 'zip', warehouse.zip) as warehouse
    from stock_order join supplier on supplier.id = stock_order.supplier_id
      join warehouse on warehouse.id = stock_order.warehouse_id
    where stock_order.id = ${id}::bigint`.execute(db)
  return rows[0]
}

/** The lines of an order by SKU. */
export async function selectStockOrderLines(db: Database, id: number): Promise<StockOrderLine[]> {
  const { rows } = await sql<StockOrderLine>`
    select item.id as "itemId", item.sku, item.mpn, brand.name as brand, brand.name || ' ' || product_line.name || ' ' || size.designation as name,
      quantity, unit_cost_cents as "unitCostCents", received_units as "receivedUnits", damaged_units as "damagedUnits",
      short_units as "shortUnits", over_units as "overUnits", rejected_units as "rejectedUnits",
      backordered_units as "backorderedUnits"
    from stock_order_line line join item on item.id = line.item_id
      join product_line on product_line.id = item.product_line_id join brand on brand.id = product_line.brand_id
      join size on size.id = item.size_id
    where stock_order_id = ${id}::bigint order by item.sku`.execute(db)
  return rows
}

/** The tires with these SKUs, in any case, with their cost in the catalog in cents. */
export async function selectTiresBySku(
  db: Database,
  skus: readonly string[],
): Promise<{ itemId: number; sku: string; costCents: number | null }[]> {
  const { rows } = await sql<{ itemId: number; sku: string; costCents: number | null }>`
    select id as "itemId", sku, cost_cents as "costCents" from item
    where lower(sku) in (select lower(value) from json_array_elements_text(${JSON.stringify(skus)}::json))`.execute(db)
  return rows
}

/** A locked order. */
export type LockedStockOrder = {
  state: StockOrderState
  version: number
  supplierId: number
  warehouseId: number
  askedNo: number
  takenAt: Temporal.Instant | null
}

/** Locks an order. Undefined if it doesn't exist. */
export async function lockStockOrder(tx: Tx, id: number): Promise<LockedStockOrder | undefined> {
  const row = await tx
    .selectFrom('stock_order')
    .select([
      'state',
      'version',
      'supplier_id as supplierId',
      'warehouse_id as warehouseId',
      'asked_no as askedNo',
      'taken_at as takenAt',
    ])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row && { ...row, state: row.state as StockOrderState }
}

/** Returns the order that was created with this key. Undefined if there isn't one. */
export function selectStockOrderByKey(tx: Tx, key: string): Promise<{ id: number } | undefined> {
  return tx.selectFrom('stock_order').select('id').where('submission_key', '=', key).executeTakeFirst()
}

export type NewStockOrder = {
  key: string
  supplierId: number
  warehouseId: number
  expectedOn: string
  note: string | null
  /** Whether the low-stock list made it. */
  isSuggested: boolean
  by: string
  at: Temporal.Instant
}

/** Inserts a draft and returns its id; undefined if one was created with its key already. */
export async function insertStockOrder(tx: Tx, row: NewStockOrder): Promise<number | undefined> {
  const inserted = await tx
    .insertInto('stock_order')
    .values({
      submission_key: row.key,
      supplier_id: row.supplierId,
      warehouse_id: row.warehouseId,
      expected_on: row.expectedOn,
      note: row.note,
      is_suggested: row.isSuggested,
      created_by: row.by,
      created_at: row.at,
    })
    .onConflict((conflict) => conflict.column('submission_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id
}

/** Replaces the lines of a locked draft. */
export async function replaceStockOrderLines(
  tx: Tx,
  id: number,
  lines: readonly { itemId: number; quantity: number; unitCostCents: number }[],
): Promise<void> {
  await tx.deleteFrom('stock_order_line').where('stock_order_id', '=', id).execute()
  if (lines.length === 0) return
  await tx
    .insertInto('stock_order_line')
    .values(
      lines.map(({ itemId, quantity, unitCostCents }) => ({
        stock_order_id: id,
        item_id: itemId,
        quantity,
        unit_cost_cents: unitCostCents,
      })),
    )
    .execute()
}

/** Changes a locked order and its version. */
export async function updateStockOrder(
  tx: Tx,
  { id, version }: { id: number; version: number },
  change: {
    state?: StockOrderState
    expected_on?: string
    note?: string | null
    payment_days?: number
    sent_at?: Temporal.Instant
    sent_by?: string
    canceled_at?: Temporal.Instant
    canceled_by?: string
    cancel_reason?: string
    asked_no?: number
    refusal?: null
    refused_at?: null
  },
): Promise<void> {
  await tx
    .updateTable('stock_order')
    .set({ ...change, version: version + 1 })
    .where('id', '=', id)
    .execute()
}

/** Whether the store holds stock in a warehouse that is in use, which then can't close until the transaction ends. */
export async function isOwnWarehouse(tx: Tx, id: number): Promise<boolean> {
  const row = await tx
    .selectFrom('warehouse')
    .select('id')
    .where('id', '=', id)
    .where('pool', '=', 'on-hand')
    .where('retired_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  return row !== undefined
}
