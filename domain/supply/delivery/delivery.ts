/** When tires can arrive, and what shipping costs. Pure: the time, the warehouses and their stock are arguments. */
import { federalHoliday, isBusinessDay } from './business-days.ts'
import { chooseSources, obstacleOf } from './choose-source.ts'
import type { DeliveryRegion } from '#domain/kernel/rates/rates.ts'
import { transitDaysOfZip } from './transit-file.ts'
import { transitDays, transitZone, type TransitDays, type TransitZone } from './transit.ts'
import type { Place } from '#domain/kernel/places/places.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

export {
  addressText,
  hasHouseNumber,
  isSameAddress,
  isSameCity,
  isStreet,
  plainAddress,
  plainStreet,
  type StreetAddress,
} from './address-form.ts'
export {
  pickupKeptDays,
  pickupReadyHours,
  readyBy,
  remindDaysBefore,
  standardKeptDays,
  warehousesWithinMiles,
  type CounterHours,
} from './pickup-hours.ts'
export {
  carrierField,
  carrierPlaceField,
  labelWays,
  pickupChoices,
  supplierPools,
  zoneFields,
  dayCutoffFields,
  shipDayFields,
  standardShipDays,
  warehouseForm,
  warehouseTimeZones,
  type WarehouseDraft,
} from './warehouse-form.ts'
export {
  closingForm,
  closingVersionForm,
  openWorkKinds,
  warehouseStateOf,
  type OpenWork,
  type WarehouseState,
} from './warehouse-closing.ts'
export {
  rangeText,
  standardDeliveryTimes,
  standardTransit,
  transitMiles,
  transitZones,
  type DayRange,
  type DeliveryTimes,
  type TransitDays,
  type TransitZone,
} from './transit.ts'
export { maxTransitFileBytes, transitColumns, transitFileLimits } from './transit-file.ts'
export { carrierNames, shipsWith, type CarrierName } from './carriers.ts'
export { binForm } from './bin-form.ts'
export { federalHoliday, isBusinessDay } from './business-days.ts'
export { refuseDeliveryLine } from './delivery-lines.ts'
export { chooseSources, obstacleOf, type SourceObstacle, type SourceTerms } from './choose-source.ts'

/** How the shopper gets the tires. */
export type Fulfillment = 'shop' | 'mobile' | 'home' | 'carrier-pickup' | 'warehouse-pickup'

/** Whether the tires are mounted, at a shop or by a van, and so need an appointment. */
export function isInstallation(fulfillment: Fulfillment | null): fulfillment is 'shop' | 'mobile' {
  return fulfillment === 'shop' || fulfillment === 'mobile'
}

/** Whether the buyer picks the tires up, at a carrier or at a warehouse. */
export function isPickup(fulfillment: Fulfillment | null): fulfillment is 'carrier-pickup' | 'warehouse-pickup' {
  return fulfillment === 'carrier-pickup' || fulfillment === 'warehouse-pickup'
}

export type Point = { latitude: number; longitude: number }
export type Destination = Point & { region: DeliveryRegion; zip?: string }
/**
 * `cutoff` is local time as 'HH:MM' or 'HH:MM:SS': an order released later is handled from the next ship day. It ships
 * `handlingDays` ship days after that day, and then takes the days of `transit`.
 */
export type Warehouse = Point & {
  id: number
  code: string
  timeZone: string
  cutoff: string
  /** Cutoffs by weekday from Monday, where null has `cutoff`; empty if all have it. */
  dayCutoffs: readonly (string | null)[]
  handlingDays: number
  transit: TransitDays
  /** Days by the first three digits of a ZIP code. They take precedence over zones. */
  transitByZip?: Readonly<Record<string, number>> | null
  /** Zones that it doesn't ship to. */
  unservedZones: readonly TransitZone[]
  /** Weekdays on which it handles and ships orders, 1 for Monday. */
  shipDays: readonly number[]
  /** Days on which it is closed, such as "2026-12-24". */
  closedDays: readonly string[]
}
/**
 * The maximum number of one tire in one warehouse that a network's carts can hold together, so that a bot with many
 * carts can't block stock.
 */
