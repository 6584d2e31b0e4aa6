/** The statements for accounts. */
import { sql } from 'kysely'
import { attemptMinutes, sessionSeconds, type SignedIn, type SignInPurpose } from './accounts.ts'
import type { Person, SignInRequest } from '#domain/kernel/sign-in/identity-provider.port.ts'
import { keepCustomer } from '#domain/customers/customers/customers.server.ts'
import type { Database } from '#platform/db.ts'
import { newTimedId } from '#platform/ids.ts'

export type Attempt = Pick<SignInRequest, 'state' | 'nonce' | 'codeVerifier' | 'maxAgeSeconds'> & {
  returnPath: string
  purpose: SignInPurpose
}

export async function insertAttempt(
  db: Database,
  attempt: Attempt & { browserHash: Buffer; now: Temporal.Instant },
): Promise<void> {
  await db
    .insertInto('sign_in_attempt')
    .values({
      state: attempt.state,
      nonce: attempt.nonce,
      code_verifier: attempt.codeVerifier,
      return_path: attempt.returnPath,
      purpose: attempt.purpose,
      max_age_seconds: attempt.maxAgeSeconds ?? null,
      browser_hash: attempt.browserHash,
      created_at: attempt.now,
    })
    .execute()
}

/** Redeems a sign-in attempt once, for its original purpose, in the same browser, and before it expires. */
export async function takeAttempt(
  db: Database,
  {
    state,
    browserHash,
    purpose,
    now,
  }: { state: string; browserHash: Buffer; purpose: SignInPurpose; now: Temporal.Instant },
): Promise<Attempt | undefined> {
  const row = await db
    .updateTable('sign_in_attempt')
    .set({ used_at: now })
    .where('state', '=', state)
    .where('browser_hash', '=', browserHash)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('created_at', '>', now.subtract({ minutes: attemptMinutes }))
    .returning(['state', 'nonce', 'code_verifier', 'return_path', 'max_age_seconds'])
    .executeTakeFirst()
  return (
    row && {
      state: row.state,
      nonce: row.nonce,
      codeVerifier: row.code_verifier,
      returnPath: row.return_path,
      purpose,
      maxAgeSeconds: row.max_age_seconds ?? undefined,
    }
  )
}

/** Returns the purpose of this browser's attempt, used or not. */
export async function selectPurpose(
  db: Database,
  { state, browserHash }: { state: string; browserHash: Buffer },
): Promise<SignInPurpose | undefined> {
  const row = await db
    .selectFrom('sign_in_attempt')
    .select('purpose')
    .where('state', '=', state)
    .where('browser_hash', '=', browserHash)
    .executeTakeFirst()
  return row?.purpose as SignInPurpose | undefined
}

export async function deleteOldSignIns(db: Database, now: Temporal.Instant): Promise<void> {
  await db
    .deleteFrom('sign_in_attempt')
    .where('created_at', '<', now.subtract({ hours: 24 }))
    .execute()
  await db
    .deleteFrom('account_session')
    .where('created_at', '<', now.subtract({ seconds: sessionSeconds }))
    .execute()
}

/**
 * Finds the account of an identity, or the one with its verified email, or adds one. An email joins an account once per
 * issuer. An account already used by another subject of the issuer stays with that subject, and this person gets an
 * account without a verified email. Returns the email in `joined` if this person joined an existing account. Throws the
 * violated unique constraint if another request was faster.
 */
export async function findOrAddAccount(
  db: Database,
  issuer: string,
  person: Person,
  now: Temporal.Instant,
): Promise<{ accountId: string; isNew: boolean; joined: string | null }> {
  const known = await db
    .selectFrom('account_identity')
    .select('account_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', person.subject)
    .executeTakeFirst()
  if (known) {
    await updatePerson(db, known.account_id, person, now)
    return { accountId: known.account_id, isNew: false, joined: null }
  }
  const email = person.email?.toLowerCase() ?? null
  const owner = email !== null && person.isEmailVerified ? await selectAccountByEmail(db, email) : undefined
  const isTaken = owner !== undefined && (await hasIdentityOf(db, owner, issuer))
  const accountId = owner === undefined || isTaken ? newTimedId() : owner
  if (accountId !== owner) {
    const isVerified = person.isEmailVerified && !isTaken
    await db
      .insertInto('account')
      .values({
        id: accountId,
        email,
        email_verified_at: isVerified ? now : null,
        name: person.name,
        created_at: now,
      })
      .execute()
    if (email !== null && isVerified) await keepCustomer(db, { email, name: person.name, at: now })
  }
  await db
    .insertInto('account_identity')
    .values({ issuer, subject: person.subject, account_id: accountId, created_at: now })
    .execute()
  return { accountId, isNew: accountId !== owner, joined: accountId === owner ? email : null }
}

