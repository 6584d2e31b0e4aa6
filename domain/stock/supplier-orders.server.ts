/** Purchase orders on the wire: how a supplier's replies and messages change them, in the transaction of the caller. */
import { lockPurchaseOrder, selectParcel, updateAnswer } from '#domain/stock/purchase-orders.sql.server.ts'
import { queueWithdrawal, sendForParcel } from '#domain/stock/purchase-orders.server.ts'
import { orderPayloadId, readAnswer, supplierOrderNumber } from '#domain/stock/supplier-answer.ts'
import {
  selectWired,
  updateLineAnswers,
  updateSent,
  updateShipped,
  updateWholeAnswer,
  type WiredOrder,
} from '#domain/stock/supplier-orders.sql.server.ts'
import type {
  SupplierConfirmation,
  SupplierOrder,
  SupplierReply,
  SupplierShipNotice,
} from '#domain/stock/supplier.port.ts'
import type { Tx } from '#platform/db.ts'

/** A purchase order as a message to its supplier, or undefined for a supplier that is not on the network. */
export function supplierOrderOf(
  { id, askedNo, networkId, releasedAt, lines }: WiredOrder,
  shipTo: SupplierOrder['shipTo'],
  own: SupplierOrder['own'],
): SupplierOrder | undefined {
  if (networkId === null || releasedAt === null) return undefined
  return {
    number: supplierOrderNumber(id, askedNo),
    payloadId: orderPayloadId(id, askedNo, 'sidewall'),
    networkId,
    own,
    at: releasedAt,
    shipTo,
    lines,
  }
}

/**
 * Notes what the supplier's system replied to an order. One that was refused is rejected; one that was canceled meanwhile
 * is withdrawn.
 */
export async function noteReply(
  tx: Tx,
  { id, askedNo }: WiredOrder,
  reply: Exclude<SupplierReply, { reason: 'unavailable' }>,
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
  }
}

/** What became of a message: what it is answered with, a line for the history, and what staff must know, if anything. */
export type Applied = { code: 200 | 406 | 409; summary: string; note?: string; expect?: string }

/** Locks a purchase order and reads it again. */
export async function lockWired(tx: Tx, id: number): Promise<WiredOrder | undefined> {
  return (await lockPurchaseOrder(tx, id)) && selectWired(tx, id)
}

/**
 * Takes a supplier's confirmation of a locked purchase order. Filled whole it is accepted and its parcel sent for; with
 * anything missing it is rejected, and what would have been sent is withdrawn. A second answer that says the same is no
 * mistake; one that says another thing changes nothing and is for staff.
 */
export async function applyConfirmation(
  tx: Tx,
  wired: WiredOrder,
  confirmation: SupplierConfirmation,
  at: Temporal.Instant,
): Promise<Applied> {
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
    reference: accepted ? (confirmation.reference ?? supplierOrderNumber(id, wired.askedNo)) : null,
    reason: accepted ? null : says,
    at,
  })
  if (accepted) await sendForParcel(tx, wired)
  else if (isPartial) await queueWithdrawal(tx, wired)
  const isExpected = accepted && confirmation.deliveryOn !== null
  return { code: 200, summary: says, ...(isExpected && { expect: confirmation.deliveryOn ?? '' }) }
}

/** Whoever answers was asked, even if the worker was killed before it noted that. */
async function noteAsked(tx: Tx, wired: WiredOrder, at: Temporal.Instant): Promise<void> {
  if (wired.sentAt !== null) return
  await updateSent(tx, wired, at)
  if (wired.state === 'canceled') await queueWithdrawal(tx, wired)
}

/** What a confirmation comes to when its purchase order is not waiting for one. */
function answeredBefore(
  { supplier, id, state }: WiredOrder,
  { accepted, isPartial, says }: { accepted: boolean; isPartial: boolean; says: string },
): Applied {
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
): Promise<Applied> {
  const words = [shipmentId, ...(tracking === null ? [] : [tracking])].join(', ').slice(0, 100)
  if (state !== 'accepted') {
    const note = `${supplier} ships PO-${id}, which is ${state}: ${words}. Have it stopped or sent back.`
    return { code: 409, summary: `Shipped: ${words}. It was ${state}.`, note }
  }
  await updateShipped(tx, id, words, at)
  return { code: 200, summary: `Shipped: ${words}.`, ...(deliveryOn !== null && { expect: deliveryOn }) }
}

/** The parcel of a purchase order, unless it is canceled. */
export function parcelOf(tx: Tx, wired: WiredOrder): Promise<string | undefined> {
  return selectParcel(tx, wired)
}
