/** Refunds the price decrease of an order edit. Lines stay, each at its new price. */
import { enterTransfer, entriesOfRefundedLines } from '#domain/payments/ledger/ledger.server.ts'
import { promiseRefund, type RefundRefusal } from '#domain/payments/payments/payments.server.ts'
import type { Tx } from '#platform/db.ts'
import type { Outcome } from '#platform/outcome.ts'
import type { LineParts } from './refund-lines.ts'

/**
 * Records the difference and schedules its refund to the card, in the edit's transaction. `parts` is the total decrease
 * by part. A part can increase, so it can be negative. Refuses amounts above the charges' remainder.
 */
export async function refundDifference(
  tx: Tx,
  difference: { orderId: number; changeId: string; cents: number; parts: LineParts; at: Temporal.Instant },
): Promise<Outcome<void, RefundRefusal>> {
  const { orderId, changeId, cents, parts, at } = difference
  const promised = await promiseRefund(tx, { orderId, amountCents: cents, key: `order-change:${changeId}`, at })
  if (promised.ok)
    await enterTransfer(tx, {
      orderId,
      reason: 'price difference refunded',
      at,
      entries: entriesOfRefundedLines({ ...parts, handlingFeeCents: 0 }),
    })
  return promised
}
