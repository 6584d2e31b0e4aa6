/** Computes an order's price and arrival at another location. Read-only. */
import { bookingMessages, outsideAreaMessage } from '#content/messages/booking.ts'
import { homeDeliveryMessages } from '#content/messages/delivery.ts'
import { offerTimes } from '#domain/scheduling/booking/booking.server.ts'
import type { OfferedDay } from '#domain/scheduling/booking/booking.ts'
import { priceShipping, refuseHomeDelivery } from '#domain/supply/delivery/delivery.ts'
import { warehousePromises } from '#domain/supply/delivery/delivery.server.ts'
import { findShop, findShopsNear, findVans, vanServes } from '#domain/scheduling/installers/installers.server.ts'
import { findPickupPlace, listKnownPlaces } from '#domain/supply/pickup-places/pickup-places.server.ts'
import { quoteInstallation, type InstallationQuote, type TireSpec } from '#domain/scheduling/installers/installers.ts'
import { priceElsewhere } from '#domain/catalog/offers/offers.ts'
import { hasHouseNumber } from '#domain/supply/delivery/delivery.ts'
import {
  selectOrderTires,
  type OrderPlace,
  type OrderView,
  type ParcelPromise,
} from '#domain/ordering/orders/orders.server.ts'
import { findPlace } from '#domain/kernel/places/places.server.ts'
import type { ZipRefusal } from '#domain/kernel/places/places.ts'
import { canRelocate, type PriceBreakdown } from '#domain/pricing/pricing/pricing.ts'
import { findTaxRule } from '#domain/pricing/sales-tax/sales-tax.server.ts'
import type { LiveTerms } from '#domain/kernel/settings/settings.server.ts'
import { releaseAfterOf, shippingRatesOf } from '#domain/kernel/settings/settings.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeZone } from '#platform/store-zone.ts'
import { linkHours, type AskedPlace } from './order-changes.ts'

export type PlanDeps = {
  db: Database
  clock: Clock
  maxReleaseSeconds: number
  businessTerms: Pick<LiveTerms, 'at'>
}

/** `why` is a message with the alternative. */
export type NotPossible = Refused<'not-possible', { why: string }>

/** An order at another place. */
export type PlannedChange = {
  place: OrderPlace
  name: string
  timeZone: string
  tires: TireSpec[]
  after: PriceBreakdown
  /** Where a van comes. */
  visitZip: string
}

/** A place an order can go to, as a list offers it. */
export type PlaceChoice = AskedPlace & { name: string; city: string; miles: number }

/**
 * Lists the possible shops, vans and counters for an order, nearest to `zip` first. Vans only come to the customer's
 * address.
 */
export async function listPlaces(
  { db, clock }: Pick<PlanDeps, 'db' | 'clock'>,
  order: OrderView,
  zip: string,
): Promise<Outcome<PlaceChoice[], ZipRefusal>> {
  const tires = await selectOrderTires(db, order.id)
  const [shops, vans, counters] = await Promise.all([
    findShopsNear({ db, clock }, { near: { zip }, tires, limit: 12 }),
    findVans({ db, clock }, { zip: order.address.zip, tires }),
    listKnownPlaces({ db }, { zip }),
  ])
  if (!shops.ok) return shops
  const works = (fulfillment: 'shop' | 'mobile', found: typeof vans) =>
    found
      .filter(({ id, quote }) => quote !== null && id !== order.shop?.id)
      .map(({ id, name, city, miles }) => ({ fulfillment, shopId: id, carrierLocationId: null, name, city, miles }))
  return ok([
    ...works('shop', shops.value),
    ...works('mobile', vans),
    ...counters.map(({ id, name, city, miles }) => ({
      fulfillment: 'carrier-pickup' as const,
      shopId: null,
      carrierLocationId: id,
      name,
      city,
      miles,
    })),
  ])
}

