/** What must always be true of webhooks. */
import type { Invariant } from './invariants.ts'

export const webhookInvariants: readonly Invariant[] = [
  {
    name: 'placed-order-is-told',
    severity: 'error',
    of: 'orders placed that companies, partners or the store are sent',
    // Of endpoints as they are now; events are forgotten after 30 days.
    statement: `
      select 'order ' || placed.id || ' for endpoint ' || endpoint.id as what, exists (
        select from webhook_delivery delivery join webhook_event event on event.id = delivery.event_id
        where delivery.endpoint_id = endpoint.id and event.order_id = placed.id and event.type = 'order.placed') as holds
      from webhook_endpoint endpoint
      join sales_order placed on endpoint.is_store or placed.company_id = endpoint.company_id
        or exists (select from order_attribution came where came.order_id = placed.id and came.widget_id = endpoint.widget_id)
      cross join moment
      left join company on company.id = endpoint.company_id
      where endpoint.state <> 'removed' and 'order.placed' = any (endpoint.event_types)
        and placed.placed_at > endpoint.changed_at and placed.placed_at > moment.now - interval '29 days'
        and (endpoint.company_id is null or company.state = 'approved')`,
  },
  {
    name: 'webhook-event-is-sent',
    severity: 'error',
    of: 'events of webhooks',
    statement: `
      select 'event ' || id as what, exists (select from webhook_delivery where event_id = event.id) as holds
      from webhook_event event`,
  },
  {
    name: 'webhook-of-its-order',
    severity: 'error',
    of: 'deliveries of webhooks',
    // Sent only to the order's company or partner, and the store.
    statement: `
      select 'delivery ' || delivery.id as what, delivery.order_id is not distinct from event.order_id
        and (event.order_id is null or endpoint.is_store
          or exists (select from sales_order where id = event.order_id and company_id = endpoint.company_id)
          or exists (select from order_attribution where order_id = event.order_id and widget_id = endpoint.widget_id)) as holds
      from webhook_delivery delivery join webhook_event event on event.id = delivery.event_id
      join webhook_endpoint endpoint on endpoint.id = delivery.endpoint_id`,
  },
  {
    name: 'webhook-is-tried-in-time',
    severity: 'warning',
    of: 'deliveries of webhooks that wait',
    // Those behind another one of their order may wait longer.
    statement: `
      select 'delivery ' || delivery.id as what, delivery.next_at > moment.now - interval '15 minutes'
        or exists (select from webhook_delivery ahead where ahead.endpoint_id = delivery.endpoint_id and ahead.order_id = delivery.order_id
          and ahead.state = 'waiting' and ahead.id < delivery.id) as holds
      from webhook_delivery delivery, moment where delivery.state = 'waiting'`,
  },
]
