/** Queries for first-owner links. */
import type { Database, Tx } from '#platform/db.ts'

/** Whether anyone has a role, or was invited to one. */
export async function selectHasStaff(db: Database): Promise<boolean> {
  const grant = await db
    .selectFrom('staff_grant')
    .select('id')
    .where('revoked_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return grant !== undefined
}

export async function insertLink(
  tx: Tx,
  { hash, at, expiresAt }: { hash: Buffer; at: Temporal.Instant; expiresAt: Temporal.Instant },
): Promise<void> {
  await tx.insertInto('owner_link').values({ secret_hash: hash, created_at: at, expires_at: expiresAt }).execute()
}

/** Whether the link with this hash is neither used nor expired. */
export async function selectIsOpen(db: Database, hash: Buffer, at: Temporal.Instant): Promise<boolean> {
  const link = await db
    .selectFrom('owner_link')
    .select('created_at')
    .where('secret_hash', '=', hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .executeTakeFirst()
  return link !== undefined
}

/** Marks a link as used; false if it is used, expired or unknown. */
export async function markLinkUsed(tx: Tx, { hash, at }: { hash: Buffer; at: Temporal.Instant }): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('owner_link')
    .set({ used_at: at })
    .where('secret_hash', '=', hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
