/** Queries for units by DOT week. Callers lock the stock row before they write. */
import { sql } from 'kysely'
import { mergeLots, remainingLots, type Lot } from './dot-lots.ts'
import type { Database, Tx } from '#platform/db.ts'

type Place = { itemId: number; warehouseId: number }

/** Returns a tire’s recorded lots by warehouse. */
export async function selectLots(db: Database, itemId: number): Promise<Map<number, Lot[]>> {
  const rows = await db
    .selectFrom('stock_lot')
    .select(['warehouse_id as warehouseId', sql<string>`dot_week::text`.as('week'), 'units'])
    .where('item_id', '=', itemId)
    .orderBy('dot_week')
    .execute()
  const lots = new Map<number, Lot[]>()
  for (const { warehouseId, ...lot } of rows) lots.set(warehouseId, [...(lots.get(warehouseId) ?? []), lot])
  return lots
}

/** The lots of a tire in a warehouse with `onHand` units, as `remainingLots`. */
export async function selectRemaining(tx: Tx, place: Place, onHand: number): Promise<Lot[]> {
  return remainingLots((await selectLots(tx, place.itemId)).get(place.warehouseId) ?? [], onHand)
}

/** Replaces the lots of a tire in a warehouse; units without a week are not stored. */
export async function replaceLots(tx: Tx, { itemId, warehouseId }: Place, lots: readonly Lot[]): Promise<void> {
  await tx.deleteFrom('stock_lot').where('item_id', '=', itemId).where('warehouse_id', '=', warehouseId).execute()
  const rows = mergeLots(lots).flatMap(({ week, units }) =>
    week === null ? [] : [{ item_id: itemId, warehouse_id: warehouseId, dot_week: week, units }],
  )
  if (rows.length > 0) await tx.insertInto('stock_lot').values(rows).execute()
}
