/**
 * Purchase orders to suppliers for units that the store does not hold itself. They are written with the order, held while
 * it can be canceled, released where its charge is captured, and filled whole or rejected whole.
 */
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import {
  insertHeld,
  lockPurchaseOrder,
  selectOpen,
  selectParcel,
  selectPurchaseOrders,
  selectWaiting,
  updateAnswer,
  updateToCanceled,
  updateToReleased,
  type PurchaseOrder,
} from './purchase-orders.sql.server.ts'
import { purchaseOrderNumber, type PurchaseOrderAnswer, type PurchaseOrderState } from './purchase-orders.ts'
import { updateWholeAnswer } from './supplier-orders.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { enqueue, enqueueAll, type Job } from '#platform/jobs.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

export type { PurchaseOrder } from './purchase-orders.sql.server.ts'

const ordersPerPage = 50

/** Creates an order's held purchase orders in its transaction. Skipped if the store has all units. */
export function raisePurchaseOrders(tx: Tx, orderId: number, at: Temporal.Instant): Promise<void> {
  return insertHeld(tx, { orderId }, at)
}

/**
 * Releases an order's held purchase orders, and returns the warehouses with parcels that depend on a supplier.
 * Idempotent. The schema refuses the release while the order can be canceled.
 */
export async function releasePurchaseOrders(tx: Tx, orderId: number, at: Temporal.Instant): Promise<Set<number>> {
  const { awaited, released } = await updateToReleased(tx, orderId, at)
  await enqueueAll(
    tx,
    released.map((id) => sendJob(id, 1)),
  )
  return new Set(awaited)
}

/** The job that sends a released purchase order to its supplier. */
function sendJob(purchaseOrderId: number, askedNo: number): Job {
  return {
    name: 'send-purchase-order',
    payload: { purchaseOrderId },
    key: `send-purchase-order:${purchaseOrderId}:${askedNo}`,
  }
}

/**
 * Cancels a canceled order's purchase orders; `warehouseId` limits it to that warehouse's part. Notifies suppliers that
 * already received the order.
 */
export async function cancelPurchaseOrders(tx: Tx, orderId: number, warehouseId?: number): Promise<void> {
  for (const each of await updateToCanceled(tx, orderId, warehouseId)) await queueWithdrawal(tx, each)
}

/**
 * Reorders from a locked order's suppliers, after units in these warehouses were canceled or the destination changed. A
 * supplier fills an order completely or not at all, so the previous purchase order is withdrawn. Purchase orders that
 * weren't sent yet are updated. No effect without an open purchase order.
 */
export async function renewPurchaseOrders(
  tx: Tx,
  { orderId, warehouseIds }: { orderId: number; warehouseIds: readonly number[] },
  at: Temporal.Instant,
): Promise<void> {
  const open = await selectOpen(tx, orderId, warehouseIds)
  for (const { warehouseId } of open) {
    await cancelPurchaseOrders(tx, orderId, warehouseId)
    await insertHeld(tx, { orderId, warehouseId }, at)
  }
  if (open.some(({ state }) => state !== 'held')) await releasePurchaseOrders(tx, orderId, at)
}

/** Queues a supplier's cancellation notice for an accepted order. */
export function queueWithdrawal(tx: Tx, { id, askedNo }: { id: number; askedNo: number }): Promise<void> {
  return enqueue(
    tx,
    'withdraw-purchase-order',
    { purchaseOrderId: id, askedNo },
    { key: `withdraw-purchase-order:${id}:${askedNo}` },
  )
}

/**
 * Replaces a locked order's rejected purchase order with another warehouse that now has the units. A supplier's
 * warehouse gets a purchase order immediately; our own sends the parcel. The schema refuses it while the order can be
 * canceled.
 */
export async function replacePurchaseOrder(
  tx: Tx,
  of: { orderId: number; warehouseId: number; byWarehouseId: number },
  at: Temporal.Instant,
): Promise<void> {
  await replaceHeldPurchaseOrder(tx, of, at)
  const awaited = await releasePurchaseOrders(tx, of.orderId, at)
  if (!awaited.has(of.byWarehouseId)) await sendForParcel(tx, { ...of, warehouseId: of.byWarehouseId })
}

