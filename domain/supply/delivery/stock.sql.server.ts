/** Holding stock for carts, taking it for orders, and returning it. */
import { sql, type RawBuilder } from 'kysely'
import { maxHeldUnitsPerNetwork } from './delivery.ts'
import type { Database, Tx } from '#platform/db.ts'

/** What one parcel takes from one warehouse. */
export type StockTaken = { warehouseId: number; items: readonly { itemId: number; quantity: number }[] }

/**
 * Takes units from stock for a cart's order, locking rows in key order. False if a row has too few units excluding
 * those held for other carts, so the caller must roll back. Units held for `cartId` are no longer held. Rows are passed
 * as JSON, because PostgreSQL replans queries with array parameters each time (docs/performance.md).
 */
export async function takeStock(
  tx: Tx,
  parcels: readonly StockTaken[],
  { cartId, at }: { cartId: string | null; at: Temporal.Instant },
): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select take_stock(${JSON.stringify(stockRows(parcels))}::json, ${cartId}::uuid, ${at.toString()}::timestamptz) as taken`.execute(
    tx,
  )
  return rows[0]?.taken ?? false
}

/** Returns the tires in each warehouse, by warehouse ID, without those that orders have. */
export async function selectWarehouseUnits(db: Database): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; units: number }>`
    select warehouse_id as id, sum(on_hand + closed_units)::int as units from stock group by warehouse_id`.execute(db)
  return new Map(rows.map(({ id, units }) => [id, units]))
}

/**
 * Holds units with a held booking, replacing its previous ones. `short` means that too few units remain excluding other
 * carts' holds, and the previous units stay held. `limited` means that `heldBy` (default: the booking's) would hold
 * more than `maxHeldUnitsPerNetwork` of a tire in a warehouse; no units are held with this booking.
 */
export async function holdStock(
  db: Database,
  parcels: readonly StockTaken[],
  { bookingId, heldBy, at }: { bookingId: string; heldBy: string | null; at: Temporal.Instant },
): Promise<'held' | 'short' | 'limited'> {
  const { rows } = await sql<{ outcome: 'held' | 'short' | 'limited' }>`
    select hold_stock(${bookingId}::uuid, ${JSON.stringify(stockRows(parcels))}::json, ${heldBy}::text, ${at.toString()}::timestamptz, ${maxHeldUnitsPerNetwork}::int) as outcome`.execute(
    db,
  )
  return rows[0]?.outcome ?? 'short'
}

/** Locks the rows `holdStock` will hold units of, before a bay is taken, in the same order as an order. */
export async function lockStockToHold(db: Database, parcels: readonly StockTaken[]): Promise<void> {
  await sql`
    select from stock join json_to_recordset(${JSON.stringify(stockRows(parcels))}::json) as wanted (item_id int, warehouse_id smallint) using (item_id, warehouse_id)
    order by stock.item_id, stock.warehouse_id for update of stock`.execute(db)
}

/**
 * Returns units to stock, locking rows in key order. `given` selects item_id, warehouse_id and quantity, one row per
 * item and warehouse. Skips retired suppliers' warehouses. Units in a closing warehouse aren't for sale.
 */
export async function returnStock(tx: Tx, given: RawBuilder<unknown>): Promise<void> {
  await sql`
    with given as (${given}),
    locked as materialized (
      select stock.item_id, stock.warehouse_id, given.quantity
      from stock join given on given.item_id = stock.item_id and given.warehouse_id = stock.warehouse_id
        join warehouse on warehouse.id = stock.warehouse_id and (warehouse.retired_at is null or warehouse.supplier_id is null)
      order by stock.item_id, stock.warehouse_id for update of stock)
    update stock set on_hand = stock.on_hand + locked.quantity
    from locked where stock.item_id = locked.item_id and stock.warehouse_id = locked.warehouse_id`.execute(tx)
}

/** Merges into one row per item and warehouse, because an update can't change the same row twice. */
function stockRows(parcels: readonly StockTaken[]): { item_id: number; warehouse_id: number; quantity: number }[] {
  const rows = new Map<string, { item_id: number; warehouse_id: number; quantity: number }>()
  for (const { warehouseId, items } of parcels) {
    for (const { itemId, quantity } of items) {
      const key = `${itemId} ${warehouseId}`
      rows.set(key, { item_id: itemId, warehouse_id: warehouseId, quantity: quantity + (rows.get(key)?.quantity ?? 0) })
    }
  }
  return [...rows.values()]
}

/** Returns the part of a query that is a tire's quantity in a warehouse that is held for carts. */
export function heldUnits(itemId: RawBuilder<unknown>, warehouseId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce((select sum(stock_hold.quantity) from stock_hold
    where stock_hold.item_id = ${itemId} and stock_hold.warehouse_id = ${warehouseId}), 0)::int`
}

