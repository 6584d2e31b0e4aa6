/** Queries for listings at Google Merchant Center. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import type { ListingCounts, ListingState, ListingView } from './google-listings.ts'
import type { ListingIssue } from './merchant-center.port.ts'

export type ListingRow = {
  itemId: number
  title: string
  state: ListingState
  problem: string | null
  issues: readonly ListingIssue[]
  changedAt: Temporal.Instant
  sentAt: Temporal.Instant | null
}

export type ListingRun = {
  snapshot: string | null
  basis: string | null
  comparedAt: Temporal.Instant | null
  allComparedAt: Temporal.Instant | null
  /** A day such as "2026-11-20". */
  callsOn: string | null
  calls: number
  resumeAt: Temporal.Instant | null
  problem: string | null
  issuesReadAt: Temporal.Instant | null
}

/** A tire that isn't for sale may be at Google even if no answer was saved, after a crash. */
const isUnsent = sql<boolean>`(wanted_hash is null or wanted_hash is distinct from sent_hash)`
const isRefused = sql<boolean>`(problem is not null and refused_hash is not distinct from wanted_hash)`
const state = sql<ListingState>`
  case when ${isRefused} then 'refused' when not ${isUnsent} then 'listed' when wanted_hash is null then 'removing' else 'waiting' end`

/** Claims the run until `until`. Returns undefined while another process has it. */
export async function claimRun(
  db: Database,
  { at, until }: { at: Temporal.Instant; until: Temporal.Instant },
): Promise<ListingRun | undefined> {
  const { rows } = await sql<ListingRun>`
    update google_listing_run set running_until = ${until.toString()}::timestamptz where running_until is null or running_until <= ${at.toString()}::timestamptz
    returning ${runColumns}`.execute(db)
  return rows[0]
}

const runColumns = sql`snapshot, basis, compared_at as "comparedAt", all_compared_at as "allComparedAt", calls_on::text as "callsOn", calls,
  resume_at as "resumeAt", problem, issues_read_at as "issuesReadAt"`

export async function selectRun(db: Database): Promise<ListingRun> {
  const { rows } = await sql<ListingRun>`select ${runColumns} from google_listing_run`.execute(db)
  const [row] = rows
  if (!row) throw new Error('google_listing_run has no row')
  return row
}

export async function extendRun(db: Database, until: Temporal.Instant | null): Promise<void> {
  await db.updateTable('google_listing_run').set({ running_until: until }).execute()
}

/** Saves a completed comparison. `isAll`: of all tires. */
export async function updateCompared(
  db: Database,
  { snapshot, basis, at, isAll }: { snapshot: string; basis: string; at: Temporal.Instant; isAll: boolean },
): Promise<void> {
  await db
    .updateTable('google_listing_run')
    .set({ snapshot, basis, compared_at: at, ...(isAll && { all_compared_at: at }) })
    .execute()
}

/** Counts up to `wanted` calls of a day before they are made. Returns how many the limit allows. */
export async function reserveCalls(
  db: Database,
  { day, wanted, limit }: { day: Temporal.PlainDate; wanted: number; limit: number },
): Promise<number> {
  const { rows } = await sql<{ granted: number }>`
    with before as (select case when calls_on = ${day.toString()}::date then calls else 0 end as calls from google_listing_run for update)
    update google_listing_run set calls_on = ${day.toString()}::date,
      calls = before.calls + greatest(0, least(${wanted}::int, ${limit}::int - before.calls))
    from before returning google_listing_run.calls - before.calls as granted`.execute(db)
  return rows[0]?.granted ?? 0
}

/** Stops calls until `resumeAt`, with the reason; null to continue. */
export async function updatePause(
  db: Database,
  pause: { resumeAt: Temporal.Instant; problem: string } | null,
): Promise<void> {
  await db
    .updateTable('google_listing_run')
    .set({ resume_at: pause?.resumeAt ?? null, problem: pause?.problem ?? null })
    .execute()
}

/** Saves the current rows of tires for sale. Only changed ones are sent. */
export async function upsertWanted(
  db: Database,
  rows: readonly { itemId: number; title: string; hash: string }[],
  at: Temporal.Instant,
): Promise<void> {
  await sql`
    insert into google_listing as listing (item_id, title, wanted_hash, changed_at)
    select "itemId", title, hash, ${at.toString()}::timestamptz
    from json_to_recordset(${JSON.stringify(rows)}::json) as given ("itemId" int, title text, hash text)
    on conflict (item_id) do update set title = excluded.title, wanted_hash = excluded.wanted_hash, changed_at = excluded.changed_at
    where listing.wanted_hash is distinct from excluded.wanted_hash`.execute(db)
}

/** Marks the listings `ids` for removal. */
export async function markGone(db: Database, ids: readonly number[], at: Temporal.Instant): Promise<void> {
  await sql`
    update google_listing set wanted_hash = null, changed_at = ${at.toString()}::timestamptz
    where wanted_hash is not null and item_id = any (${[...ids]}::int[])`.execute(db)
}

