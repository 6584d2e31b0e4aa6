/**
 * Jobs of last week at the demo's busy shop that are still to be finished, and the people there who did them: `npm start`
 * finishes them as a shop does (tools/demo-shops.ts), so that they are signed, registered and paid.
 */
import type { Row } from './insert.ts'
import type { OrderRows } from './order-rows.ts'

const mostJobs = 5

/** Takes back that some jobs of a shop in the week before this one are done. */
export function leaveJobsToFinish(
  rows: OrderRows,
  { shopId, timeZone, now }: { shopId: number; timeZone: string; now: Temporal.Instant },
): void {
  const today = now.toZonedDateTimeISO(timeZone).toPlainDate()
  const monday = today.subtract({ days: today.dayOfWeek - 1 })
  const lastWeek = [monday.subtract({ days: 7 }), monday].map((day) => day.toZonedDateTime(timeZone).toInstant())
  const jobs = rows.booking
    .filter(({ shop_id, state, kind, during }) => {
      if (shop_id !== shopId || state !== 'done' || kind !== 'wait') return false
      const start = Temporal.Instant.from(during.slice(1).split(',')[0] ?? '')
      const [from, to] = lastWeek
      return from && to && Temporal.Instant.compare(from, start) <= 0 && Temporal.Instant.compare(start, to) < 0
    })
    .slice(0, mostJobs)
  const ids = new Set(jobs.map(({ id }) => id))
  for (const job of jobs) job.state = 'confirmed'
  rows.booking_event = rows.booking_event.filter(
    ({ booking_id, to_state }) => !(ids.has(booking_id) && to_state === 'done'),
  )
}

/** Another owner and another technician of the busy shop, and the owner of a van. */
export function workingMemberRows(
  busyId: number,
  vanId: number | undefined,
  now: Temporal.Instant,
): Row<'shop_member'>[] {
  const people = [
    { shop_id: busyId, email: 'marge@halsted.example', name: 'Marge Brandt', role: 'owner' },
    { shop_id: busyId, email: 'ines@halsted.example', name: 'Ines Ford', role: 'technician' },
    ...(vanId === undefined
      ? []
      : [{ shop_id: vanId, email: 'van-owner@example.com', name: 'Vera Lund', role: 'owner' }]),
  ]
  return people.map((person, index) => ({
    ...person,
    id: `00000000-0000-7000-8000-e${String(index + 11).padStart(11, '0')}`,
    added_at: now.subtract({ hours: 24 * 60 }).toString(),
    added_by: 'the demo',
  }))
}
