/** The statements for answer templates. */
import type { Database, Tx } from '#platform/db.ts'

export type Template = {
  id: number
  name: string
  body: string
  version: number
  changedBy: string
  changedAt: Temporal.Instant
}

/** The templates in use, by name. */
export function selectTemplates(db: Database): Promise<Template[]> {
  return db
    .selectFrom('support_template')
    .select(['id', 'name', 'body', 'version', 'changed_by as changedBy', 'changed_at as changedAt'])
    .where('retired_at', 'is', null)
    .orderBy('name')
    .limit(200)
    .execute()
}

/** Adds a template and returns its ID. Throws the violated `support_template_name_once` if the name is taken. */
export async function insertTemplate(
  tx: Tx,
  { name, body, by, at }: { name: string; body: string; by: string; at: Temporal.Instant },
): Promise<number> {
  const added = tx.insertInto('support_template').values({ name, body, changed_by: by, changed_at: at })
  return (await added.returning('id').executeTakeFirstOrThrow()).id
}

/** Changes a template. Throws as `insertTemplate`. */
export async function updateTemplate(
  tx: Tx,
  { id, name, body, by, at }: { id: number; name: string; body: string; by: string; at: Temporal.Instant },
): Promise<void> {
  await tx
    .updateTable('support_template')
    .set(({ eb }) => ({ name, body, changed_by: by, changed_at: at, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/** Takes a template out of use and returns its name; undefined if it is not in use. */
export async function updateToRetired(tx: Tx, id: number, at: Temporal.Instant): Promise<string | undefined> {
  const old = await lockTemplate(tx, id)
  if (!old) return undefined
  await tx.updateTable('support_template').set({ retired_at: at }).where('id', '=', id).execute()
  return old.name
}

/** Locks a template in use; undefined for any other. */
export function lockTemplate(tx: Tx, id: number): Promise<Pick<Template, 'name' | 'version'> | undefined> {
  return tx
    .selectFrom('support_template')
    .select(['name', 'version'])
    .where('id', '=', id)
    .where('retired_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}
