/** The statements for approved scripts, checks of payment pages, what they found, and reports of browsers. */
import { sql, type RawBuilder } from 'kysely'
import type { Finding } from './payment-pages.ts'
import type { Database, Tx } from '#platform/db.ts'
import { storeZone } from '#platform/store-zone.ts'

export type ScriptApproval = { address: string; purpose: string; by: string; at: Temporal.Instant }

/** The scripts of others that an owner approved. */
export function selectApprovals(db: Database): Promise<ScriptApproval[]> {
  return db
    .selectFrom('payment_script_approval')
    .select(['address', 'purpose', 'approved_by as by', 'approved_at as at'])
    .orderBy('address')
    .limit(200)
    .execute()
}

/** Approves a script; one that was approved gets the new purpose. */
export async function upsertApproval(tx: Tx, { address, purpose, by, at }: ScriptApproval): Promise<void> {
  const row = { purpose, approved_by: by, approved_at: at }
  await tx
    .insertInto('payment_script_approval')
    .values({ address, ...row })
    .onConflict((conflict) => conflict.column('address').doUpdateSet(row))
    .execute()
}

/** Withdraws an approval; false if not found. */
export async function deleteApproval(tx: Tx, address: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('payment_script_approval')
    .where('address', '=', address)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

export type StoredFinding = Finding & {
  id: number
  firstAt: Temporal.Instant
  lastAt: Temporal.Instant
  resolvedAt: Temporal.Instant | null
}

/** The newest findings, open ones first. */
export async function selectFindings(
  db: Database,
  { isOpen, limit }: { isOpen: boolean | null; limit: number },
): Promise<StoredFinding[]> {
  const { rows } = await sql<StoredFinding>`
    select id::int, kind, page, subject, detail, first_at as "firstAt", last_at as "lastAt", resolved_at as "resolvedAt"
    from payment_page_finding where ${isOpen}::boolean is null or (resolved_at is null) = ${isOpen}::boolean
    order by resolved_at is not null, first_at desc, id desc limit ${limit}::int`.execute(db)
  return rows
}

/** Returns the findings since `since`, open ones first, and how many there are without the limit. */
export async function selectFindingsSince(
  db: Database,
  { since, limit }: { since: Temporal.Instant; limit: number },
): Promise<{ findings: StoredFinding[]; total: number }> {
  const { rows } = await sql<StoredFinding & { total: number }>`
    select id::int, kind, page, subject, detail, first_at as "firstAt", last_at as "lastAt", resolved_at as "resolvedAt", count(*) over ()::int as total
    from payment_page_finding where resolved_at is null or resolved_at >= ${since.toString()}::timestamptz
    order by resolved_at is not null, first_at desc, id desc limit ${limit}::int`.execute(db)
  return { findings: rows, total: rows[0]?.total ?? 0 }
}

/** Counts by month in the store's time zone, for months with a check or a new finding. */
export type MonthOfChecks = {
  /** "2026-11" */
  month: string
  checks: number
  /** Checks that couldn't read a page or script. */
  failed: number
  /** Findings that were new in this month. */
  findings: number
}

/** Counts checks and new findings since `since`, by month. */
export async function countChecksByMonth(db: Database, since: Temporal.Instant): Promise<MonthOfChecks[]> {
  const month = (time: RawBuilder<unknown>) => sql`to_char(${time} at time zone ${storeZone}, 'YYYY-MM')`
  const { rows } = await sql<MonthOfChecks>`
    with unread as materialized (
      select distinct first_at, last_at from payment_page_finding where kind = 'unreachable')
    select month, sum(checks)::int as checks, sum(failed)::int as failed, sum(findings)::int as findings
    from (
      select ${month(sql`at`)} as month, 1 as checks, 0 as findings,
        (skipped is not null or exists (select from unread where first_at <= at and last_at >= at))::int as failed
      from payment_page_check where at >= ${since.toString()}::timestamptz
      union all
      select ${month(sql`first_at`)}, 0, 1, 0 from payment_page_finding where first_at >= ${since.toString()}::timestamptz) as counted
    group by month`.execute(db)
  return rows
}

/** Opens new findings, leaves existing ones open, and resolves the others. Returns the new ones. */
export async function recordFindings(
  tx: Tx,
  found: readonly Finding[],
  at: Temporal.Instant,
): Promise<(Finding & { id: number })[]> {
  await sql`select pg_advisory_xact_lock(hashtext('payment_page_finding'))`.execute(tx)
  const json = JSON.stringify(found)
  const { rows } = await sql<Finding & { id: number }>`
    with found as (
      select distinct on (kind, page, subject) * from json_to_recordset(${json}::json) as f (kind text, page text, subject text, detail text)),
    still as (
      update payment_page_finding set last_at = ${at.toString()}::timestamptz, detail = found.detail from found
      where resolved_at is null and payment_page_finding.kind = found.kind and payment_page_finding.page = found.page
        and payment_page_finding.subject = found.subject),
    gone as (
      update payment_page_finding set resolved_at = ${at.toString()}::timestamptz where resolved_at is null
        and not exists (select from found where payment_page_finding.kind = found.kind and payment_page_finding.page = found.page
          and payment_page_finding.subject = found.subject))
    insert into payment_page_finding (kind, page, subject, detail, first_at, last_at)
    select kind, page, subject, detail, ${at.toString()}::timestamptz, ${at.toString()}::timestamptz from found
    where not exists (select from payment_page_finding open where open.resolved_at is null and open.kind = found.kind
      and open.page = found.page and open.subject = found.subject)
    returning id::int, kind, page, subject, detail`.execute(tx)
  return rows
}

/** The findings that were opened together with the finding `id`; empty for an unknown one. */
export async function selectOpenedWith(db: Database, id: number, limit: number): Promise<Finding[]> {
  const { rows } = await sql<Finding>`
    select kind, page, subject, detail from payment_page_finding
    where first_at = (select first_at from payment_page_finding where id = ${id}) order by id limit ${limit}::int`.execute(
    db,
  )
  return rows
}

export type PageCheck = {
  at: Temporal.Instant
  pages: number
  scripts: number
  findings: number
  /** Why the card page could not be opened; null if it was. */
  skipped: string | null
}

/** Records a check, and deletes those and resolved findings from before `keepSince`. */
export async function insertCheck(tx: Tx, check: PageCheck, keepSince: Temporal.Instant): Promise<void> {
  await tx.insertInto('payment_page_check').values(check).execute()
  await tx.deleteFrom('payment_page_check').where('at', '<', keepSince).execute()
  await tx.deleteFrom('payment_page_finding').where('resolved_at', '<', keepSince).execute()
}

/** The last checks, newest first. */
export function selectChecks(db: Database, limit: number): Promise<PageCheck[]> {
  return db
    .selectFrom('payment_page_check')
    .select(['at', 'pages', 'scripts', 'findings', 'skipped'])
    .orderBy('at', 'desc')
    .limit(limit)
    .execute()
}

export type CspReport = {
  page: string
  directive: string
  blocked: string
  sample: string
  reports: number
  firstAt: Temporal.Instant
  lastAt: Temporal.Instant
}

/** How many different reports are kept. */
const mostReports = 1_000

/** Counts a report, once for each key; a new one is stored while there is room. */
export async function countReport(
  db: Database,
  { key, page, directive, blocked, sample }: Omit<CspReport, 'reports' | 'firstAt' | 'lastAt'> & { key: string },
  at: Temporal.Instant,
): Promise<void> {
  await sql`
    insert into csp_report (key, page, directive, blocked, sample, first_at, last_at)
    select ${key}, ${page}, ${directive}, ${blocked}, ${sample}, ${at.toString()}::timestamptz, ${at.toString()}::timestamptz
    where exists (select from csp_report where key = ${key}) or (select count(*) from csp_report) < ${mostReports}::int
    on conflict (key) do update set reports = least(csp_report.reports, 2000000000) + 1, last_at = excluded.last_at`.execute(
    db,
  )
}

/** The newest reports of browsers. */
export async function selectReports(db: Database, limit: number): Promise<CspReport[]> {
  return db
    .selectFrom('csp_report')
    .select(['page', 'directive', 'blocked', 'sample', 'reports', 'first_at as firstAt', 'last_at as lastAt'])
    .orderBy('last_at', 'desc')
    .orderBy('key')
    .limit(limit)
    .execute()
}

/** Deletes reports that did not come again since then. */
export async function deleteReports(db: Database, before: Temporal.Instant): Promise<void> {
  await db.deleteFrom('csp_report').where('last_at', '<', before).execute()
}
