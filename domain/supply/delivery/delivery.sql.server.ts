/** The delivery promise query. */
import { sql, type RawBuilder } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { CounterHours, StockedWarehouse } from './delivery.ts'
import type { TransitZone } from './transit.ts'
import { transitOf } from './warehouses.sql.server.ts'
import type { Database, Tx } from '#platform/db.ts'
import { sqlList } from '#platform/sql-list.ts'

/** The time and cart for which units are available, since a cart's own held units are available to it. */
type Free = { now: Temporal.Instant; cartId?: string | undefined }

/** Returns a `stock` row's available units. */
function freeUnits({ now, cartId }: Free): RawBuilder<number> {
  // As `held_units` counts them, without a call for each row.
  return sql<number>`greatest(0, stock.on_hand - coalesce((
    select sum(hold.quantity) from stock_hold hold join booking on booking.id = hold.booking_id
    where hold.item_id = stock.item_id and hold.warehouse_id = stock.warehouse_id and booking.state = 'held'
      and booking.hold_expires_at > ${now.toString()}::timestamptz and booking.cart_id is distinct from ${cartId ?? null}::uuid), 0)::int)`
}

/** The location of a ZIP; null coordinates if not known. */
export type GroundPlace = { zip: string; region: string; latitude: number | null; longitude: number | null }

/** The landed cost of a unit from a warehouse in cents as SQL, null if unknown. It depends on the warehouse's supplier. */
export type CostFrom = (itemId: RawBuilder<unknown>, warehouseId: RawBuilder<unknown>) => RawBuilder<number | null>

type SourceCost = { itemId: number; supplierId: number | null; cents: number | null }

/** The costs of items by supplier, as JSON. */
function costsBySupplier(itemIds: readonly number[], costFrom: CostFrom | undefined): RawBuilder<SourceCost[]> {
  if (!costFrom || itemIds.length === 0) return sql`'[]'::json`
  return sql`(
    select coalesce(json_agg(json_build_object('itemId', source.item_id, 'supplierId', source.supplier_id,
      'cents', ${costFrom(sql`source.item_id`, sql`source.warehouse_id`)})), '[]')
    from (
      select wanted.item_id, warehouse.supplier_id, min(warehouse.id) as warehouse_id
      from warehouse cross join unnest(${sqlList('int', itemIds)}) as wanted (item_id)
      where warehouse.retired_at is null group by 1, 2) as source)`
}

/**
 * Reads the input for delivery promises in one query. It returns the existing `zips`, and every warehouse with its
 * stock of `itemIds` that isn't held for carts other than `cartId`. With `costFrom`, also its landed costs.
 */
export async function selectGround(
  db: Database,
  zips: readonly string[],
  itemIds: readonly number[],
  { costFrom, ...free }: Free & { costFrom?: CostFrom | undefined },
): Promise<{ places: Map<string, GroundPlace>; warehouses: StockedWarehouse[] }> {
  const prefixes = [...new Set(zips.map((zip) => zip.slice(0, 3)))]
  const row = await db
    .selectNoFrom((from) => [
      jsonArrayFrom(
        from
          .selectFrom('zip')
          .select(['zip', 'region', 'latitude', 'longitude'])
          .where('zip', '=', sql<string>`any(${sqlList('text', zips)})`),
      ).as('places'),
      jsonArrayFrom(
        from
          .selectFrom('warehouse')
          .where('retired_at', 'is', null)
          .select((stored) => [
            'id',
            'code',
            'latitude',
            'longitude',
            'time_zone as timeZone',
            'cutoff',
            sql<(string | null)[]>`day_cutoffs`.as('dayCutoffs'),
            'handling_days as handlingDays',
            transitOf(stored).as('transit'),
            sql<Record<string, number> | null>`(select json_object_agg(zip_prefix, days) from warehouse_transit
              where warehouse_id = warehouse.id and zip_prefix = any(${sqlList('text', prefixes)}))`.as('transitByZip'),
            stored.ref('unserved_zones').$castTo<TransitZone[]>().as('unservedZones'),
            'ship_days as shipDays',
            sql<string[]>`closed_days`.as('closedDays'),
            'closes_on as closesOn',
            'supplier_id as supplierId',
            jsonArrayFrom(
              stored
                .selectFrom('stock')
                .select(['item_id as itemId', freeUnits(free).as('onHand')])
                .whereRef('warehouse_id', '=', 'warehouse.id')
                .where('item_id', '=', sql<number>`any(${sqlList('int', itemIds)})`),
            ).as('stock'),
          ]),
      ).as('warehouses'),
      costsBySupplier([...new Set(itemIds)], costFrom).as('costs'),
    ])
    .executeTakeFirstOrThrow()
  return {
    places: new Map(row.places.map((place) => [place.zip, place])),
    warehouses: row.warehouses.map(({ supplierId, ...warehouse }) => ({
      ...warehouse,
      landedCents: new Map(
        row.costs.flatMap((cost) =>
          cost.supplierId === supplierId && cost.cents !== null ? [[cost.itemId, cost.cents] as const] : [],
        ),
      ),
      stock: new Map(warehouse.stock.map(({ itemId, onHand }) => [itemId, onHand])),
    })),
  }
}

