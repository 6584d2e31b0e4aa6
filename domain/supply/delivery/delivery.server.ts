/** Delivery dates promised from current stock. Each use case reads everything in one query. */
import { servedPlace, type ZipRefusal } from '#domain/kernel/places/places.ts'
import { findPlace } from '#domain/kernel/places/places.server.ts'
import {
  selectCarriers,
  selectGround,
  selectPickupWarehouses,
  selectReturnWarehouses,
  type CostFrom,
  type GroundPlace,
  type PickupWarehouse,
  type ReturnWarehouse,
} from './delivery.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { transitZone, transitZones } from './transit.ts'
import {
  milesBetween,
  planShipments,
  rankWarehouses,
  readyBy,
  releaseAfterSeconds,
  warehousesWithinMiles,
  type DeliveryPlan,
  type DeliveryPromise,
  type Destination,
  type RankedWarehouse,
  type Shortage,
} from './delivery.ts'

export {
  stockKey,
  heldUnits,
  holdStock,
  beginToStock,
  lockStock,
  lockStockToHold,
  lockStockToMove,
  lockSupplierStock,
  moveStock,
  returnStock,
  selectBins,
  selectWarehouseUnits as readWarehouseUnits,
  setBin,
  setStock,
  setSupplierStock,
  takeStock,
  type MovedUnits,
  type SupplierUnits,
  type StockTaken,
} from './stock.sql.server.ts'

export {
  closeDueWarehouse,
  closeWarehouse,
  finishClosing,
  readOpenWork,
  reopenWarehouse,
} from './warehouse-closing.server.ts'
export { createLiveDeliveryTimes, readDeliveryTimes, type LiveDeliveryTimes } from './delivery-times.server.ts'
export { lockFromClosing } from './warehouse-closing.sql.server.ts'
export { addWarehouse, changeWarehouse, findWarehouse, listWarehouses } from './warehouses.server.ts'
export { importTransit, removeTransit } from './import-transit.server.ts'
export { selectTransit as listTransit } from './transit-file.sql.server.ts'
export { closeSupplierWarehouses, reopenSupplierWarehouses } from './warehouses.sql.server.ts'
export { freeStock, lockCarriers, offersPickup } from './delivery.sql.server.ts'
export { findWarehouseAddresses, type PickupWarehouse, type WarehouseAddress } from './delivery.sql.server.ts'

export type DeliveryDeps = { db: Database; clock: Clock }
export type DeliveryLine = { itemId: number; quantity: number }
/** `unitCents` is the price of a unit. */
type PricedLine = DeliveryLine & { unitCents?: number }
export type DeliveryOutcome = Outcome<DeliveryPlan, ZipRefusal | Refused<'out-of-stock', Shortage[]>>

/**
 * Plans which warehouses ship what to `zip`, and when it arrives. `releaseAfter` is in seconds; default: the time in
 * which an order can be canceled. Units held for carts other than `cartId` are not planned with. `costFrom` is the
 * landed cost, by which warehouses with the same arrival are chosen.
 */
export async function planDelivery(
  deps: DeliveryDeps,
  input: { lines: readonly PricedLine[]; zip: string; releaseAfter?: number; cartId?: string; costFrom?: CostFrom },
): Promise<DeliveryOutcome> {
  const plans = await planDeliveries(deps, { ...input, zips: [input.zip] })
  return plans.get(input.zip) ?? refused('zip-not-found')
}

/** The same for several ZIP codes, for a list of shops. */
export async function planDeliveries(
  deps: DeliveryDeps,
  input: {
    lines: readonly PricedLine[]
    zips: readonly string[]
    releaseAfter?: number
    cartId?: string
    costFrom?: CostFrom
  },
): Promise<Map<string, DeliveryOutcome>> {
  const serving = await rankFor(deps, { ...input, itemIds: input.lines.map((line) => line.itemId) })
  return new Map(
    [...serving].map(([zip, ranked]) => [zip, ranked.ok ? planShipments(input.lines, ranked.value) : ranked]),
  )
}

