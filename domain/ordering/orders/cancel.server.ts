import { cancelBooking, releaseHold } from '#domain/scheduling/booking/booking.server.ts'
import { cancelInvoice } from '#domain/payments/invoices/invoices.server.ts'
import { enterTransfer, entriesOfSale, returnCredit, reversed } from '#domain/payments/ledger/ledger.server.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import { lockWithParcels } from './cancel-units.server.ts'
import { returnOrderParts } from './cancel-units.sql.server.ts'
import { hasLineRefunds, isWorkBegun, moveOrder } from './order-life.sql.server.ts'
import type { OrderView } from './order-view.sql.server.ts'
import { canCancel, isUnanswered } from './orders.ts'
import { canStaffCancel } from './staff-acts.ts'
import { cancelCouponUse } from '#domain/catalog/coupons/coupons.server.ts'
import { cancelStoreCardUse } from '#domain/catalog/payment-offers/payment-offers.server.ts'
import { cancelReferral } from '#domain/customers/programs/programs.server.ts'
import { promiseRefundOfRest } from '#domain/payments/payments/payments.server.ts'
import { returnUnits } from './place.sql.server.ts'
import { stopParcel } from './stop-parcel.server.ts'
import { cancelPurchaseOrders } from '#domain/supply/stock/stock.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { enqueue } from '#platform/jobs.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

export type CancelRefusal = Refused<'order-not-found'> | Refused<'too-late', { reason: string }>

type CancelInput = { orderId: number; actor: string; ifUnanswered?: true; byStaff?: true }

/**
 * Cancels an order within its window, once; a service without tires also later, with a refund. Releases stock and bay,
 * reverses the ledger entries and voids the charge or invoice. Canceling a canceled order succeeds without changes. With `ifUnanswered`, only an order that was not
 * confirmed in time.
 */
export async function cancelOrder(
  { db, clock }: { db: Database; clock: Clock },
  input: Omit<CancelInput, 'byStaff'>,
): Promise<Outcome<{ isNew: boolean }, CancelRefusal>> {
  return db.transaction().execute((tx) => cancelWithin(tx, clock, input))
}

/**
 * Cancels within the caller's transaction, which must lock the order first. With `byStaff`, also cancels after the
 * window until a parcel ships. Captured money is queued for refund, and announced parcels are canceled at the carrier.
 */
export async function cancelWithin(
  tx: Tx,
  clock: Clock,
  input: CancelInput,
): Promise<Outcome<{ isNew: boolean }, CancelRefusal>> {
  const order = await lockWithParcels(tx, input.orderId)
  if (!order) return refused('order-not-found')
  if (order.state === 'canceled') return ok({ isNew: false })
  const now = clock.now()
  if (input.ifUnanswered && !isUnanswered(order, now))
    return refused('too-late', { reason: 'This order was confirmed.' })
  const allowed = await mayCancel(tx, order, { ...input, now })
  if (!allowed.can) return refused('too-late', { reason: allowed.reason })

  const change = { actor: input.actor, at: now, note: null }
  await moveOrder(tx, order, 'cancel', change, { isLate: order.releasedAt !== null })
  await returnUnits(tx, order.id)
  await returnOrderParts(tx, order.id)
  await cancelParcels(tx, order, change)
  await cancelPurchaseOrders(tx, order.id)
  await cancelReferral(tx, order.id, now)
  await cancelCouponUse(tx, order.id, now)
  await cancelStoreCardUse(tx, order.id, now)
  if (order.booking) await cancelBooking({ db: tx, clock }, { bookingId: order.booking.id, actor: input.actor })
  // The bay that was offered with a change.
  await releaseHold({ db: tx, clock }, { cartId: order.cartId, actor: input.actor })
  await giveBackMoney(tx, order, change)
  await queueMessage(tx, {
    kind: input.ifUnanswered ? 'order-unanswered' : 'order-canceled',
    key: `order-canceled:${order.id}`,
    to: order.email,
    orderId: order.id,
    at: now,
  })
  return ok({ isNew: true })
}

/** Whether it may be canceled now. The caller has locked the order, so the charge and the work can't start. */
async function mayCancel(
  tx: Tx,
  order: OrderView,
  { byStaff = false, now }: { byStaff?: boolean; now: Temporal.Instant },
): Promise<{ can: true } | { can: false; reason: string }> {
  const allowed = byStaff ? canStaffCancel(order) : canCancel(order, now)
  if (!allowed.can) return allowed
  if (order.isService && (await isWorkBegun(tx, order.id)))
    return { can: false, reason: 'The car is at the shop already. Call the shop.' }
  const isLate = byStaff || (order.isService && order.releasedAt !== null)
  if (!isLate) return allowed
  if (!byStaff && order.invoice?.state === 'paid') return { can: false, reason: 'The invoice is paid. Call us.' }
  const charged = canStaffCancel(order)
  if (!charged.can) return charged
  // Canceling reverses the original sale, so line refunds would be reversed twice.
  return (await hasLineRefunds(tx, order.id))
    ? { can: false, reason: byStaff ? linesRefunded : 'Part of this order was refunded. Call us to cancel the rest.' }
    : allowed
}

const linesRefunded = 'Lines of this order were refunded or canceled. Cancel the rest by line.'

async function cancelParcels(
  tx: Tx,
  order: OrderView,
  change: { actor: string; at: Temporal.Instant; note: null },
): Promise<void> {
  for (const shipment of order.shipments) await stopParcel(tx, order.id, shipment, change)
}

/**
 * Reverses the sale, and gives back what paid for it. Of a charge that was captured, the refund settles what the reversal
 * leaves open in `refunds`; of an invoice that was lowered, the same amount was entered there then.
 */
async function giveBackMoney(
  tx: Tx,
  order: OrderView,
  { actor, at }: { actor: string; at: Temporal.Instant },
): Promise<void> {
  const { id: orderId, creditCents, totalCents, payment, invoice } = order
  if (creditCents > 0) await returnCredit(tx, orderId, at)
  // The part of the charges that is no longer due, because it was captured or waived with an order edit.
  const uncapturedCents = payment && payment.capturedCents === 0 ? payment.amountCents : 0
  const settledCents = totalCents - creditCents - (invoice ? invoice.amountCents : uncapturedCents)
  await enterTransfer(tx, {
    orderId,
    reason: 'order canceled',
    at,
    entries: [
      ...reversed(entriesOfSale(order.breakdown.totals)),
      { account: 'receivable', cents: settledCents },
      { account: 'refunds', cents: -settledCents },
    ],
  })
  if (payment && payment.capturedCents > 0) await promiseRefundOfRest(tx, { orderId, key: `cancel:${orderId}`, at })
  else if (payment)
    for (const paymentId of [payment.id, ...payment.differenceIds])
      await enqueue(tx, 'void-charge', { paymentId }, { key: `void-charge:${paymentId}` })
  if (invoice) await cancelInvoice(tx, { orderId, actor, at })
}
