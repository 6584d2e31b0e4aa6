/** The amount of refunding a return's tires, with their lines and associated services. */
import { readOrder } from '#domain/ordering/orders/orders.server.ts'
import { findRefundableCharge } from '#domain/payments/payments/payments.server.ts'
import type { Database } from '#platform/db.ts'
import { refused, type Outcome } from '#platform/outcome.ts'
import { unitsOfReturn } from './refund-lines.ts'
import { previewWithinLeft, refundableOf, type RefundPreview, type RefundRefusal } from './refund-order.server.ts'
import type { AskedRefund } from './refunds.ts'

/** A return's accepted tires, with the reason and fee of their refund. */
type AskedReturnRefund = {
  orderId: number
  returnId: number
  tires: readonly { tireNo: number; lineNo: number }[]
  hasHandlingFee: boolean
  reason: AskedRefund['reason']
}

/**
 * Returns the amount of refunding a return's tires with their associated services, and the input for `refundWithin`.
 * Capped at the remainder after earlier refunds.
 */
export async function previewReturnRefund(
  db: Database,
  asked: AskedReturnRefund,
): Promise<Outcome<{ asked: AskedRefund; preview: RefundPreview }, RefundRefusal>> {
  const order = await readOrder(db, asked.orderId)
  if (!order) return refused('order-not-found')
  const tireNos = asked.tires.map(({ tireNo }) => tireNo)
  const ofReturn = { returnId: asked.returnId, tireNos }
  const refundable = await refundableOf(db, order, await findRefundableCharge(db, order.id), { ofReturn })
  const returned = new Map<number, number>()
  for (const { lineNo } of asked.tires) returned.set(lineNo, (returned.get(lineNo) ?? 0) + 1)
  const input: AskedRefund = {
    lines: unitsOfReturn(refundable.lines, returned),
    amountCents: null,
    hasHandlingFee: asked.hasHandlingFee,
    lowerReason: null,
    reason: asked.reason,
    bearer: 'store',
    note: null,
    ofReturn,
  }
  return previewWithinLeft(refundable, input)
}