/**
 * Returns whether a person of this issuer already uses the account. Locks the account, so that only one of two
 * concurrent requests joins it.
 */
async function hasIdentityOf(db: Database, accountId: string, issuer: string): Promise<boolean> {
  await db.selectFrom('account').select('id').where('id', '=', accountId).forUpdate().execute()
  const row = await db
    .selectFrom('account_identity')
    .select('subject')
    .where('account_id', '=', accountId)
    .where('issuer', '=', issuer)
    .executeTakeFirst()
  return row !== undefined
}

export async function selectAccountByEmail(db: Database, email: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('account')
    .select('id')
    .where('email', '=', email)
    .where('email_verified_at', 'is not', null)
    .executeTakeFirst()
  return row?.id
}

/** The stored email of an account, and whether it is verified. */
export type KeptEmail = { email: string | null; isEmailVerified: boolean }

/**
 * Stores the provider's current data, and returns the resulting data, which may differ. A verified email of another
 * account stays with that account, and an unverified email does not replace a verified one.
 */
export async function updatePerson(
  db: Database,
  accountId: string,
  person: Person,
  now: Temporal.Instant,
): Promise<KeptEmail> {
  const email = person.email?.toLowerCase() ?? null
  await db
    .updateTable('account')
    .set(({ ref, fn, val }) => ({ name: fn.coalesce(val(person.name), ref('name')) }))
    .where('id', '=', accountId)
    .execute()
  if (email !== null) await updateEmail(db, accountId, { email, isEmailVerified: person.isEmailVerified }, now)
  const kept = await db
    .selectFrom('account')
    .select(['email', 'email_verified_at'])
    .where('id', '=', accountId)
    .executeTakeFirst()
  return { email: kept?.email ?? null, isEmailVerified: kept !== undefined && kept.email_verified_at !== null }
}

async function updateEmail(
  db: Database,
  accountId: string,
  { email, isEmailVerified }: { email: string; isEmailVerified: boolean },
  now: Temporal.Instant,
): Promise<void> {
  const changed = await db
    .updateTable('account')
    .set({ email, email_verified_at: isEmailVerified ? now : null })
    .where('id', '=', accountId)
    .where(({ or, eb }) => or([eb('email', 'is distinct from', email), eb('email_verified_at', 'is', null)]))
    .$if(!isEmailVerified, (query) => query.where('email_verified_at', 'is', null))
    .$if(isEmailVerified, (query) =>
      query.where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('account as other')
              .where('other.email', '=', email)
              .where('other.email_verified_at', 'is not', null)
              .where('other.id', '!=', accountId),
          ),
        ),
      ),
    )
    .returning('name')
    .executeTakeFirst()
  if (changed && isEmailVerified) await keepCustomer(db, { email, name: changed.name, at: now })
}

export type SessionKey = { id: string; secretHash: Buffer }

export async function insertSession(
  db: Database,
  session: SessionKey & {
    accountId: string
    issuer: string
    subject: string
    tokens: Buffer
    browser: string | null
    now: Temporal.Instant
  },
): Promise<void> {
  await db
    .insertInto('account_session')
    .values({
      id: session.id,
      account_id: session.accountId,
      secret_hash: session.secretHash,
      issuer: session.issuer,
      subject: session.subject,
      tokens: session.tokens,
      browser: session.browser,
      created_at: session.now,
      last_seen_at: session.now,
    })
    .execute()
}

