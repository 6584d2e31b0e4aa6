/** What must become true of orders awaiting an answer, while the worker runs. */
export const delayInvariants = [
  {
    name: 'unanswered-order-canceled',
    severity: 'warning',
    of: 'orders to be confirmed',
    statement: `
      select 'order ' || id as what, confirm_by > moment.now - interval '1 hour' as holds
      from sales_order, moment where state = 'needs-confirmation'`,
  },
  {
    name: 'late-order-told',
    severity: 'warning',
    of: 'charged orders with parcels on their way',
    // The job runs every ten minutes; days end at the destination.
    statement: `
      select 'order ' || sales_order.id as what,
        greatest(max(promised_on), (select max(coalesce(revised_on, 'infinity')) from delay_notice where order_id = sales_order.id)) >= (moment.now - interval '2 days')::date as holds
      from sales_order join shipment on shipment.order_id = sales_order.id, moment
      where sales_order.state = 'confirmed' and released_at is not null and shipment.state in ('processed', 'pending-pickup', 'in-transit')
        and not exists (select from warehouse_pickup p where p.order_id = sales_order.id and p.ready_at is not null) group by sales_order.id, moment.now`,
  },
  {
    name: 'silent-delay-settled',
    severity: 'warning',
    of: 'delays told last and not answered',
    statement: `
      select 'order ' || order_id as what, answer_due_on >= (moment.now - interval '2 days')::date as holds
      from delay_notice, moment where answer is null
        and not exists (select from delay_notice later where later.order_id = delay_notice.order_id and later.notice_no > delay_notice.notice_no)`,
  },
] as const
