/** What must always be true of returns. */
import type { Invariant } from './invariants.ts'

export const returnInvariants: readonly Invariant[] = [
  {
    name: 'returns-within-delivery',
    severity: 'error',
    of: 'lines with returned tires',
    statement: `
      select 'line ' || line_no || ' of order ' || order_id as what,
        count(*) <= (select coalesce(sum(a.quantity), 0) from stock_allocation a join shipment h on h.order_id = a.order_id and h.warehouse_id = a.warehouse_id
          where a.order_id = tire.order_id and a.line_no = tire.line_no and h.state in ('delivered', 'returned')) as holds
      from return_tire tire where state <> 'canceled' group by order_id, line_no`,
  },
  {
    name: 'return-refund-is-paid',
    severity: 'error',
    of: 'refunds of returns',
    // Paid by an approved order refund with the same amount, except for manual settlements. Each covers at least one
    // tire.
    statement: `
      select 'refund ' || back.no || ' of return M-' || back.return_id as what,
        exists (select from return_tire tire where tire.return_id = back.return_id and tire.refund_no = back.no)
        and (back.way = 'by-hand') = not exists (select from return_tire tire join order_refund refund on refund.id = tire.order_refund_id
          where tire.return_id = back.return_id and tire.refund_no = back.no and refund.state = 'approved' and refund.amount_cents = back.refund_cents) as holds
      from return_refund back`,
  },
  {
    name: 'returned-order-is-undone',
    severity: 'error',
    of: 'returned orders',
    // Each tire is refunded by a return, a cancellation, or a delay. With manual settlements, no refund covers the
    // tires, and all shipped tires are back.
    statement: `
      select 'order ' || id as what, case when tires.by_hand > 0
        then tires.back = (select coalesce(sum(quantity), 0) from stock_allocation where order_id = sales_order.id)
        else tires.refunded = (select sum(quantity) from order_line where order_id = sales_order.id and kind = 'tire') end as holds
      from sales_order, lateral (
        select count(*) filter (where tire.state = 'refunded') as back, count(*) filter (where paid.way = 'by-hand') as by_hand, (
          select coalesce(sum(line.units), 0) from order_refund_line line join order_refund refund on refund.id = line.refund_id and refund.state = 'approved'
            join order_line bought on bought.order_id = line.order_id and bought.line_no = line.line_no and bought.kind = 'tire' where line.order_id = sales_order.id) as refunded
        from return_tire tire left join return_refund paid on paid.return_id = tire.return_id and paid.no = tire.refund_no
        where tire.order_id = sales_order.id) as tires
      where sales_order.state = 'returned'`,
  },
  {
    name: 'return-state-is-written-down',
    severity: 'error',
    of: 'tires of returns',
    statement: `
      select 'tire ' || tire.tire_no || ' of return M-' || tire.return_id as what,
        (select event.to_state from return_event event where event.return_id = tire.return_id and event.tire_no = tire.tire_no order by event.id desc limit 1) = tire.state as holds
      from return_tire tire`,
  },
  {
    name: 'return-refund-late',
    severity: 'warning',
    of: 'received tires that are not refunded',
    statement: `
      select 'tire ' || tire_no || ' of return M-' || return_id as what, received_at > moment.now - interval '48 hours' as holds
      from return_tire, moment where state in ('received', 'accepted')`,
  },
  {
    name: 'approved-return-refund-is-completed',
    severity: 'warning',
    of: 'tires in approved refunds of orders',
    statement: `
      select 'tire ' || tire_no || ' of return M-' || return_id as what, tire.state = 'refunded' as holds
      from return_tire tire join order_refund refund on refund.id = tire.order_refund_id where refund.state = 'approved'`,
  },
]