export const maxHeldUnitsPerNetwork = 24

/**
 * `stock` is units on hand by item id, and `landedCents` the landed cost of one, missing if unknown. From the day
 * `closesOn` on, the warehouse ships no new orders.
 */
export type StockedWarehouse = Warehouse & {
  stock: ReadonlyMap<number, number>
  landedCents?: ReadonlyMap<number, number>
  closesOn?: string | null
}

export type RankedWarehouse = { warehouse: StockedWarehouse; promise: DeliveryPromise }

export type DeliveryPromise = {
  shipsOn: Temporal.PlainDate
  /** The cutoff of that day, or when the order is ready for pickup. */
  shipsBy: Temporal.Instant
  /** Delivered by the end of this day. */
  arrivesOn: Temporal.PlainDate
  transitDays: number
  miles: number
}
export type ShipmentPlan = DeliveryPromise & {
  warehouseId: number
  warehouseCode: string
  items: { itemId: number; quantity: number }[]
}
/** `arrivesOn` is the day by which the latest shipment has arrived. */
export type DeliveryPlan = { arrivesOn: Temporal.PlainDate; shipments: ShipmentPlan[] }
export type Shortage = { itemId: number; wanted: number; available: number }

/** How long an order can be canceled before it is released to a warehouse. */
export const releaseAfterSeconds = 1_800

/** The weight of the heaviest light-truck tire, which a pickup location must accept. */
export const heaviestTireLb = 90

export { contiguousStates, regionOf } from './regions.ts'
export {
  freeFromCentsIn,
  freeFromText,
  isSameZone,
  isShippingFree,
  isShippingFreeIn,
  itemizeShipping,
  priceShipping,
  shippingAreas,
  shippingTable,
  shippingZoneOf,
  type ShippingArea,
  type ShippingPlace,
  unitWords,
} from './shipping-costs.ts'

export type HomeDeliveryRefusal = 'po-box' | 'military'

/**
 * Returns why home delivery to this ZIP is refused, or undefined if it is not: military post offices take no freight,
 * and in some ZIPs the post office has only boxes. The address itself is checked with the form (domain/ordering/checkout).
 */
export function refuseHomeDelivery(place: Pick<Place, 'region' | 'zipType'>): HomeDeliveryRefusal | undefined {
  if (place.region === 'MILITARY' || place.zipType === 'MILITARY') return 'military'
  return place.zipType === 'PO_BOX' ? 'po-box' : undefined
}

/**
 * Returns the `count`th business day after `date`; for 0, `date` or the first business day after it. `isCounted`: other
 * days than business days.
 */
export function addBusinessDays(
  date: Temporal.PlainDate,
  count: number,
  isCounted: (day: Temporal.PlainDate) => boolean = isBusinessDay,
): Temporal.PlainDate {
  let day = date
  for (let left = count; left > 0 || !isCounted(day);) {
    day = day.add({ days: 1 })
    if (isCounted(day)) left -= 1
  }
  return day
}

/** Great-circle distance in statute miles on a spherical earth (off by at most half a percent). */
export function milesBetween(a: Point, b: Point): number {
  const rad = Math.PI / 180
  const half =
    Math.sin(((b.latitude - a.latitude) * rad) / 2) ** 2 +
    Math.cos(a.latitude * rad) * Math.cos(b.latitude * rad) * Math.sin(((b.longitude - a.longitude) * rad) / 2) ** 2
  return 2 * earthRadiusMiles * Math.asin(Math.min(1, Math.sqrt(half)))
}

/** Returns a warehouse's cutoff on this day, in its time zone. */
export function cutoffOn(
  { cutoff, dayCutoffs }: Pick<Warehouse, 'cutoff' | 'dayCutoffs'>,
  day: Temporal.PlainDate,
): string {
  return dayCutoffs[day.dayOfWeek - 1] ?? cutoff
}

