/**
 * A shop's daily capacity as used by bookings, with its versions and their number of bays, and the bookings that a
 * change no longer fits. docs/decisions/018-booking-locks.md explains why each of them is detected.
 */
import { sql } from 'kysely'
import { listVersions, type VersionDays } from '#domain/scheduling/installers/installers.server.ts'
import type { Database, Tx } from '#platform/db.ts'
import type { BayPlace } from './bays.server.ts'
import { instant, range } from './booking.sql.server.ts'
import type { CapacityVersion } from './slots.ts'

/** A version with its days and its number of bays. */
export type CapacityPlan = CapacityVersion & VersionDays & { bays: number; dropOffs: number }
/** Why a booking does not fit. `bay` and `drop-off`: not offered then. */
export type MisfitReason = 'closed-day' | 'hours' | 'lunch' | 'bay' | 'drop-off' | 'technicians'
/** An appointment that does not fit the capacity of its day. */
export type HurtBooking = {
  bookingId: string
  start: Temporal.Instant
  end: Temporal.Instant
  bayId: number
  bay: Pick<BayPlace, 'kind' | 'number'>
  reason: MisfitReason
}

/** Lists the versions of a shop in the order of their days. */
export async function listCapacity(db: Database, shopId: number): Promise<CapacityPlan[]> {
  const versions = await listVersions<CapacityVersion>(db, shopId)
  const { rows } = await sql<{ bays: number; dropOffs: number }>`
    select count(*) filter (where kind = 'bay')::int as bays, count(*) filter (where kind = 'drop-off')::int as "dropOffs"
    from unnest(${versions.map(({ from }) => from)}::date[], ${versions.map(({ until }) => until)}::date[]) with ordinality as version (begins, ends, no)
    left join shop_bay on shop_id = ${shopId}::int and days && daterange(begins, ends)
    group by no order by no`.execute(db)
  return versions.map((version, index) => ({ ...version, bays: 0, dropOffs: 0, ...rows[index] }))
}

/**
 * Locks all of a shop's bays. Appointment moves block on it, and a capacity change that locks the shop next can't
 * deadlock with them.
 */
export async function lockAllBays(tx: Tx, shopId: number): Promise<void> {
  await sql`select from shop_bay where shop_id = ${shopId}::int order by id for no key update`.execute(tx)
}

/** Sets the number of bays and drop-off slots a shop uses from one day until another (exclusive; null means no end). */
export async function setBayDays(
  tx: Tx,
  {
    shopId,
    from,
    until,
    bays,
    dropOffs,
  }: {
    shopId: number
    from: Temporal.PlainDate
    until: Temporal.PlainDate | null
    bays: number
    dropOffs: number
  },
): Promise<void> {
  const span = spanOf(from, until)
  for (const [kind, count] of [
    ['bay', bays],
    ['drop-off', dropOffs],
  ] as const) {
    await sql`
      update shop_bay set days = days - ${span} + case when number <= ${count}::int then ${span} else '{}'::datemultirange end
      where shop_id = ${shopId}::int and kind = ${kind}`.execute(tx)
    await sql`
      insert into shop_bay (shop_id, kind, number, days)
      select ${shopId}::int, ${kind}, number, ${span} from generate_series(1, ${count}::int) as number
      where not exists (select from shop_bay where shop_id = ${shopId}::int and kind = ${kind} and shop_bay.number = number.number)`.execute(
      tx,
    )
  }
}

/** Sets these days' bays to those open on the previous day. */
export async function setBayDaysAsBefore(
  tx: Tx,
  { shopId, from, until }: { shopId: number; from: Temporal.PlainDate; until: Temporal.PlainDate | null },
): Promise<void> {
  const span = spanOf(from, until)
  await sql`
    update shop_bay set days = days - ${span} + case when days @> ${from.toString()}::date - 1 then ${span} else '{}'::datemultirange end
    where shop_id = ${shopId}::int`.execute(tx)
}

function spanOf(from: Temporal.PlainDate, until: Temporal.PlainDate | null) {
  return sql`datemultirange(daterange(${from.toString()}::date, ${until?.toString() ?? null}::date))`
}

/** Lists the appointments ahead that do not fit the capacity of their day, from a moment until before another. */
export async function listHurtBookings(
  db: Database,
  { shopId, from, until }: { shopId: number; from: Temporal.Instant; until: Temporal.Instant | null },
): Promise<HurtBooking[]> {
  const { rows } = await sql<HurtBooking>`
    select booking.id as "bookingId", lower(during) as start, upper(during) as "end", bay_id as "bayId",
      json_build_object('kind', bay.kind, 'number', bay.number) as bay, misfit.reason
    from booking join shop_bay bay on bay.id = booking.bay_id
    cross join lateral (select booking_misfit(booking, 'infinity', booking.created_at) as reason offset 0) as misfit
    where booking.shop_id = ${shopId}::int and booking.state = 'confirmed' and lower(during) >= ${instant(from)}
      and ${until ? sql`lower(during) < ${instant(until)}` : sql`true`} and misfit.reason is not null
    order by lower(during), booking.id`.execute(db)
  return rows
}

/** Notes that a member kept a change that leaves these appointments outside of the capacity. */
export async function noteConflicts(
  tx: Tx,
  hurt: readonly HurtBooking[],
  { memberId, at }: { memberId: string; at: Temporal.Instant },
): Promise<void> {
  for (const { bookingId, bayId, start, end, reason } of hurt)
    await sql`
      insert into capacity_conflict (booking_id, bay_id, during, reason, shown_to, shown_at)
      values (${bookingId}::uuid, ${bayId}::int, ${range({ start, end })}, ${reason}, ${memberId}::uuid, ${instant(at)})
      on conflict (booking_id, during) do update
      set bay_id = excluded.bay_id, reason = excluded.reason, shown_to = excluded.shown_to, shown_at = excluded.shown_at`.execute(
      tx,
    )
}
