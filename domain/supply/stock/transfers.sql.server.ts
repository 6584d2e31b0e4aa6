/** The statements of transfers between warehouses. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'

/** A transfer as the stock page shows it; warehouses by their codes. */
export type StockTransfer = {
  id: number
  from: string
  to: string
  units: number
  note: string | null
  recordedBy: string
  recordedAt: Temporal.Instant
}

export type TransferRow = {
  key: string
  itemId: number
  fromId: number
  toId: number
  units: number
  note: string | null
  by: string
  at: Temporal.Instant
}

export async function insertTransfer(tx: Tx, row: TransferRow): Promise<void> {
  await tx
    .insertInto('stock_transfer')
    .values({
      submission_key: row.key,
      item_id: row.itemId,
      from_warehouse_id: row.fromId,
      to_warehouse_id: row.toId,
      units: row.units,
      note: row.note,
      recorded_by: row.by,
      recorded_at: row.at,
    })
    .execute()
}

/** Records a transfer of each of these tires, which no form can repeat. */
export async function insertTransfers(
  tx: Tx,
  {
    moved,
    ...of
  }: Omit<TransferRow, 'key' | 'itemId' | 'units'> & {
    moved: readonly { itemId: number; units: number }[]
  },
): Promise<void> {
  await sql`
    insert into stock_transfer (submission_key, item_id, from_warehouse_id, to_warehouse_id, units, note, recorded_by, recorded_at)
    select gen_random_uuid(), "itemId", ${of.fromId}::smallint, ${of.toId}::smallint, units, ${of.note}, ${of.by}, ${of.at.toString()}::timestamptz
    from json_to_recordset(${JSON.stringify(moved)}::json) as moved ("itemId" int, units int) order by "itemId"`.execute(
    tx,
  )
}

/** The transfer with this key; undefined if not found. */
export function selectTransferByKey(
  tx: Tx,
  key: string,
): Promise<{ itemId: number; fromId: number; toId: number } | undefined> {
  return tx
    .selectFrom('stock_transfer')
    .select(['item_id as itemId', 'from_warehouse_id as fromId', 'to_warehouse_id as toId'])
    .where('submission_key', '=', key)
    .executeTakeFirst()
}

/** The latest transfers of a tire, newest first. */
export function selectTransfers(db: Database, itemId: number, limit: number): Promise<StockTransfer[]> {
  return db
    .selectFrom('stock_transfer as moved')
    .innerJoin('warehouse as origin', 'origin.id', 'moved.from_warehouse_id')
    .innerJoin('warehouse as target', 'target.id', 'moved.to_warehouse_id')
    .select([
      'moved.id',
      'origin.code as from',
      'target.code as to',
      'moved.units',
      'moved.note',
      'moved.recorded_by as recordedBy',
      'moved.recorded_at as recordedAt',
    ])
    .where('moved.item_id', '=', itemId)
    .orderBy('moved.id', 'desc')
    .limit(limit)
    .execute()
}