/** Plans the order at the requested location, with its price and exact destination. */
export async function planChange(
  deps: PlanDeps,
  order: OrderView,
  asked: AskedPlace,
): Promise<Outcome<PlannedChange, NotPossible>> {
  const tires = await selectOrderTires(deps.db, order.id)
  const found = await findTarget(deps, order, asked, tires)
  if (!found.ok) return found
  const { place, name, timeZone, installation, shippingTo } = found.value
  // A van works at the customer's address, regardless of its base.
  const taxedAt = place.fulfillment === 'mobile' ? order.address : place.shipTo
  const { state } = taxedAt
  const isThere =
    place.fulfillment === order.fulfillment &&
    (place.shopId === null ? isSameAddress(place.shipTo, order.shipTo) : place.shopId === order.shop?.id)
  if (isThere) return not('The order is already going there. To change only the time, reschedule the appointment.')
  if (order.lines.some(({ kind }) => kind === 'part'))
    return not('The order has parts that are packed with its tires. Cancel it, and the customer can order again.')
  if (!canRelocate(order.breakdown, state))
    return not(
      `A discount or tax certificate on this order isn’t valid in ${state}. Cancel it, and the customer can order again.`,
    )
  const day = deps.clock.now().toZonedDateTimeISO(timeZone).toPlainDate()
  const placedOn = order.placedAt.toZonedDateTimeISO(timeZone).toPlainDate()
  const taxRule = await findTaxRule(deps.db, taxedAt, placedOn, order.placedAt)
  if (!taxRule) return not(`We do not ship to ${state}.`)
  const items = order.shipments
    .filter((parcel) => parcel.state !== 'canceled')
    .flatMap((parcel) => parcel.items)
    .map((item) => ({ ...item, unitCents: order.breakdown.lines[item.lineNo - 1]?.unitCents ?? 0 }))
  const terms = deps.businessTerms.at(order.placedAt)
  const after = priceElsewhere(
    order.breakdown,
    {
      stateCode: state,
      installation,
      shopName: place.shopId === null ? null : name,
      shippingCents: priceShipping(shippingRatesOf(terms), place.shipTo, items).totalCents,
      shippingTo,
      taxRule,
      terms,
    },
    day,
  )
  return ok({ place, name, timeZone, tires, after, visitZip: order.address.zip })
}

type Target = Pick<PlannedChange, 'place' | 'name' | 'timeZone'> & {
  installation: InstallationQuote | null
  shippingTo: 'shop' | 'address' | 'pickup'
}

function findTarget(
  deps: PlanDeps,
  order: OrderView,
  asked: AskedPlace,
  tires: readonly TireSpec[],
): Promise<Outcome<Target, NotPossible>> {
  if (order.warehousePickup)
    return Promise.resolve(
      not('This order is picked up at a warehouse and cannot go elsewhere. Cancel it and order it again.'),
    )
  switch (asked.fulfillment) {
    case 'shop':
    case 'mobile':
      return atShop(deps, order, { fulfillment: asked.fulfillment, shopId: asked.shopId }, tires)
    case 'home':
      return atHome(deps, order)
    case 'carrier-pickup':
      return atCounter(deps, asked.carrierLocationId)
    case 'warehouse-pickup':
      return Promise.resolve(not('An order cannot be moved to a warehouse. Choose another place.'))
  }
}

async function atShop(
  deps: PlanDeps,
  { address }: OrderView,
  { fulfillment, shopId }: { fulfillment: 'shop' | 'mobile'; shopId: number | null },
  tires: readonly TireSpec[],
): Promise<Outcome<Target, NotPossible>> {
  const shop = shopId === null ? undefined : await findShop(deps, { id: shopId })
  if (!shop || (shop.kind === 'van') !== (fulfillment === 'mobile')) return not(bookingMessages['shop-not-found'])
  if (fulfillment === 'mobile' && !(await vanServes(deps, { shopId: shop.id, zip: address.zip })))
    return not(outsideAreaMessage)
  const installation = quoteInstallation(shop, tires)
  if (!installation.ok) return not(bookingMessages['shop-not-capable'])
  const { id, name, street, city, state, zip, timeZone } = shop
  return ok({
    place: { fulfillment, shopId: id, carrierLocationId: null, shipTo: { name, street, city, state, zip } },
    name,
    timeZone,
    installation: installation.value,
    shippingTo: 'shop',
  })
}

