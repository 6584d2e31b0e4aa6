/**
 * API clients are apps that read the back office through the API. An app signs in at the store's sign-in provider
 * (OAuth 2.0, client credentials). Its token's permissions are the intersection of its role here and its scopes.
 */
import type { IdentityProvider } from '#domain/kernel/sign-in/identity-provider.port.ts'
import type { AdmittedClient, ApiClient, ApiClientChange, ApiClientDraft } from './api-clients.ts'
import {
  insertClient,
  selectClientByProvider,
  selectClients,
  updateClient,
  updateClientToRevoked,
  updateLastUsed,
} from './api-clients.sql.server.ts'
import { recordAct, type Actor } from './audit.server.ts'
import { requireFreshPermission } from './grants.server.ts'
import { lockStaff } from './grants.sql.server.ts'
import { selectRoleNames } from './roles.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database, type Tx } from '#platform/db.ts'
import { newTimedId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock; identity: Pick<IdentityProvider, 'issuer'> | null }
type ActRefusal = Refused<'not-allowed'> | Refused<'not-fresh'>

/** Lists API clients, newest first, and the revoked ones last. */
export function listApiClients({ db }: Pick<Deps, 'db'>): Promise<ApiClient[]> {
  return selectClients(db, null)
}

/** Returns an API client; undefined for an unknown id. */
export async function findApiClient({ db }: Pick<Deps, 'db'>, id: string): Promise<ApiClient | undefined> {
  return (await selectClients(db, id))[0]
}

/**
 * Adds an app from the store's sign-in provider and returns its id. Refuses with `no-provider` in a store without
 * accounts, `no-role` for a missing or retired role, and `client-taken`.
 */
export async function addApiClient(
  { db, clock, identity }: Deps,
  by: Actor,
  draft: ApiClientDraft,
): Promise<
  Outcome<{ id: string }, ActRefusal | Refused<'no-provider'> | Refused<'no-role'> | Refused<'client-taken'>>
> {
  if (!identity) return refused('no-provider')
  const at = clock.now()
  const id = newTimedId()
  try {
    return await db.transaction().execute(async (tx) => {
      await lockStaff(tx)
      const permitted = await requireFreshPermission(tx, by, 'staff.manage', at)
      if (!permitted.ok) return permitted
      if (!(await isRole(tx, draft.role))) return refused('no-role')
      await insertClient(tx, { ...draft, id, issuer: identity.issuer, by: by.name, at })
      const after = { clientId: draft.clientId, role: draft.role }
      await recordAct(tx, { by, act: 'api-client.added', fresh: permitted.value, subject: draft.name, after, at })
      return ok({ id })
    })
  } catch (error) {
    if (violatedConstraint(error) === 'api_client_once') return refused('client-taken')
    throw error
  }
}

/**
 * Changes an API client's name and role, effective on its next call. Refuses with `gone`, `no-role`, and
 * `changed-meanwhile` for an outdated form.
 */
export async function changeApiClient(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  by: Actor,
  id: string,
  change: ApiClientChange,
): Promise<Outcome<null, ActRefusal | Refused<'gone'> | Refused<'no-role'> | Refused<'changed-meanwhile'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    await lockStaff(tx)
    const permitted = await requireFreshPermission(tx, by, 'staff.manage', at)
    if (!permitted.ok) return permitted
    const [before] = await selectClients(tx, id)
    if (!before || before.revokedAt) return refused('gone')
    if (!(await isRole(tx, change.role))) return refused('no-role')
    if (!(await updateClient(tx, { ...change, id, by: by.name, at }))) return refused('changed-meanwhile')
    await recordAct(tx, {
      by,
      act: 'api-client.changed',
      fresh: permitted.value,
      subject: change.name,
      before: { name: before.name, role: before.role },
      after: { name: change.name, role: change.role },
      at,
    })
    return ok(null)
  })
}

/** Revokes an API client, effective immediately. Refuses with `gone`. */
export async function revokeApiClient(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  by: Actor,
  id: string,
): Promise<Outcome<null, ActRefusal | Refused<'gone'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    await lockStaff(tx)
    const permitted = await requireFreshPermission(tx, by, 'staff.manage', at)
    if (!permitted.ok) return permitted
    const revoked = await updateClientToRevoked(tx, { id, by: by.name, at })
    if (!revoked) return refused('gone')
    const { name, clientId } = revoked
    await recordAct(tx, {
      by,
      act: 'api-client.revoked',
      fresh: permitted.value,
      subject: name,
      before: { clientId },
      at,
    })
    return ok(null)
  })
}

async function isRole(tx: Tx, role: string): Promise<boolean> {
  return (await selectRoleNames(tx)).some(({ slug }) => slug === role)
}

/**
 * Returns the program that a token was issued to, with its role and the token's scopes. Refuses `not-accepted` for a
 * token that is not the provider's, for another API or expired, `unknown` for a program without an entry here, and
 * `unavailable` while the provider's keys can't be read.
 */
export async function admitApiClient(
  { db, clock, identity }: { db: Database; clock: Clock; identity: IdentityProvider | null },
  accessToken: string,
): Promise<Outcome<AdmittedClient, Refused<'not-accepted'> | Refused<'unknown'> | Refused<'unavailable'>>> {
  const read = await identity?.readAccessToken(accessToken, 'admin')
  if (!identity || !read) return refused('not-accepted')
  if (!read.ok) return refused(read.reason)
  const { clientId, subject, scopes } = read.value
  // A token that acts for a person is not a program's own (RFC 9068, section 2.2).
  if (subject !== clientId) return refused('not-accepted')
  const client = await selectClientByProvider(db, { issuer: identity.issuer, clientId })
  if (!client) return refused('unknown')
  const { lastUsedAt, ...admitted } = client
  const now = clock.now()
  if (!lastUsedAt || now.since(lastUsedAt).total('minutes') >= 1) await updateLastUsed(db, client.id, now)
  return ok({ ...admitted, clientId, scopes })
}
