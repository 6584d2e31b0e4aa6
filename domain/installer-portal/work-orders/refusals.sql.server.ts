/** Jobs that their shops refused, as the shopper's page and the search for another shop ask for them. */
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'

/** Returns why an appointment's shop refused the job, or undefined. */
export async function selectRefusal(db: Database, bookingId: string): Promise<{ reason: string } | undefined> {
  const row = await db
    .selectFrom('work_order')
    .select('reason')
    .where('booking_id', '=', bookingId)
    .where('state', '=', 'refused')
    .executeTakeFirst()
  return row && { reason: row.reason ?? '' }
}

/** Selects the shops that refused an order's job. */
export async function selectRefusers(db: Database, orderId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('work_order')
    .select('shop_id')
    .distinct()
    .where('order_id', '=', orderId)
    .where('state', '=', 'refused')
    .execute()
  return rows.map((row) => row.shop_id)
}

/** Returns whether the store stopped the shop of an order's last appointment. Only shops refuse a job as a member. */
export async function isShopStopped(db: Database, orderId: number): Promise<boolean> {
  const { rows } = await sql<{ isStopped: boolean }>`
    select exists (
      select from work_order job join work_order_event refusal on refusal.booking_id = job.booking_id
      where job.state = 'refused' and refusal.to_state = 'refused' and refusal.member_id is null
        and job.booking_id = (select id from booking where order_id = ${orderId}::bigint order by created_at desc limit 1)
    ) as "isStopped"`.execute(db)
  return rows[0]?.isStopped ?? false
}
