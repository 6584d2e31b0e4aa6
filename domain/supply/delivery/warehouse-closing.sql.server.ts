/** The statements of closing a warehouse. */
import { sql } from 'kysely'
import type { OpenWork } from './warehouse-closing.ts'
import type { Database, Tx } from '#platform/db.ts'

/** A locked warehouse row. */
export type LockedWarehouse = {
  id: number
  code: string
  timeZone: string
  version: number
  supplierId: number | null
  isSupplierRetired: boolean
  isRetired: boolean
  closesOn: string | null
  closedAt: Temporal.Instant | null
}

/** Locks a warehouse against orders that take its units; undefined if it doesn't exist. Its stock is locked after it. */
export async function lockWarehouse(tx: Tx, id: number): Promise<LockedWarehouse | undefined> {
  return tx
    .selectFrom('warehouse')
    .select((from) => [
      'id',
      'code',
      'time_zone as timeZone',
      'version',
      'supplier_id as supplierId',
      from.eb('supplier_retired_at', 'is not', null).$castTo<boolean>().as('isSupplierRetired'),
      from.eb('retired_at', 'is not', null).$castTo<boolean>().as('isRetired'),
      'closes_on as closesOn',
      'closed_at as closedAt',
    ])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Blocks closing these warehouses until the transaction ends. Call it before locking their stock. */
export async function lockFromClosing(tx: Tx, ids: readonly number[]): Promise<void> {
  await sql`
    select count(*) from (select from warehouse where id = any(${[...ids]}::smallint[]) order by id for share) as held`.execute(
    tx,
  )
}

/** Sets a locked warehouse's dates and raises its version. Throws `warehouse_closes_empty` if it still has open work. */
export async function updateClosing(
  tx: Tx,
  { id, version }: Pick<LockedWarehouse, 'id' | 'version'>,
  dates: { closesOn: string | null; retiredAt?: Temporal.Instant | null; closedAt: Temporal.Instant | null },
): Promise<void> {
  await tx
    .updateTable('warehouse')
    .set({
      closes_on: dates.closesOn,
      closed_at: dates.closedAt,
      version: version + 1,
      ...(dates.retiredAt !== undefined && { retired_at: dates.retiredAt }),
    })
    .where('id', '=', id)
    .execute()
}

/** Takes the stock of a locked warehouse off sale, or puts it on sale again. Carts' holds end with it. */
export async function setForSale(tx: Tx, warehouseId: number, isForSale: boolean): Promise<void> {
  // An order holding one of the rows commits first; the next statement sees what it took.
  await sql`
    select count(*) from (
      select from stock where warehouse_id = ${warehouseId}::smallint order by item_id for update) as locked`.execute(
    tx,
  )
  const change = isForSale
    ? sql`on_hand = on_hand + closed_units, closed_units = 0 where closed_units > 0`
    : sql`closed_units = closed_units + on_hand, on_hand = 0 where on_hand > 0`
  await sql`update stock set ${change} and warehouse_id = ${warehouseId}::smallint`.execute(tx)
}

/** Clears the stock of suppliers' warehouses, locking rows in key order. */
export async function clearStock(tx: Tx, warehouseIds: readonly number[]): Promise<void> {
  await sql`
    with locked as materialized (
      select item_id, warehouse_id from stock
      where on_hand > 0 and warehouse_id = any(${[...warehouseIds]}::smallint[])
      order by item_id, warehouse_id for update)
    update stock set on_hand = 0 from locked
    where stock.item_id = locked.item_id and stock.warehouse_id = locked.warehouse_id`.execute(tx)
}

/** Counts a warehouse's open work by kind. All counts must be zero to close it. */
export async function selectOpenWork(db: Database, warehouseId: number, at: Temporal.Instant): Promise<OpenWork> {
  const { rows } = await sql<{ kind: keyof OpenWork; open: number }>`
    select kind, open from warehouse_open_work(${warehouseId}::smallint, ${at.toString()}::timestamptz)`.execute(db)
  const count = (kind: keyof OpenWork) => rows.find((row) => row.kind === kind)?.open ?? 0
  return {
    parcels: count('parcels'),
    pickups: count('pickups'),
    holds: count('holds'),
    'stock-orders': count('stock-orders'),
    units: count('units'),
  }
}
