/** The statements for the warehouses in the back office. */
import { jsonArrayFrom, jsonBuildObject } from 'kysely/helpers/postgres'
import { sql, type ExpressionBuilder } from 'kysely'
import type { DB } from '#db/types.ts'
import type { CarrierName } from './carriers.ts'
import type { TransitDays, TransitZone } from './transit.ts'
import { clearStock } from './warehouse-closing.sql.server.ts'
import type { Database, Tx } from '#platform/db.ts'

/** Returns a warehouse's transit days as an object. */
export function transitOf({ ref }: Pick<ExpressionBuilder<DB, 'warehouse'>, 'ref'>) {
  return jsonBuildObject({
    near: ref('warehouse.transit_near_days'),
    mid: ref('warehouse.transit_mid_days'),
    far: ref('warehouse.transit_far_days'),
    AK: ref('warehouse.transit_alaska_days'),
    HI: ref('warehouse.transit_hawaii_days'),
    TERRITORY: ref('warehouse.transit_territory_days'),
  })
}

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
  /** Cutoffs by weekday from Monday, where null has `cutoff`; empty if all have it. */
  dayCutoffs: (string | null)[]
  /** Business days that it needs before it ships an order. */
  handlingDays: number
  transit: TransitDays
  /** Zones that it doesn't ship to. */
  unservedZones: TransitZone[]
  /** Weekdays on which it handles and ships orders, 1 for Monday. */
  shipDays: number[]
  /** Days on which it is closed, such as "2026-12-24". */
  closedDays: string[]
  /** The only carriers that it ships with; empty for any. */
  carriers: CarrierName[]
  /** Its first choice in each of `transitZones`, null where the order counts; empty if it counts everywhere. */
  zoneCarriers: (CarrierName | null)[]
  /** Whether no labels are bought for its parcels. */
  shipsByHand: boolean
  version: number
  /** The supplier that holds its tires; null where the store does itself. */
  supplierId: number | null
  pool: string
  /** Its ID in the supplier's availability service. */
  branch: string | null
  isSupplierRetired: boolean
  /** Whether the warehouse is excluded from sale, because its supplier was retired or it is closing. */
  isRetired: boolean
  /** The local day on which it starts to close. Null if that is not planned. */
  closesOn: string | null
  closedAt: Temporal.Instant | null
  /** Pickup hours, by weekday starting with 1 for Monday. */
  hours: { weekday: number; opens: string; closes: string }[]
  /** Whether shoppers can choose to pick up there, which needs hours. */
  offersPickup: boolean
  /** Hours after its release until an order is ready for pickup, at most. */
  pickupReadyHours: number
  /** Days that a ready order is kept. */
  pickupKeptDays: number
  /** Directions to the counter for customers; empty without. */
  pickupNote: string
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
      sql<
        (string | null)[]
      >`array(select to_char(day, 'HH24:MI') from unnest(day_cutoffs) with ordinality as days (day, no) order by no)`.as(
        'dayCutoffs',
      ),
      'handling_days as handlingDays',
      transitOf(from).as('transit'),
      from.ref('unserved_zones').$castTo<TransitZone[]>().as('unservedZones'),
      'ship_days as shipDays',
      sql<string[]>`to_json(closed_days)`.as('closedDays'),
      from.ref('carriers').$castTo<CarrierName[]>().as('carriers'),
      from.ref('zone_carriers').$castTo<(CarrierName | null)[]>().as('zoneCarriers'),
      'ships_by_hand as shipsByHand',
      'pickup_ready_hours as pickupReadyHours',
      'pickup_kept_days as pickupKeptDays',
      'pickup_note as pickupNote',
      'version',
      'supplier_id as supplierId',
      'pool',
      'branch',
      from.eb('supplier_retired_at', 'is not', null).$castTo<boolean>().as('isSupplierRetired'),
      from.eb('retired_at', 'is not', null).$castTo<boolean>().as('isRetired'),
      'closes_on as closesOn',
      'closed_at as closedAt',
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
      sql<boolean>`offers_pickup and exists (select from warehouse_hours where warehouse_id = warehouse.id)`.as(
        'offersPickup',
      ),
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
  dayCutoffs: (string | null)[]
  handlingDays: number
  transit: TransitDays
  unservedZones: TransitZone[]
  shipDays: number[]
  closedDays: string[]
  carriers: CarrierName[]
  zoneCarriers: (CarrierName | null)[]
  shipsByHand: boolean
  offersPickup: boolean
  pickupReadyHours: number
  pickupKeptDays: number
  pickupNote: string
  pool: string
  branch: string | null
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
  dayCutoffs,
  handlingDays,
  transit,
  unservedZones,
  shipDays,
  closedDays,
  carriers,
  zoneCarriers,
  shipsByHand,
  offersPickup,
  pickupReadyHours,
  pickupKeptDays,
  pickupNote,
  pool,
  branch,
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
    day_cutoffs: sql<string[]>`${dayCutoffs}::time[]`,
    pool,
    branch,
    handling_days: handlingDays,
    transit_near_days: transit.near,
    transit_mid_days: transit.mid,
    transit_far_days: transit.far,
    transit_alaska_days: transit.AK,
    transit_hawaii_days: transit.HI,
    transit_territory_days: transit.TERRITORY,
    unserved_zones: unservedZones,
    time_zone: timeZone,
    ship_days: shipDays,
    closed_days: closedDays,
    carriers,
    zone_carriers: sql<string[]>`${zoneCarriers}::text[]`,
    ships_by_hand: shipsByHand,
    offers_pickup: offersPickup,
    pickup_ready_hours: pickupReadyHours,
    pickup_kept_days: pickupKeptDays,
    pickup_note: pickupNote,
    changed_at: at,
    changed_by: by,
  }
}

