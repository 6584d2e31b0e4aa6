/** Moves a job to checked in, in service, no-show, wrong tires, or refused. */
import { endBooking, findBooking } from '#domain/scheduling/booking/booking.server.ts'
import type { OrderView } from '#domain/ordering/orders/orders.server.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import { startJobPay } from '#domain/installer-portal/payouts/payouts.server.ts'
import type { PortalActor } from '#domain/installer-portal/portal/portal.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Tx } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { alreadyDone, readinessOf, tireLinesOf, withJob, type JobDeps, type JobRefusal } from './job.server.ts'
import { insertReport } from './shop-reports.sql.server.ts'
import {
  noShowAfterMinutes,
  whyNotArrived,
  workOrderLife,
  type NotReady,
  type WorkOrderState,
} from './work-order-life.ts'
import { insertJobEvent, lockWorkOrder, moveWorkOrder } from './work-orders.sql.server.ts'

type Deps = Pick<JobDeps, 'db' | 'clock'>
type Moved = Outcome<{ isNew: boolean }, JobRefusal | Refused<'not-now', { state: WorkOrderState }>>

/**
 * Moves a job to the state reported by a technician. Idempotent. A refused job, or one with the wrong tires, ends its
 * appointment, and the shopper is emailed the reason and a link. If a refused job's tires have shipped, the office gets
 * a report to have them moved; otherwise the link offers the nearest shops. Refuses with `not-now` for a disallowed
 * transition, and `not-ready` for a check-in before the day, or before all tires are delivered and counted.
 */
export function moveJob(
  deps: Deps,
  by: PortalActor,
  {
    bookingId,
    to,
    reason,
  }: { bookingId: string } & (
    | { to: 'arrived' | 'in-bay'; reason?: undefined }
    | { to: 'wrong-vehicle' | 'wrong-tires' | 'refused'; reason: string }
  ),
): Promise<Moved | Refused<'not-ready', NotReady>> {
  return withJob<Moved | Refused<'not-ready', NotReady>>(deps, by, bookingId, async (tx, job) => {
    const { row, order, memberId, at } = job
    if (row.state === to) return alreadyDone
    const isPossible = to !== 'wrong-tires' || !order.isService
    if (!isPossible || !workOrderLife[row.state].includes(to)) return refused('not-now', { state: row.state })
    const notReady = to === 'arrived' ? whyNotArrived(await readinessOf(tx, job)) : undefined
    if (notReady) return refused('not-ready', notReady)
    await moveWorkOrder(tx, bookingId, { to, reason: reason ?? null, at })
    await insertJobEvent(tx, { bookingId, what: 'moved', to, memberId, note: reason ?? null, at })
    if (to === 'arrived' || to === 'in-bay' || to === 'wrong-vehicle') return ok({ isNew: true })
    const note = `The shop could not do the job: ${reason ?? to}`.slice(0, 300)
    await loseAppointment(tx, deps.clock, {
      bookingId,
      shopId: by.shopId,
      order,
      to,
      reason: reason ?? to,
      memberId,
      actor: 'shop',
      note,
    })
    return ok({ isNew: true })
  })
}

/**
 * Ends a locked appointment that its shop can't do; the customer is emailed the reason and a link. If a refused job's
 * tires have shipped, the office gets a report to have them moved; otherwise the link offers the nearest shops.
 */
async function loseAppointment(
  tx: Tx,
  clock: Clock,
  lost: {
    bookingId: string
    shopId: number
    order: OrderView
    to: 'wrong-tires' | 'refused'
    reason: string
    memberId: string | null
    actor: string
    note: string
  },
): Promise<void> {
  const { bookingId, shopId, order, to, reason, memberId, actor, note } = lost
  const at = clock.now()
  await endBooking({ db: tx, clock }, { bookingId, to: 'canceled', actor, memberId, note })
  if (to === 'refused' && haveTiresLeft(order))
    await insertReport(tx, {
      bookingId,
      shopId,
      orderId: order.id,
      kind: 'stranded',
      lineNo: null,
      pieces: Math.min(
        mostPieces,
        tireLinesOf(order).reduce((sum, { quantity }) => sum + quantity, 0),
      ),
      note: reason.slice(0, 500),
      photo: null,
      key: newId(),
      memberId,
      at,
    })
  await queueMessage(tx, {
    kind: 'job-refused',
    key: `job-refused:${bookingId}`,
    to: order.email,
    orderId: order.id,
    at,
  })
}

/**
 * Refuses a job on behalf of a shop that stops taking jobs, as `moveJob` does, but emails the shop that its appointment
 * is canceled. The caller has locked the order. False for a finished job, or a car in service.
 */
export async function refuseForShop(
  tx: Tx,
  clock: Clock,
  { bookingId, order, reason, actor }: { bookingId: string; order: OrderView; reason: string; actor: string },
): Promise<boolean> {
  const booking = await findBooking(tx, bookingId)
  if (booking?.state !== 'confirmed' || booking.orderId !== order.id) return false
  const { shopId } = booking
  const at = clock.now()
  const row = await lockWorkOrder(tx, { bookingId, shopId, orderId: order.id, at })
  if (row.state === 'in-bay' || !workOrderLife[row.state].includes('refused')) return false
  await moveWorkOrder(tx, bookingId, { to: 'refused', reason, at })
  await insertJobEvent(tx, { bookingId, what: 'moved', to: 'refused', memberId: null, note: reason, at })
  const lost = {
    bookingId,
    shopId,
    order,
    to: 'refused',
    reason,
    memberId: null,
    actor,
    note: reason.slice(0, 300),
  } as const
  await loseAppointment(tx, clock, lost)
  return true
}

/** What one report can be about. */
const mostPieces = 40

/** Returns whether an order's tires are at the shop or in transit, so that they can't be sent to another shop. */
export function haveTiresLeft({ shipments }: Pick<OrderView, 'shipments'>): boolean {
  return shipments.some(({ state }) => state === 'in-transit' || state === 'delivered')
}

/**
 * Marks a customer who did not come, from `noShowAfterMinutes` after the start on; for a car that was to be dropped off,
 * after the end of its window. Refuses `too-early` with when it may be, and `not-now` once the car has arrived.
 */
export function markNoShow(
  deps: Deps,
  by: PortalActor,
  { bookingId }: { bookingId: string },
): Promise<Moved | Refused<'too-early', { from: Temporal.Instant }>> {
  type NoShow = Moved | Refused<'too-early', { from: Temporal.Instant }>
  return withJob<NoShow>(deps, by, bookingId, async (tx, { booking, row, memberId, at }) => {
    if (row.state === 'no-show') return alreadyDone
    if (!workOrderLife[row.state].includes('no-show')) return refused('not-now', { state: row.state })
    const from = noShowFrom(booking)
    if (Temporal.Instant.compare(at, from) < 0) return refused('too-early', { from })
    await moveWorkOrder(tx, bookingId, { to: 'no-show', reason: null, at })
    await endBooking({ db: tx, clock: deps.clock }, { bookingId, to: 'no-show', actor: 'shop', memberId })
    await insertJobEvent(tx, { bookingId, what: 'moved', to: 'no-show', memberId, at })
    await startJobPay(tx, { bookingId, kind: 'no-show', at })
    return ok({ isNew: true })
  })
}

/** From when on a customer counts as not having come. */
export function noShowFrom({
  start,
  end,
  dropOff,
}: {
  start: Temporal.Instant
  end: Temporal.Instant
  dropOff: unknown
}): Temporal.Instant {
  return (dropOff === null ? start : end).add({ minutes: noShowAfterMinutes })
}
