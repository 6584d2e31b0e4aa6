/** The statements of own jobs. */
import { sql, type RawBuilder } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import { instant, range } from './booking.sql.server.ts'
import type { OverlapReason, OwnJobInput, OwnJobState } from './own-jobs.ts'

/** `overlaps` lists the live bookings it overlaps, with reasons. */
export type OwnJob = OwnJobInput & {
  id: string
  state: OwnJobState
  revision: number
  overlaps: { bookingId: string; reason: OverlapReason }[]
}

/** An online booking that conflicts with a shop job; `held` while its shopper checks out. */
export type LiveOverlap = {
  bookingId: string
  state: 'held' | 'confirmed'
  start: Temporal.Instant
  end: Temporal.Instant
}

type Stretch = { bayId: number; start: Temporal.Instant; end: Temporal.Instant }

/**
 * Locks an open shop's bays in id order, and returns those in use on the day of `start`, since onboarding may still
 * replace them. The lock blocks new bookings in these bays.
 */
export async function lockBays(
  tx: Tx,
  { shopId, bayIds, start }: { shopId: number; bayIds: readonly number[]; start: Temporal.Instant },
): Promise<number[]> {
  const { rows } = await sql<{ id: number; isUsed: boolean }>`
    select id, days @> (${instant(start)} at time zone (select time_zone from shop where shop.id = ${shopId}::int))::date as "isUsed"
    from shop_bay where shop_id = ${shopId}::int and id = any(${bayIds}::int[])
      and not exists (select from shop where shop.id = ${shopId}::int and in_set_up)
    order by id for update`.execute(tx)
  return rows.filter(({ isUsed }) => isUsed).map(({ id }) => id)
}

const columns = sql`
  own.id, own.bay_id as "bayId", lower(own.during) as start, upper(own.during) as "end", own.kind, own.state, own.first_name as "firstName",
  own.phone, own.vehicle, own.tires, own.note, own.alignment_minutes as "alignmentMinutes", own.revision,
  coalesce((
    select json_agg(json_build_object('bookingId', lying.booking_id, 'reason', lying.reason) order by lying.booking_id)
    from own_job_overlap lying join booking on booking.id = lying.booking_id
    where lying.own_job_id = own.id and booking.bay_id = own.bay_id and booking.during && own.during and booking.state in ('held', 'confirmed', 'done')), '[]') as overlaps`

async function select(db: Database, where: RawBuilder<unknown>): Promise<OwnJob[]> {
  const { rows } = await sql<OwnJob>`
    select ${columns} from own_job own where ${where} order by lower(own.during), own.id`.execute(db)
  return rows
}

export function selectOwnJobs(
  db: Database,
  { shopId, from, to }: { shopId: number; from: Temporal.Instant; to: Temporal.Instant },
): Promise<OwnJob[]> {
  return select(
    db,
    sql`own.shop_id = ${shopId}::int and own.state <> 'canceled' and own.during && ${range({ start: from, end: to })}`,
  )
}

export async function selectOwnJob(
  db: Database,
  { shopId, ownJobId }: { shopId: number; ownJobId: string },
): Promise<OwnJob | undefined> {
  const [job] = await select(db, sql`own.id = ${ownJobId}::uuid and own.shop_id = ${shopId}::int`)
  return job
}

export async function lockOwnJob(tx: Tx, key: { shopId: number; ownJobId: string }): Promise<OwnJob | undefined> {
  await sql`select from own_job where id = ${key.ownJobId}::uuid and shop_id = ${key.shopId}::int for update`.execute(
    tx,
  )
  return selectOwnJob(tx, key)
}

export function selectOwnJobsOver(
  tx: Tx,
  { shopId, bayId, start, end, except }: Stretch & { shopId: number; except: string },
): Promise<OwnJob[]> {
  return select(
    tx,
    sql`own.shop_id = ${shopId}::int and own.bay_id = ${bayId}::int and own.state = 'planned' and own.id <> ${except}::uuid
      and own.during && ${range({ start, end })}`,
  )
}

/** Releases expired holds there. One that is being confirmed or extended right now counts as live. */
export async function expireLapsedOn(tx: Tx, { bayId, start, end }: Stretch, now: Temporal.Instant): Promise<void> {
  await sql`
    with lapsed as (
      select id from booking
      where bay_id = ${bayId}::int and state = 'held' and hold_expires_at <= ${instant(now)} and during && ${range({ start, end })}
      for update skip locked),
    expired as (
      update booking set state = 'expired', hold_expires_at = null, held_by = null from lapsed where booking.id = lapsed.id returning booking.id)
    insert into booking_event (booking_id, at, from_state, to_state, actor)
    select id, ${instant(now)}, 'held', 'expired', 'shop' from expired`.execute(tx)
}

