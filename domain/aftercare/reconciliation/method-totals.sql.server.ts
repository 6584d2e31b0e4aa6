import { sql } from 'kysely'
import type { PaymentMethodType } from '#domain/payments/payments/payments.ts'
import type { Database } from '#platform/db.ts'

/** Amounts captured and refunded by one payment method. For invoices, the captured amount is the invoiced amount. */
export type MethodTotals = {
  method: PaymentMethodType
  charges: number
  chargedCents: number
  refunds: number
  refundedCents: number
}

/** The totals of every way to pay by which anything moved from `from` on and before `until`, the largest first. */
export async function selectMethodTotals(
  db: Database,
  { from, until, invoicedFrom, invoicedTo }: { from: string; until: string; invoicedFrom: string; invoicedTo: string },
): Promise<MethodTotals[]> {
  const { rows } = await sql<MethodTotals>`
    with moved as (
      select payment.method, payment.captured_cents as charged, null::int as refunded
      from payment_event event join payment on payment.id = event.payment_id
      where event.to_state = 'captured' and event.from_state <> 'captured' and event.at >= ${from}::timestamptz and event.at < ${until}::timestamptz
      union all
      select payment.method, null, refund.amount_cents from charge_refund refund join payment on payment.id = refund.payment_id
      where refund.state = 'done' and refund.done_at >= ${from}::timestamptz and refund.done_at < ${until}::timestamptz
      union all
      select payment.method, null, payment.refunded_cents
      from payment_event event join payment on payment.id = event.payment_id
      where event.to_state = 'captured' and event.from_state = 'captured' and event.note = 'given back'
        and event.at >= ${from}::timestamptz and event.at < ${until}::timestamptz
      union all
      select 'net-terms', invoice.amount_cents, null from invoice
      where invoice.state <> 'canceled' and invoice.issued_on between ${invoicedFrom}::date and ${invoicedTo}::date)
    select method, count(charged)::int as charges, coalesce(sum(charged), 0)::int as "chargedCents",
      count(refunded)::int as refunds, coalesce(sum(refunded), 0)::int as "refundedCents"
    from moved group by method order by 3 desc, method`.execute(db)
  return rows
}
