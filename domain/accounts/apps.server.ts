/**
 * Apps act for an account with an access token of the sign-in provider (OAuth 2.0, RFC 9068), which says who, for whom
 * and what. The provider's word alone is not enough: the owner may take an app's access away here, at once and until
 * they give it back.
 */
import { knownScopes, type AccountApp, type AppScope } from '#domain/accounts/apps.ts'
import type { SignedIn } from '#domain/accounts/accounts.ts'
import { admitApp, selectApps, updateAppAccess } from '#domain/accounts/apps.sql.server.ts'
import type { IdentityDeps } from '#domain/accounts/sessions.server.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

export type AdmittedApp = { signedIn: SignedIn; scopes: AppScope[] }

/**
 * For whom a token acts, and what it may do. Refuses `not-accepted` for one that the provider did not make, made for
 * somebody else or long ago, `no-account` for a person who never signed in here, and `revoked` once the owner has taken
 * the access away. A stranger's token costs no statement.
 */
export async function findApp(
  { db, clock, identity }: Pick<IdentityDeps, 'db' | 'clock' | 'identity'>,
  accessToken: string,
): Promise<
  Outcome<AdmittedApp, Refused<'not-accepted'> | Refused<'no-account'> | Refused<'revoked'> | Refused<'unavailable'>>
> {
  const read = await identity?.readAccessToken(accessToken)
  if (!identity || !read) return refused('not-accepted')
  if (!read.ok) return refused(read.reason)
  const scopes = knownScopes(read.value.scopes)
  const admitted = await admitApp(db, { ...read.value, issuer: identity.issuer, scopes }, clock.now())
  if (!admitted) return refused('no-account')
  const { appId, isRevoked, ...person } = admitted
  return isRevoked || appId === null ? refused('revoked') : ok({ signedIn: { ...person, sessionId: appId }, scopes })
}

/** The apps that ever acted for an account, the one used last first. */
export async function listApps({ db }: Pick<IdentityDeps, 'db'>, accountId: string): Promise<AccountApp[]> {
  const apps = await selectApps(db, accountId)
  return apps.map(({ clientId, name, scopes, ...app }) => ({
    ...app,
    name: name ?? clientId,
    scopes: knownScopes(scopes),
  }))
}

/** Takes an app's access away, or gives it back; false when the account knows no such app. */
export function setAppAccess(
  { db, clock }: Pick<IdentityDeps, 'db' | 'clock'>,
  accountId: string,
  appId: string,
  { isAllowed }: { isAllowed: boolean },
): Promise<boolean> {
  return updateAppAccess(db, accountId, appId, isAllowed ? null : clock.now())
}
