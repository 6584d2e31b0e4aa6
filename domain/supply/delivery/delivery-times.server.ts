/** The business days that the store's deliveries take, for copy and structured data. */
import { sql } from 'kysely'
import { standardDeliveryTimes, type DayRange, type DeliveryTimes, type TransitZone } from './transit.ts'
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

type Known = { min: number | null; max: number | null }

/**
 * Reads the times of all open warehouses. A store without a warehouse has the standard ones, as do zones without a
 * warehouse that ships there.
 */
export async function readDeliveryTimes(db: Database): Promise<DeliveryTimes> {
  const days = (zone: TransitZone, column: string) =>
    sql`case when not ${sql.lit(zone)} = any(unserved_zones) then ${sql.ref(column)} end`
  const contiguous = sql.join([
    days('near', 'transit_near_days'),
    days('mid', 'transit_mid_days'),
    days('far', 'transit_far_days'),
  ])
  // Days by ZIP prefix widen the range. They may replace all of a zone's days, which is not checked.
  const ofPrefixes = (aggregate: 'min' | 'max', region: string) =>
    sql`(select ${sql.raw(aggregate)}(days) from warehouse_transit where warehouse_id = warehouse.id and region = ${sql.lit(region)})`
  // Both ignore nulls, so zones that aren't served don't count.
  const least = sql`least(${contiguous}, ${ofPrefixes('min', 'CONUS')})`
  const greatest = sql`greatest(${contiguous}, ${ofPrefixes('max', 'CONUS')})`
  const range = (zone: 'AK' | 'HI' | 'TERRITORY', column: string) => sql`json_build_object(
    'min', min(case when not ${sql.lit(zone)} = any(unserved_zones) then least(${sql.ref(column)}, ${ofPrefixes('min', zone)}) end),
    'max', max(case when not ${sql.lit(zone)} = any(unserved_zones) then greatest(${sql.ref(column)}, ${ofPrefixes('max', zone)}) end))`
  // A warehouse that doesn't ship on some weekdays can take longer, in business days: up to all of the week's other days
  // per week of handling.
  const shipDays = sql`(select count(*)::int from unnest(ship_days) as weekday where weekday < 6)`
  const handling = sql`(handling_days + (5 - ${shipDays}) * ceil((handling_days + 1.0) / greatest(1, ${shipDays}))::int)`
  // A statement without parameters has no name, and is planned for each call.
  const standard = JSON.stringify(standardDeliveryTimes)
  const { rows } = await sql<{
    times: { handling: Known; transit: Record<keyof DeliveryTimes['transit'], Known>; arrival: Known }
  }>`
    select case when count(*) > 0 then json_build_object(
      'handling', json_build_object('min', min(handling_days), 'max', max(${handling})),
      'transit', json_build_object(
        'CONUS', json_build_object('min', min(${least}), 'max', max(${greatest})),
        'AK', ${range('AK', 'transit_alaska_days')},
        'HI', ${range('HI', 'transit_hawaii_days')},
        'TERRITORY', ${range('TERRITORY', 'transit_territory_days')}),
      'arrival', json_build_object('min', min(handling_days + ${least}), 'max', max(${handling} + ${greatest})))
      else ${standard}::json end as times
    from warehouse where retired_at is null`.execute(db)
  const { handling: handlingDays, transit, arrival } = rows[0]?.times ?? standardDeliveryTimes
  const known = ({ min, max }: Known, otherwise: DayRange) => (min === null || max === null ? otherwise : { min, max })
  const { transit: usual } = standardDeliveryTimes
  return {
    handling: known(handlingDays, standardDeliveryTimes.handling),
    transit: {
      CONUS: known(transit.CONUS, usual.CONUS),
      AK: known(transit.AK, usual.AK),
      HI: known(transit.HI, usual.HI),
      TERRITORY: known(transit.TERRITORY, usual.TERRITORY),
    },
    arrival: known(arrival, standardDeliveryTimes.arrival),
  }
}
