/** The orders of a fleet's vehicles as its pages and files show them. */
import { serverPaths } from '#content/server-paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { positionName, tinText } from '#domain/installer-portal/work-orders/work-orders.ts'
import { missingInVisit, visitVin, type FleetVisit } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { dateText } from '#platform/day-text.ts'
import { storeDay } from '#platform/store-zone.ts'
import { countOf } from '#platform/count-text.ts'

export type VisitView = ReturnType<typeof visitView>

/** An order with its packet and tires, in words. */
export function visitView(visit: FleetVisit) {
  const { orderId, state, placedAt, poNumber, vehicle, unit, driver, plate, plateState, job, tires } = visit
  return {
    href: serverPaths.fleetOrder(orderId),
    number: orderNumber(orderId),
    isCanceled: state === 'canceled',
    status: statusOf(visit),
    placed: dateText(storeDay(placedAt).toString()),
    poNumber,
    vehicle,
    unit,
    driver,
    vin: visitVin(visit),
    plate: plate === null ? null : [plate, plateState].filter(Boolean).join(' '),
    fitted: job && `${dateText(dayOf(job))} at ${job.shop}`,
    miles: job && countOf(job.odometerMiles, 'mile'),
    tires: tires.map(({ position, tin, brand, line, size }) => ({
      position: positionName(position),
      tin: tinText(tin),
      tire: `${brand} ${line} ${size}`,
    })),
    missing: missingInVisit(visit),
  }
}

/** Where the tires are, in words. */
function statusOf({ state, job, isInstalled }: FleetVisit): string {
  if (state === 'canceled') return 'Canceled'
  if (job) return `Installed ${dateText(dayOf(job))} at ${job.shop}, ${countOf(job.odometerMiles, 'mile')}`
  return isInstalled ? 'Not installed yet' : 'Not installed by one of our shops'
}

/** The day a job was finished, on the shop's calendar. */
function dayOf({ doneAt, timeZone }: NonNullable<FleetVisit['job']>): string {
  return doneAt.toZonedDateTimeISO(timeZone).toPlainDate().toString()
}

/** The packet of an order as a file. */
export function packetFile(visit: FleetVisit, company: string) {
  const { orderId, placedAt, poNumber, vehicle, unit, driver, plate, plateState, job, tires } = visit
  return {
    order: orderNumber(orderId),
    company,
    placedAt: placedAt.toString(),
    poNumber,
    vehicle,
    unit,
    driver,
    vin: visitVin(visit),
    plate,
    plateState,
    mileage: job?.odometerMiles ?? null,
    installedOn: job && dayOf(job),
    shop: job?.shop ?? null,
    tires: tires.map(({ position, tin, brand, line, size }) => ({ position, tin, brand, line, size })),
    missing: missingInVisit(visit),
  }
}

/** The columns of the vehicle export. Each row is a tire, or an order without tires. */
export const vehicleColumns = [
  'Unit',
  'Driver',
  'VIN',
  'Plate',
  'State',
  'Vehicle',
  'Order',
  'PO number',
  'Ordered',
  'Installed',
  'Shop',
  'Mileage',
  'Position',
  'TIN',
  'Tire',
] as const

/** The rows of an order. */
export function vehicleRows(visit: FleetVisit): (string | number | null)[][] {
  const { orderId, placedAt, poNumber, vehicle, unit, driver, plate, plateState, job } = visit
  const facts = [
    unit,
    driver,
    visitVin(visit),
    plate,
    plateState,
    vehicle,
    orderNumber(orderId),
    poNumber,
    storeDay(placedAt).toString(),
    job && dayOf(job),
    job?.shop ?? null,
    job?.odometerMiles ?? null,
  ]
  if (visit.tires.length === 0) return [[...facts, null, null, null]]
  return visit.tires.map(({ position, tin, brand, line, size }) => [
    ...facts,
    position,
    tin,
    `${brand} ${line} ${size}`,
  ])
}

/** Groups orders by unit number. Orders without a unit come last. */
export function vehiclesOf(visits: readonly FleetVisit[]): { unit: string | null; visits: VisitView[] }[] {
  const byUnit = Map.groupBy(visits.map(visitView), ({ unit }) => unit?.toUpperCase() ?? null)
  return [...byUnit.values()]
    .map((each) => ({ unit: each[0]?.unit ?? null, visits: each }))
    .toSorted((one, other) => {
      if (one.unit === null || other.unit === null) return Number(one.unit === null) - Number(other.unit === null)
      return one.unit.localeCompare(other.unit, 'en', { numeric: true })
    })
}
