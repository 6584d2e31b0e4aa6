/** Applies an order edit (location, price, parcels, appointment, ledger and messages) in the deciding transaction. */
import { bookingMessages } from '#content/messages/booking.ts'
import { appointmentRequirements, cancelBooking, confirmHold } from '#domain/scheduling/booking/booking.server.ts'
import { enterTransfer, entriesOfSale } from '#domain/payments/ledger/ledger.server.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import {
  insertOrderNote,
  releaseJob,
  replaceParcels,
  updateCancelUntil,
  updatePlace,
  updatePromise,
  type OrderView,
} from '#domain/ordering/orders/orders.server.ts'
import { claimForChange, lowerCharge } from '#domain/payments/payments/payments.server.ts'
import { refundDifference } from '#domain/ordering/refunds/refunds.server.ts'
import { replaceOrderTax } from '#domain/pricing/sales-tax/sales-tax.server.ts'
import { renewPurchaseOrders } from '#domain/supply/stock/stock.server.ts'
import type { PriceTotals } from '#domain/pricing/pricing/pricing.ts'
import { releaseAfterOf } from '#domain/kernel/settings/settings.ts'
import type { Tx } from '#platform/db.ts'
import { enqueue, enqueueAll } from '#platform/jobs.ts'
import { ok, type Outcome } from '#platform/outcome.ts'
import type { OrderChange } from './order-changes.sql.server.ts'
import { lastOf, not, promisesAt, type NotPossible, type PlanDeps, type PlannedChange } from './plan-change.server.ts'

type Applied = { order: OrderView; change: OrderChange; planned: PlannedChange; actor: string; at: Temporal.Instant }

/**
 * Makes a change of a locked order and returns its new appointment. The caller has checked that the order allows it,
 * and rolls back when this refuses: some of it may be written then.
 */
export async function applyChange(
  tx: Tx,
  { clock, maxReleaseSeconds, businessTerms }: Omit<PlanDeps, 'db'>,
  applied: Applied,
): Promise<Outcome<{ bookingId: string | null }, NotPossible>> {
  const { order, change, planned, actor, at } = applied
  const deps = { db: tx, clock, maxReleaseSeconds, businessTerms }
  const { zip } = planned.place.shipTo
  const promises = await promisesAt(deps, order, { zip, isPaidLater: false })
  if (!promises.ok) return promises
  const booked = await moveAppointment(deps, applied, lastOf(promises.value))
  if (!booked.ok) return booked
  const settled = await settle(tx, applied)
  if (!settled.ok) return settled
  await updatePlace(tx, order.id, { place: planned.place, breakdown: change.after })
  await replaceOrderTax(tx, order.id, at)
  if (order.releasedAt === null) {
    for (const { id, state, warehouse } of order.shipments) {
      const promise = promises.value.get(warehouse.id)
      if (promise && state !== 'canceled') await updatePromise(tx, id, promise)
    }
    // The customer can cancel the changed order for as long as a new one with its terms.
    const releaseAfter = releaseAfterOf(order.terms.cancelMinutes, maxReleaseSeconds)
    await reopenWindow(tx, order.id, at.add({ seconds: releaseAfter }))
  } else {
    await replaceParcels(tx, order, promises.value, { actor, at })
    // Suppliers already had the old destination.
    await renewPurchaseOrders(tx, { orderId: order.id, warehouseIds: [...promises.value.keys()] }, at)
    // Captures a difference that was paid, and announces the new parcels.
    await enqueue(tx, 'release-order', { orderId: order.id }, { key: `release-order:${order.id}` })
  }
  const note = `Goes to ${planned.name} now: ${change.reason}`.slice(0, 500)
  await insertOrderNote(tx, order, { actor, at, note })
  const kind = 'order-changed'
  await queueMessage(tx, { kind, key: `${kind}:${change.id}`, to: order.email, orderId: order.id, at })
  return booked
}

/** Reopens the cancellation window until `until`, and releases the order then. */
export async function reopenWindow(tx: Tx, orderId: number, until: Temporal.Instant): Promise<void> {
  await updateCancelUntil(tx, orderId, until)
  await enqueueAll(tx, [releaseJob(orderId, until)])
}

/** Frees the bay of the old place and takes the one that was held at the new one. */
async function moveAppointment(
  deps: PlanDeps & { db: Tx },
  { order, planned, actor }: Applied,
  arrivesOn: Temporal.PlainDate,
): Promise<Outcome<{ bookingId: string | null }, NotPossible>> {
  if (order.booking?.state === 'confirmed') await cancelBooking(deps, { bookingId: order.booking.id, actor })
  const { shopId } = planned.place
  if (shopId === null) return ok({ bookingId: null })
  const requirements = (await appointmentRequirements(deps, { shopId, tires: planned.tires }))(arrivesOn)
  if (!requirements.ok) return not(bookingMessages[requirements.reason])
  const kept = await confirmHold(deps, {
    cartId: order.cartId,
    orderId: order.id,
    requirements: requirements.value,
    actor,
  })
  return kept.ok ? ok({ bookingId: kept.value.id }) : not(bookingMessages[kept.reason])
}

/** Settles the difference, and enters it in the books. */
async function settle(tx: Tx, { order, change, actor, at }: Applied): Promise<Outcome<null, NotPossible>> {
  const { id: orderId, creditCents } = order
  const { settledBy, beforeCents, afterCents } = change
  const [before, after] = [change.before.totals, change.after.totals]
  if (settledBy === 'refund') {
    const cents = beforeCents - afterCents
    const parts = partsOf(after, before)
    const back = await refundDifference(tx, { orderId, changeId: change.id, cents, parts, at })
    return back.ok ? ok(null) : not(`The charge has not ${cents} cents left to refund. Refund by hand instead.`)
  }
  if (settledBy === 'lower-charge') {
    const toCents = afterCents - creditCents
    if (!(await lowerCharge(tx, { orderId, toCents, actor, at })))
      return not(
        'More of this order was refunded than the new price leaves. Cancel it, and the customer can order again.',
      )
  }
  if (settledBy === 'payment') {
    const amountCents = afterCents - beforeCents
    if (!(await claimForChange(tx, { changeId: change.id, orderId, amountCents, at })))
      return not('The difference is not paid.')
  }
  const parts = partsOf(before, after)
  await enterTransfer(tx, {
    orderId,
    reason: 'order changed',
    at,
    entries: entriesOfSale({ ...parts, totalCents: afterCents - beforeCents }),
  })
  if (settledBy === 'waiver')
    await enterTransfer(tx, {
      orderId,
      reason: 'difference waived',
      at,
      entries: [
        { account: 'refunds', cents: afterCents - beforeCents },
        { account: 'receivable', cents: beforeCents - afterCents },
      ],
    })
  return ok(null)
}

/** What `to` has more than `from`, part by part. */
function partsOf(from: PriceTotals, to: PriceTotals) {
  return {
    netCents: to.netCents - from.netCents,
    tireFeeCents: to.tireFeeCents - from.tireFeeCents,
    fetCents: to.fetCents - from.fetCents,
    taxCents: to.taxCents - from.taxCents,
  }
}
