/** The statements for saved views. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import type { PersonKey } from '#platform/work-sessions.ts'
import type { SavedView } from './views.ts'

/** Serializes what one person saves, so that a count of their views stays true until it is used. */
export async function lockViewsOf(tx: Tx, { issuer, subject }: PersonKey): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('saved_view'), hashtext(${issuer} || ' ' || ${subject}))`.execute(tx)
}

/** Selects a person's views and others' shared views, for one list or all, with own views first, then oldest first. */
export async function selectViews(
  db: Database,
  { issuer, subject, list, count }: PersonKey & { list: string | null; count: number },
): Promise<SavedView[]> {
  const { rows } = await sql<SavedView>`
    select id, list, name, query, is_shared as "isShared", saved_by as "savedBy", issuer = ${issuer} and subject = ${subject} as "isMine"
    from saved_view
    where (${list}::text is null or list = ${list}) and (is_shared or issuer = ${issuer} and subject = ${subject})
    order by issuer = ${issuer} and subject = ${subject} desc, saved_at, id limit ${count}`.execute(db)
  return rows
}

export async function countViews(tx: Tx, { issuer, subject }: PersonKey, list: string): Promise<number> {
  const row = await tx
    .selectFrom('saved_view')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .where('list', '=', list)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Adds a view. Throws the violated `saved_view_named_once` if the person has one of this name. */
export async function insertView(
  tx: Tx,
  view: PersonKey & {
    id: string
    savedBy: string
    list: string
    name: string
    query: string
    isShared: boolean
    at: Temporal.Instant
  },
): Promise<void> {
  await tx
    .insertInto('saved_view')
    .values({
      id: view.id,
      issuer: view.issuer,
      subject: view.subject,
      saved_by: view.savedBy,
      list: view.list,
      name: view.name,
      query: view.query,
      is_shared: view.isShared,
      saved_at: view.at,
    })
    .execute()
}

/** Replaces the filters of a view that the person saved. */
export async function updateViewRow(
  tx: Tx,
  { issuer, subject, id, query }: PersonKey & { id: string; query: string },
): Promise<void> {
  await tx
    .updateTable('saved_view')
    .set({ query })
    .where('id', '=', id)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .execute()
}

/** Deletes a person's own view and returns its name, or undefined if it doesn't exist. */
export async function deleteViewRow(
  tx: Tx,
  { issuer, subject, id }: PersonKey & { id: string },
): Promise<{ list: string; name: string; query: string } | undefined> {
  return tx
    .deleteFrom('saved_view')
    .where('id', '=', id)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .returning(['list', 'name', 'query'])
    .executeTakeFirst()
}
