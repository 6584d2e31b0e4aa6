/** Orders that need staff, in bounded lists, oldest first. */
import { sql } from 'kysely'
import { isPaidOnDelivery, paymentMethodRules } from '#domain/payments/payments/payments.ts'
import type { Database } from '#platform/db.ts'

// A lender pays with the goods, however long they take.
const financed = paymentMethodRules.map(({ type }) => type).filter(isPaidOnDelivery)

type Waiting = { id: number; customer: string; since: Temporal.Instant; due: Temporal.Instant }

/** Orders that their customers have not confirmed; due when they are canceled for it. */
export async function listOrdersToConfirm({ db }: { db: Database }, limit: number): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select id, first_name || ' ' || last_name as customer, placed_at as since, confirm_by as due
    from sales_order where state = 'needs-confirmation' order by confirm_by limit ${limit}`.execute(db)
  return rows
}

/** Lists released orders without a capture by `due`, `minutes` after their release. */
export async function listUncapturedOrders(
  { db }: { db: Database },
  { now, minutes, limit }: { now: Temporal.Instant; minutes: number; limit: number },
): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select o.id, o.first_name || ' ' || o.last_name as customer, o.released_at as since, o.released_at + make_interval(mins => ${minutes}::int) as due
    from sales_order o
    where o.id in (select order_id from payment where state = 'authorized' and order_id is not null and not (method = any(${financed}::text[])))
      and o.released_at < ${now.subtract({ minutes }).toString()}::timestamptz
    order by o.released_at limit ${limit}`.execute(db)
  return rows
}
