import { sql, type RawBuilder } from 'kysely'
import type { Database } from '#platform/db.ts'

/** SQL for the staff member who has the open messages about an order; null without one. */
export function assigneeOfOrder(orderId: RawBuilder<unknown>): RawBuilder<string | null> {
  return sql<string | null>`(
    select assigned_to from support_request where order_number = 'S-' || ${orderId} and state = 'open' and assigned_to is not null
    order by id desc limit 1)`
}

/** Returns an order's assignee by email; null without one. */
export async function selectAssignee(db: Database, orderId: number): Promise<string | null> {
  const { rows } = await sql<{
    email: string | null
  }>`select ${assigneeOfOrder(sql`${orderId}::bigint`)} as email`.execute(db)
  return rows[0]?.email ?? null
}
