/** Queries for units by DOT week. Callers lock the stock row before they write. */
import { sql, type RawBuilder } from 'kysely'
import { stockKey } from '#domain/supply/delivery/delivery.server.ts'
import { mergeLots, remainingLots, type Lot } from './dot-lots.ts'
import type { Database, Tx } from '#platform/db.ts'

/**
 * SQL for the Monday of the oldest week that a tire in the row `item` can be delivered with, from the catalog and from
 * the remaining lots in warehouses (as `remainingLots`); null if unknown.
 */
export function oldestDotWeek(item: RawBuilder<unknown>): RawBuilder<string | null> {
  return sql<string | null>`least(${item}.oldest_dot_week, (
    select min(dot_week) from (
      select lot.dot_week, stock.on_hand + lot.units - sum(lot.units) over (partition by lot.warehouse_id order by lot.dot_week desc) as remaining
      from stock_lot lot join stock on stock.item_id = lot.item_id and stock.warehouse_id = lot.warehouse_id
      where lot.item_id = ${item}.id) as lots
    where remaining > 0))`
}

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

/** Returns the recorded lots of several tires in several warehouses, by `stockKey`. */
export async function selectLotsAt(
  tx: Tx,
  { itemIds, warehouseIds }: { itemIds: readonly number[]; warehouseIds: readonly number[] },
): Promise<Map<string, Lot[]>> {
  const { rows } = await sql<Place & Lot>`
    select item_id as "itemId", warehouse_id as "warehouseId", dot_week::text as week, units from stock_lot
    where item_id = any(${[...itemIds]}::int[]) and warehouse_id = any(${[...warehouseIds]}::smallint[])`.execute(tx)
  const byPlace = Map.groupBy(rows, stockKey)
  return new Map([...byPlace].map(([key, lots]) => [key, lots.map(({ week, units }) => ({ week, units }))]))
}

/** Replaces the lots of tires in warehouses; units without a week are not stored. */
export async function replaceLots(tx: Tx, places: readonly (Place & { lots: readonly Lot[] })[]): Promise<void> {
  const emptied = JSON.stringify(places.map(({ itemId, warehouseId }) => ({ itemId, warehouseId })))
  await sql`
    delete from stock_lot using json_to_recordset(${emptied}::json) as place ("itemId" int, "warehouseId" smallint)
    where stock_lot.item_id = place."itemId" and stock_lot.warehouse_id = place."warehouseId"`.execute(tx)
  const lots = places.flatMap(({ itemId, warehouseId, lots: of }) =>
    mergeLots(of).flatMap(({ week, units }) => (week === null ? [] : [{ itemId, warehouseId, week, units }])),
  )
  if (lots.length === 0) return
  await sql`
    insert into stock_lot (item_id, warehouse_id, dot_week, units)
    select "itemId", "warehouseId", week, units
    from json_to_recordset(${JSON.stringify(lots)}::json) as lot ("itemId" int, "warehouseId" smallint, week date, units int)`.execute(
    tx,
  )
}
