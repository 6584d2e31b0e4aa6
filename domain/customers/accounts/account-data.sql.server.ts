/** The statements for exporting and deleting an account's own data. */
import type { Database, Tx } from '#platform/db.ts'

/** The account's name and email. Throws if the account doesn't exist. */
export async function selectAccount(
  db: Database,
  accountId: string,
): Promise<{
  name: string | null
  email: string | null
  emailVerifiedAt: Temporal.Instant | null
  createdAt: Temporal.Instant
}> {
  const row = await db.selectFrom('account').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow()
  return { name: row.name, email: row.email, emailVerifiedAt: row.email_verified_at, createdAt: row.created_at }
}

/** The sign-in providers linked to an account, with its subject there. */
export function selectIdentities(
  db: Database,
  accountId: string,
): Promise<{ issuer: string; subject: string; createdAt: Temporal.Instant }[]> {
  return db
    .selectFrom('account_identity')
    .select(['issuer', 'subject', 'created_at as createdAt'])
    .where('account_id', '=', accountId)
    .execute()
}

/** Every stored session of an account, ended ones included, oldest first. */
export function selectEverySession(
  db: Database,
  accountId: string,
): Promise<
  {
    browser: string | null
    createdAt: Temporal.Instant
    lastSeenAt: Temporal.Instant
    revokedAt: Temporal.Instant | null
  }[]
> {
  return db
    .selectFrom('account_session')
    .select(['browser', 'created_at as createdAt', 'last_seen_at as lastSeenAt', 'revoked_at as revokedAt'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .execute()
}

/** Deletes the account itself; foreign keys delete the rest with it. Returns the email it had verified, or null. */
export async function deleteAccountRow(tx: Tx, accountId: string): Promise<string | null> {
  const row = await tx
    .deleteFrom('account')
    .where('id', '=', accountId)
    .returning(['email', 'email_verified_at'])
    .executeTakeFirst()
  return row && row.email_verified_at !== null ? row.email : null
}
