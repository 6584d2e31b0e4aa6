/** The statements for verifications of service, and those under way. */
import type { Database, Tx } from '#platform/db.ts'
import type { Verification } from './military.ts'

export type Attempt = { state: string; nonce: string; codeVerifier: string; returnPath: string }

/** Stores an account's verification attempt, replacing an earlier one. */
export async function upsertAttempt(
  db: Database,
  { accountId, state, nonce, codeVerifier, returnPath, at }: Attempt & { accountId: string; at: Temporal.Instant },
): Promise<void> {
  const values = { state, nonce, code_verifier: codeVerifier, return_path: returnPath, begun_at: at }
  await db
    .insertInto('military_attempt')
    .values({ account_id: accountId, ...values })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
    .execute()
}

/** Takes an account's verification attempt with this state started since `since`; it can be taken once. */
export async function takeAttempt(
  db: Database,
  { accountId, state, since }: { accountId: string; state: string; since: Temporal.Instant },
): Promise<Attempt | undefined> {
  const row = await db
    .deleteFrom('military_attempt')
    .where('account_id', '=', accountId)
    .where('state', '=', state)
    .where('begun_at', '>', since)
    .returning(['state', 'nonce', 'code_verifier', 'return_path'])
    .executeTakeFirst()
  return row && { state: row.state, nonce: row.nonce, codeVerifier: row.code_verifier, returnPath: row.return_path }
}

/** Stores an account's verification, replacing the previous one. */
export async function upsertVerification(
  tx: Tx,
  { accountId, subject, group, verifiedAt, endsAt }: Verification & { accountId: string; subject: string },
): Promise<void> {
  const values = { subject, service_group: group, verified_at: verifiedAt, ends_at: endsAt }
  await tx
    .insertInto('military_verification')
    .values({ account_id: accountId, ...values })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
    .execute()
}

/** Deletes this person's verifications for any account that ended by `now`. */
export async function deleteEndedOf(tx: Tx, subject: string, now: Temporal.Instant): Promise<void> {
  await tx.deleteFrom('military_verification').where('subject', '=', subject).where('ends_at', '<=', now).execute()
}

/** The verification of an account, ended or not. */
export async function selectVerification(db: Database, accountId: string): Promise<Verification | undefined> {
  return db
    .selectFrom('military_verification')
    .select(['service_group as group', 'verified_at as verifiedAt', 'ends_at as endsAt'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
}

/** Deletes an account's verification; false if it had no verification. */
export async function deleteVerification(db: Database, accountId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('military_verification')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Deletes verifications that ended, and attempts started, before `before`; returns how many. */
export async function deleteEnded(db: Database, before: Temporal.Instant): Promise<number> {
  const ended = await db.deleteFrom('military_verification').where('ends_at', '<', before).executeTakeFirst()
  const begun = await db.deleteFrom('military_attempt').where('begun_at', '<', before).executeTakeFirst()
  return Number(ended.numDeletedRows + begun.numDeletedRows)
}