/**
 * Returns the day on which a warehouse ships an order that is released to it at `released`: `handlingDays` ship days
 * after that day if it is a ship day and not after the cutoff, otherwise after the next ship day. Ship days are the
 * warehouse's, except its closed days and federal holidays.
 */
export function shipDay(
  released: Temporal.Instant,
  warehouse: Pick<Warehouse, 'timeZone' | 'cutoff' | 'dayCutoffs' | 'handlingDays' | 'shipDays' | 'closedDays'>,
): Temporal.PlainDate {
  const { timeZone, handlingDays, shipDays, closedDays } = warehouse
  const isShipDay = (day: Temporal.PlainDate) =>
    shipDays.includes(day.dayOfWeek) && !closedDays.includes(day.toString()) && federalHoliday(day) === undefined
  const local = released.toZonedDateTimeISO(timeZone)
  const today = local.toPlainDate()
  const inTime = Temporal.PlainTime.compare(local.toPlainTime(), cutoffOn(warehouse, today)) <= 0
  const handledFrom = addBusinessDays(today, isShipDay(today) && !inTime ? 1 : 0, isShipDay)
  return addBusinessDays(handledFrom, handlingDays, isShipDay)
}

/**
 * Returns the promised dates of an order placed at `now`. It is released to the warehouse `releaseAfterSeconds` later,
 * ships as `shipDay` returns, and then takes `transitDays`.
 */
export function promiseDelivery(order: {
  now: Temporal.Instant
  releaseAfterSeconds: number
  warehouse: Warehouse
  destination: Destination
}): DeliveryPromise {
  const shipsOn = shipDay(order.now.add({ seconds: order.releaseAfterSeconds }), order.warehouse)
  const miles = milesBetween(order.warehouse, order.destination)
  const { destination, warehouse } = order
  const days =
    transitDaysOfZip(warehouse.transitByZip, destination.zip) ??
    transitDays(destination.region, miles, warehouse.transit)
  const { timeZone } = order.warehouse
  const plainTime = cutoffOn(order.warehouse, shipsOn)
  const shipsBy = shipsOn.toZonedDateTime({ timeZone, plainTime }).toInstant()
  return { shipsOn, shipsBy, arrivesOn: addBusinessDays(shipsOn, days), transitDays: days, miles }
}

/** Whether a warehouse ships to this destination. */
export function shipsTo(warehouse: Point & Pick<Warehouse, 'unservedZones'>, destination: Destination): boolean {
  const { unservedZones } = warehouse
  return !unservedZones.includes(transitZone(destination.region, milesBetween(warehouse, destination)))
}

/**
 * Ranks warehouses for a destination by earliest arrival, then distance. Leaves out those that don't ship there, and
 * those that close before they ship.
 */
export function rankWarehouses(order: {
  warehouses: readonly StockedWarehouse[]
  destination: Destination
  now: Temporal.Instant
  releaseAfterSeconds: number
}): RankedWarehouse[] {
  return order.warehouses
    .filter((warehouse) => shipsTo(warehouse, order.destination))
    .map((warehouse) => ({ warehouse, promise: promiseDelivery({ ...order, warehouse }) }))
    .filter(
      ({ warehouse: { closesOn }, promise }) =>
        closesOn == null || Temporal.PlainDate.compare(promise.shipsOn, closesOn) < 0,
    )
    .sort(
      (a, b) =>
        Temporal.PlainDate.compare(a.promise.arrivesOn, b.promise.arrivesOn) || a.promise.miles - b.promise.miles,
    )
}

/**
 * Plans which ranked warehouses ship which items. Sums demand per item first, so that two lines of one item can't count
 * the same units twice. Each parcel comes from the warehouse with most of the missing units, so one warehouse with
 * everything is preferred to any split. If several have as many, the first arrival is promised, and the cheapest of
 * those that keep it is chosen without a loss if possible, then the better ranked one. `unitCents` is the price of a
 * unit. Requires at least one line; refuses with the missing units.
 */
