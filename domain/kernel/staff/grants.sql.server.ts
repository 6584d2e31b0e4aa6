/** The statements for staff grants. */
import { sql } from 'kysely'
import { staffRoles, type BuiltInRole, type StaffRole } from './permissions.ts'
import { knownPermissions } from './roles.ts'
import { hasShortcuts } from './shortcuts.sql.server.ts'
import type { Database, Tx } from '#platform/db.ts'
import { newTimedId } from '#platform/ids.ts'
import type { PersonKey } from '#platform/work-sessions.ts'

export type StaffGrant = {
  id: string
  email: string
  /** The short name of the role. */
  role: string
  roleName: string
  /** The permissions of a custom role; null for a built-in role. */
  permissions: string[] | null
  invitedBy: string
  invitedAt: Temporal.Instant
  expiresAt: Temporal.Instant | null
  boundAt: Temporal.Instant | null
  /** The last sign-in; null before the first. */
  signedInAt: Temporal.Instant | null
  /** Whether the last sign-in used a second factor; null if the provider didn't report it. */
  usedSecondFactor: boolean | null
  /** The last sign-in with a second factor. */
  secondFactorAt: Temporal.Instant | null
  revokedAt: Temporal.Instant | null
  revokedBy: string | null
  revokeReason: string | null
}

const columns = [
  'staff_grant.id',
  'email',
  'role',
  'staff_role.name as roleName',
  'staff_role.permissions',
  'invited_by as invitedBy',
  'invited_at as invitedAt',
  'expires_at as expiresAt',
  'bound_at as boundAt',
  'signed_in_at as signedInAt',
  'second_factor as usedSecondFactor',
  'second_factor_at as secondFactorAt',
  'revoked_at as revokedAt',
  'revoked_by as revokedBy',
  'revoke_reason as revokeReason',
] as const

