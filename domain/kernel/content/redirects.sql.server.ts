/** The statements for redirects from old addresses. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'

export type Redirect = { from: string; to: string; by: string; at: Temporal.Instant }

/** Where an old address leads; undefined for any other. */
export async function selectTarget(db: Database, from: string): Promise<string | undefined> {
  const row = await db.selectFrom('address_redirect').select('to_path').where('from_path', '=', from).executeTakeFirst()
  return row?.to_path
}

/** The target of an old address, with the version of the redirect; undefined if not found. */
export async function selectRedirect(db: Database, from: string): Promise<{ to: string; version: number } | undefined> {
  return db
    .selectFrom('address_redirect')
    .select(['to_path as to', 'version'])
    .where('from_path', '=', from)
    .executeTakeFirst()
}

/** Redirects by old address after `after`, of those that begin with `start`. */
export async function selectRedirects(
  db: Database,
  { start, after, limit }: { start: string; after: string | null; limit: number },
): Promise<Redirect[]> {
  const { rows } = await sql<Redirect>`
    select from_path as "from", to_path as "to", added_by as "by", added_at as at from address_redirect
    where (${after}::text is null or from_path > ${after}::text) and starts_with(from_path, ${start}::text)
    order by from_path limit ${limit}::int`.execute(db)
  return rows
}

/** Blocks other redirect changes until the transaction ends. */
export async function lockRedirects(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('address_redirect'))`.execute(tx)
}

export type Pair = { from: string; to: string }

/** The pairs that would lead to another redirect, or that another redirect leads to, by old address. */
export async function selectChained(tx: Tx, pairs: readonly Pair[]): Promise<Set<string>> {
  const { rows } = await sql<{ from: string }>`
    with added as (select "from", lower("to") as "to" from json_to_recordset(${JSON.stringify(pairs)}::json) as a ("from" text, "to" text))
    select added."from" from added join address_redirect other on other.from_path = added."to"
    union
    select added."from" from added join address_redirect other on lower(other.to_path) = added."from"
    where not exists (select from added again where again."from" = other.from_path)`.execute(tx)
  return new Set(rows.map(({ from }) => from))
}

/** Adds redirects in one statement; an old address that has one gets the new target. */
export async function upsertRedirects(
  tx: Tx,
  pairs: readonly Pair[],
  { by, at }: { by: string; at: Temporal.Instant },
): Promise<void> {
  await sql`
    insert into address_redirect (from_path, to_path, added_at, added_by)
    select "from", "to", ${at.toString()}::timestamptz, ${by} from json_to_recordset(${JSON.stringify(pairs)}::json) as a ("from" text, "to" text)
    on conflict (from_path) do update set to_path = excluded.to_path, added_at = excluded.added_at, added_by = excluded.added_by,
      version = address_redirect.version + 1`.execute(tx)
}

/** Removes a redirect. */
export async function deleteRedirect(tx: Tx, from: string): Promise<void> {
  await tx.deleteFrom('address_redirect').where('from_path', '=', from).execute()
}