/**
 * Replaces a locked order's held purchase order with another warehouse that now has the units, before the order is
 * charged. A supplier's warehouse gets a held purchase order.
 */
export async function replaceHeldPurchaseOrder(
  tx: Tx,
  of: { orderId: number; warehouseId: number; byWarehouseId: number },
  at: Temporal.Instant,
): Promise<void> {
  await cancelPurchaseOrders(tx, of.orderId, of.warehouseId)
  await insertHeld(tx, { orderId: of.orderId, warehouseId: of.byWarehouseId }, at)
}

/** Lists a page of purchase orders of a state, newest first; `next` is the id of the following page's start. */
export async function listPurchaseOrders(
  { db }: { db: Database },
  query: { state: PurchaseOrderState; before: number | null },
): Promise<{ orders: PurchaseOrder[]; next: number | null }> {
  const found = await selectPurchaseOrders(db, query, ordersPerPage + 1)
  const orders = found.slice(0, ordersPerPage)
  return { orders, next: found.length > ordersPerPage ? (orders.at(-1)?.id ?? null) : null }
}

/** Lists up to `limit` purchase orders that suppliers rejected, longest rejected first. */
export function listRejectedPurchaseOrders({ db }: { db: Database }, limit: number) {
  return selectWaiting(db, 'rejected', limit)
}

/** Lists up to `limit` purchase orders of paid orders that no supplier has accepted or rejected yet, oldest first. */
export function listPurchaseOrdersToPlace({ db }: { db: Database }, limit: number) {
  return selectWaiting(db, 'released', limit)
}

const acts = {
  accepted: 'supplier.accepted',
  rejected: 'supplier.rejected',
  again: 'supplier.asked-again',
} as const

const wholeAnswers = { accepted: 'filled', rejected: 'rejected', again: 'none' } as const

/**
 * Records a supplier's answer, or sends a rejected order to the supplier again. If accepted, the parcel is requested.
 * Refuses with `other-state` if the purchase order isn't pending that answer, so a duplicate submission counts once.
 */
export async function answerPurchaseOrder(
  { db, clock }: { db: Database; clock: Clock },
  { answer, by }: { answer: PurchaseOrderAnswer; by: Actor },
): Promise<Outcome<null, Refused<'not-allowed'> | Refused<'not-found'> | Refused<'other-state'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'suppliers.answer', at)
    if (!permitted.ok) return permitted
    const locked = await lockPurchaseOrder(tx, answer.id)
    const isAgain = answer.intent === 'again'
    if (!locked) return refused('not-found')
    if (locked.state !== (isAgain ? 'rejected' : 'released')) return refused('other-state')
    const state = isAgain ? 'released' : answer.intent
    const reason = answer.intent === 'rejected' ? answer.reason : null
    const reference = answer.intent === 'accepted' ? answer.reference : null
    await updateAnswer(tx, answer.id, { state, reference, reason, at })
    await updateWholeAnswer(tx, answer.id, wholeAnswers[answer.intent])
    if (answer.intent === 'accepted') await sendForParcel(tx, locked)
    if (isAgain) await enqueueAll(tx, [sendJob(answer.id, locked.askedNo + 1)])
    await recordAct(tx, {
      by,
      act: acts[answer.intent],
      subject: purchaseOrderNumber(answer.id),
      before: { state: locked.state },
      after: { state, reference },
      reason: reason ?? undefined,
      at,
    })
    return ok(null)
  })
}

/** Queues the parcel from a warehouse after its supplier accepted. */
export async function sendForParcel(tx: Tx, of: { orderId: number; warehouseId: number }): Promise<void> {
  const shipmentId = await selectParcel(tx, of)
  if (shipmentId !== undefined)
    await enqueue(tx, 'ship-order', { shipmentId, orderId: of.orderId }, { key: `ship-order:${shipmentId}` })
}
