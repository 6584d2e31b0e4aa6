/** Queries for stock order deliveries. */
import { sql } from 'kysely'
import type { ReceivedLine } from './receiving.ts'
import type { Database, Tx } from '#platform/db.ts'

/** One tire’s units in a delivery, with units by DOT week, oldest first. */
export type ReceiptLine = {
  receiptId: number
  itemId: number
  sku: string
  receivedUnits: number
  damagedUnits: number
  shortUnits: number
  /** In the cost of the received units, in cents. */
  freightCents: number
  reason: string | null
  overReason: string | null
  receivedBy: string
  receivedAt: Temporal.Instant
  weeks: { week: string; units: number }[]
}

/** The deliveries of an order, newest first, by SKU. At most 1,000 lines. */
export async function selectReceiptLines(db: Database, stockOrderId: number): Promise<ReceiptLine[]> {
  const { rows } = await sql<ReceiptLine>`
    select receipt.id as "receiptId", line.item_id as "itemId", item.sku, received_units as "receivedUnits",
      damaged_units as "damagedUnits", short_units as "shortUnits", freight_cents as "freightCents", reason, over_reason as "overReason",
      received_by as "receivedBy", received_at as "receivedAt",
      coalesce((select json_agg(json_build_object('week', dot_week::text, 'units', units) order by dot_week)
        from stock_receipt_lot lot where lot.receipt_id = receipt.id and lot.item_id = line.item_id), '[]') as weeks
    from stock_receipt receipt join stock_receipt_line line on line.receipt_id = receipt.id join item on item.id = line.item_id
    where stock_order_id = ${stockOrderId}::bigint order by receipt.id desc, item.sku limit 1000`.execute(db)
  return rows
}

/** Returns the order of the delivery posted with this key, or undefined. */
export function selectReceiptByKey(tx: Tx, key: string): Promise<{ stockOrderId: number } | undefined> {
  return tx
    .selectFrom('stock_receipt')
    .select('stock_order_id as stockOrderId')
    .where('submission_key', '=', key)
    .executeTakeFirst()
}

/** Inserts a delivery with its lines, each with its freight, and returns its id. Throws the violated `stock_receipt_submission_key_key`. */
export async function insertReceipt(
  tx: Tx,
  receipt: {
    key: string
    stockOrderId: number
    overReason: string | null
    by: string
    at: Temporal.Instant
    lines: readonly ReceivedLine[]
    freights: readonly number[]
  },
): Promise<number> {
  const { id } = await tx
    .insertInto('stock_receipt')
    .values({
      submission_key: receipt.key,
      stock_order_id: receipt.stockOrderId,
      over_reason: receipt.overReason,
      received_by: receipt.by,
      received_at: receipt.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('stock_receipt_line')
    .values(
      receipt.lines.map(({ itemId, units, damaged, short, reason }, index) => ({
        receipt_id: id,
        item_id: itemId,
        received_units: units,
        damaged_units: damaged,
        short_units: short,
        reason,
        freight_cents: receipt.freights[index] ?? 0,
      })),
    )
    .execute()
  const lots = receipt.lines.flatMap(({ itemId, lots: all }) =>
    all.flatMap(({ week, units }) =>
      week === null ? [] : [{ receipt_id: id, item_id: itemId, dot_week: week, units }],
    ),
  )
  if (lots.length > 0) await tx.insertInto('stock_receipt_lot').values(lots).execute()
  return id
}

/** Adds to the counts of a locked order's line; `over` are units beyond the order. */
export async function addToLine(
  tx: Tx,
  stockOrderId: number,
  { itemId, units, damaged, short }: ReceivedLine,
  over: number,
): Promise<void> {
  await sql`
    update stock_order_line set received_units = received_units + ${units}, damaged_units = damaged_units + ${damaged},
      short_units = short_units + ${short}, over_units = over_units + ${over}
    where stock_order_id = ${stockOrderId}::bigint and item_id = ${itemId}::int`.execute(tx)
}
