/** Invites staff and revokes their roles, each with an audit entry. */
import {
  freshSignIn,
  programScope,
  recordAct,
  type Actor,
  type FreshOrScoped,
  type FreshSignIn,
} from './audit.server.ts'
import { findClientOwner, lockClientRole } from './api-clients.sql.server.ts'
import { emailInvitation } from './invitations.server.ts'
import {
  closeExpired,
  insertGrant,
  lockRoles,
  lockStaff,
  roleOf,
  selectGrant,
  selectGrants,
  selectGrantsOf,
  selectStaff,
  updateToRevoked,
  type StaffGrant,
} from './grants.sql.server.ts'
import { selectRole } from './roles.sql.server.ts'
import { officeSessions } from './office-sessions.sql.server.ts'
import { permissionsGivenByPeople, permissionsOf, staffCan, type Permission } from './permissions.ts'
import { isFreshlyAuthenticated } from './staff.ts'
import type { StaffInvitation } from './staff-form.ts'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database, type Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { PersonKey } from '#platform/work-sessions.ts'
import { storeZone } from '#platform/store-zone.ts'

type Deps = { db: Database; clock: Clock }

/** Why staff can't be managed at all. */
export type ManageRefusal = Refused<'not-allowed'> | Refused<'not-fresh'>

/** The permissions that a program may not give. */
export type NotGivenByPrograms = Refused<'not-given-by-programs', readonly Permission[]>

const revokedListed = 50

/** Lists the grants that are not revoked, and the latest that are. */
export function listGrants({ db }: Pick<Deps, 'db'>): Promise<StaffGrant[]> {
  return selectGrants(db, revokedListed)
}

/**
 * Invites an email to a role, until the end of `lastDay` in the store's time zone if one is given, and emails it. Returns
 * the grant's ID. Refuses `not-allowed` if the actor's own grant has ended, `not-fresh`, `no-role` for a role that is not
 * there or retired, `granted-already`, `past` for a last day that is over, and `not-given-by-programs`.
 */
export async function inviteStaff(
  { db, clock }: Deps,
  by: Actor,
  { email, role, lastDay }: StaffInvitation,
): Promise<
  Outcome<
    { id: string },
    ManageRefusal | NotGivenByPrograms | Refused<'no-role'> | Refused<'granted-already'> | Refused<'past'>
  >
> {
  const at = clock.now()
  const expiresAt =
    lastDay === null ? null : Temporal.PlainDate.from(lastDay).add({ days: 1 }).toZonedDateTime(storeZone).toInstant()
  if (expiresAt && Temporal.Instant.compare(expiresAt, at) <= 0) return refused('past')
  try {
    return await db.transaction().execute(async (tx) => {
      await lockStaff(tx)
      const permitted = await requireFreshOrScope(tx, by, 'staff.manage', at)
      if (!permitted.ok) return permitted
      const given = await selectRole(tx, role)
      if (!given) return refused('no-role')
      const mayGive = await requireGiveable(tx, by, permissionsOf(given))
      if (!mayGive.ok) return mayGive
      await closeExpired(tx, { email, role, at })
      const grantId = await insertGrant(tx, { email, role, by: by.name, at, expiresAt })
      await emailInvitation(tx, { grantId, to: email })
      await recordAct(tx, { by, act: 'staff.invited', subject: email, after: { role, lastDay }, at })
      return ok({ id: grantId })
    })
  } catch (error) {
    if (violatedConstraint(error) === 'staff_grant_once') return refused('granted-already')
    throw error
  }
}

/**
 * Revokes a role assignment, and signs out the person if it was their last. Refuses with `not-allowed` if the actor's
 * own role has ended, `not-fresh`, `gone` for a revoked or unknown assignment, `last-owner`, and `owner` for a program.
 */
