/** The statements for feeds that are written and kept. */
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'

export type KeptFeed = { id: number; etag: string; bytes: number; writtenAt: Temporal.Instant }

/** The newest whole version of a feed. */
export async function selectFeed(db: Database, name: string): Promise<KeptFeed | undefined> {
  const { rows } = await sql<KeptFeed>`
    select id, etag, bytes, written_at as "writtenAt" from feed_version where name = ${name} and written_at is not null
    order by id desc limit 1`.execute(db)
  return rows[0]
}

/** Starts a version; undefined while another process writes the feed. Abandons a version if its writer has exited. */
export async function insertVersion(
  db: Database,
  { name, at, goneBefore }: { name: string; at: Temporal.Instant; goneBefore: Temporal.Instant },
): Promise<number | undefined> {
  await sql`
    delete from feed_version where name = ${name} and written_at is null and touched_at < ${goneBefore.toString()}::timestamptz`.execute(
    db,
  )
  const { rows } = await sql<{ id: number }>`
    insert into feed_version (name, touched_at) values (${name}, ${at.toString()}::timestamptz) on conflict do nothing returning id`.execute(
    db,
  )
  return rows[0]?.id
}

/** Adds a piece; false if the version was abandoned. */
export async function insertPiece(
  db: Database,
  { id, no, gzip, at }: { id: number; no: number; gzip: Buffer; at: Temporal.Instant },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with mine as (update feed_version set touched_at = ${at.toString()}::timestamptz where id = ${id}::bigint and written_at is null returning id)
    insert into feed_piece (version_id, no, gzip) select id, ${no}::int, ${gzip}::bytea from mine`.execute(db)
  return numAffectedRows === 1n
}

/** Makes a version the one that is sent, and drops those before the last. Undefined if it was given up. */
export async function finishVersion(
  db: Database,
  { id, name, etag, bytes, at }: { id: number; name: string; etag: string; bytes: number; at: Temporal.Instant },
): Promise<KeptFeed | undefined> {
  const { rows } = await sql<KeptFeed>`
    update feed_version set touched_at = ${at.toString()}::timestamptz, written_at = ${at.toString()}::timestamptz, etag = ${etag}, bytes = ${bytes}::bigint
    where id = ${id}::bigint and written_at is null returning id, etag, bytes, written_at as "writtenAt"`.execute(db)
  await sql`
    delete from feed_version where name = ${name} and written_at is not null and id < (
      select max(id) from feed_version where name = ${name} and written_at is not null and id < ${id}::bigint)`.execute(
    db,
  )
  return rows[0]
}

/** Drops a version that could not be finished. */
export async function deleteVersion(db: Database, id: number): Promise<void> {
  await sql`delete from feed_version where id = ${id}::bigint and written_at is null`.execute(db)
}

/** A piece of a version; undefined after the last. */
export async function selectPiece(db: Database, id: number, no: number): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('feed_piece')
    .select('gzip')
    .where('version_id', '=', id)
    .where('no', '=', no)
    .executeTakeFirst()
  return row?.gzip
}

/** Records that a feed was requested, once a day. */
export async function upsertAsk(db: Database, name: string, day: Temporal.PlainDate): Promise<void> {
  await sql`
    insert into feed_ask (name, last_asked_on) values (${name}, ${day.toString()}::date)
    on conflict (name) do update set last_asked_on = excluded.last_asked_on where feed_ask.last_asked_on < excluded.last_asked_on`.execute(
    db,
  )
}

/** Selects feeds requested since a day, by name. */
export async function selectAsked(db: Database, since: Temporal.PlainDate): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from feed_ask where last_asked_on >= ${since.toString()}::date order by name`.execute(db)
  return rows.map(({ name }) => name)
}
