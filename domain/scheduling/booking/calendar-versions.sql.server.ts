/** The numbers of shops' calendars, which every change of a calendar raises (docs/decisions/019-cached-calendars.md). */
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'

/** The numbers of these shops, in one statement. */
export async function readCalendarVersions(db: Database, shopIds: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ shopId: number; version: number }>`
    select shop_id as "shopId", (version + (select count(*) from shop_calendar_late late where late.shop_id = shop_calendar.shop_id))::int as version
    from shop_calendar where shop_id = any(${[...shopIds]}::int[])`.execute(db)
  return new Map(rows.map(({ shopId, version }) => [shopId, version]))
}
