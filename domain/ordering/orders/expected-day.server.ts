/** The day each parcel is expected, and whether the promise slipped with it. */
import { selectLastNotice } from './delays.sql.server.ts'
import { slipOf, type Slip } from './delays.ts'
import { updateExpected } from './order-life.sql.server.ts'
import { readOrder, type OrderView } from './order-view.sql.server.ts'
import type { Database, Tx } from '#platform/db.ts'
import { enqueue } from '#platform/jobs.ts'

/**
 * Stores the day a parcel is now expected, in the transaction that received it, and queues the job that notifies the
 * customer right away if the promise slipped. The job carries the slip, so the customer is notified even if the parcel
 * arrives before the job runs. `asOf` is when the day was reported; older reports are ignored.
 */
export async function expectParcel(
  tx: Tx,
  { orderId, shipmentId, expectedOn, asOf }: { orderId: number; shipmentId: string; expectedOn: string; asOf: string },
  at: Temporal.Instant,
): Promise<void> {
  await updateExpected(tx, shipmentId, { expectedOn, asOf })
  const found = await readSlip(tx, orderId, at)
  if (found?.order.state !== 'confirmed' || found.order.releasedAt === null) return
  const { promisedOn, revisedOn } = found.slip
  const slip = { promisedOn: promisedOn.toString(), ...(revisedOn && { revisedOn: revisedOn.toString() }) }
  await enqueue(tx, 'notify-of-delay', { orderId, ...slip }, { key: `notify-of-delay:${orderId}` })
}

/**
 * Returns an order with its parcels' slip and its latest notice, or undefined if the promise still holds. `reported` is
 * a slip that was in force when it was reported, for parcels that have all arrived since.
 */
export async function readSlip(db: Database, orderId: number, now: Temporal.Instant, reported?: Slip) {
  const order = await readOrder(db, orderId)
  if (!order) return undefined
  const last = (await selectLastNotice(db, orderId)) ?? null
  const waiting = waitingParcels(order)
  const slip = slipOf(waiting, last, dayAt(order, now)) ?? (waiting.length === 0 && !last ? reported : undefined)
  return slip && { order, slip, last }
}

/** Returns an order's undelivered parcels. */
export function waitingParcels({ shipments }: OrderView) {
  return shipments
    .filter(({ state }) => state === 'processed' || state === 'pending-pickup' || state === 'in-transit')
    .map(({ promisedOn, expectedOn }) => ({
      promisedOn: Temporal.PlainDate.from(promisedOn),
      expectedOn: expectedOn === null ? null : Temporal.PlainDate.from(expectedOn),
    }))
}

/** The day at the order's destination. */
export function dayAt({ timeZone }: OrderView, now: Temporal.Instant): Temporal.PlainDate {
  return now.toZonedDateTimeISO(timeZone).toPlainDate()
}