/** Serializes role assignment changes, so that each sees the previous one. */
export async function lockStaff(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('staff_grant'))`.execute(tx)
}

/** Grants that are not revoked, by email and role, then the last `revoked` that are. */
export async function selectGrants(db: Database, revoked: number): Promise<StaffGrant[]> {
  const [live, past] = await Promise.all([
    db
      .selectFrom('staff_grant')
      .innerJoin('staff_role', 'slug', 'role')
      .select(columns)
      .where('revoked_at', 'is', null)
      .orderBy('email')
      .orderBy('role')
      .limit(500)
      .execute(),
    db
      .selectFrom('staff_grant')
      .innerJoin('staff_role', 'slug', 'role')
      .select(columns)
      .where('revoked_at', 'is not', null)
      .orderBy('revoked_at', 'desc')
      .limit(revoked)
      .execute(),
  ])
  return [...live, ...past]
}

/** Every grant of an email. */
export async function selectGrantsOf(db: Database, email: string): Promise<StaffGrant[]> {
  return db
    .selectFrom('staff_grant')
    .innerJoin('staff_role', 'slug', 'role')
    .select(columns)
    .where('email', '=', email)
    .orderBy('invited_at')
    .execute()
}

/** Returns the role assignment with this id; undefined if it doesn't exist. */
export async function selectGrant(db: Database, id: string): Promise<StaffGrant | undefined> {
  return db
    .selectFrom('staff_grant')
    .innerJoin('staff_role', 'slug', 'role')
    .select(columns)
    .where('staff_grant.id', '=', id)
    .executeTakeFirst()
}

/** Adds a grant. Throws the violated `staff_grant_once` if the email has the role. */
export async function insertGrant(
  tx: Tx,
  grant: { email: string; role: string; by: string; at: Temporal.Instant; expiresAt: Temporal.Instant | null },
): Promise<string> {
  const id = newTimedId()
  await tx
    .insertInto('staff_grant')
    .values({
      id,
      email: grant.email,
      role: grant.role,
      invited_by: grant.by,
      invited_at: grant.at,
      expires_at: grant.expiresAt,
    })
    .execute()
  return id
}

/** Revokes a grant past its last day, so that the email can be invited to the role again. */
export async function closeExpired(
  tx: Tx,
  { email, role, at }: { email: string; role: string; at: Temporal.Instant },
): Promise<void> {
  await tx
    .updateTable('staff_grant')
    .set({ revoked_at: at, revoked_by: 'the calendar', revoke_reason: 'Its last day was over.' })
    .where('email', '=', email)
    .where('role', '=', role)
    .where('revoked_at', 'is', null)
    .where('expires_at', '<=', at)
    .execute()
}

/**
 * Revokes a grant and returns it with the person who has it; undefined if it is revoked or unknown. Throws the violated
 * `staff_has_an_owner` for the last owner.
 */
export async function updateToRevoked(
  tx: Tx,
  { id, by, reason, at }: { id: string; by: string; reason: string; at: Temporal.Instant },
): Promise<{ email: string; role: string; issuer: string | null; subject: string | null } | undefined> {
  return tx
    .updateTable('staff_grant')
    .set({ revoked_at: at, revoked_by: by, revoke_reason: reason })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning(['email', 'role', 'issuer', 'subject'])
    .executeTakeFirst()
}

/**
 * Links open role assignments to a person and returns the roles. An email links its assignments only until the first
 * one is linked. Later assignments go to that person by issuer and subject, regardless of their current email, and to
 * no other person with the same email. `email` is the person's verified email, or null.
 */
export async function bindGrants(
  tx: Tx,
  { email, issuer, subject, at }: PersonKey & { email: string | null; at: Temporal.Instant },
): Promise<string[]> {
  const rows = await tx
    .updateTable('staff_grant')
    .set({ issuer, subject, bound_at: at })
    .where('subject', 'is', null)
    .where('revoked_at', 'is', null)
    .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', at)]))
    .where(
      sql<boolean>`case when exists (select from staff_grant bound where bound.email = staff_grant.email and bound.subject is not null and bound.revoked_at is null)
        then exists (select from staff_grant own where own.email = staff_grant.email and own.issuer = ${issuer} and own.subject = ${subject} and own.revoked_at is null)
        else email = ${email} end`,
    )
    .returning('role')
    .execute()
  return rows.map(({ role }) => role)
}

/** Records a person's sign-in, unless a later one is recorded. `usedSecondFactor` is null if it isn't reported. */
export async function updateSignedIn(
  tx: Tx,
  { issuer, subject, usedSecondFactor, at }: PersonKey & { usedSecondFactor: boolean | null; at: Temporal.Instant },
): Promise<void> {
  await tx
    .updateTable('staff_grant')
    .set({
      signed_in_at: at,
      second_factor: usedSecondFactor,
      ...(usedSecondFactor === true && { second_factor_at: at }),
    })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .where('revoked_at', 'is', null)
    .where(({ or, eb }) => or([eb('signed_in_at', 'is', null), eb('signed_in_at', '<=', at)]))
    .execute()
}

/** A person's roles now, the email of their first grant, and their settings; undefined without a grant. */
export async function selectStaff(
  db: Database,
  person: PersonKey,
  now: Temporal.Instant,
): Promise<{ email: string; roles: StaffRole[]; hasShortcuts: boolean } | undefined> {
  const rows = await currentGrants(db, person, now)
    .select(['email', ...roleColumns, hasShortcuts(person).as('hasShortcuts')])
    .orderBy('invited_at')
    .orderBy('staff_grant.id')
    .execute()
  const [first] = rows
  return first && { email: first.email, roles: rows.map(roleOf), hasShortcuts: first.hasShortcuts }
}

/**
 * Returns a person's current roles, and blocks changes to their assignments and permissions until the transaction ends.
 */
export async function lockRoles(tx: Tx, person: PersonKey, now: Temporal.Instant): Promise<StaffRole[]> {
  const rows = await currentGrants(tx, person, now).select(roleColumns).orderBy('staff_grant.id').forShare().execute()
  return rows.map(roleOf)
}

const roleColumns = ['role', 'staff_role.name as roleName', 'staff_role.permissions'] as const

/** Returns an assignment's role for permission checks. Throws for an unknown built-in role. */
export function roleOf({
  role,
  roleName,
  permissions,
}: Pick<StaffGrant, 'role' | 'roleName' | 'permissions'>): StaffRole {
  if (permissions) return { name: roleName, permissions: knownPermissions(permissions) }
  if (isBuiltIn(role)) return role
  throw new Error(`The role ${role} has no permissions.`)
}

function isBuiltIn(role: string): role is BuiltInRole {
  return (staffRoles as readonly string[]).includes(role)
}

/** A person's role assignments at `now`, excluding revoked and expired ones. */
function currentGrants(db: Database, { issuer, subject }: PersonKey, now: Temporal.Instant) {
  return db
    .selectFrom('staff_grant')
    .innerJoin('staff_role', 'slug', 'role')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .where('revoked_at', 'is', null)
    .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
}
