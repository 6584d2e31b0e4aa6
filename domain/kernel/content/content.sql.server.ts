/** The statements of content pages. */
import { sql, type RawBuilder } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import { legalPages, type PageText } from './content.ts'

/** A version of a page; `text` is null for the one it was released with. */
export type ContentVersion = {
  id: number
  path: string
  text: PageText | null
  by: string
  at: Temporal.Instant
  startsAt: Temporal.Instant | null
  publishedBy: string | null
  /** When the following version starts; null if there isn't one. */
  nextAt: Temporal.Instant | null
}

type Row = Omit<ContentVersion, 'text'> & { title: string | null; description: string | null; body: string | null }

const columns = sql`
  id, path, title, description, body, created_by as by, created_at as at, starts_at as "startsAt", published_by as "publishedBy",
  (select min(next.starts_at) from content_version next where next.path = version.path and next.starts_at > version.starts_at) as "nextAt"`

/** The newest versions of a page. */
export async function selectVersions(db: Database, path: string, limit: number): Promise<ContentVersion[]> {
  const { rows } = await sql<Row>`
    select ${columns} from content_version version where path = ${path} order by id desc limit ${limit}`.execute(db)
  return rows.map(versionOf)
}

/** A version; with `isLocked` until the transaction ends. */
export async function selectVersion(
  db: Database,
  id: number,
  { isLocked = false }: { isLocked?: boolean } = {},
): Promise<ContentVersion | undefined> {
  const { rows } = await sql<Row>`
    select ${columns} from content_version version where id = ${id}::int ${isLocked ? sql`for update` : sql``}`.execute(
    db,
  )
  const [row] = rows
  return row && versionOf(row)
}

/** The versions that are published at `now`, one for each page that has any. */
export async function selectPublished(db: Database, now: Temporal.Instant): Promise<ContentVersion[]> {
  const { rows } = await sql<Row>`
    select distinct on (path) ${columns} from content_version version
    where starts_at <= ${now.toString()}::timestamptz order by path, starts_at desc`.execute(db)
  return rows.map(versionOf)
}

/** Returns the published ids as one text, which changes with any publication. */
export async function selectPublishedKey(db: Database, now: Temporal.Instant): Promise<string> {
  const { rows } = await sql<{ key: string | null }>`
    select string_agg(id::text, ' ' order by id) as key from (
      select distinct on (path) id from content_version where starts_at <= ${now.toString()}::timestamptz order by path, starts_at desc) as published`.execute(
    db,
  )
  return rows[0]?.key ?? ''
}

/** The legally binding pages with a version published by `now`, as part of a query. */
export function legalPublished(now: Temporal.Instant): RawBuilder<string[]> {
  return sql<string[]>`array(select distinct path from content_version
    where starts_at <= ${now.toString()}::timestamptz and path = any(${[...legalPages]}::text[]))`
}

/** A page that the store added, with the title and description of its newest text. */
export type OwnPage = { path: string; title: string; description: string }

/** The pages that the store added, by path. */
export async function selectOwnPages(db: Database): Promise<OwnPage[]> {
  const { rows } = await sql<OwnPage>`
    select distinct on (path) path, title, description from content_version
    where path like 'own/%' and title is not null order by path, id desc`.execute(db)
  return rows
}

/** When the next version of each page starts. */
export async function selectNextStarts(db: Database, now: Temporal.Instant): Promise<Map<string, Temporal.Instant>> {
  const { rows } = await sql<{ path: string; at: Temporal.Instant }>`
    select path, min(starts_at) as at from content_version where starts_at > ${now.toString()}::timestamptz group by path`.execute(
    db,
  )
  return new Map(rows.map(({ path, at }) => [path, at]))
}

/**
 * Adds a version and returns its id, or the existing id if the form was submitted before. Undefined if another version
 * starts at the same time.
 */
export async function insertVersion(
  tx: Tx,
  version: {
    path: string
    formKey: string
    text: PageText | null
    by: string
    at: Temporal.Instant
    startsAt: Temporal.Instant | null
  },
): Promise<{ id: number; isNew: boolean } | undefined> {
  const { path, formKey, text, by, at, startsAt } = version
  const made = await tx
    .insertInto('content_version')
    .values({
      path,
      form_key: formKey,
      title: text?.title ?? null,
      description: text?.description ?? null,
      body: text?.body ?? null,
      created_by: by,
      created_at: at,
      starts_at: startsAt,
      published_by: startsAt && by,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (made) return { id: made.id, isNew: true }
  const earlier = await tx.selectFrom('content_version').select('id').where('form_key', '=', formKey).executeTakeFirst()
  return earlier && { id: earlier.id, isNew: false }
}

/** Sets the start of a version with who set it, or removes both. */
export async function updateStart(
  tx: Tx,
  id: number,
  start: { at: Temporal.Instant; by: string } | null,
): Promise<void> {
  await tx
    .updateTable('content_version')
    .set({ starts_at: start?.at ?? null, published_by: start?.by ?? null })
    .where('id', '=', id)
    .execute()
}

/** Removes a draft. */
export async function deleteVersion(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('content_version').where('id', '=', id).where('starts_at', 'is', null).execute()
}

/** The schema guarantees that a text is either complete or missing. */
function versionOf({ title, description, body, ...row }: Row): ContentVersion {
  return {
    ...row,
    text: title === null || description === null || body === null ? null : { title, description, body },
  }
}
