/** The statements for the warehouses in the back office. */
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'

/** A warehouse as shown in the back office. Times are local, such as "16:00". */
export type OfficeWarehouse = {
  id: number
  code: string
  name: string
  street: string
  city: string
  state: string
  zip: string
  timeZone: string
  cutoff: string
  /** Whether no labels are bought for its parcels. */
  shipsByHand: boolean
  version: number
  /** Whether the store holds its tires itself; a supplier does otherwise. */
  isOwn: boolean
  /** Pickup hours, by weekday starting with 1 for Monday. */
  hours: { weekday: number; opens: string; closes: string }[]
}

/** Every warehouse by code; only the one of `id` if it is given. */
export function selectOfficeWarehouses(db: Database, id: number | null): Promise<OfficeWarehouse[]> {
  return db
    .selectFrom('warehouse')
    .select((from) => [
      'warehouse.id',
      'warehouse.code',
      'warehouse.name',
      'street',
      'city',
      'state',
      'zip',
      'time_zone as timeZone',
      sql<string>`to_char(cutoff, 'HH24:MI')`.as('cutoff'),
      'ships_by_hand as shipsByHand',
      'version',
      from.eb('supplier_id', 'is', null).$castTo<boolean>().as('isOwn'),
      jsonArrayFrom(
        from
          .selectFrom('warehouse_hours')
          .select([
            'weekday',
            sql<string>`to_char(opens, 'HH24:MI')`.as('opens'),
            sql<string>`to_char(closes, 'HH24:MI')`.as('closes'),
          ])
          .whereRef('warehouse_id', '=', 'warehouse.id')
          .orderBy('weekday'),
      ).as('hours'),
    ])
    .$if(id !== null, (query) => query.where('warehouse.id', '=', id))
    .orderBy('warehouse.code')
    .limit(1_000)
    .execute()
}

/** A warehouse's stored fields, excluding hours. */
export type WarehouseRow = {
  name: string
  street: string
  city: string
  state: string
  zip: string
  latitude: number
  longitude: number
  timeZone: string
  cutoff: string
  shipsByHand: boolean
  by: string
  at: Temporal.Instant
}

function stored({
  name,
  street,
  city,
  state,
  zip,
  latitude,
  longitude,
  timeZone,
  cutoff,
  shipsByHand,
  by,
  at,
}: WarehouseRow) {
  return {
    name,
    street,
    city,
    state,
    zip,
    latitude,
    longitude,
    cutoff,
    time_zone: timeZone,
    ships_by_hand: shipsByHand,
    changed_at: at,
    changed_by: by,
  }
}

/** Adds a warehouse of the store and returns its id. Throws the violated `warehouse_code_key`. */
export async function insertWarehouse(tx: Tx, code: string, row: WarehouseRow): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('warehouse'))`.execute(tx)
  const { id } = await tx
    .insertInto('warehouse')
    .values((from) => ({
      id: from.selectFrom('warehouse').select(sql<number>`coalesce(max(id), 0) + 1`.as('next')),
      code,
      ...stored(row),
    }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Changes a warehouse of the store that still has this version; false if it does not. */
export async function updateWarehouse(
  tx: Tx,
  { id, version }: { id: number; version: number },
  row: WarehouseRow,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('warehouse')
    .set({ ...stored(row), version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .where('supplier_id', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Replaces the opening hours of a warehouse. */
export async function replaceHours(tx: Tx, id: number, hours: OfficeWarehouse['hours']): Promise<void> {
  await tx.deleteFrom('warehouse_hours').where('warehouse_id', '=', id).execute()
  if (hours.length > 0)
    await tx
      .insertInto('warehouse_hours')
      .values(hours.map((day) => ({ warehouse_id: id, ...day })))
      .execute()
}