/**
 * Returns each warehouse's promise at `zip` by warehouse id, for searches that filter by delivery date in the database.
 */
export async function warehousePromises(
  deps: DeliveryDeps,
  input: { zip: string; releaseAfter?: number },
): Promise<Outcome<Map<number, DeliveryPromise>, ZipRefusal>> {
  const ranked =
    (await rankFor(deps, { ...input, zips: [input.zip], itemIds: [] })).get(input.zip) ?? refused('zip-not-found')
  return ranked.ok ? ok(new Map(ranked.value.map(({ warehouse, promise }) => [warehouse.id, promise]))) : ranked
}

/** The same for several ZIP codes, leaving out those that are not served. */
export async function promisesByZip(
  deps: DeliveryDeps,
  input: { zips: readonly string[]; releaseAfter: number },
): Promise<Map<string, Map<number, DeliveryPromise>>> {
  const serving = await rankFor(deps, { ...input, itemIds: [] })
  return new Map(
    [...serving].flatMap(([zip, ranked]) =>
      ranked.ok ? [[zip, new Map(ranked.value.map(({ warehouse, promise }) => [warehouse.id, promise]))]] : [],
    ),
  )
}

/** A warehouse near a shopper, with the ready time of an order placed now, and whether it has everything. */
export type NearbyWarehouse = PickupWarehouse & { miles: number; readyAt: Temporal.Instant; hasAll: boolean }

/** Lists pickup warehouses near `zip`, those with everything first, then by distance. */
export async function findPickupWarehouses(
  { db, clock }: DeliveryDeps,
  input: { zip: string; lines: readonly DeliveryLine[]; releaseAfter?: number; cartId?: string },
): Promise<NearbyWarehouse[]> {
  const { places } = await selectGround(db, [input.zip], [], { now: clock.now() })
  const here = destinationOf(places.get(input.zip))
  if (!here.ok) return []
  const released = clock.now().add({ seconds: input.releaseAfter ?? releaseAfterSeconds })
  const itemIds = input.lines.map(({ itemId }) => itemId)
  const warehouses = await selectPickupWarehouses(db, { itemIds, now: clock.now(), cartId: input.cartId })
  return warehouses
    .flatMap(({ stock, ...warehouse }) => {
      const miles = milesBetween(here.value, warehouse)
      const readyAt = readyBy(warehouse, released)
      if (miles > warehousesWithinMiles || !readyAt) return []
      return [{ ...warehouse, miles, readyAt, hasAll: shortagesOf(input.lines, stock).length === 0 }]
    })
    .toSorted((a, b) => Number(b.hasAll) - Number(a.hasAll) || a.miles - b.miles)
}

/** Returns the warehouse with this id, if it offers pickup. */
export async function findPickupWarehouse(
  { db, clock }: DeliveryDeps,
  id: number,
): Promise<PickupWarehouse | undefined> {
  const [found] = await selectPickupWarehouses(db, { itemIds: [], id, now: clock.now() })
  return found
}

/** Plans an order that is picked up at a warehouse. The warehouse must have all of it. */
export async function planPickup(
  { db, clock }: DeliveryDeps,
  input: { lines: readonly DeliveryLine[]; warehouseId: number; releaseAfter?: number; cartId?: string },
): Promise<Outcome<DeliveryPlan, Refused<'out-of-stock', Shortage[]> | Refused<'pickup-gone'>>> {
  const itemIds = input.lines.map(({ itemId }) => itemId)
  const { warehouseId: id, cartId } = input
  const [warehouse] = await selectPickupWarehouses(db, { itemIds, id, now: clock.now(), cartId })
  const released = clock.now().add({ seconds: input.releaseAfter ?? releaseAfterSeconds })
  const readyAt = warehouse && readyBy(warehouse, released)
  if (!warehouse || !readyAt) return refused('pickup-gone')
  const shortages = shortagesOf(input.lines, warehouse.stock)
  if (shortages.length > 0) return refused('out-of-stock', shortages)
  const readyOn = readyAt.toZonedDateTimeISO(warehouse.timeZone).toPlainDate()
  const items = [...demandOf(input.lines)].map(([itemId, quantity]) => ({ itemId, quantity }))
  const shipment = { shipsOn: readyOn, shipsBy: readyAt, arrivesOn: readyOn, transitDays: 0, miles: 0, items }
  return ok({
    arrivesOn: readyOn,
    shipments: [{ ...shipment, warehouseId: warehouse.id, warehouseCode: warehouse.code }],
  })
}

