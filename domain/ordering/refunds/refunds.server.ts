/** Staff refunds of charged orders, and their money status. */
import { selectRefundsOfOrder } from '#domain/payments/payments/payments.server.ts'
import type { Database } from '#platform/db.ts'
import { chargeKey } from './refund-order.server.ts'
import { selectOrderRefunds, type OrderRefund } from './refunds.sql.server.ts'

export {
  chargeKey,
  decideRefund,
  previewRefund,
  readRefundable,
  refundOrder,
  refundWithin,
  retryOrderRefund,
  undoing,
  type NotRefundable,
  type Refundable,
  type RefundPreview,
  type RefundRefusal,
} from './refund-order.server.ts'
export { giveBackAll, giveBackLines, readGivable, wasGivenBack } from './give-back.server.ts'
export {
  emailIssuedRefund,
  refundIdOfCharge,
  refundMessageValues,
  refundRows,
  wayBack,
} from './refund-emails.server.ts'
export { refundDifference } from './refund-difference.server.ts'
export { findListedRefund, listRefunds, type ListedRefund, type RefundQuery } from './refund-list.server.ts'
export { refundedLineRows, refundOfMoney } from './refund-rows.sql.server.ts'
export { previewReturnRefund } from './return-refund.server.ts'
export { selectOrderRefund as findOrderRefund, selectRefundLines, type OrderRefund } from './refunds.sql.server.ts'

/** The status of a refund's card share; null without a card share, or while it requires a second person. */
export type CardState = { state: 'promised' | 'done' | 'refused'; note: string | null; doneAt: Temporal.Instant | null }

/** Lists an order's staff refunds, oldest first, with their money status. */
export async function listOrderRefunds(
  db: Database,
  orderId: number,
): Promise<(OrderRefund & { card: CardState | null })[]> {
  const refunds = await selectOrderRefunds(db, orderId)
  if (refunds.length === 0) return []
  const byKey = new Map((await selectRefundsOfOrder(db, orderId)).map((part) => [part.key, part]))
  return refunds.map((refund) => {
    const part = byKey.get(chargeKey(refund.id))
    return {
      ...refund,
      card: part ? { state: part.state as CardState['state'], note: part.note, doneAt: part.doneAt } : null,
    }
  })
}
