/** The statements of stock adjustments. */
import type { StockChangeReason } from './stock.ts'
import type { Database, Tx } from '#platform/db.ts'

export type Adjustment = {
  itemId: number
  warehouseId: number
  reason: StockChangeReason
  beforeUnits: number
  allocatedUnits: number
  changeUnits: number
  afterUnits: number
  note: string | null
  recordedBy: string
  recordedAt: Temporal.Instant
  /** The delivery of a stock order; null for corrections by staff. */
  receiptId: number | null
}

/** The SKU of a tire, and whether the warehouse is the store's and closing; undefined if either is unknown. */
export async function selectAdjustable(
  tx: Tx,
  { itemId, warehouseId }: { itemId: number; warehouseId: number },
): Promise<{ sku: string; warehouse: string; isOurs: boolean; isClosing: boolean } | undefined> {
  const row = await tx
    .selectFrom('stock')
    .innerJoin('item', 'item.id', 'stock.item_id')
    .innerJoin('warehouse', 'warehouse.id', 'stock.warehouse_id')
    .select(['item.sku', 'warehouse.code', 'warehouse.pool', 'warehouse.retired_at'])
    .where('stock.item_id', '=', itemId)
    .where('stock.warehouse_id', '=', warehouseId)
    .executeTakeFirst()
  return (
    row && { sku: row.sku, warehouse: row.code, isOurs: row.pool === 'on-hand', isClosing: row.retired_at !== null }
  )
}

/** Returns the adjustment with this key, or undefined. */
export function selectByKey(
  tx: Tx,
  key: string,
): Promise<{ itemId: number; warehouseId: number; changeUnits: number; afterUnits: number } | undefined> {
  return tx
    .selectFrom('stock_adjustment')
    .select([
      'item_id as itemId',
      'warehouse_id as warehouseId',
      'change_units as changeUnits',
      'after_units as afterUnits',
    ])
    .where('submission_key', '=', key)
    .executeTakeFirst()
}

export async function insertAdjustment(tx: Tx, key: string, made: Adjustment): Promise<number> {
  const { id } = await tx
    .insertInto('stock_adjustment')
    .values({
      submission_key: key,
      item_id: made.itemId,
      warehouse_id: made.warehouseId,
      reason: made.reason,
      before_units: made.beforeUnits,
      allocated_units: made.allocatedUnits,
      change_units: made.changeUnits,
      after_units: made.afterUnits,
      note: made.note,
      recorded_by: made.recordedBy,
      recorded_at: made.recordedAt,
      receipt_id: made.receiptId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** The latest adjustments of a tire, newest first. */
export async function selectAdjustments(
  db: Database,
  itemId: number,
  limit: number,
): Promise<(Adjustment & { id: number; warehouse: string })[]> {
  const rows = await db
    .selectFrom('stock_adjustment as made')
    .innerJoin('warehouse', 'warehouse.id', 'made.warehouse_id')
    .select([
      'made.id',
      'made.item_id as itemId',
      'made.warehouse_id as warehouseId',
      'warehouse.code as warehouse',
      'made.reason',
      'made.before_units as beforeUnits',
      'made.allocated_units as allocatedUnits',
      'made.change_units as changeUnits',
      'made.after_units as afterUnits',
      'made.note',
      'made.recorded_by as recordedBy',
      'made.recorded_at as recordedAt',
      'made.receipt_id as receiptId',
    ])
    .where('made.item_id', '=', itemId)
    .orderBy('made.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, reason: row.reason as StockChangeReason }))
}