/** Adds a warehouse of the store or a supplier and returns its id. Throws the violated `warehouse_code_key` or `warehouse_branch_once`. */
export async function insertWarehouse(
  tx: Tx,
  { code, supplierId }: { code: string; supplierId: number | null },
  row: WarehouseRow,
): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('warehouse'))`.execute(tx)
  const { id } = await tx
    .insertInto('warehouse')
    .values((from) => ({
      id: from.selectFrom('warehouse').select(sql<number>`coalesce(max(id), 0) + 1`.as('next')),
      code,
      supplier_id: supplierId,
      ...stored(row),
    }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Changes a warehouse that still has this version; false if it does not. */
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
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** The last change of a warehouse by staff, null for one that they didn’t change. */
export type LastChange = { by: string | null; at: Temporal.Instant | null }

export function selectLastChange(tx: Tx, id: number): Promise<LastChange> {
  return tx
    .selectFrom('warehouse')
    .select(['changed_by as by', 'changed_at as at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
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

/**
 * Clears the stock in a supplier's open warehouses, and prevents stock files and returned units from filling it again.
 * `at` is when the supplier is retired.
 */
export async function closeSupplierWarehouses(tx: Tx, supplierId: number, at: Temporal.Instant): Promise<void> {
  const warehouses = await tx
    .updateTable('warehouse')
    .set((from) => ({
      retired_at: from.fn.coalesce('retired_at', from.val(at)),
      supplier_retired_at: at,
      closes_on: null,
    }))
    .where('supplier_id', '=', supplierId)
    .returning('id')
    .execute()
  await clearStock(
    tx,
    warehouses.map(({ id }) => id),
  )
}

/**
 * Allows stock again in the warehouses of a supplier retired at `retiredAt`, except in those that were closed before
 * that.
 */
export async function reopenSupplierWarehouses(
  tx: Tx,
  supplierId: number,
  retiredAt: Temporal.Instant | null,
): Promise<void> {
  await tx
    .updateTable('warehouse')
    .set((from) => ({
      retired_at: from.fn<Temporal.Instant | null>('nullif', ['retired_at', from.val(retiredAt)]),
      supplier_retired_at: null,
    }))
    .where('supplier_id', '=', supplierId)
    .execute()
}
