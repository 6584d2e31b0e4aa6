/**
 * The shipping and arrival times of sample orders' packages, by the store's delivery promise, on business days only.
 */
import {
  addBusinessDays,
  milesBetween,
  promiseDelivery,
  regionOf,
  releaseAfterSeconds,
  standardShipDays,
  standardTransit,
  type Point,
  type Warehouse,
} from '#domain/supply/delivery/delivery.ts'
import { DELIVERY_BUSINESS_DAYS } from '#platform/business-constants.ts'
import { hashOf } from './random.ts'
import { warehouses } from './warehouses.ts'

/** The destination of an order's tires, at the shop or the shopper's address. */
export type Destination = Point & { state: string; time_zone: string }

export type Journey = {
  warehouseId: number
  releasedAt: Temporal.Instant
  labeledAt: Temporal.Instant
  pickedUpAt: Temporal.Instant
  deliveredAt: Temporal.Instant
  promisedOn: Temporal.PlainDate
  shipsBy: Temporal.Instant
}

const ownWarehouses: readonly Warehouse[] = warehouses.map(
  ({ id, form: { code, cutoff }, latitude, longitude, timeZone }) => ({
    id,
    code,
    latitude,
    longitude,
    timeZone,
    cutoff,
    dayCutoffs: [],
    handlingDays: 0,
    transit: standardTransit,
    unservedZones: [],
    shipDays: standardShipDays,
    closedDays: [],
  }),
)

/**
 * Returns the shipping times of a package for an order placed at `placedAt`, from the store's closest own warehouse.
 * The warehouse labels it hours after the release, or within minutes if `parcel` is `labeled`.
 */
export function journeyTo(destination: Destination, placedAt: Temporal.Instant, parcel?: Parcel): Journey {
  const [first] = ownWarehouses.toSorted((a, b) => milesBetween(a, destination) - milesBetween(b, destination))
  if (!first) throw new Error('There is no warehouse.')
  const { shipsOn, arrivesOn } = promiseDelivery({
    now: placedAt,
    releaseAfterSeconds,
    warehouse: first,
    destination: { ...destination, region: regionOf(destination.state) },
  })
  return journeyOn(first, { placedAt, shipsOn, arrivesOn, timeZone: destination.time_zone, parcel })
}

/** The package state of an order that is neither new nor complete. */
export type Parcel = 'labeled' | 'on-its-way'

/** The hours by which an address may be off the warehouse's clock. */
const zoneHours = 6

/** Returns whether an order placed at `placedAt` has definitely arrived by `now`, anywhere in the contiguous states. */
export function hasArrived(placedAt: Temporal.Instant, now: Temporal.Instant): boolean {
  return possibleJourneys(placedAt).every(({ deliveredAt }) => isBefore(deliveredAt.add({ hours: zoneHours }), now))
}

/** Returns whether the package of an order placed at `placedAt` is definitely in transit at `now`, anywhere. */
export function isOnItsWay(placedAt: Temporal.Instant, now: Temporal.Instant): boolean {
  return possibleJourneys(placedAt).every(
    ({ pickedUpAt, deliveredAt }) =>
      isBefore(pickedUpAt, now) && isBefore(now, deliveredAt.subtract({ hours: zoneHours })),
  )
}

/** Returns whether the labeled package of an order placed at `placedAt` definitely awaits pickup at `now`. */
export function isWaiting(placedAt: Temporal.Instant, now: Temporal.Instant): boolean {
  return possibleJourneys(placedAt).every(
    ({ labeledAt, pickedUpAt }) => isBefore(labeledAt, now) && isBefore(now, pickedUpAt),
  )
}

/** Returns a placement time for which the package awaits pickup at any time of any day, varied slightly by `salt`. */
export function justLabeled(now: Temporal.Instant, salt: Temporal.Instant): Temporal.Instant {
  return now.subtract({ minutes: 80 + (hashOf(salt.toString()) % 8) })
}

/**
 * Returns all possible shipping times of an order placed at `placedAt` to an address in the contiguous states. The
 * address is picked later, so conditions must hold for all of them.
 */
function possibleJourneys(placedAt: Temporal.Instant): Journey[] {
  return ownWarehouses.flatMap((warehouse) => {
    const { shipsOn } = promiseDelivery({
      now: placedAt,
      releaseAfterSeconds,
      warehouse,
      destination: { ...warehouse, region: 'CONUS' },
    })
    return [DELIVERY_BUSINESS_DAYS.min, DELIVERY_BUSINESS_DAYS.max].map((days) =>
      journeyOn(warehouse, {
        placedAt,
        shipsOn,
        arrivesOn: addBusinessDays(shipsOn, days),
        timeZone: warehouse.timeZone,
        parcel: 'labeled',
      }),
    )
  })
}

/** The newest time at or before `latest`, in steps of an hour, that suits an order; within 60 days. */
export function newestTime(latest: Temporal.Instant, suits: (placedAt: Temporal.Instant) => boolean): Temporal.Instant {
  for (let hours = 0; hours < 24 * 60; hours++) {
    const at = latest.subtract({ hours })
    if (suits(at)) return at
  }
  throw new Error(`No time of the 60 days before ${latest.toString()} suits a sample order.`)
}

/** The carrier comes an hour after the cutoff or later, with every label made by then, and delivers around noon. */
function journeyOn(
  warehouse: Warehouse,
  days: {
    placedAt: Temporal.Instant
    shipsOn: Temporal.PlainDate
    arrivesOn: Temporal.PlainDate
    timeZone: string
    parcel: Parcel | undefined
  },
): Journey {
  const { placedAt, shipsOn, arrivesOn, timeZone, parcel } = days
  const minutes = hashOf(placedAt.toString())
  const releasedAt = placedAt.add({ seconds: releaseAfterSeconds })
  const at = (day: Temporal.PlainDate, zone: string, time: string) =>
    day.toZonedDateTime({ timeZone: zone, plainTime: time }).toInstant()
  const shipsBy = at(shipsOn, warehouse.timeZone, warehouse.cutoff)
  const pickedUpAt = shipsBy.add({ minutes: 60 + (minutes % 41) })
  const labeledAt = releasedAt.add({ minutes: (parcel === 'labeled' ? 4 : 240) + (minutes % 37) })
  const lastLabels = pickedUpAt.subtract({ minutes: 15 })
  return {
    warehouseId: warehouse.id,
    releasedAt,
    labeledAt: isBefore(labeledAt, lastLabels) ? labeledAt : lastLabels,
    pickedUpAt,
    deliveredAt: at(arrivesOn, timeZone, '10:00').add({ minutes: minutes % 240 }),
    promisedOn: arrivesOn,
    shipsBy,
  }
}

function isBefore(one: Temporal.Instant, other: Temporal.Instant): boolean {
  return Temporal.Instant.compare(one, other) < 0
}
