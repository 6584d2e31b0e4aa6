/** The statements for answer templates. */
import type { Database, Tx } from '#platform/db.ts'

export type Template = { id: number; name: string; body: string; changedBy: string; changedAt: Temporal.Instant }

/** The templates in use, by name. */
export function selectTemplates(db: Database): Promise<Template[]> {
  return db
    .selectFrom('support_template')
    .select(['id', 'name', 'body', 'changed_by as changedBy', 'changed_at as changedAt'])
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

/** Changes a template in use and returns its former name; undefined if it is not in use. Throws as `insertTemplate`. */
export async function updateTemplate(
  tx: Tx,
  { id, name, body, by, at }: { id: number; name: string; body: string; by: string; at: Temporal.Instant },
): Promise<string | undefined> {
  const old = await lockTemplate(tx, id)
  if (old === undefined) return undefined
  await tx
    .updateTable('support_template')
    .set({ name, body, changed_by: by, changed_at: at })
    .where('id', '=', id)
    .execute()
  return old
}

/** Takes a template out of use and returns its name; undefined if it is not in use. */
export async function updateToRetired(tx: Tx, id: number, at: Temporal.Instant): Promise<string | undefined> {
  const old = await lockTemplate(tx, id)
  if (old === undefined) return undefined
  await tx.updateTable('support_template').set({ retired_at: at }).where('id', '=', id).execute()
  return old
}

async function lockTemplate(tx: Tx, id: number): Promise<string | undefined> {
  const row = await tx
    .selectFrom('support_template')
    .select('name')
    .where('id', '=', id)
    .where('retired_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row?.name
}
