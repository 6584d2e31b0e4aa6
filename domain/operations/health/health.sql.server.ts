/** Queries for the store's health data. */
import { sql } from 'kysely'
import type { CountedObjective, Kept } from './health.ts'
import type { Database } from '#platform/db.ts'

/** Adds counts to the hour of `at`, and deletes hours before `keptSince`. */
export async function addToHour(
  db: Database,
  at: Temporal.Instant,
  counted: readonly ({ objective: CountedObjective } & Kept)[],
  keptSince: Temporal.Instant,
): Promise<void> {
  await sql`
    with gone as (delete from objective_hour where hour < ${keptSince})
    insert into objective_hour (objective, hour, good, bad)
    select objective, date_trunc('hour', ${at}::timestamptz, 'UTC'), good, bad
    from json_to_recordset(${JSON.stringify(counted)}::json) as counted (objective text, good int, bad int)
    on conflict (objective, hour) do update
    set good = objective_hour.good + excluded.good, bad = objective_hour.bad + excluded.bad`.execute(db)
}

export type Process = { id: string; kind: 'web' | 'worker'; startedAt: Temporal.Instant }

/** Records a process heartbeat at `at`. Processes without a heartbeat for a day are deleted. */
export async function upsertSign(db: Database, { id, kind, startedAt }: Process, at: Temporal.Instant): Promise<void> {
  await sql`
    with gone as (delete from process_sign where seen_at < ${at}::timestamptz - interval '1 day')
    insert into process_sign (id, kind, started_at, seen_at) values (${id}, ${kind}, ${startedAt}, greatest(${at}::timestamptz, ${startedAt}::timestamptz))
    on conflict (id) do update set seen_at = greatest(process_sign.seen_at, excluded.seen_at)`.execute(db)
}

export async function deleteSign(db: Database, id: string): Promise<void> {
  await sql`delete from process_sign where id = ${id}`.execute(db)
}

/** The processes, newest first, with when each was seen last. */
export async function selectSigns(db: Database, limit: number): Promise<(Process & { seenAt: Temporal.Instant })[]> {
  const result = await sql<Process & { seenAt: Temporal.Instant }>`
    select id, kind, started_at as "startedAt", seen_at as "seenAt" from process_sign
    order by kind, started_at desc limit ${limit}`.execute(db)
  return result.rows
}

export type Sums = Kept & { objective: CountedObjective; lastGood: number; lastBad: number }

/** Sums counts since `since`, and since `lately`, by objective. */
export async function sumHours(db: Database, since: Temporal.Instant, lately: Temporal.Instant): Promise<Sums[]> {
  const result = await sql<Sums>`
    select objective, sum(good)::int as good, sum(bad)::int as bad,
      coalesce(sum(good) filter (where hour >= ${lately}::timestamptz), 0)::int as "lastGood",
      coalesce(sum(bad) filter (where hour >= ${lately}::timestamptz), 0)::int as "lastBad"
    from objective_hour where hour >= ${since}::timestamptz group by objective`.execute(db)
  return result.rows
}

/**
 * Returns the seconds since the last WAL segment was archived, or since statistics started, by the database's clock;
 * null if archiving is off.
 */
export async function selectArchiveAge(db: Database): Promise<number | null> {
  const result = await sql<{ seconds: number | null }>`
    select case when current_setting('archive_mode') <> 'off'
      then extract(epoch from clock_timestamp() - coalesce(last_archived_time, stats_reset))::int end as seconds
    from pg_stat_archiver`.execute(db)
  return result.rows[0]?.seconds ?? null
}

export type Purchase = { at: Temporal.Instant; failedStep: string | null; ms: number; orderId: number | null }

/** Stores a purchase result, and deletes those before `keptSince`. */
export async function insertPurchase(
  db: Database,
  { at, failedStep, ms, orderId }: Purchase,
  keptSince: Temporal.Instant,
): Promise<void> {
  await sql`
    with gone as (delete from synthetic_purchase where at < ${keptSince})
    insert into synthetic_purchase (at, failed_step, ms, order_id)
    values (${at}, ${failedStep}, ${ms}, ${orderId}::bigint)`.execute(db)
}

/** The latest purchases, newest first. */
export async function selectPurchases(db: Database, limit: number): Promise<Purchase[]> {
  const result = await sql<Purchase>`
    select at, failed_step as "failedStep", ms, order_id as "orderId" from synthetic_purchase
    order by at desc, id desc limit ${limit}`.execute(db)
  return result.rows
}
