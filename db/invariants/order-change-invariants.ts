/** What must be true of every change of an order; a part of `invariants.ts`. */
import type { Invariant } from './invariants.ts'

export const orderChangeInvariants: readonly Invariant[] = [
  {
    name: 'change-is-settled',
    severity: 'error',
    of: 'changes of orders',
    // A paid difference belongs to the order exactly when the change is made; a refunded one is done, was refused or has a job.
    statement: `
      select 'change ' || change.id as what, case
          when settled_by = 'payment' then (select coalesce(sum(amount_cents), 0) from payment where order_change_id = change.id and order_id = change.order_id)
            = case when change.state = 'done' then after_cents - before_cents else 0 end
          when settled_by = 'refund' then before_cents - after_cents = (
            select coalesce(sum(refund.amount_cents), 0) from charge_refund refund join payment on payment.id = refund.payment_id
            where payment.order_id = change.order_id and refund.key like 'order-change:' || change.id || '%' and (refund.state in ('done', 'refused')
              or exists (select from graphile_worker.jobs where key = 'refund-charge:' || refund.id and attempts < max_attempts)))
          else true end as holds
      from order_change change`,
  },
  {
    name: 'change-is-on-its-order',
    severity: 'error',
    of: 'orders that were changed',
    statement: `
      select 'order ' || sales_order.id as what, change.fulfillment = sales_order.fulfillment and change.shop_id is not distinct from sales_order.shop_id as holds
      from sales_order join lateral (
        select * from order_change where order_id = sales_order.id and state = 'done' order by ended_at desc, id desc limit 1) as change on true`,
  },
  {
    name: 'offered-bay-is-held',
    severity: 'error',
    of: 'changes that wait to be paid',
    statement: `
      select 'change ' || change.id as what, change.booking_id is null or booking.state = 'held' and booking.hold_expires_at = change.expires_at as holds
      from order_change change join sales_order on sales_order.id = change.order_id left join booking on booking.id = change.booking_id, moment
      where change.state = 'awaiting-payment' and change.expires_at > moment.now and sales_order.state = 'confirmed'`,
  },
  {
    name: 'change-over-is-ended',
    severity: 'warning',
    of: 'changes that wait to be paid',
    statement: `
      select 'change ' || id as what, expires_at > moment.now - interval '1 hour' as holds from order_change, moment where state = 'awaiting-payment'`,
  },
]
