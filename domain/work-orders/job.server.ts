/** One job of a shop: what its page shows, and the locked form in which every act finds it. */
import { findBooking } from '#domain/booking/booking.server.ts'
import type { Booking } from '#domain/booking/booking.ts'
import {
  lockOrder,
  readOrder,
  readVinEnd,
  selectPacket,
  workOrderOf,
  type OrderView,
} from '#domain/orders/orders.server.ts'
import type { FleetPacket, WorkOrder } from '#domain/orders/orders.ts'
import { requireShopMember, type PortalActor } from '#domain/portal/portal.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database, Tx } from '#platform/db.ts'
import { isId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { selectReportsOfJob, type ShopReport } from './shop-reports.sql.server.ts'
import type { TireLine } from './wheel-positions.ts'
import {
  lockWorkOrder,
  selectArticles,
  selectJobEvents,
  selectPieces,
  selectTires,
  selectWorkOrder,
  type JobEvent,
  type StoredTire,
  type WorkOrderRow,
} from './work-orders.sql.server.ts'
import { whyNotArrived, type NotReady, type Readiness, type WorkOrderState } from './work-order-life.ts'

export type JobDeps = { db: Database; clock: Clock; config: Pick<Config, 'session' | 'store' | 'demo'> }

/** A line of tires with how many of it the shop has counted. */
export type JobPiece = TireLine & { itemId: number; description: string; sku: string; received: number }

/** Everything a technician needs of one job. */
export type Job = {
  booking: Booking
  orderId: number
  state: WorkOrderState
  stateAt: Temporal.Instant | null
  reason: string | null
  facts: WorkOrder
  vehicle: string | null
  vinEnd: string | null
  /** Why nothing may be done; null for a job that goes on or is over. */
  stop: string | null
  tires: StoredTire[]
  pieces: JobPiece[]
  odometerMiles: number | null
  codeAttempts: number
  codeMatchedAt: Temporal.Instant | null
  signedName: string | null
  signedStrokes: string | null
  signedAt: Temporal.Instant | null
  /** The last eight of the VIN as read on the car; `vinEnd` is what the order says. */
  carVinEnd: string | null
  /** What the fleet wants to know of the vehicle; null for the job of anybody else. */
  packet: FleetPacket | null
  events: JobEvent[]
  reports: ShopReport[]
  today: Temporal.PlainDate
  /** What keeps the car from being marked as here. */
  notReady: NotReady | null
}

/** The lines of tires of an order, without what was canceled. */
export function tireLinesOf(order: Pick<OrderView, 'lines'>): (TireLine & { description: string; itemId: number })[] {
  return order.lines.flatMap(({ kind, lineNo, axle, quantity, canceled, description, itemId }) =>
    kind === 'tire' && itemId !== null && quantity > canceled
      ? [{ lineNo, axle, quantity: quantity - canceled, description, itemId }]
      : [],
  )
}

/** Reads a job of a shop; undefined for a booking that is not the shop's, or was never an appointment. */
export async function readJob(
  { db, clock, config }: JobDeps,
  { shopId, bookingId }: { shopId: number; bookingId: string },
): Promise<Job | undefined> {
  const booking = isId(bookingId) ? await findBooking(db, bookingId) : undefined
  if (!booking || booking.shopId !== shopId || booking.orderId === null) return undefined
  const { orderId } = booking
  const order = await readOrder(db, orderId)
  const facts = order && workOrderOf(order, config)
  if (!order || !facts) return undefined
  const lines = tireLinesOf(order)
  const row = await selectWorkOrder(db, bookingId)
  const pieces = await readPieces(db, bookingId, lines)
  const today = clock.now().toZonedDateTimeISO(booking.timeZone).toPlainDate()
  return {
    booking,
    orderId,
    ...recordedOf(row, booking),
    facts,
    vehicle: order.verdict?.vehicleName ?? order.vehicleNote,
    vinEnd: await readVinEnd(db, orderId),
    carVinEnd: row?.vinEnd ?? null,
    packet: (await selectPacket(db, orderId)) ?? null,
    stop: facts.stop ?? stopOf(booking, row),
    tires: await selectTires(db, bookingId, lines),
    pieces,
    events: await selectJobEvents(db, bookingId),
    reports: await selectReportsOfJob(db, bookingId),
    today,
    notReady: whyNotArrived({ day: dayOf(booking), today, openParcels: openParcelsOf(order), pieces }) ?? null,
  }
}

/** What the shop recorded. Appointments that ended before there were work orders have none. */
function recordedOf(
  row: WorkOrderRow | undefined,
  { state }: Booking,
): Omit<WorkOrderRow, 'bookingId' | 'shopId' | 'orderId' | 'stateAt'> & { stateAt: Temporal.Instant | null } {
  if (row) return row
  return {
    state: state === 'done' || state === 'no-show' ? state : 'open',
    stateAt: null,
    reason: null,
    odometerMiles: null,
    codeAttempts: 0,
    codeMatchedAt: null,
    signedName: null,
    signedStrokes: null,
    signedAt: null,
    vinEnd: null,
  }
}

async function readPieces(db: Database, bookingId: string, lines: ReturnType<typeof tireLinesOf>): Promise<JobPiece[]> {
  const counted = await selectPieces(db, bookingId)
  const articles = await selectArticles(
    db,
    lines.map(({ itemId }) => itemId),
  )
  return lines.map((line) => ({
    ...line,
    sku: articles.get(line.itemId)?.sku ?? '',
    received: counted.get(line.lineNo) ?? 0,
  }))
}

function stopOf({ state }: Booking, row: WorkOrderRow | undefined): string | null {
  const isUndone = row?.state === 'refused' || row?.state === 'wrong-tires'
  return state === 'canceled' && !isUndone ? 'This appointment was canceled. Do not install these tires.' : null
}

/** A job whose order and work order are locked, with who acts on it. */
export type LockedJob = {
  booking: Booking
  order: OrderView
  row: WorkOrderRow
  lines: ReturnType<typeof tireLinesOf>
  memberId: string
  at: Temporal.Instant
  today: Temporal.PlainDate
}

export type JobRefusal = Refused<'not-allowed'> | Refused<'job-not-found'> | Refused<'job-stopped'>

/**
 * Runs `work` in a transaction with the job locked, if the actor may work on jobs of their shop: the order first, as
 * everybody who changes it does. Refuses `job-not-found` for a booking of another shop, and `job-stopped` if the
 * order is canceled, returned or unconfirmed.
 */
export async function withJob<Result extends Outcome<unknown, Refused<string, unknown>>>(
  { db, clock }: Pick<JobDeps, 'db' | 'clock'>,
  by: PortalActor,
  bookingId: string,
  work: (tx: Tx, job: LockedJob) => Promise<Result>,
): Promise<Result | JobRefusal> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const member = await requireShopMember(tx, by, 'jobs.work', at)
    if (!member.ok) return member
    const asked = isId(bookingId) ? await findBooking(tx, bookingId) : undefined
    if (!asked || asked.shopId !== by.shopId || asked.orderId === null) return refused('job-not-found')
    const { orderId } = asked
    const state = await lockOrder(tx, orderId)
    const row = await lockWorkOrder(tx, { bookingId, shopId: by.shopId, orderId, at })
    const [booking, order] = [await findBooking(tx, bookingId), await readOrder(tx, orderId)]
    if (!booking || !order || booking.shopId !== by.shopId) return refused('job-not-found')
    const isOver =
      row.state === 'done' || row.state === 'no-show' || row.state === 'refused' || row.state === 'wrong-tires'
    if (!isOver && (state !== 'confirmed' || booking.state !== 'confirmed')) return refused('job-stopped')
    return work(tx, {
      booking,
      order,
      row,
      lines: tireLinesOf(order),
      memberId: member.value.memberId,
      at,
      today: at.toZonedDateTimeISO(booking.timeZone).toPlainDate(),
    })
  })
}

/** What decides whether a locked job may begin. */
export async function readinessOf(
  tx: Tx,
  { booking, order, lines, today }: Pick<LockedJob, 'booking' | 'order' | 'lines' | 'today'>,
): Promise<Readiness> {
  const counted = await selectPieces(tx, booking.id)
  const pieces = lines.map(({ lineNo, quantity }) => ({ quantity, received: counted.get(lineNo) ?? 0 }))
  return { day: dayOf(booking), today, openParcels: openParcelsOf(order), pieces }
}

function dayOf({ start, timeZone }: Booking): Temporal.PlainDate {
  return start.toZonedDateTimeISO(timeZone).toPlainDate()
}

/** Parcels that are still to come; what came back or was canceled brings nothing. */
function openParcelsOf({ shipments }: Pick<OrderView, 'shipments'>): number {
  return shipments.filter(({ state }) => state === 'processed' || state === 'pending-pickup' || state === 'in-transit')
    .length
}

/** What an act that changes nothing new answers. */
export const alreadyDone = ok({ isNew: false })