export async function revokeGrant(
  { db, clock }: Deps,
  by: Actor,
  { grantId, reason }: { grantId: string; reason: string },
): Promise<Outcome<null, ManageRefusal | Refused<'gone'> | Refused<'last-owner'> | Refused<'owner'>>> {
  const at = clock.now()
  try {
    return await db.transaction().execute(async (tx) => {
      await lockStaff(tx)
      const permitted = await requireFreshOrScope(tx, by, 'staff.manage', at)
      if (!permitted.ok) return permitted
      if (by.via === 'api' && (await selectGrant(tx, grantId))?.role === 'owner') return refused('owner')
      const revoked = await updateToRevoked(tx, { id: grantId, by: by.name, reason, at })
      if (!revoked) return refused('gone')
      const { email, role, issuer, subject } = revoked
      if (issuer !== null && subject !== null && !(await selectStaff(tx, { issuer, subject }, at)))
        await officeSessions.endOfPerson(tx, { issuer, subject }, at)
      await recordAct(tx, { by, act: 'staff.revoked', subject: email, before: { role }, reason, at })
      return ok(null)
    })
  } catch (error) {
    if (violatedConstraint(error) === 'staff_has_an_owner') return refused('last-owner')
    throw error
  }
}

/** Returns a person's current email and roles; undefined without a current role. */
export function findStaff({ db, clock }: Deps, person: PersonKey): ReturnType<typeof selectStaff> {
  return selectStaff(db, person, clock.now())
}

/** The emails of staff with a permission, each once, sorted. */
export async function listStaffEmails(db: Database, permission: Permission, now: Temporal.Instant): Promise<string[]> {
  const emails = (await listGrants({ db })).flatMap((grant) => {
    const isCurrent =
      grant.revokedAt === null && (grant.expiresAt === null || Temporal.Instant.compare(grant.expiresAt, now) > 0)
    return isCurrent && staffCan([roleOf(grant)], permission) ? [grant.email] : []
  })
  return [...new Set(emails)].toSorted()
}

/**
 * Lists the emails of staff with a permission. In an action's transaction, it comes first and blocks changes to role
 * assignments until the transaction ends.
 */
export async function lockStaffEmails(tx: Tx, permission: Permission, at: Temporal.Instant): Promise<string[]> {
  await lockStaff(tx)
  return listStaffEmails(tx, permission, at)
}

/** Returns the actor under the name of the person who is accountable. For a program, this is the person who added it. */
export async function accountableFor(db: Database, by: Actor): Promise<Actor> {
  return by.via === 'api' ? { ...by, name: (await findClientOwner(db, by.clientId)) ?? by.name } : by
}

/**
 * Lists the emails of others with a permission, such as for a second look. In an action's transaction, it comes first and
 * blocks changes to role assignments until the transaction ends.
 */
export async function lockOtherStaff(
  tx: Tx,
  by: Pick<Actor, 'name'>,
  permission: Permission,
  at: Temporal.Instant,
): Promise<string[]> {
  await lockStaff(tx)
  return listOtherStaff(tx, by, permission, at)
}

/** Lists the same emails for a page, without blocking. */
export async function listOtherStaff(
  db: Database,
  { name }: Pick<Actor, 'name'>,
  permission: Permission,
  now: Temporal.Instant,
): Promise<string[]> {
  const emails = await listStaffEmails(db, permission, now)
  return emails.filter((email) => email.toLowerCase() !== name.toLowerCase())
}

/** Everything kept about a staff member, as plain data for JSON; `email` is null for one that is not verified. */
export async function exportStaffGrants(db: Database, email: string | null): Promise<object[]> {
  if (email === null) return []
  return (await selectGrantsOf(db, email)).map(
    ({ role, invitedAt, expiresAt, signedInAt, secondFactorAt, revokedAt, revokeReason }) => ({
      role,
      invited: invitedAt.toString(),
      expires: expiresAt?.toString() ?? null,
      signedIn: signedInAt?.toString() ?? null,
      signedInWithSecondFactor: secondFactorAt?.toString() ?? null,
      revoked: revokedAt?.toString() ?? null,
      revokeReason,
    }),
  )
}