export async function selectLiveOverlaps(tx: Tx, { bayId, start, end }: Stretch): Promise<LiveOverlap[]> {
  const { rows } = await sql<LiveOverlap>`
    select id as "bookingId", state, lower(during) as start, upper(during) as "end" from booking
    where bay_id = ${bayId}::int and state in ('held', 'confirmed') and during && ${range({ start, end })}
    order by lower(during)`.execute(tx)
  return rows
}

export async function insertOwnJob(
  tx: Tx,
  job: OwnJobInput & { ownJobId: string; shopId: number; memberId: string; at: Temporal.Instant },
): Promise<void> {
  await sql`
    insert into own_job (id, shop_id, bay_id, during, kind, first_name, phone, vehicle, tires, note, alignment_minutes, made_by, made_at, changed_at)
    values (${job.ownJobId}::uuid, ${job.shopId}::int, ${job.bayId}::int, ${range(job)}, ${job.kind}, ${job.firstName}, ${job.phone}, ${job.vehicle},
      ${job.tires}, ${job.note}, ${job.alignmentMinutes}::int, ${job.memberId}::uuid, ${instant(job.at)}, ${instant(job.at)})`.execute(
    tx,
  )
}

export async function updateOwnJob(
  tx: Tx,
  job: OwnJobInput & { ownJobId: string; shopId: number; at: Temporal.Instant },
): Promise<void> {
  await sql`
    update own_job set bay_id = ${job.bayId}::int, during = ${range(job)}, kind = ${job.kind}, first_name = ${job.firstName}, phone = ${job.phone},
      vehicle = ${job.vehicle}, tires = ${job.tires}, note = ${job.note}, alignment_minutes = ${job.alignmentMinutes}::int, revision = revision + 1, changed_at = ${instant(job.at)}
    where id = ${job.ownJobId}::uuid and shop_id = ${job.shopId}::int`.execute(tx)
}

export async function updateOwnJobState(
  tx: Tx,
  { ownJobId, state, at }: { ownJobId: string; state: OwnJobState; at: Temporal.Instant },
): Promise<void> {
  await sql`
    update own_job set state = ${state}, revision = revision + 1, changed_at = ${instant(at)} where id = ${ownJobId}::uuid`.execute(
    tx,
  )
}

/** Retains the reasons of remaining overlaps, adds new ones, and removes those that no longer overlap. */
export async function replaceOverlaps(
  tx: Tx,
  {
    ownJobId,
    by,
    live,
    reason,
  }: {
    ownJobId: string
    by: { memberId: string; at: Temporal.Instant }
    live: readonly LiveOverlap[]
    reason: OverlapReason | null
  },
): Promise<void> {
  const ids = live.map(({ bookingId }) => bookingId)
  await sql`
    delete from own_job_overlap where own_job_id = ${ownJobId}::uuid and booking_id <> all(${ids}::uuid[])`.execute(tx)
  if (ids.length === 0 || reason === null) return
  await sql`
    insert into own_job_overlap (own_job_id, booking_id, reason, chosen_by, chosen_at)
    select ${ownJobId}::uuid, id, ${reason}, ${by.memberId}::uuid, ${instant(by.at)} from unnest(${ids}::uuid[]) as id
    on conflict (own_job_id, booking_id) do update set reason = excluded.reason, chosen_by = excluded.chosen_by, chosen_at = excluded.chosen_at`.execute(
    tx,
  )
}

export async function selectFormJob(tx: Tx, shopId: number, key: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select own_job_id as id from own_job_form where shop_id = ${shopId}::int and key = ${key}::uuid`.execute(tx)
  return rows[0]?.id
}

export async function insertForm(
  tx: Tx,
  { shopId, key, ownJobId, at }: { shopId: number; key: string; ownJobId: string; at: Temporal.Instant },
): Promise<void> {
  await sql`
    insert into own_job_form (shop_id, key, own_job_id, at) values (${shopId}::int, ${key}::uuid, ${ownJobId}::uuid, ${instant(at)})`.execute(
    tx,
  )
}

export async function deleteOldForms(db: Database, before: Temporal.Instant): Promise<void> {
  await sql`delete from own_job_form where at < ${instant(before)}`.execute(db)
}

export async function deletePeople(db: Database, before: Temporal.Instant): Promise<number> {
  const result = await sql`
    update own_job set first_name = null, phone = null
    where (first_name is not null or phone is not null) and upper(during) < ${instant(before)}`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}

export async function selectCalendarVersion(db: Database, shopId: number): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    select version + (select count(*) from shop_calendar_late late where late.shop_id = shop_calendar.shop_id) as version
    from shop_calendar where shop_id = ${shopId}::int`.execute(db)
  return rows[0]?.version ?? 0
}
