/** The statements for documents of account types. */
import type { Database, Tx } from '#platform/db.ts'

/** A document as staff see it. `by` is who added it. */
export type AccountDocument = { id: string; accountId: string; name: string; addedAt: Temporal.Instant; by: string }

/** Selects the documents of accounts, newest first. */
export async function selectDocuments(db: Database, accountIds: readonly string[]): Promise<AccountDocument[]> {
  if (accountIds.length === 0) return []
  return db
    .selectFrom('account_document')
    .select(['id', 'account_id as accountId', 'file_name as name', 'added_at as addedAt', 'added_by as by'])
    .where('account_id', 'in', accountIds)
    .orderBy('added_at', 'desc')
    .orderBy('id')
    .execute()
}

export async function insertDocument(
  tx: Tx,
  document: {
    id: string
    accountId: string
    fileName: string
    fileKey: string
    addedAt: Temporal.Instant
    addedBy: string
  },
): Promise<void> {
  await tx
    .insertInto('account_document')
    .values({
      id: document.id,
      account_id: document.accountId,
      file_name: document.fileName,
      file_key: document.fileKey,
      added_at: document.addedAt,
      added_by: document.addedBy,
    })
    .execute()
}

/** Deletes a document with its file, and returns its name; undefined if not found. */
export async function deleteDocument(
  tx: Tx,
  { accountId, id }: { accountId: string; id: string },
): Promise<string | undefined> {
  const deleted = await tx
    .deleteFrom('account_document')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning('file_name')
    .executeTakeFirst()
  return deleted?.file_name
}

/** The name and key of a document's file. */
export async function selectDocument(
  db: Database,
  { accountIds, id }: { accountIds: readonly string[]; id: string },
): Promise<{ name: string; key: string } | undefined> {
  if (accountIds.length === 0) return undefined
  return db
    .selectFrom('account_document')
    .select(['file_name as name', 'file_key as key'])
    .where('account_id', 'in', accountIds)
    .where('id', '=', id)
    .executeTakeFirst()
}
