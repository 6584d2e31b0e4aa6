/** Electronic purchase orders, with the effect of a supplier's replies and messages, in the caller's transaction. */
import { lockPurchaseOrder, selectParcel, updateAnswer } from './purchase-orders.sql.server.ts'
import { queueWithdrawal, sendForParcel } from './purchase-orders.server.ts'
import { orderPayloadId, readAnswer, supplierOrderNumber } from './supplier-answer.ts'
import {
  selectWired,
  updateLineAnswers,
  updateSent,
  updateShipped,
  updateWholeAnswer,
  type WiredOrder,
} from './supplier-orders.sql.server.ts'
import type { Applied, askSupplier, FinalReply } from './supplier-exchange.server.ts'
import type { SupplierConfirmation, SupplierOrder, SupplierShipNotice } from './supplier.port.ts'
import type { Tx } from '#platform/db.ts'
import { enqueue } from '#platform/jobs.ts'

/** A purchase order as a message to its supplier, or undefined before its release. */
export function supplierOrderOf(
  { id, askedNo, networkId, releasedAt, lines }: WiredOrder,
  shipTo: SupplierOrder['shipTo'],
): Parameters<typeof askSupplier>[2] | undefined {
  if (releasedAt === null) return undefined
  return {
    number: supplierOrderNumber({ series: 'PO', id, askedNo }),
    payloadId: orderPayloadId({ series: 'PO', id, askedNo }),
    networkId,
    at: releasedAt,
    isWhole: true,
    note: null,
    shipTo,
    lines,
  }
}

/**
 * Records the supplier system's reply to an order. A refused order is rejected. An order canceled since then is
 * withdrawn.
 */
export async function noteReply(
  tx: Tx,
  { id, askedNo }: WiredOrder,
  reply: FinalReply,
  at: Temporal.Instant,
): Promise<void> {
  const locked = await lockPurchaseOrder(tx, id)
  if (locked?.askedNo !== askedNo) return
  if (reply.ok) {
    await updateSent(tx, { id, askedNo }, at)
    if (locked.state === 'canceled') await queueWithdrawal(tx, { id, askedNo })
  } else if (locked.state === 'released') {
    const reason = `The supplier’s system refused it: ${reply.words}`.slice(0, 400)
    await updateAnswer(tx, id, { state: 'rejected', reference: null, reason, at })
    await updateWholeAnswer(tx, id, 'rejected')
    await queueReSourcing(tx, { id, askedNo })
  }
}

/** Finds another warehouse for a purchase order that its supplier's system rejected. */
function queueReSourcing(tx: Tx, { id: purchaseOrderId, askedNo }: Pick<WiredOrder, 'id' | 'askedNo'>): Promise<void> {
  const key = `re-source-order:${purchaseOrderId}:${askedNo}`
  return enqueue(tx, 're-source-order', { purchaseOrderId, askedNo }, { key })
}

/** The result of handling a message, with a note for staff and the day on which the parcel is expected, if any. */
export type AppliedToOrder = Applied & { note?: string; expect?: string }

/** Locks a purchase order and reads it again. */
export async function lockWired(tx: Tx, id: number): Promise<WiredOrder | undefined> {
  return (await lockPurchaseOrder(tx, id)) && selectWired(tx, id)
}

/**
 * Handles a supplier's confirmation of a locked purchase order. If completely filled, it is accepted and its parcel
 * requested. With missing units it is rejected, and the rest is withdrawn. A duplicate answer has no effect. A
 * contradicting answer has no effect either, but is noted for staff.
 */
export async function applyConfirmation(
  tx: Tx,
  wired: WiredOrder,
  confirmation: SupplierConfirmation,
  at: Temporal.Instant,
): Promise<AppliedToOrder> {
  const read = readAnswer(wired.lines, confirmation)
  const { id, state } = wired
  if (!read.ok) return { code: 406, summary: 'Confirmed lines or units that were not ordered.' }
  const { outcome, lines, isPartial, reason } = read.value
  if (outcome === 'waiting') return { code: 200, summary: 'Confirmed a part of it; the rest is not answered.' }
  await noteAsked(tx, wired, at)
  const accepted = outcome === 'filled'
  const says = accepted ? 'Accepted all of it.' : (reason ?? 'Rejected.')
  if (state !== 'released') return answeredBefore(wired, { accepted, isPartial, says })
  await updateLineAnswers(tx, id, lines)
  await updateAnswer(tx, id, {
    state: accepted ? 'accepted' : 'rejected',
    reference: accepted
      ? (confirmation.reference ?? supplierOrderNumber({ series: 'PO', id, askedNo: wired.askedNo }))
      : null,
    reason: accepted ? null : says,
    at,
  })
  if (!accepted) {
    await queueReSourcing(tx, wired)
    if (isPartial) await queueWithdrawal(tx, wired)
    return { code: 200, summary: says }
  }
  await sendForParcel(tx, wired)
  const { deliveryOn } = confirmation
  return { code: 200, summary: says, ...(deliveryOn !== null && { expect: deliveryOn }) }
}

/** An answer proves that the order was sent, even if the worker was killed before it recorded that. */
async function noteAsked(tx: Tx, wired: WiredOrder, at: Temporal.Instant): Promise<void> {
  if (wired.sentAt !== null) return
  await updateSent(tx, wired, at)
  if (wired.state === 'canceled') await queueWithdrawal(tx, wired)
}

/** What a confirmation comes to when its purchase order is not waiting for one. */
function answeredBefore(
  { supplier, id, state }: WiredOrder,
  { accepted, isPartial, says }: { accepted: boolean; isPartial: boolean; says: string },
): AppliedToOrder {
  if (state === (accepted ? 'accepted' : 'rejected')) return { code: 200, summary: `${says} Said before.` }
  const note = `${supplier} answers PO-${id}, which is ${state}: ${says} Call them.`
  return { code: 409, summary: `${says} It was ${state}.`, ...(state === 'canceled' && !isPartial ? {} : { note }) }
}

/** Takes a supplier's notice that it shipped. Of an order that it did not accept, it is for staff. */
export async function applyShipNotice(
  tx: Tx,
  { id, supplier, state }: WiredOrder,
  { shipmentId, tracking, deliveryOn }: SupplierShipNotice,
  at: Temporal.Instant,
): Promise<AppliedToOrder> {
  const words = [shipmentId, ...(tracking === null ? [] : [tracking])].join(', ').slice(0, 100)
  if (state !== 'accepted') {
    const note = `${supplier} ships PO-${id}, which is ${state}: ${words}. Have it stopped or sent back.`
    return { code: 409, summary: `Shipped: ${words}. It was ${state}.`, note }
  }
  await updateShipped(tx, id, words, at)
  return { code: 200, summary: `Shipped: ${words}.`, ...(deliveryOn !== null && { expect: deliveryOn }) }
}

/** Returns a purchase order's parcel, unless it is canceled. */
export function parcelOf(tx: Tx, wired: WiredOrder): Promise<string | undefined> {
  return selectParcel(tx, wired)
}