/**
 * Locks the stock of one tire in one warehouse and returns its free units. They aren't for sale if the warehouse is
 * closing. Returns undefined if the warehouse has no row of it.
 */
export async function lockStock(
  tx: Tx,
  { itemId, warehouseId }: { itemId: number; warehouseId: number },
): Promise<number | undefined> {
  const row = await tx
    .selectFrom('stock')
    .select(sql<number>`on_hand + closed_units`.as('free'))
    .where('item_id', '=', itemId)
    .where('warehouse_id', '=', warehouseId)
    .forUpdate()
    .executeTakeFirst()
  return row?.free
}

/**
 * Starts stocking a tire in one of our warehouses, with zero units. No effect for a supplier's warehouse or if it is
 * already stocked. Blocks closing the warehouse until the transaction ends. Throws the violated `stock_item_id_fkey` for an unknown tire.
 */
export async function beginToStock(
  tx: Tx,
  { itemId, warehouseId }: { itemId: number; warehouseId: number },
): Promise<void> {
  await sql`
    insert into stock (item_id, warehouse_id, on_hand)
    select ${itemId}::int, id, 0 from warehouse where id = ${warehouseId}::smallint and pool = 'on-hand' for share
    on conflict do nothing`.execute(tx)
}

/** Sets a locked row's free units. In a closing warehouse, the database takes them off sale. */
export async function setStock(
  tx: Tx,
  { itemId, warehouseId, units }: { itemId: number; warehouseId: number; units: number },
): Promise<void> {
  await tx
    .updateTable('stock')
    .set({ on_hand: units, closed_units: 0 })
    .where('item_id', '=', itemId)
    .where('warehouse_id', '=', warehouseId)
    .execute()
}

/** A supplier's units in one of its warehouses. */
export type SupplierUnits = { itemId: number; warehouseId: number; units: number }

/** Stocks these tires in a supplier's warehouses, except with zero units, and locks their rows in key order. */
export async function lockSupplierStock(tx: Tx, rows: readonly SupplierUnits[]): Promise<void> {
  await sql`
    insert into stock (item_id, warehouse_id, on_hand)
    select "itemId", "warehouseId", 0 from (${supplierRows(rows)}) as given where units > 0 order by "itemId", "warehouseId"
    on conflict do nothing`.execute(tx)
  await sql`
    select count(*) from (
      select from stock where (item_id, warehouse_id) in (select "itemId", "warehouseId" from (${supplierRows(rows)}) as given)
      order by item_id, warehouse_id for update) as locked`.execute(tx)
}

/** Sets the units of locked rows. */
export async function setSupplierStock(tx: Tx, rows: readonly SupplierUnits[]): Promise<void> {
  await sql`
    update stock set on_hand = given.units from (${supplierRows(rows)}) as given
    where stock.item_id = given."itemId" and stock.warehouse_id = given."warehouseId" and stock.on_hand <> given.units`.execute(
    tx,
  )
}

function supplierRows(rows: readonly SupplierUnits[]): RawBuilder<unknown> {
  return sql`
    select "itemId", "warehouseId", units
    from json_to_recordset(${JSON.stringify(rows)}::json) as rows ("itemId" int, "warehouseId" smallint, units int)`
}

