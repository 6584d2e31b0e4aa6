/**
 * Refunds an order's canceled or late lines. Amounts and payment method match a staff refund, but it covers whole lines
 * immediately and needs no approval.
 */
import { readOrder, type OrderView } from '#domain/ordering/orders/orders.server.ts'
import { findRefundableCharge, lockRefundableCharge } from '#domain/payments/payments/payments.server.ts'
import type { Database, Tx } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { ok, refused, type Outcome } from '#platform/outcome.ts'
import { previewWithinLeft, refundableOf, settle, type Refundable, type RefundRefusal } from './refund-order.server.ts'
import { newRefund } from './new-refund.server.ts'
import type { AskedUnits } from './refund-lines.ts'
import { insertOrderRefund, selectBySubmission } from './refunds.sql.server.ts'
import type { AskedRefund, RefundKind } from './refunds.ts'

/** What of an order can be given back, its charge captured or not. */
export async function readGivable(db: Database, order: OrderView, kind: RefundKind): Promise<Refundable> {
  return refundableOf(db, order, await findRefundableCharge(db, order.id), { kind })
}

/** Whether a form was submitted before, and gave lines of the order back then. */
export async function wasGivenBack(tx: Tx, { orderId, key }: { orderId: number; key: string }): Promise<boolean> {
  return (await selectBySubmission(tx, key))?.orderId === orderId
}

/**
 * Refunds `lines` of a released order that the caller has locked. Captured amounts are refunded, uncaptured ones are
 * refunded after their capture, and an open invoice is reduced. Earlier refunds may leave less than the lines come to.
 * Refuses as a staff refund does, without writing.
 */
export async function giveBackLines(
  tx: Tx,
  input: Pick<AskedRefund, 'reason' | 'bearer' | 'note'> & {
    orderId: number
    kind: 'cancellation' | 'delay'
    lines: AskedUnits[]
    by: string
    key: string
    at: Temporal.Instant
  },
): Promise<Outcome<{ refundId: string; amountCents: number }, RefundRefusal>> {
  const { orderId, kind, at } = input
  const order = await readOrder(tx, orderId)
  if (!order) return refused('order-not-found')
  const charge = order.payment ? await lockRefundableCharge(tx, orderId) : undefined
  const refundable = await refundableOf(tx, order, charge, { kind })
  const whole: AskedRefund = { ...input, amountCents: null, hasHandlingFee: false, lowerReason: null }
  const found = previewWithinLeft(refundable, whole)
  if (!found.ok) return found
  const { asked, preview } = found.value
  // What a company has paid of an invoice only staff can send back.
  if (order.invoice && preview.invoiceCents > order.invoice.amountCents - order.invoice.paidCents)
    return refused('invoice-settled')
  const refund = newRefund({ ...input, ...asked }, { ...preview, isOverLimit: false }, at)
  await insertOrderRefund(tx, { ...refund, lines: preview.lines, submissionKey: input.key })
  const settled = await settle(tx, refund, at, kind === 'cancellation' ? 'order-lines-canceled' : null)
  // Everything it rests on is locked.
  if (!settled.ok) throw new Error(`The money of order ${orderId} moved under its lock: ${settled.reason}.`)
  return ok({ refundId: refund.id, amountCents: refund.amountCents })
}

/** Refunds the remainder of a locked late order by line. Returns false without writing if the remainder is zero. */
export async function giveBackAll(
  tx: Tx,
  { orderId, by, at }: { orderId: number; by: string; at: Temporal.Instant },
): Promise<boolean> {
  const order = await readOrder(tx, orderId)
  if (!order) return false
  const { lines } = await readGivable(tx, order, 'delay')
  const left = lines
    .map(({ lineNo, quantity, refundedUnits }) => ({ lineNo, units: quantity - refundedUnits }))
    .filter(({ units }) => units > 0)
  if (left.length === 0) return false
  const why = { kind: 'delay', reason: 'late', bearer: 'carrier', note: null } as const
  return (await giveBackLines(tx, { ...why, orderId, lines: left, by, key: newId(), at })).ok
}
