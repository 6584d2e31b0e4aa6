/**
 * Cancels a charged order that misses its promise, with a full refund, and stops everything that can still be stopped.
 */
import { cancelBooking } from '#domain/scheduling/booking/booking.server.ts'
import { returnOrderParts } from './cancel-units.sql.server.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import { insertOrderNote, moveOrder, moveShipment, selectParcelRef } from './order-life.sql.server.ts'
import type { OrderView } from './order-view.sql.server.ts'
import { mayShipmentMove, nextOrderState } from './orders.ts'
import { returnUnits } from './place.sql.server.ts'
import { cancelCouponUse } from '#domain/catalog/coupons/coupons.server.ts'
import { cancelStoreCardUse } from '#domain/catalog/payment-offers/payment-offers.server.ts'
import { cancelReferral } from '#domain/customers/programs/programs.server.ts'
import { cancelPurchaseOrders } from '#domain/supply/stock/stock.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Tx } from '#platform/db.ts'
import { enqueue } from '#platform/jobs.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

/** The reason for a manual refund, worded for staff. */
export type LeftToStaff = Refused<'left-to-staff', { why: string }>

/**
 * Refunds the remainder of a locked order by line. Returns false without writing if the remainder is zero. Injected,
 * because refunds depend on orders.
 */
export type GiveBackAll = (tx: Tx, what: { orderId: number; by: string; at: Temporal.Instant }) => Promise<boolean>

/**
 * Cancels a locked order with no delivered parcels, and refunds its lines, in the answer's transaction. Parcels
 * awaiting pickup are stopped, their tires restocked and their labels refunded. A parcel in transit is refused at the
 * door or returned. Refuses without changes if it can't refund the whole order.
 */
export async function cancelLate(
  tx: Tx,
  order: OrderView,
  { clock, actor, giveBackAll }: { clock: Clock; actor: string; giveBackAll: GiveBackAll },
): Promise<Outcome<void, LeftToStaff>> {
  const why = whyNot(order)
  if (why !== null || nextOrderState(order.state, 'return') === undefined)
    return refused('left-to-staff', { why: why ?? `It is ${order.state}.` })
  const at = clock.now()
  if (!(await giveBackAll(tx, { orderId: order.id, by: actor, at })))
    return refused('left-to-staff', { why: 'Its charge is already fully refunded.' })

  await moveOrder(tx, order, 'return', { actor, at, note: 'Canceled because it was late, and refunded.' })
  await stopParcels(tx, order, { actor, at })
  await cancelReferral(tx, order.id, at)
  await cancelCouponUse(tx, order.id, at)
  await cancelStoreCardUse(tx, order.id, at)
  if (order.booking) await cancelBooking({ db: tx, clock }, { orderId: order.id, actor })
  const kind = 'order-delay-canceled'
  await queueMessage(tx, { kind, key: `${kind}:${order.id}`, to: order.email, orderId: order.id, at })
  return ok(undefined)
}

function whyNot({ shipments, payment, invoice }: OrderView): string | null {
  if (shipments.some(({ state }) => state === 'delivered')) return 'A part of it has arrived.'
  if (invoice)
    return invoice.state === 'open' && invoice.paidCents === 0 ? null : 'Its invoice is paid, in part or whole.'
  return payment?.state === 'captured' ? null : 'It is not charged yet.'
}

async function stopParcels(tx: Tx, order: OrderView, change: { actor: string; at: Temporal.Instant }): Promise<void> {
  for (const { id, state, warehouse, trackingNumber } of order.shipments) {
    if (mayShipmentMove(state, 'canceled')) {
      await moveShipment(tx, id, 'canceled', { ...change, note: null, tracking: null })
      await returnUnits(tx, order.id, warehouse.id)
      await returnOrderParts(tx, order.id, warehouse.id)
      await cancelPurchaseOrders(tx, order.id, warehouse.id)
      const parcelRef = await selectParcelRef(tx, id)
      if (parcelRef !== null) await enqueue(tx, 'refund-label', { parcelRef }, { key: `refund-label:${id}` })
    } else if (state === 'in-transit') {
      const note = `Parcel ${trackingNumber ?? id} is on its way. Ask the carrier to return it.`
      await insertOrderNote(tx, { id: order.id, state: 'returned' }, { ...change, note })
    }
  }
}
