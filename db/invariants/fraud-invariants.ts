/** What must be true of held orders, disputes and reconciled days; a part of `invariants.ts`. */
import type { Invariant } from './invariants.ts'

export const fraudInvariants: readonly Invariant[] = [
  {
    name: 'held-order-waits',
    severity: 'error',
    of: 'orders held for review',
    statement: `
      select 'order ' || sales_order.id as what, sales_order.released_at is null
        and not exists (select from payment where payment.order_id = sales_order.id and payment.state = 'captured') as holds
      from order_screening join sales_order on sales_order.id = order_screening.order_id
      where order_screening.outcome = 'review' and order_screening.decision is null`,
  },
  {
    name: 'dispute-of-its-charge',
    severity: 'error',
    of: 'disputes of charges',
    statement: `
      select 'dispute D-' || dispute.id as what, dispute.order_id is not distinct from payment.order_id and payment.provider = dispute.provider
        and dispute.withdrawn_cents - dispute.reinstated_cents <= payment.captured_cents as holds
      from dispute join payment on payment.id = dispute.payment_id`,
  },
  {
    name: 'reconciled-day-as-compared',
    severity: 'error',
    of: 'reconciled days',
    statement: `
      select 'day ' || provider || ' ' || moved_on as what, (state = 'balanced') = not exists (
        select from reconciled_difference other where other.provider = reconciled_day.provider and other.moved_on = reconciled_day.moved_on) as holds
      from reconciled_day`,
  },
]
