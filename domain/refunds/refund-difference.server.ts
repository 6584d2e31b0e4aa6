/** Refunding what an order costs less after a change: the lines stay, each at its new price. */
import { enterTransfer, entriesOfRefundedLines } from '#domain/ledger/ledger.server.ts'
import { promiseRefund, type RefundRefusal } from '#domain/payments/payments.server.ts'
import type { Tx } from '#platform/db.ts'
import type { Outcome } from '#platform/outcome.ts'
import type { LineParts } from './refund-lines.ts'

/**
 * Promises the difference back to the card and enters it, in the transaction of the change. `parts` are what the lines
 * cost less in all, by part; one of them may cost more, so that a part can be negative. Refuses what the charges have
 * not left.
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
