import { sql, type RawBuilder } from 'kysely'

/** SQL for the staff member who has the open messages about an order; null without one. */
export function assigneeOfOrder(orderId: RawBuilder<unknown>): RawBuilder<string | null> {
  return sql<string | null>`(
    select assigned_to from support_request where order_number = 'S-' || ${orderId} and state = 'open' and assigned_to is not null
    order by id desc limit 1)`
}
