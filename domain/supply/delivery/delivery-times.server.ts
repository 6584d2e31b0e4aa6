/** The business days that the store's deliveries take, for copy and structured data. */
import { sql } from 'kysely'
import { standardDeliveryTimes, type DeliveryTimes } from './delivery.ts'
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
  const { rows } = await sql<{ handling: DeliveryTimes['handling'] | null }>`
    select case when count(*) > 0 then json_build_object('min', min(handling_days), 'max', max(handling_days)) end as handling
    from warehouse where retired_at is null`.execute(db)
  return rows[0]?.handling ? { handling: rows[0].handling } : standardDeliveryTimes
}