/** Units that move between two warehouses, and the free units in each before the move. */
export type MovedUnits = { itemId: number; units: number; free: number; there: number }

/** The maximum units per tire in a transfer (constraint `stock_transfer_units_check`). */
const maxMoved = 100_000

/**
 * Locks the rows of up to `limit` tires with free units in warehouse `fromId`, in key order as orders do. Warehouse
 * `toId` stocks them from then on.
 */
export async function lockStockToMove(
  tx: Tx,
  { fromId, toId, limit }: { fromId: number; toId: number; limit: number },
): Promise<MovedUnits[]> {
  const filled = sql`
    select item_id from stock where warehouse_id = ${fromId}::smallint and on_hand + closed_units > 0
    order by item_id limit ${limit}`
  await sql`
    insert into stock (item_id, warehouse_id, on_hand)
    select item_id, ${toId}::smallint, 0 from (${filled}) as filled on conflict do nothing`.execute(tx)
  const { rows } = await sql<{ itemId: number; warehouseId: number; free: number }>`
    select item_id as "itemId", warehouse_id as "warehouseId", on_hand + closed_units as free
    from stock where warehouse_id in (${fromId}::smallint, ${toId}::smallint) and item_id in (${filled})
    order by stock.item_id, stock.warehouse_id for update`.execute(tx)
  const thereOf = new Map(rows.filter(({ warehouseId }) => warehouseId === toId).map((row) => [row.itemId, row.free]))
  return rows.flatMap(({ itemId, warehouseId, free }) => {
    const there = thereOf.get(itemId)
    return warehouseId === fromId && free > 0 && there !== undefined
      ? [{ itemId, free, units: Math.min(free, maxMoved), there }]
      : []
  })
}

/** Moves units of locked rows from one warehouse to another. */
export async function moveStock(
  tx: Tx,
  { fromId, toId, moved }: { fromId: number; toId: number; moved: readonly MovedUnits[] },
): Promise<void> {
  const rows = sql`
    json_to_recordset(${JSON.stringify(moved)}::json) as moved ("itemId" int, units int)`
  await sql`
    update stock set on_hand = 0, closed_units = stock.on_hand + stock.closed_units - moved.units from ${rows}
    where stock.item_id = moved."itemId" and stock.warehouse_id = ${fromId}::smallint`.execute(tx)
  await sql`
    update stock set on_hand = stock.on_hand + moved.units from ${rows}
    where stock.item_id = moved."itemId" and stock.warehouse_id = ${toId}::smallint`.execute(tx)
}

/** The bin of each tire in each warehouse where one is recorded, by `stockKey`. */
export async function selectBins(
  db: Database,
  places: readonly { itemId: number; warehouseId: number }[],
): Promise<Map<string, string>> {
  if (places.length === 0) return new Map()
  const rows = await db
    .selectFrom('stock')
    .select(['item_id as itemId', 'warehouse_id as warehouseId', 'bin'])
    .where('item_id', '=', sql<number>`any(${[...new Set(places.map(({ itemId }) => itemId))]}::int[])`)
    .where('warehouse_id', '=', sql<number>`any(${[...new Set(places.map(({ warehouseId }) => warehouseId))]}::int[])`)
    .where('bin', 'is not', null)
    .execute()
  return new Map(rows.map((row) => [stockKey(row), row.bin ?? '']))
}

export function stockKey({ itemId, warehouseId }: { itemId: number; warehouseId: number }): string {
  return `${itemId} ${warehouseId}`
}

/** Sets the bin of a locked row and returns the previous one. */
export async function setBin(
  tx: Tx,
  { itemId, warehouseId, bin }: { itemId: number; warehouseId: number; bin: string | null },
): Promise<string | null> {
  const [before] = await tx
    .selectFrom('stock')
    .select('bin')
    .where('item_id', '=', itemId)
    .where('warehouse_id', '=', warehouseId)
    .execute()
  await tx
    .updateTable('stock')
    .set({ bin })
    .where('item_id', '=', itemId)
    .where('warehouse_id', '=', warehouseId)
    .execute()
  return before?.bin ?? null
}
