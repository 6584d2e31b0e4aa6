/** The statement for delivery promises. */
import { sql, type RawBuilder } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { CounterHours, StockedWarehouse } from '#domain/delivery/delivery.ts'
import type { Database } from '#platform/db.ts'

/** At which moment units are free, and for which cart: those that it holds itself are. */
type Free = { now: Temporal.Instant; cartId?: string | undefined }

/** The units of a row of `stock` that can be bought. */
function freeUnits({ now, cartId }: Free): RawBuilder<number> {
  // As `held_units` counts them, without a call for each row.
  return sql<number>`greatest(0, stock.on_hand - coalesce((
    select sum(hold.quantity) from stock_hold hold join booking on booking.id = hold.booking_id
    where hold.item_id = stock.item_id and hold.warehouse_id = stock.warehouse_id and booking.state = 'held'
      and booking.hold_expires_at > ${now.toString()}::timestamptz and booking.cart_id is distinct from ${cartId ?? null}::uuid), 0)::int)`
}

/** The location of a ZIP; null coordinates if not known. */
export type GroundPlace = { zip: string; region: string; latitude: number | null; longitude: number | null }

/**
 * Reads the input of promises in one statement: those of `zips` that exist, and every warehouse with its stock of
 * `itemIds` that is not held for carts other than `cartId`.
 */
export async function selectGround(
  db: Database,
  zips: readonly string[],
  itemIds: readonly number[],
  free: Free,
): Promise<{ places: Map<string, GroundPlace>; warehouses: StockedWarehouse[] }> {
  const row = await db
    .selectNoFrom((from) => [
      jsonArrayFrom(
        from
          .selectFrom('zip')
          .select(['zip', 'region', 'latitude', 'longitude'])
          .where('zip', '=', sql<string>`any(${zips}::text[])`),
      ).as('places'),
      jsonArrayFrom(
        from.selectFrom('warehouse').select((stored) => [
          'id',
          'code',
          'latitude',
          'longitude',
          'time_zone as timeZone',
          'cutoff',
          jsonArrayFrom(
            stored
              .selectFrom('stock')
              .select(['item_id as itemId', freeUnits(free).as('onHand')])
              .whereRef('warehouse_id', '=', 'warehouse.id')
              .where('item_id', '=', sql<number>`any(${itemIds}::int[])`),
          ).as('stock'),
        ]),
      ).as('warehouses'),
    ])
    .executeTakeFirstOrThrow()
  return {
    places: new Map(row.places.map((place) => [place.zip, place])),
    warehouses: row.warehouses.map((warehouse) => ({
      ...warehouse,
      stock: new Map(warehouse.stock.map(({ itemId, onHand }) => [itemId, onHand])),
    })),
  }
}

/** A warehouse that hands tires to their buyers. */
export type PickupWarehouse = {
  id: number
  code: string
  name: string
  street: string
  city: string
  state: string
  zip: string
  latitude: number
  longitude: number
  timeZone: string
  week: CounterHours[]
}

/** The warehouses of our own with counter hours, with their stock of some articles; of one id, if given. */
export async function selectPickupWarehouses(
  db: Database,
  { itemIds, id = null, ...free }: Free & { itemIds: readonly number[]; id?: number | null },
): Promise<(PickupWarehouse & { stock: Map<number, number> })[]> {
  const { rows } = await sql<PickupWarehouse & { units: { itemId: number; onHand: number }[] }>`
    select w.id, w.code, w.name || ' warehouse' as name, w.street, w.city, w.state, w.zip, w.latitude, w.longitude, w.time_zone as "timeZone",
      (select json_agg(json_build_object('weekday', h.weekday, 'opens', to_char(h.opens, 'HH24:MI'), 'closes', to_char(h.closes, 'HH24:MI')) order by h.weekday)
        from warehouse_hours h where h.warehouse_id = w.id) as week,
      coalesce((select json_agg(json_build_object('itemId', stock.item_id, 'onHand', ${freeUnits(free)})) from stock
        where stock.warehouse_id = w.id and stock.item_id = any(${itemIds}::int[])), '[]') as units
    from warehouse w
    where w.pool = 'on-hand' and (${id}::int is null or w.id = ${id}::int) and exists (select from warehouse_hours h where h.warehouse_id = w.id)
    order by w.id`.execute(db)
  return rows.map(({ units, ...warehouse }) => ({
    ...warehouse,
    stock: new Map(units.map(({ itemId, onHand }) => [itemId, onHand])),
  }))
}