/** Marks all listings except `ids` for removal. */
export async function markOthersGone(db: Database, ids: readonly number[], at: Temporal.Instant): Promise<void> {
  await sql`
    update google_listing set wanted_hash = null, changed_at = ${at.toString()}::timestamptz
    where wanted_hash is not null and not exists (select from unnest(${[...ids]}::int[]) as sold (id) where sold.id = item_id)`.execute(
    db,
  )
}

/** Sends listings again that were sent before `sentBefore`, and those that Google refused. */
export async function renewListings(db: Database, sentBefore: Temporal.Instant): Promise<void> {
  await sql`
    update google_listing set sent_hash = case when sent_at <= ${sentBefore.toString()}::timestamptz then null else sent_hash end,
      refused_hash = null, problem = null
    where sent_at <= ${sentBefore.toString()}::timestamptz or problem is not null`.execute(db)
}

/** Sends all listings again. Returns their number. */
export async function renewAllListings(tx: Tx): Promise<number> {
  const { numAffectedRows } = await sql`
    update google_listing set sent_hash = null, refused_hash = null, problem = null`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

/** Selects listings to send or remove, the last changed first. */
export async function selectUnsent(db: Database, limit: number): Promise<{ itemId: number; isGone: boolean }[]> {
  const { rows } = await sql<{ itemId: number; isGone: boolean }>`
    select item_id as "itemId", wanted_hash is null as "isGone" from google_listing
    where ${isUnsent} and not ${isRefused} order by changed_at desc, item_id limit ${limit}`.execute(db)
  return rows
}

/** Saves rows that Google accepted. */
export async function updateSent(
  db: Database,
  rows: readonly { itemId: number; hash: string }[],
  at: Temporal.Instant,
): Promise<void> {
  await sql`
    update google_listing set wanted_hash = hash, sent_hash = hash, sent_at = ${at.toString()}::timestamptz, refused_hash = null, problem = null
    from json_to_recordset(${JSON.stringify(rows)}::json) as given ("itemId" int, hash text) where item_id = "itemId"`.execute(
    db,
  )
}

/** Saves rows that Google refused. `hash` is null for a refused removal. */
export async function updateRefused(
  db: Database,
  rows: readonly { itemId: number; hash: string | null; problem: string }[],
): Promise<void> {
  await sql`
    update google_listing set wanted_hash = hash, refused_hash = hash, problem = given.problem
    from json_to_recordset(${JSON.stringify(rows)}::json) as given ("itemId" int, hash text, problem text) where item_id = "itemId"`.execute(
    db,
  )
}

/** Deletes listings that Google removed. */
export async function deleteListings(db: Database, ids: readonly number[]): Promise<void> {
  await sql`delete from google_listing where wanted_hash is null and item_id = any (${[...ids]}::int[])`.execute(db)
}

/** Replaces the problems of all listings. */
export async function replaceIssues(
  db: Database,
  found: readonly { itemId: number; issues: readonly ListingIssue[] }[],
  at: Temporal.Instant,
): Promise<void> {
  await sql`
    update google_listing as listing set issues = current.issues
    from google_listing as before
      left join json_to_recordset(${JSON.stringify(found)}::json) as given ("itemId" int, issues jsonb) on given."itemId" = before.item_id
      cross join lateral (select coalesce(given.issues, '[]') as issues) as current
    where before.item_id = listing.item_id and listing.issues <> current.issues`.execute(db)
  await db.updateTable('google_listing_run').set({ issues_read_at: at }).execute()
}

const viewFilters = {
  problems: sql`(problem is not null or issues <> '[]')`,
  waiting: sql`${isUnsent} and not ${isRefused}`,
  all: sql`true`,
} as const satisfies Record<ListingView, unknown>

/** Selects listings by item number. */
export async function selectListings(
  db: Database,
  { view, after }: { view: ListingView; after: number },
  limit: number,
): Promise<ListingRow[]> {
  const { rows } = await sql<ListingRow>`
    select item_id as "itemId", title, ${state} as state, problem, issues, changed_at as "changedAt", sent_at as "sentAt"
    from google_listing where ${viewFilters[view]} and item_id > ${after}::int order by item_id limit ${limit}`.execute(
    db,
  )
  return rows
}

export async function countListings(db: Database): Promise<ListingCounts> {
  const { rows } = await sql<ListingCounts>`
    select count(*) filter (where ${state} = 'listed')::int as listed, count(*) filter (where ${state} in ('waiting', 'removing'))::int as waiting,
      count(*) filter (where ${state} = 'refused')::int as refused,
      count(*) filter (where issues @> '[{"severity": "disapproved"}]')::int as disapproved, max(sent_at) as "lastSentAt"
    from google_listing`.execute(db)
  const [row] = rows
  if (!row) throw new Error('An aggregate returned no row')
  return row
}
