/**
 * Apps act for an account with the sign-in provider's access token (OAuth 2.0, RFC 9068), which states the person, the
 * app and the scopes. The owner can also revoke an app's access here, effective immediately and until they restore it.
 */
import { knownScopes, type AccountApp, type AppScope } from './apps.ts'
import type { SignedIn } from './accounts.ts'
import { admitApp, selectApps, selectIsRevoked, updateAppAccess } from './apps.sql.server.ts'
import type { AppDoor } from '#domain/kernel/sign-in/identity-provider.port.ts'
import type { IdentityDeps } from './sessions.server.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

export type AdmittedApp = { signedIn: SignedIn; scopes: AppScope[]; clientId: string }

/**
 * Returns whom a token acts for, and its scopes. Refuses `not-accepted` for a token that is not the provider's, for
 * another door or expired, `no-account` for a person who never signed in here, and `revoked` once the owner revoked
 * access. A foreign token costs no statement.
 */
export async function findApp(
  { db, clock, identity }: Pick<IdentityDeps, 'db' | 'clock' | 'identity'>,
  accessToken: string,
  door: AppDoor = 'api',
): Promise<
  Outcome<AdmittedApp, Refused<'not-accepted'> | Refused<'no-account'> | Refused<'revoked'> | Refused<'unavailable'>>
> {
  const read = await identity?.readAccessToken(accessToken, door)
  if (!identity || !read) return refused('not-accepted')
  if (!read.ok) return refused(read.reason)
  const scopes = knownScopes(read.value.scopes)
  const admitted = await admitApp(db, { ...read.value, issuer: identity.issuer, scopes }, clock.now())
  if (!admitted) return refused('no-account')
  const { appId, isRevoked, ...person } = admitted
  return isRevoked || appId === null
    ? refused('revoked')
    : ok({ signedIn: { ...person, sessionId: appId }, scopes, clientId: read.value.clientId })
}

/** Whether an account's owner revoked the access of a program, as it is named at the provider. */
export function isAppRevoked(
  { db }: Pick<IdentityDeps, 'db'>,
  app: { accountId: string; clientId: string },
): Promise<boolean> {
  return selectIsRevoked(db, app)
}

/** Lists the apps that ever acted for an account, most recently used first. */
export async function listApps({ db }: Pick<IdentityDeps, 'db'>, accountId: string): Promise<AccountApp[]> {
  const apps = await selectApps(db, accountId)
  return apps.map(({ clientId, name, scopes, ...app }) => ({
    ...app,
    name: name ?? clientId,
    scopes: knownScopes(scopes),
  }))
}

/** Revokes or restores an app's access; false if the account doesn't have the app. */
export function setAppAccess(
  { db, clock }: Pick<IdentityDeps, 'db' | 'clock'>,
  accountId: string,
  appId: string,
  { isAllowed }: { isAllowed: boolean },
): Promise<boolean> {
  return updateAppAccess(db, accountId, appId, isAllowed ? null : clock.now())
}
