/** The statements for the apps of an account. */
import { sql } from 'kysely'
import type { SignedIn } from './accounts.ts'
import type { AppScope } from './apps.ts'
import type { AppToken } from '#domain/kernel/sign-in/identity-provider.port.ts'
import type { Database } from '#platform/db.ts'
import { newTimedId } from '#platform/ids.ts'

type Admitted = Omit<SignedIn, 'sessionId'> & { appId: string | null; isRevoked: boolean }

/**
 * Returns a person's account and its settings for the app; undefined without an account. Records use at most once an
 * hour with the same query, along with changed scopes and names.
 */
export async function admitApp(
  db: Database,
  { issuer, subject, clientId, clientName, scopes }: AppToken & { issuer: string; scopes: AppScope[] },
  now: Temporal.Instant,
): Promise<Admitted | undefined> {
  const { rows } = await sql<Admitted>`
    with person as (
      select account.id, account.name, account.email, account.email_verified_at is not null as is_verified
      from account_identity identity join account on account.id = identity.account_id
      where identity.issuer = ${issuer} and identity.subject = ${subject}),
    known as (
      select app.* from account_app app join person on person.id = app.account_id where app.issuer = ${issuer} and app.client_id = ${clientId}),
    kept as (
      insert into account_app (id, account_id, issuer, client_id, name, scopes, first_used_at, last_used_at)
      select ${newTimedId()}, person.id, ${issuer}, ${clientId}, ${clientName}::text, ${scopes}::text[], ${now}::timestamptz, ${now}::timestamptz from person
      where not exists (select from known where revoked_at is not null
        or (last_used_at >= ${now.subtract({ hours: 1 })}::timestamptz and scopes = ${scopes}::text[] and name is not distinct from ${clientName}::text))
      on conflict (account_id, issuer, client_id) do update
        set name = excluded.name, scopes = excluded.scopes, last_used_at = excluded.last_used_at where account_app.revoked_at is null
      returning id)
    select person.id as "accountId", person.name, person.email, person.is_verified as "isEmailVerified",
      coalesce(known.id, (select id from kept)) as "appId", known.revoked_at is not null as "isRevoked"
    from person left join known on true`.execute(db)
  return rows[0]
}

export function selectApps(db: Database, accountId: string) {
  return db
    .selectFrom('account_app')
    .select([
      'id',
      'client_id as clientId',
      'name',
      'scopes',
      'first_used_at as firstUsedAt',
      'last_used_at as lastUsedAt',
      'revoked_at as revokedAt',
    ])
    .where('account_id', '=', accountId)
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export async function selectIsRevoked(
  db: Database,
  { accountId, clientId }: { accountId: string; clientId: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('account_app')
    .select('id')
    .where('account_id', '=', accountId)
    .where('client_id', '=', clientId)
    .where('revoked_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/** `revokedAt` null restores access. If access is already revoked, its time is unchanged. */
export async function updateAppAccess(
  db: Database,
  accountId: string,
  appId: string,
  revokedAt: Temporal.Instant | null,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('account_app')
    .set(({ fn, ref, val }) => ({
      revoked_at: revokedAt === null ? null : fn.coalesce(ref('revoked_at'), val(revokedAt)),
    }))
    .where('id', '=', appId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