export function planShipments(
  lines: readonly { itemId: number; quantity: number; unitCents?: number }[],
  ranked: readonly RankedWarehouse[],
): Outcome<DeliveryPlan, Refused<'out-of-stock', Shortage[]>> {
  const missing = new Map<number, number>()
  for (const { itemId, quantity } of lines) missing.set(itemId, (missing.get(itemId) ?? 0) + quantity)

  const shortages = [...missing]
    .map(([itemId, wanted]) => ({
      itemId,
      wanted,
      available: ranked.reduce((sum, { warehouse }) => sum + (warehouse.stock.get(itemId) ?? 0), 0),
    }))
    .filter(({ wanted, available }) => available < wanted)
  if (shortages.length > 0) return refused('out-of-stock', shortages)

  const prices = new Map(lines.map(({ itemId, unitCents }) => [itemId, unitCents]))
  const shipments: ShipmentPlan[] = []
  let idle = [...ranked]
  while (missing.size > 0) {
    const parcels = idle.map((sender) => ({ sender, items: sendable(sender.warehouse, missing) }))
    const { sender, items } = bestParcel(parcels, prices)
    shipments.push({ ...sender.promise, warehouseId: sender.warehouse.id, warehouseCode: sender.warehouse.code, items })
    idle = idle.filter((other) => other !== sender)
    for (const { itemId, quantity } of items) {
      const left = (missing.get(itemId) ?? 0) - quantity
      if (left > 0) missing.set(itemId, left)
      else missing.delete(itemId)
    }
  }
  return ok({ arrivesOn: shipments.map((shipment) => shipment.arrivesOn).reduce(later), shipments })
}

const earthRadiusMiles = 3958.7613

type Parcel = { sender: RankedWarehouse; items: { itemId: number; quantity: number }[] }

/** Chooses the next parcel from at least one. `prices` are by item in cents. */
function bestParcel(parcels: readonly Parcel[], prices: ReadonlyMap<number, number | undefined>): Parcel {
  const most = Math.max(...parcels.map(({ items }) => unitsOf(items)))
  const [first, ...others] = parcels.filter(({ items }) => unitsOf(items) === most)
  if (!first) throw new RangeError('A plan needs at least one warehouse.')
  if (others.length === 0) return first
  const promisedOn = first.sender.promise.arrivesOn.toString()
  const options = [first, ...others].map((parcel) => {
    const costCents = sumOf(parcel.items, parcel.sender.warehouse.landedCents)
    const { arrivesOn } = parcel.sender.promise
    const obstacle = obstacleOf({ arrivesOn, costCents }, { promisedOn, paidCents: sumOf(parcel.items, prices) })
    return { parcel, arrivesOn, costCents, obstacle }
  })
  const inTime = options.filter(({ obstacle }) => obstacle !== 'late').map((option) => ({ ...option, obstacle: null }))
  const [chosen] = [...chooseSources(options), ...chooseSources(inTime)]
  return chosen?.parcel ?? first
}

/** The sum of units at an amount each; null if one is unknown. */
function sumOf(items: Parcel['items'], centsOf: ReadonlyMap<number, number | undefined> | undefined): number | null {
  return items.reduce<number | null>((sum, { itemId, quantity }) => {
    const cents = centsOf?.get(itemId)
    return sum === null || cents === undefined ? null : sum + quantity * cents
  }, 0)
}

function sendable(
  warehouse: StockedWarehouse,
  missing: ReadonlyMap<number, number>,
): { itemId: number; quantity: number }[] {
  return [...missing]
    .map(([itemId, wanted]) => ({ itemId, quantity: Math.min(wanted, warehouse.stock.get(itemId) ?? 0) }))
    .filter(({ quantity }) => quantity > 0)
}

function later(a: Temporal.PlainDate, b: Temporal.PlainDate): Temporal.PlainDate {
  return Temporal.PlainDate.compare(a, b) < 0 ? b : a
}

function unitsOf(items: readonly { quantity: number }[]): number {
  return items.reduce((sum, { quantity }) => sum + quantity, 0)
}
