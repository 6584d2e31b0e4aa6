/** A fleet's orders by vehicle, with fleet details, installed tires and mileage. */
import { selectFleetOrders, type FleetOrder } from '#domain/ordering/orders/orders.server.ts'
import { missingInPacket } from '#domain/ordering/orders/orders.ts'
import type { Database } from '#platform/db.ts'
import { selectInstalledTires, type AccountTire } from './tire-registrations.sql.server.ts'
import { selectFinishedJobs, type FinishedJob } from './work-orders.sql.server.ts'

/** An order of a fleet with its job; `job` is null until a shop has finished it. */
export type FleetVisit = FleetOrder & {
  job: FinishedJob | null
  tires: Pick<AccountTire, 'position' | 'tin' | 'brand' | 'line' | 'size'>[]
}

/** Orders on a page of vehicles, and in a batch of the file. */
const visitsPerPage = 100

type Whose = { companyId: string; accountId: string | null }

/**
 * Lists a company's orders with fleet details, newest first, for all its members or one. `next` is the cursor of the
 * following page.
 */
export async function listFleetVisits(
  { db }: { db: Database },
  whose: Whose,
  before: number | null,
): Promise<{ visits: FleetVisit[]; next: number | null }> {
  const found = await selectFleetOrders(db, { ...whose, before, only: null, limit: visitsPerPage + 1 })
  const orders = found.slice(0, visitsPerPage)
  return {
    visits: await withJobs(db, orders),
    next: found.length > visitsPerPage ? (orders.at(-1)?.orderId ?? null) : null,
  }
}

/** One of them; undefined for an order that is not among them. */
export async function readFleetVisit(
  { db }: { db: Database },
  { orderId, ...whose }: Whose & { orderId: number },
): Promise<FleetVisit | undefined> {
  const [visit] = await withJobs(db, await selectFleetOrders(db, { ...whose, before: null, only: orderId, limit: 1 }))
  return visit
}

async function withJobs(db: Database, orders: readonly FleetOrder[]): Promise<FleetVisit[]> {
  const orderIds = orders.map(({ orderId }) => orderId)
  const jobs = new Map((await selectFinishedJobs(db, orderIds)).map((job) => [job.orderId, job]))
  const tires = Map.groupBy(await selectInstalledTires(db, orderIds), ({ orderId }) => orderId)
  return orders.map((order) => ({
    ...order,
    job: jobs.get(order.orderId) ?? null,
    tires: tires.get(order.orderId) ?? [],
  }))
}

/** Returns the car's VIN, full if it was provided, or the last eight characters as read by the shop. */
export function visitVin({ vin, job }: Pick<FleetVisit, 'vin' | 'job'>): string | null {
  const read = job?.vinEnd ?? null
  return vin !== null && (read === null || vin.endsWith(read)) ? vin : (read ?? vin)
}

/** What the packet of an order still lacks, in words. */
export function missingInVisit(visit: FleetVisit): string[] {
  const missing = missingInPacket({ ...visit, vin: visitVin(visit) }).map(({ words }) => words)
  return visit.job || !visit.isInstalled ? missing : [...missing, 'Mileage', 'Position and TIN of every tire']
}
