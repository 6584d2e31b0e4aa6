/** The statements for edited email templates and for the emails they are previewed with. */
import { sql } from 'kysely'
import type { MessageKind } from './messages.ts'
import type { Database, Tx } from '#platform/db.ts'

/** An email's subject and Markdown text, with placeholders. */
export type EmailTemplate = { subject: string; body: string }

/** What is stored of a kind; `template` is null after it was reset. */
export type StoredTemplate = {
  kind: MessageKind
  template: EmailTemplate | null
  version: number
  changedBy: string
  changedAt: Temporal.Instant
}

/** Every kind that was ever edited. */
export async function selectTemplates(db: Database): Promise<StoredTemplate[]> {
  const rows = await db.selectFrom('email_template').selectAll().orderBy('kind').limit(1_000).execute()
  return rows.map(storedOf)
}

/** What is stored of a kind; undefined if it was never edited. */
export async function selectTemplate(db: Database, kind: MessageKind): Promise<StoredTemplate | undefined> {
  const row = await db.selectFrom('email_template').selectAll().where('kind', '=', kind).executeTakeFirst()
  return row && storedOf(row)
}

/** Stores a template, null to reset it, if `version` is still the stored one, 0 for a kind never edited; false if not. */
export async function upsertTemplate(
  tx: Tx,
  { kind, version }: { kind: MessageKind; version: number },
  { template, by, at }: { template: EmailTemplate | null; by: string; at: Temporal.Instant },
): Promise<boolean> {
  const stored = {
    subject: template?.subject ?? null,
    body: template?.body ?? null,
    changed_by: by,
    changed_at: at,
  }
  const written =
    version === 0
      ? await tx
          .insertInto('email_template')
          .values({ kind, ...stored })
          .onConflict((conflict) => conflict.column('kind').doNothing())
          .returning('version')
          .executeTakeFirst()
      : await tx
          .updateTable('email_template')
          .set({ ...stored, version: version + 1 })
          .where('kind', '=', kind)
          .where('version', '=', version)
          .returning('version')
          .executeTakeFirst()
  return written !== undefined
}

/** How many of the newest emails are searched for one of a kind. */
const searched = 2_000

/** The last orders, at most `limit`, that an email of this kind was about, among the newest emails. */
export async function selectOrdersOfKind(db: Database, kind: MessageKind, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select order_id::int as id from (
      select id, kind, order_id from message order by id desc limit ${searched}::int) as newest
    where kind = ${kind} and order_id is not null group by order_id order by max(id::text) desc limit ${limit}::int`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

type Row = {
  kind: string
  subject: string | null
  body: string | null
  version: number
  changed_by: string
  changed_at: Temporal.Instant
}

function storedOf({ kind, subject, body, version, changed_by: changedBy, changed_at: changedAt }: Row): StoredTemplate {
  const template = subject === null || body === null ? null : { subject, body }
  return { kind: kind as MessageKind, template, version, changedBy, changedAt }
}
