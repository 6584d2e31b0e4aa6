/** How many appointments shops have ahead. */
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'

/** The number of a shop's upcoming appointments and the next start, or null without any. */
export type AppointmentsAhead = { count: number; next: Temporal.Instant | null }

/** Counts the appointments ahead of each of these shops; one without any is missing. */
export async function countAppointmentsAhead(
  db: Database,
  shopIds: readonly number[],
  now: Temporal.Instant,
): Promise<Map<number, AppointmentsAhead>> {
  const { rows } = await sql<AppointmentsAhead & { shopId: number }>`
    select shop_id as "shopId", count(*)::int as count, min(lower(during)) as next
    from booking
    where shop_id = any(${[...shopIds]}::int[]) and state = 'confirmed' and lower(during) >= ${now.toString()}::timestamptz
    group by shop_id`.execute(db)
  return new Map(rows.map(({ shopId, ...ahead }) => [shopId, ahead]))
}