/** A warehouse with customer pickup. */
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
  /** Days without pickup, such as "2026-12-24". */
  closedDays: string[]
  /** Hours after its release until an order is ready, at most. */
  readyHours: number
  keptDays: number
  /** Directions to the counter; empty without. */
  note: string
}

/** Selects our warehouses that offer pickup, with their stock of the given items; optionally only one id. */
export async function selectPickupWarehouses(
  db: Database,
  { itemIds, id = null, ...free }: Free & { itemIds: readonly number[]; id?: number | null },
): Promise<(PickupWarehouse & { stock: Map<number, number> })[]> {
  const { rows } = await sql<PickupWarehouse & { units: { itemId: number; onHand: number }[] }>`
    select w.id, w.code, w.name || ' warehouse' as name, w.street, w.city, w.state, w.zip, w.latitude, w.longitude, w.time_zone as "timeZone", to_json(w.closed_days) as "closedDays",
      w.pickup_ready_hours as "readyHours", w.pickup_kept_days as "keptDays", w.pickup_note as note,
      (select json_agg(json_build_object('weekday', h.weekday, 'opens', to_char(h.opens, 'HH24:MI'), 'closes', to_char(h.closes, 'HH24:MI')) order by h.weekday)
        from warehouse_hours h where h.warehouse_id = w.id) as week,
      coalesce((select json_agg(json_build_object('itemId', stock.item_id, 'onHand', ${freeUnits(free)})) from stock
        where stock.warehouse_id = w.id and stock.item_id = any(${sqlList('int', itemIds)})), '[]') as units
    from warehouse w
    where w.pool = 'on-hand' and w.retired_at is null and w.offers_pickup and (${id}::int is null or w.id = ${id}::int) and exists (select from warehouse_hours h where h.warehouse_id = w.id)
    order by w.id`.execute(db)
  return rows.map(({ units, ...warehouse }) => ({
    ...warehouse,
    stock: new Map(units.map(({ itemId, onHand }) => [itemId, onHand])),
  }))
}

/**
 * Returns whether a warehouse still offers pickup, for an order that is being placed. Lock the warehouse first, as
 * `takeStock` does.
 */
export async function offersPickup(tx: Tx, warehouseId: number): Promise<boolean> {
  const { rows } = await sql<{ offers: boolean }>`
    select offers_pickup as offers from warehouse where id = ${warehouseId}::smallint`.execute(tx)
  return rows[0]?.offers ?? false
}

/** Returns the carriers of a warehouse, all and by zone, with its location. */
export function selectCarriers(db: Database, warehouseId: number) {
  return db
    .selectFrom('warehouse')
    .select(['carriers', 'zone_carriers as zoneCarriers', 'latitude', 'longitude'])
    .where('id', '=', warehouseId)
    .executeTakeFirstOrThrow()
}

/**
 * Returns the only carriers that a warehouse ships with, or an empty list for any, and blocks changing the warehouse
 * until the transaction ends. Call it after locking the order.
 */
export async function lockCarriers(tx: Tx, warehouseId: number): Promise<readonly string[]> {
  const { carriers } = await tx
    .selectFrom('warehouse')
    .select('carriers')
    .where('id', '=', warehouseId)
    .forShare()
    .executeTakeFirstOrThrow()
  return carriers
}

export type WarehouseAddress = { id: number; name: string; city: string; state: string; zip: string }

/** Selects the addresses of warehouses, open or not. */
export async function findWarehouseAddresses(db: Database, ids: readonly number[]): Promise<WarehouseAddress[]> {
  if (ids.length === 0) return []
  return db.selectFrom('warehouse').select(['id', 'name', 'city', 'state', 'zip']).where('id', 'in', ids).execute()
}

export type ReturnWarehouse = WarehouseAddress & {
  latitude: number
  longitude: number
  /** False from the day on which its closing is planned, because returns arrive weeks after their label. */
  isOpen: boolean
}

/** Selects the store's warehouses that are open, and one by ID. */
export async function selectReturnWarehouses(db: Database, id: number): Promise<ReturnWarehouse[]> {
  const isOpen = sql<boolean>`retired_at is null and closes_on is null and closed_at is null`
  const { rows } = await sql<ReturnWarehouse>`
    select id, name, city, state, zip, latitude, longitude, ${isOpen} as "isOpen" from warehouse
    where id = ${id} or (supplier_id is null and ${isOpen}) order by id`.execute(db)
  return rows
}

/** Selects the store's open warehouses by id, each with its available units by item. */
export async function freeStock(
  db: Database,
  itemIds: readonly number[],
  now: Temporal.Instant,
): Promise<{ id: number; code: string; name: string; free: Map<number, number> }[]> {
  const { rows } = await sql<{ id: number; code: string; name: string; units: { itemId: number; onHand: number }[] }>`
    select w.id, w.code, w.name, coalesce((select json_agg(json_build_object('itemId', stock.item_id, 'onHand', ${freeUnits({ now })})) from stock
      where stock.warehouse_id = w.id and stock.item_id = any(${sqlList('int', itemIds)})), '[]') as units
    from warehouse w where w.pool = 'on-hand' and w.retired_at is null and w.closes_on is null order by w.id`.execute(
    db,
  )
  return rows.map(({ units, ...warehouse }) => ({
    ...warehouse,
    free: new Map(units.map(({ itemId, onHand }) => [itemId, onHand])),
  }))
}
