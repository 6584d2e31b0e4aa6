/** Stuck refunds, which the provider refused, or didn't accept or finish in time. */
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'

/** A provider accepts a refund within seconds; after this many minutes it is stuck. */
const acceptedWithinMinutes = 10
/** Lenders and PayPal finish an accepted refund within a few days. */
const finishedWithinHours = 72

/** `refused`: by the provider; `not-accepted`: it did not answer; `not-finished`: it accepted the refund and did not finish it. */
export type OpenRefund = {
  orderId: number | null
  amountCents: number
  promisedAt: Temporal.Instant
  note: string | null
  why: 'refused' | 'not-accepted' | 'not-finished'
}

/**
 * Lists refunds of captured charges that need staff, oldest first: what the provider refused, and what it has not accepted
 * within minutes or finished within days.
 */
export async function listOpenRefunds(
  { db }: { db: Database },
  { now, limit }: { now: Temporal.Instant; limit: number },
): Promise<OpenRefund[]> {
  const acceptedBy = now.subtract({ minutes: acceptedWithinMinutes }).toString()
  const finishedBy = now.subtract({ hours: finishedWithinHours }).toString()
  // A refund promised before the capture is due from the capture on.
  const { rows } = await sql<OpenRefund>`
    select payment.order_id as "orderId", refund.amount_cents as "amountCents", refund.promised_at as "promisedAt", refund.note,
      case when refund.state = 'refused' then 'refused' when refund.pending_ref is null then 'not-accepted' else 'not-finished' end as why
    from charge_refund refund join payment on payment.id = refund.payment_id
    where refund.state = 'refused'
      or refund.state = 'promised' and payment.state = 'captured'
        and refund.promised_at < case when refund.pending_ref is null then ${acceptedBy}::timestamptz else ${finishedBy}::timestamptz end
        and exists (select from payment_event event where event.payment_id = payment.id and event.to_state = 'captured' and event.at < ${acceptedBy}::timestamptz)
    order by refund.promised_at limit ${limit}`.execute(db)
  return rows
}
