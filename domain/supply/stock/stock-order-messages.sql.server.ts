/** Queries for stock orders on the wire. */
import { selectStockOrder, selectStockOrderLines } from './stock-orders.sql.server.ts'
import { partOf } from './supplier-orders.sql.server.ts'
import type { StockOrderState } from './stock-orders.ts'
import type { LineAnswer, SupplierOrder } from './supplier.port.ts'
import type { Database, Tx } from '#platform/db.ts'

/** A stock order with what its supplier needs to know. */
export type WiredStockOrder = {
  id: number
  supplierId: number
  supplier: string
  networkId: string | null
  state: StockOrderState
  askedNo: number
  sentAt: Temporal.Instant | null
  takenAt: Temporal.Instant | null
  note: string | null
  shipTo: SupplierOrder['shipTo']
  lines: (SupplierOrder['lines'][number] & { itemId: number })[]
}

/** Reads a stock order for transmission; undefined if it doesn't exist. Lines are numbered by item, which never changes. */
export async function selectWiredStockOrder(db: Database, id: number): Promise<WiredStockOrder | undefined> {
  const order = await selectStockOrder(db, id)
  if (!order) return undefined
  const lines = await selectStockOrderLines(db, id)
  const { supplier, warehouse, state, askedNo, sentAt, takenAt, note } = order
  const { name, street, city, state: region, zip } = warehouse
  return {
    id,
    supplierId: supplier.id,
    supplier: supplier.name,
    networkId: supplier.networkId,
    state,
    askedNo,
    sentAt,
    takenAt,
    note,
    shipTo: { name, street, city, state: region, zip, phone: '' },
    lines: lines
      .toSorted((a, b) => a.itemId - b.itemId)
      .map(({ itemId, sku, brand, mpn, name: tire, quantity, unitCostCents }, index) => ({
        lineNo: index + 1,
        itemId,
        sku,
        part: partOf({ brand, mpn }),
        name: tire,
        quantity,
        unitCents: unitCostCents,
      })),
  }
}

/** Records that the supplier's system took a locked order. */
export async function updateTaken(tx: Tx, id: number, at: Temporal.Instant): Promise<void> {
  await tx
    .updateTable('stock_order')
    .set((from) => ({
      taken_at: at,
      state: from.case().when('state', '=', 'sending').then('sent').else(from.ref('state')).end(),
    }))
    .where('id', '=', id)
    .where('taken_at', 'is', null)
    .execute()
}

/** Makes a locked order a draft again, with why the supplier's system refused it. */
export async function updateRefused(tx: Tx, id: number, refusal: string, at: Temporal.Instant): Promise<void> {
  await tx
    .updateTable('stock_order')
    .set({ state: 'draft', sent_at: null, sent_by: null, payment_days: null, refusal, refused_at: at })
    .where('id', '=', id)
    .execute()
}

/** Records the supplier system's reply to the cancellation of a locked order; null if it took it. */
export async function updateWithdrawal(
  tx: Tx,
  { id, askedNo }: { id: number; askedNo: number },
  refusal: string | null,
  at: Temporal.Instant,
): Promise<void> {
  await tx
    .updateTable('stock_order')
    .set(refusal === null ? { withdrawn_at: at, withdraw_refusal: null } : { withdraw_refusal: refusal })
    .where('id', '=', id)
    .where('asked_no', '=', askedNo)
    .where('state', '=', 'canceled')
    .execute()
}

/** Records a supplier’s answer to a locked order. Null doesn't change a value. */
export async function updateAnswered(
  tx: Tx,
  id: number,
  answer: { reference?: string | null; expectedOn: string | null; shipped?: { notice: string; at: Temporal.Instant } },
): Promise<void> {
  const { reference = null, expectedOn, shipped } = answer
  if (reference === null && expectedOn === null && shipped === undefined) return
  await tx
    .updateTable('stock_order')
    .set({
      ...(reference !== null && { supplier_reference: reference }),
      ...(expectedOn !== null && { expected_on: expectedOn }),
      ...(shipped && { ship_notice: shipped.notice, shipped_at: shipped.at }),
    })
    .where('id', '=', id)
    .execute()
}

/** Writes the units that a supplier doesn't fill now, by line. */
export async function updateMissing(
  tx: Tx,
  id: number,
  lines: readonly (Omit<LineAnswer, 'lineNo' | 'filled'> & { itemId: number })[],
): Promise<void> {
  for (const { itemId, rejected, backordered } of lines)
    await tx
      .updateTable('stock_order_line')
      .set({ rejected_units: rejected, backordered_units: backordered })
      .where('stock_order_id', '=', id)
      .where('item_id', '=', itemId)
      .execute()
}
