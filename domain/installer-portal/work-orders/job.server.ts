/** One shop job, with its page data and the locked form used by every action. */
import { findBooking } from '#domain/scheduling/booking/booking.server.ts'
import type { Booking } from '#domain/scheduling/booking/booking.ts'
import {
  lockOrder,
  readOrder,
  readVinEnd,
  selectPacket,
  workOrderOf,
  type OrderView,
} from '#domain/ordering/orders/orders.server.ts'
import type { FleetPacket, WorkOrder } from '#domain/ordering/orders/orders.ts'
import { requireShopMember, type PortalActor } from '#domain/installer-portal/portal/portal.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database, Tx } from '#platform/db.ts'
import { isId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { JobPhoto } from './job-photo-kinds.ts'
import { selectJobPhotos } from './job-photos.sql.server.ts'
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
  placedAt: Temporal.Instant
  state: WorkOrderState
  stateAt: Temporal.Instant | null
  reason: string | null
  facts: WorkOrder
  vehicle: string | null
  vinEnd: string | null
  /** Why the job can't proceed; null if it is active or finished. */
  stop: string | null
  tires: StoredTire[]
  pieces: JobPiece[]
  odometerMiles: number | null
  torqueLbFt: number | null
  codeAttempts: number
  codeMatchedAt: Temporal.Instant | null
  signedName: string | null
  signedStrokes: string | null
  signedAt: Temporal.Instant | null
  /** The VIN's last eight characters as read on the car; `vinEnd` is from the order. */
  carVinEnd: string | null
  /** The last delay sent to the customer. */
  lateMinutes: number | null
  /** The fleet's vehicle details; null for other jobs. */
  packet: FleetPacket | null
  events: JobEvent[]
  reports: ShopReport[]
  photos: JobPhoto[]
  today: Temporal.PlainDate
  /** The reason the car can't be checked in. */
  notReady: NotReady | null
}

/** Returns an order's tire lines without canceled units. */
export function tireLinesOf(order: Pick<OrderView, 'lines'>): (TireLine & { description: string; itemId: number })[] {
  return order.lines.flatMap(({ kind, lineNo, axle, quantity, canceled, description, itemId }) =>
    kind === 'tire' && itemId !== null && quantity > canceled
      ? [{ lineNo, axle, quantity: quantity - canceled, description, itemId }]
      : [],
  )
}

/** Reads a shop's job; undefined if the booking belongs to another shop, or was never an appointment. */
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
    placedAt: order.placedAt,
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
    photos: await selectJobPhotos(db, bookingId),
    today,
    notReady: whyNotArrived({ day: dayOf(booking), today, openParcels: openParcelsOf(order), pieces }) ?? null,
  }
}

/** Returns the shop's records. Appointments from before work orders have no records. */
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
    torqueLbFt: null,
    codeAttempts: 0,
    codeMatchedAt: null,
    signedName: null,
    signedStrokes: null,
    signedAt: null,
    vinEnd: null,
    lateMinutes: null,
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

/** A job with its order and work order locked, and its actor. */
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
 * Runs `work` in a transaction with the job locked, if the actor may work on their shop's jobs. Locks the order first,
 * as all changes do. Refuses with `job-not-found` for another shop's booking, and `job-stopped` if the order is
 * canceled, returned or unconfirmed.
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

/** Returns whether a locked job may start, with the reasons. */
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

/** Counts parcels still to arrive, excluding returned and canceled ones. */
function openParcelsOf({ shipments }: Pick<OrderView, 'shipments'>): number {
  return shipments.filter(({ state }) => state === 'processed' || state === 'pending-pickup' || state === 'in-transit')
    .length
}

/** The result of an action without a new effect. */
export const alreadyDone = ok({ isNew: false })
