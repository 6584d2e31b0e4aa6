/** What a customer has ordered so far. */
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'

/** How many orders of a customer were not canceled, and what they came to, less what was refunded to a card. */
export async function selectCustomerTotals(
  db: Database,
  customerId: string,
): Promise<{ orders: number; spentCents: number }> {
  const { rows } = await sql<{ orders: number; spentCents: number }>`
    select count(*)::int as orders, coalesce(sum(o.total_cents - coalesce((
      select sum(p.refunded_cents) from payment p where p.order_id = o.id), 0)), 0)::int as "spentCents"
    from sales_order o where o.customer_id = ${customerId}::uuid and o.state <> 'canceled'`.execute(db)
  return rows[0] ?? { orders: 0, spentCents: 0 }
}
