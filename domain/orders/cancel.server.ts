import { cancelBooking } from '#domain/booking/booking.server.ts'
import { cancelInvoice } from '#domain/invoices/invoices.server.ts'
import { enterTransfer, entriesOfSale, returnCredit, reversed } from '#domain/ledger/ledger.server.ts'
import { queueMessage } from '#domain/messages/messages.server.ts'
import { lockOrder, moveOrder, moveShipment } from '#domain/orders/order-life.sql.server.ts'
import { readOrder } from '#domain/orders/order-view.sql.server.ts'
import { canCancel } from '#domain/orders/orders.ts'
import { cancelReferral } from '#domain/programs/programs.server.ts'
import { returnUnits } from '#domain/orders/place.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { enqueue } from '#platform/jobs.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

export type CancelRefusal = Refused<'order-not-found'> | Refused<'too-late', { reason: string }>

/**
 * Cancels an order within its window: stock and bay are given back, the books are reversed and the charge or invoice is
 * let go, once. Canceling a canceled order is no mistake and changes nothing.
 */
export async function cancelOrder(
  { db, clock }: { db: Database; clock: Clock },
  input: { orderId: number; actor: string },
): Promise<Outcome<{ isNew: boolean }, CancelRefusal>> {
  return db.transaction().execute(async (tx) => {
    const state = await lockOrder(tx, input.orderId)
    if (!state) return refused('order-not-found')
    if (state === 'canceled') return ok({ isNew: false })
    const order = await readOrder(tx, input.orderId)
    if (!order) return refused('order-not-found')
    const now = clock.now()
    const allowed = canCancel(order, now)
    if (!allowed.can) return refused('too-late', { reason: allowed.reason })

    const change = { actor: input.actor, at: now, note: null }
    await moveOrder(tx, order, 'cancel', change)
    await returnUnits(tx, order.id)
    for (const { id, state } of order.shipments)
      if (!(await moveShipment(tx, id, 'canceled', { ...change, tracking: null })))
        throw new Error(`Parcel ${id} of order ${order.id} is ${state}, too far on its way to be canceled.`)
    await cancelReferral(tx, order.id, now)
    if (order.creditCents > 0) await returnCredit(tx, order.id, now)
    if (order.booking) await cancelBooking({ db: tx, clock }, { orderId: order.id, actor: input.actor })
    await enterTransfer(tx, {
      orderId: order.id,
      reason: 'order canceled',
      at: now,
      entries: reversed(entriesOfSale(order.breakdown.totals)),
    })
    if (order.payment)
      await enqueue(tx, 'void-charge', { paymentId: order.payment.id }, { key: `void-charge:${order.payment.id}` })
    if (order.invoice) await cancelInvoice(tx, { orderId: order.id, actor: input.actor, at: now })
    await queueMessage(tx, {
      kind: 'order-canceled',
      key: `order-canceled:${order.id}`,
      to: order.email,
      orderId: order.id,
      at: now,
    })
    return ok({ isNew: true })
  })
}
