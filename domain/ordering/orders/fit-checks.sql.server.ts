/** Orders with an unknown fit, until a person checks it. */
import { sql, type RawBuilder } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import { storeDay, storeZone } from '#platform/store-zone.ts'

/** Older checks are no use, because the tires have been installed or returned. */
const waitingDays = 30

/** Selects the orders that wait for a check, as `order_id` and `asked_at`. Shipped tires are left out. */
export function fitChecksWaiting(now: Temporal.Instant): RawBuilder<unknown> {
  return sql`
    select f.order_id, f.asked_at from order_fit_check f join sales_order placed on placed.id = f.order_id
    where f.checked_at is null and f.asked_at > ${now.subtract({ hours: waitingDays * 24 }).toString()}::timestamptz
      and placed.state in ('confirmed', 'needs-confirmation')
      and not exists (select from shipment left_us where left_us.order_id = f.order_id and left_us.state in ('in-transit', 'delivered'))`
}

/** Lists orders that wait for a fit check, oldest first. Each is due at the end of the day it was placed. */
export async function listFitChecks(
  { db }: { db: Database },
  { now, limit }: { now: Temporal.Instant; limit: number },
): Promise<{ id: number; customer: string; since: Temporal.Instant; due: Temporal.Instant }[]> {
  const { rows } = await sql<{ id: number; customer: string; since: Temporal.Instant }>`
    select o.id, o.first_name || ' ' || o.last_name as customer, waiting.asked_at as since
    from (${fitChecksWaiting(now)}) waiting join sales_order o on o.id = waiting.order_id
    order by waiting.asked_at limit ${limit}`.execute(db)
  return rows.map((row) => ({
    ...row,
    due: storeDay(row.since).add({ days: 1 }).toZonedDateTime(storeZone).toInstant(),
  }))
}

/** Stores the result of a locked order's check. */
export async function updateFitCheck(
  tx: Tx,
  { orderId, result, by, at }: { orderId: number; result: string; by: string; at: Temporal.Instant },
): Promise<void> {
  await tx
    .updateTable('order_fit_check')
    .set({ result, checked_by: by, checked_at: at })
    .where('order_id', '=', orderId)
    .where('checked_at', 'is', null)
    .execute()
}