/**
 * Checks the actor's permission within an action's transaction. Their session and current roles are reread under a
 * share lock, so that a revocation happens either before or after the action. Commands have every permission, because
 * they require database access. Refuses with `not-allowed`.
 */
export async function requirePermission(
  tx: Tx,
  by: Actor,
  permission: Permission,
  at: Temporal.Instant,
): Promise<Outcome<null, Refused<'not-allowed'>>> {
  const checked = await findPermitted(tx, by, permission, at)
  return checked.ok ? ok(null) : checked
}

/**
 * Checks a permission as `requirePermission` does, and that the actor signed in within the last ten minutes. Returns the
 * proof that `recordAct` requires for the acts in `freshSignInActs`. Refuses `not-allowed`, and `not-fresh` also for
 * programs, which don't sign in.
 */
export async function requireFreshPermission(
  tx: Tx,
  by: Actor,
  permission: Permission,
  at: Temporal.Instant,
): Promise<Outcome<FreshSignIn, Refused<'not-allowed'> | Refused<'not-fresh'>>> {
  const checked = await findPermitted(tx, by, permission, at)
  if (!checked.ok) return checked
  const session = checked.value
  if (by.via === 'api') return refused('not-fresh')
  return session === null || isFreshlyAuthenticated(session, at) ? ok(freshSignIn()) : refused('not-fresh')
}

/**
 * Checks a permission to change settings, payout rates, roles, and staff. People need a recent sign-in, which protects
 * an unattended browser. A program has no browser, its token is short-lived, and an owner granted its scope. So it only
 * needs the permission as a scope, and in its role. Only the use cases in tools/program-acts.test.ts call this, because
 * they prevent escalation (with `requireGiveable`, and the concession limits in settings). All others call
 * `requireFreshPermission`, which rejects programs.
 */
export async function requireFreshOrScope(
  tx: Tx,
  by: Actor,
  permission: Permission,
  at: Temporal.Instant,
): Promise<Outcome<FreshOrScoped, ManageRefusal>> {
  if (by.via !== 'api') return requireFreshPermission(tx, by, permission, at)
  const permitted = await requirePermission(tx, by, permission, at)
  return permitted.ok ? ok(programScope()) : permitted
}

/**
 * Checks that the actor may give these permissions to others. A program gives only permissions that it has, except
 * `permissionsGivenByPeople`. The caller has checked its permission. Refuses `not-given-by-programs` with the others.
 */
export async function requireGiveable(
  tx: Tx,
  by: Actor,
  permissions: readonly Permission[],
): Promise<Outcome<null, NotGivenByPrograms>> {
  if (by.via !== 'api') return ok(null)
  const role = await lockClientRole(tx, by.clientId)
  const has = (permission: Permission) =>
    role !== undefined && by.scopes.includes(permission) && staffCan([role], permission)
  const withheld = permissions.filter((permission) => permissionsGivenByPeople.includes(permission) || !has(permission))
  return withheld.length === 0 ? ok(null) : refused('not-given-by-programs', withheld)
}

/** The session of an actor with the permission; null for a command or a program. */
async function findPermitted(
  tx: Tx,
  by: Actor,
  permission: Permission,
  at: Temporal.Instant,
): Promise<Outcome<{ authenticatedAt: Temporal.Instant } | null, Refused<'not-allowed'>>> {
  if (by.via === 'command line') return ok(null)
  if (by.via === 'api') {
    const role = await lockClientRole(tx, by.clientId)
    return role && by.scopes.includes(permission) && staffCan([role], permission) ? ok(null) : refused('not-allowed')
  }
  const session = await officeSessions.find(tx, { id: by.sessionId }, at)
  const roles = session ? await lockRoles(tx, session, at) : []
  return session && staffCan(roles, permission) ? ok(session) : refused('not-allowed')
}
