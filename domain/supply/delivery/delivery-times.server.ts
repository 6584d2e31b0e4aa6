/** The business days that the store's deliveries take, for copy and structured data. */
import { sql } from 'kysely'
import { standardDeliveryTimes, type DeliveryTimes } from './transit.ts'
import type { Database } from '#platform/db.ts'
import { createLiveReading, type LiveReading } from '#platform/live-reading.ts'

/** A process's in-memory delivery times. They follow edits of warehouses within a second. */
export type LiveDeliveryTimes = LiveReading<DeliveryTimes>

/** Creates a process's delivery times, not yet polling. */
export function createLiveDeliveryTimes(db: Database): LiveDeliveryTimes {
  return createLiveReading({ version: '', value: standardDeliveryTimes }, async (known) => {
    const value = await readDeliveryTimes(db)
    const version = JSON.stringify(value)
    return version === known ? undefined : { version, value }
  })
}

/** Reads the times of all open warehouses. A store without a warehouse has the standard ones. */
export async function readDeliveryTimes(db: Database): Promise<DeliveryTimes> {
  const least = sql`least(transit_near_days, transit_mid_days, transit_far_days)`
  const greatest = sql`greatest(transit_near_days, transit_mid_days, transit_far_days)`
  // A warehouse that doesn't ship on some weekdays can take longer, in business days: up to all of the week's other days
  // per week of handling.
  const shipDays = sql`(select count(*)::int from unnest(ship_days) as weekday where weekday < 6)`
  const handling = sql`(handling_days + (5 - ${shipDays}) * ceil((handling_days + 1.0) / greatest(1, ${shipDays}))::int)`
  // A statement without parameters has no name, and is planned for each call.
  const standard = JSON.stringify(standardDeliveryTimes)
  const { rows } = await sql<{ times: DeliveryTimes }>`
    select case when count(*) > 0 then json_build_object(
      'handling', json_build_object('min', min(handling_days), 'max', max(${handling})),
      'transit', json_build_object(
        'CONUS', json_build_object('min', min(${least}), 'max', max(${greatest})),
        'AK', json_build_object('min', min(transit_alaska_days), 'max', max(transit_alaska_days)),
        'HI', json_build_object('min', min(transit_hawaii_days), 'max', max(transit_hawaii_days)),
        'TERRITORY', json_build_object('min', min(transit_territory_days), 'max', max(transit_territory_days))),
      'arrival', json_build_object('min', min(handling_days + ${least}), 'max', max(${handling} + ${greatest})))
      else ${standard}::json end as times
    from warehouse where retired_at is null`.execute(db)
  return rows[0]?.times ?? standardDeliveryTimes
}