/** Returns the account of a live session. The same statement records activity once an hour. */
export async function selectSession(
  db: Database,
  { id, secretHash }: SessionKey,
  now: Temporal.Instant,
): Promise<SignedIn | undefined> {
  const { rows } = await sql<SignedIn>`
    with seen as (
      update account_session set last_seen_at = ${now}::timestamptz
      where id = ${id} and secret_hash = ${secretHash} and revoked_at is null and last_seen_at < ${now.subtract({ hours: 1 })}::timestamptz)
    select session.id as "sessionId", account.id as "accountId", account.name, account.email, account.email_verified_at is not null as "isEmailVerified"
    from account_session session join account on account.id = session.account_id
    where session.id = ${id} and session.secret_hash = ${secretHash} and session.revoked_at is null
      and session.created_at > ${now.subtract({ seconds: sessionSeconds })}::timestamptz`.execute(db)
  return rows[0]
}

/** Ends a session; if it was live, returns its account and its sealed tokens. */
export async function revokeSession(
  db: Database,
  { id, secretHash }: SessionKey,
  now: Temporal.Instant,
): Promise<{ accountId: string; tokens: Buffer } | undefined> {
  return db
    .updateTable('account_session')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('secret_hash', '=', secretHash)
    .where('revoked_at', 'is', null)
    .returning(['account_id as accountId', 'tokens'])
    .executeTakeFirst()
}

export type LiveSession = {
  id: string
  browser: string | null
  createdAt: Temporal.Instant
  lastSeenAt: Temporal.Instant
}

/** The live sessions of an account, most recently used first. */
export async function selectSessions(db: Database, accountId: string, now: Temporal.Instant): Promise<LiveSession[]> {
  return db
    .selectFrom('account_session')
    .select(['id', 'browser', 'created_at as createdAt', 'last_seen_at as lastSeenAt'])
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .where('created_at', '>', now.subtract({ seconds: sessionSeconds }))
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** Ends an account's active session by number. Returns false if the session isn't found. */
export async function revokeSessionOf(
  db: Database,
  accountId: string,
  sessionId: string,
  now: Temporal.Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('account_session')
    .set({ revoked_at: now })
    .where('id', '=', sessionId)
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Ends every live session of an account, except `except`. */
export async function revokeSessionsOf(
  db: Database,
  accountId: string,
  now: Temporal.Instant,
  except?: string,
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('account_session')
    .set({ revoked_at: now })
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .$if(except !== undefined, (query) => query.where('id', '!=', except ?? ''))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export type SessionTokens = { accountId: string; subject: string; tokens: Buffer; renewal: number }

export async function selectTokens(db: Database, sessionId: string): Promise<SessionTokens | undefined> {
  const row = await db
    .selectFrom('account_session')
    .select(['account_id as accountId', 'subject', 'tokens', 'renewal'])
    .where('id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return row
}

/** Claims the renewal of a session's tokens, which one request at a time can hold. */
export async function claimRenewal(
  db: Database,
  sessionId: string,
  renewal: number,
  now: Temporal.Instant,
  seconds: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('account_session')
    .set({ renewing_until: now.add({ seconds }) })
    .where('id', '=', sessionId)
    .where('renewal', '=', renewal)
    .where('revoked_at', 'is', null)
    .where(({ or, eb }) => or([eb('renewing_until', 'is', null), eb('renewing_until', '<', now)]))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Completes the renewal with the new tokens, or otherwise leaves the old ones. */
export async function settleRenewal(
  db: Database,
  sessionId: string,
  renewal: number,
  tokens: Buffer | null,
): Promise<void> {
  await db
    .updateTable('account_session')
    .set({ renewing_until: null, ...(tokens && { tokens, renewal: renewal + 1 }) })
    .where('id', '=', sessionId)
    .where('renewal', '=', renewal)
    .execute()
}

/** Ends a session the provider has ended. */
export async function endSessionRow(db: Database, sessionId: string, now: Temporal.Instant): Promise<void> {
  await db
    .updateTable('account_session')
    .set({ revoked_at: now, renewing_until: null })
    .where('id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .execute()
}