/** At the customer's own address. */
async function atHome({ db }: PlanDeps, order: OrderView): Promise<Outcome<Target, NotPossible>> {
  const { line1, line2, city, state, zip } = order.address
  const here = await findPlace(db, zip)
  const refusal = here && refuseHomeDelivery(here)
  if (refusal) return not(homeDeliveryMessages[refusal])
  if (!here || !hasHouseNumber([line1, line2]))
    return not('The customer’s address is not complete. Change the address first.')
  const street = [line1, line2].filter(Boolean).join(', ')
  const shipTo = { name: `${order.firstName} ${order.lastName}`, street, city, state, zip }
  return ok({
    place: { fulfillment: 'home', shopId: null, carrierLocationId: null, shipTo },
    name: 'the customer’s address',
    timeZone: here.timeZone ?? storeZone,
    installation: null,
    shippingTo: 'address',
  })
}

async function atCounter(deps: PlanDeps, id: number | null): Promise<Outcome<Target, NotPossible>> {
  const counter = id === null ? undefined : await findPickupPlace(deps, id)
  const here = counter && (await findPlace(deps.db, counter.zip))
  if (!counter || !here) return not('This pickup location is no longer available. Choose another one.')
  const { name, street, city, state, zip } = counter
  return ok({
    place: {
      fulfillment: 'carrier-pickup',
      shopId: null,
      carrierLocationId: counter.id,
      shipTo: { name, street, city, state, zip },
    },
    name,
    timeZone: here.timeZone ?? storeZone,
    installation: null,
    shippingTo: 'pickup',
  })
}

function isSameAddress(one: OrderPlace['shipTo'], other: OrderPlace['shipTo']): boolean {
  return one.street === other.street && one.zip === other.zip
}

/**
 * When each warehouse's parcel ships and arrives at `zip`, never before the day promised now. With `isPaidLater`, if the
 * customer pays at the last moment. `shipsBy` is null for a closing warehouse.
 */
export async function promisesAt(
  deps: PlanDeps,
  order: Pick<OrderView, 'shipments' | 'releasedAt' | 'terms'>,
  { zip, isPaidLater }: { zip: string; isPaidLater: boolean },
): Promise<Outcome<Map<number, ParcelPromise>, NotPossible>> {
  const wait =
    (order.releasedAt === null ? releaseAfterOf(order.terms.cancelMinutes, deps.maxReleaseSeconds) : 0) +
    (isPaidLater ? linkHours * 3_600 : 0)
  const promises = await warehousePromises(deps, { zip, releaseAfter: wait })
  if (!promises.ok) return not('We cannot promise a day for this ZIP code. Choose another place.')
  const days = order.shipments
    .filter(({ state }) => state !== 'canceled')
    .map(({ warehouse, promisedOn }) => {
      const promised = Temporal.PlainDate.from(promisedOn)
      const { arrivesOn, shipsBy } = promises.value.get(warehouse.id) ?? { arrivesOn: promised, shipsBy: null }
      const isLater = Temporal.PlainDate.compare(arrivesOn, promised) > 0
      return [warehouse.id, { arrivesOn: isLater ? arrivesOn : promised, shipsBy }] as const
    })
  return ok(new Map(days))
}

/** The day all parcels have arrived. */
export function lastOf(promises: ReadonlyMap<number, ParcelPromise>): Temporal.PlainDate {
  const days = [...promises.values()].map(({ arrivesOn }) => arrivesOn)
  const last = days.toSorted((a, b) => Temporal.PlainDate.compare(a, b)).at(-1)
  if (last === undefined) throw new Error('An order without parcels cannot be changed.')
  return last
}

/** Returns days with available times at the planned shop; empty without installation. */
export async function offerPlannedTimes(
  deps: PlanDeps,
  { place, tires, visitZip }: PlannedChange,
  arrivesOn: Temporal.PlainDate,
): Promise<OfferedDay[]> {
  if (place.shopId === null) return []
  const offered = await offerTimes(deps, { shopId: place.shopId, tires, arrivesOn, zip: visitZip })
  return offered.ok ? offered.value.days : []
}

/** A refusal with its sentence. */
export function not(why: string): NotPossible {
  return refused('not-possible', { why })
}
