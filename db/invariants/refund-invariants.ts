/** What must be true of every refund; a part of `invariants.ts`. */
import type { Invariant } from './invariants.ts'

/**
 * Returns the sum in cents of the refund's parts under a key, one per charge, and whether each belongs to the order and
 * is done, refused, in progress, or, where allowed, waiting for its capture.
 */
export function partsOf({ key, orderId, mayWait }: { key: string; orderId: string; mayWait: string }): string {
  return `lateral (
        select coalesce(sum(part.amount_cents), 0) as cents, coalesce(bool_and(payment.order_id = ${orderId}
          and (part.state in ('done', 'refused') or payment.state <> 'captured' and ${mayWait}
            or exists (select from graphile_worker.jobs where key = 'refund-charge:' || part.id and attempts < max_attempts))), true) as is_underway
        from charge_refund part join payment on payment.id = part.payment_id where part.key = ${key} or part.key like ${key} || '+%')`
}

export const refundInvariants: readonly Invariant[] = [
  {
    name: 'refunds-within-charge',
    severity: 'error',
    of: 'charges with parts given back',
    // What is promised counts as given back.
    statement: `
      select 'payment ' || payment.id as what, refunded_cents = coalesce(sum(refund.amount_cents) filter (where refund.state = 'done'), 0)
        and coalesce(sum(refund.amount_cents) filter (where refund.state <> 'refused'), 0) <= case when payment.state = 'captured' then captured_cents else payment.amount_cents end as holds
      from payment join charge_refund refund on refund.payment_id = payment.id group by payment.id`,
  },
  {
    name: 'approved-guarantee-is-paid',
    severity: 'error',
    of: 'approved price guarantees of orders',
    // Paid by a refund that is done, needs its capture, or has a job, or deducted from the invoice. A canceled order
    // was never charged.
    statement: `
      select 'request ' || request.id as what, case
        when invoice.order_id is not null then invoice.lowered_cents = (select sum(same.difference_cents) from price_guarantee_request same where same.order_id = request.order_id and same.state = 'approved')
          + (select coalesce(sum(given_cents), 0) from coverage_claim where coverage_claim.order_id = request.order_id and state = 'approved')
          + (select coalesce(sum(invoice_cents), 0) from order_refund where order_refund.order_id = request.order_id and order_refund.state = 'approved')
        else charge.cents = request.difference_cents and charge.is_underway end as holds
      from price_guarantee_request request
      left join invoice on invoice.order_id = request.order_id,
      ${partsOf({ key: `'guarantee:' || request.id`, orderId: 'request.order_id', mayWait: 'true' })} as charge
      where request.state = 'approved' and request.order_id is not null`,
  },
  {
    name: 'approved-claim-is-paid',
    severity: 'error',
    of: 'approved coverage claims of charged orders',
    statement: `
      select 'claim ' || claim.id as what, charge.cents = claim.given_cents and charge.is_underway as holds
      from coverage_claim claim,
      ${partsOf({ key: `'coverage:' || claim.id`, orderId: 'claim.order_id', mayWait: 'true' })} as charge
      where claim.state = 'approved' and not exists (select from invoice where invoice.order_id = claim.order_id)`,
  },
  {
    name: 'order-refund-adds-up',
    severity: 'error',
    of: 'refunds of orders',
    statement: `
      select 'refund ' || refund.id as what, refund.lines_cents = coalesce(sum(net_cents + tax_cents + fet_cents + tire_fee_cents), 0)
        and refund.amount_cents = refund.lines_cents - handling_fee_cents - lowered_cents + goodwill_cents
        and refund.amount_cents = card_cents + credit_cents + invoice_cents as holds
      from order_refund refund left join order_refund_line line on line.refund_id = refund.id group by refund.id`,
  },
  {
    name: 'order-refund-within-lines',
    severity: 'error',
    of: 'refunded lines of orders',
    statement: `
      select 'line ' || line.line_no || ' of order ' || line.order_id as what, sum(line.units) <= bought.quantity and sum(line.net_cents) <= bought.net_cents
        and sum(line.tax_cents) <= bought.tax_cents and sum(line.fet_cents) <= bought.fet_cents and sum(line.tire_fee_cents) <= bought.tire_fee_cents as holds
      from order_refund_line line join order_refund refund on refund.id = line.refund_id and refund.state <> 'declined'
      join order_line bought on bought.order_id = line.order_id and bought.line_no = line.line_no
      group by line.order_id, line.line_no, bought.quantity, bought.net_cents, bought.tax_cents, bought.fet_cents, bought.tire_fee_cents`,
  },
  {
    name: 'order-refund-is-paid',
    severity: 'error',
    of: 'approved refunds of orders',
    // Paid by a refund of the charge that is done, refused, queued, or waiting for its capture; as store credit; or
    // deducted from the invoice. Drafts aren't paid.
    statement: `
      select 'refund ' || refund.id as what, charge.cents = case when refund.state = 'approved' then refund.card_cents else 0 end and charge.is_underway
        and (select coalesce(sum(amount_cents), 0) from ledger_entry where order_id = refund.order_id and account = 'refunds' and reason = 'credit refunded')
          = (select coalesce(sum(credit_cents), 0) from order_refund same where same.order_id = refund.order_id and same.state = 'approved')
        and (refund.state <> 'approved' or exists (select from charge_refund part where part.key in ('order-refund:' || refund.id, 'order-refund:' || refund.id || '+2')
            and (part.state <> 'done' or exists (select from graphile_worker.jobs where key = 'refund-issued:' || part.id)))
          or exists (select from message where key in ('order-refunded:' || refund.id, 'order-lines-canceled:' || refund.id))
          or refund.kind = 'delay' and exists (select from message where key = 'order-delay-canceled:' || refund.order_id)
          or exists (select from return_tire where order_refund_id = refund.id)) as holds
      from order_refund refund,
      ${partsOf({ key: `'order-refund:' || refund.id`, orderId: 'refund.order_id', mayWait: `refund.kind = 'cancellation'` })} as charge`,
  },
  {
    name: 'refund-email-after-the-money',
    severity: 'error',
    of: 'emails that a refund was sent',
    statement: `
      select 'email ' || message.key as what, not exists (
        select from charge_refund part where part.state <> 'done'
          and part.key in ('order-refund:' || refund.id, 'order-refund:' || refund.id || '+2', refund.id, refund.id || '+2')) as holds
      from message, lateral (select case message.kind when 'order-refunded' then substring(message.key from '^(?:again:[^:]+:)?order-refunded:(.+)$')
        else (select order_refund_id::text from return_tire where return_id::text = split_part(substring(message.key from 'return-refunded:(.+)$'), ':', 1)
          and refund_no::text = split_part(substring(message.key from 'return-refunded:(.+)$'), ':', 2) limit 1) end as id) as refund
      where message.kind in ('order-refunded', 'return-refunded')`,
  },
  {
    name: 'canceled-lines-left-the-order',
    severity: 'error',
    of: 'orders with lines canceled before they shipped',
    // Without a tire left the order is canceled; with one it is not, and no parcel is sent empty.
    statement: `
      select 'order ' || sales_order.id as what, (sales_order.state = 'canceled') = (left_units = 0)
        and not exists (select from shipment where shipment.order_id = sales_order.id and shipment.state <> 'canceled'
          and not exists (select from stock_allocation a where a.order_id = shipment.order_id and a.warehouse_id = shipment.warehouse_id)) as holds
      from sales_order, lateral (select coalesce(sum(quantity), 0) as left_units from stock_allocation where order_id = sales_order.id) as allocated
      where exists (select from order_refund where order_id = sales_order.id and kind = 'cancellation')`,
  },
  {
    name: 'refund-over-limit-seen-twice',
    severity: 'error',
    of: 'approved refunds over the limit',
    statement: `select 'refund ' || id as what, created_by <> decided_by as holds from order_refund where is_over_limit and state = 'approved'`,
  },
]