/** Returns the only carriers for a parcel from a warehouse to `zip`, first choice first; empty for any. */
export async function findCarriers(db: Database, warehouseId: number, zip: string): Promise<readonly string[]> {
  const [{ carriers, zoneCarriers, ...from }, to] = await Promise.all([
    selectCarriers(db, warehouseId),
    findPlace(db, zip),
  ])
  if (to?.latitude == null || to.longitude == null || to.region === 'MILITARY') return carriers
  const { latitude, longitude, region } = to
  const zone = transitZone(region, milesBetween(from, { latitude, longitude }))
  const first = zoneCarriers[transitZones.indexOf(zone)]
  return first ? [first, ...carriers.filter((name) => name !== first)] : carriers
}

/**
 * Returns where tires from a warehouse are returned. It is the same warehouse, or the nearest open one of the store after
 * its closing was planned. Without an open warehouse, it is the same one.
 */
export async function findReturnWarehouse(db: Database, shippedFromId: number): Promise<ReturnWarehouse> {
  const warehouses = await selectReturnWarehouses(db, shippedFromId)
  const from = warehouses.find(({ id }) => id === shippedFromId)
  if (!from) throw new Error(`There is no warehouse ${shippedFromId}.`)
  if (from.isOpen) return from
  const [nearest] = warehouses
    .filter(({ isOpen }) => isOpen)
    .toSorted((a, b) => milesBetween(from, a) - milesBetween(from, b))
  return nearest ?? from
}

function demandOf(lines: readonly DeliveryLine[]): Map<number, number> {
  const demand = new Map<number, number>()
  for (const { itemId, quantity } of lines) demand.set(itemId, (demand.get(itemId) ?? 0) + quantity)
  return demand
}

function shortagesOf(lines: readonly DeliveryLine[], stock: ReadonlyMap<number, number>): Shortage[] {
  return [...demandOf(lines)]
    .map(([itemId, wanted]) => ({ itemId, wanted, available: stock.get(itemId) ?? 0 }))
    .filter(({ wanted, available }) => available < wanted)
}

async function rankFor(
  { db, clock }: DeliveryDeps,
  input: {
    zips: readonly string[]
    itemIds: readonly number[]
    releaseAfter?: number
    cartId?: string
    costFrom?: CostFrom
  },
): Promise<Map<string, Outcome<RankedWarehouse[], ZipRefusal>>> {
  const now = clock.now()
  const { places, warehouses } = await selectGround(db, input.zips, input.itemIds, {
    now,
    cartId: input.cartId,
    costFrom: input.costFrom,
  })
  const order = { warehouses, now, releaseAfterSeconds: input.releaseAfter ?? releaseAfterSeconds }
  return new Map(
    input.zips.map((zip) => {
      const destination = destinationOf(places.get(zip))
      return [zip, destination.ok ? ok(rankWarehouses({ ...order, destination: destination.value })) : destination]
    }),
  )
}

function destinationOf(place: GroundPlace | undefined): Outcome<Destination, ZipRefusal> {
  const served = servedPlace(place)
  if (!served.ok) return served
  const { zip, latitude, longitude, region } = served.value
  return ok({ zip, latitude, longitude, region: region as Destination['region'] })
}
