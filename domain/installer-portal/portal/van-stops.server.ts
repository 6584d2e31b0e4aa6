/** A van's stops of a day, on its clock. */
import { listVanJobs, type VanJob } from '#domain/ordering/orders/orders.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { showsAddress, withDrives, type Drive } from './van-stops.ts'

/** A stop as its crew sees it; `where` is null once its address is no longer needed. */
export type VanStopOfDay = Omit<VanJob, 'address' | 'notes'> & {
  where: { address: VanJob['address']; notes: string | null } | null
  drive: Drive | null
}

/** Reads the stops of a day, today if `asked` is null. */
export async function readVanDay(
  { db, clock }: { db: Database; clock: Clock },
  { shopId, timeZone }: { shopId: number; timeZone: string },
  asked: Temporal.PlainDate | null,
): Promise<{ day: Temporal.PlainDate; today: Temporal.PlainDate; stops: VanStopOfDay[] }> {
  const now = clock.now()
  const today = now.toZonedDateTimeISO(timeZone).toPlainDate()
  const day = asked ?? today
  const [from, to] = [day.toZonedDateTime(timeZone), day.add({ days: 1 }).toZonedDateTime(timeZone)]
  const jobs = await listVanJobs(db, { shopId, from: from.toInstant(), to: to.toInstant() })
  return {
    day,
    today,
    stops: withDrives(jobs).map(({ address, notes, ...stop }) => ({
      ...stop,
      where: showsAddress(stop, now) ? { address, notes } : null,
    })),
  }
}
