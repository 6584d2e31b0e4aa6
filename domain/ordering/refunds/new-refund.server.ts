/** The record of a refund when it is made. */
import { newTimedId } from '#platform/ids.ts'
import type { RefundPreview } from './refund-order.server.ts'
import type { AskedRefund, RefundKind } from './refunds.ts'
import type { OrderRefund } from './refunds.sql.server.ts'

/** Builds the row of a new refund. Above the approval threshold it is a draft. */
export function newRefund(
  input: AskedRefund & { id?: string; orderId: number; kind: RefundKind; by: string },
  preview: RefundPreview,
  at: Temporal.Instant,
): OrderRefund {
  const isDraft = preview.isOverLimit
  return {
    ...preview.sums,
    id: input.id ?? newTimedId(),
    orderId: input.orderId,
    kind: input.kind,
    state: isDraft ? 'draft' : 'approved',
    lowerReason: preview.sums.loweredCents > 0 ? input.lowerReason : null,
    cardCents: preview.cardCents,
    creditCents: preview.creditCents,
    invoiceCents: preview.invoiceCents,
    reason: input.reason,
    bearer: input.bearer,
    note: input.note,
    isOverLimit: preview.isOverLimit,
    createdAt: at,
    createdBy: input.by,
    decidedAt: isDraft ? null : at,
    decidedBy: isDraft ? null : input.by,
  }
}
