/** Custom roles, which owners compose from permissions, change and retire. */
import { recordAct, type Actor } from './audit.server.ts'
import { lockStaff } from './grants.sql.server.ts'
import { requireFreshOrScope, requireGiveable, type ManageRefusal, type NotGivenByPrograms } from './grants.server.ts'
import { roleSlug, type OwnRole, type RoleDraft } from './roles.ts'
import { insertRole, retireRoleRow, selectOwnRoles, selectRoleNames, updateRole } from './roles.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock }

/** Lists assignable roles by slug and name, including built-in ones. */
export function listRoleNames({ db }: Pick<Deps, 'db'>): ReturnType<typeof selectRoleNames> {
  return selectRoleNames(db)
}

/** Lists the store's own roles by name. */
export function listOwnRoles({ db }: Pick<Deps, 'db'>): Promise<OwnRole[]> {
  return selectOwnRoles(db, null)
}

/** Returns one of the store's own roles; undefined for any other short name and for a retired one. */
export async function findOwnRole({ db }: Pick<Deps, 'db'>, slug: string): Promise<OwnRole | undefined> {
  return (await selectOwnRoles(db, slug))[0]
}

/** Adds a role and returns its short name. Refuses `name-taken`, `not-given-by-programs`, and as `requireFreshOrScope`. */
export async function addRole(
  { db, clock }: Deps,
  by: Actor,
  { name, permissions }: RoleDraft,
): Promise<Outcome<{ slug: string }, ManageRefusal | NotGivenByPrograms | Refused<'name-taken'>>> {
  const at = clock.now()
  const slug = roleSlug(name)
  try {
    return await db.transaction().execute(async (tx) => {
      await lockStaff(tx)
      const permitted = await requireFreshOrScope(tx, by, 'staff.manage', at)
      if (!permitted.ok) return permitted
      const mayGive = await requireGiveable(tx, by, permissions)
      if (!mayGive.ok) return mayGive
      await insertRole(tx, { slug, name, permissions, by: by.name, at })
      await recordAct(tx, {
        by,
        act: 'role.added',
        fresh: permitted.value,
        subject: name,
        after: recorded(permissions),
        at,
      })
      return ok({ slug })
    })
  } catch (error) {
    if (isNameTaken(error)) return refused('name-taken')
    throw error
  }
}

/**
 * Changes a role for all its members, effective immediately. Refuses with `gone`, `changed-meanwhile` for an outdated
 * form, `name-taken`, `not-given-by-programs` for permissions that a program may not add, and `has-clients`, because no
 * program changes its own role or another program's.
 */
export async function changeRole(
  { db, clock }: Deps,
  by: Actor,
  slug: string,
  { name, permissions, version }: RoleDraft,
): Promise<
  Outcome<
    null,
    | ManageRefusal
    | NotGivenByPrograms
    | Refused<'gone'>
    | Refused<'changed-meanwhile'>
    | Refused<'name-taken'>
    | Refused<'has-clients'>
  >
> {
  const at = clock.now()
  try {
    return await db.transaction().execute(async (tx) => {
      await lockStaff(tx)
      const permitted = await requireFreshOrScope(tx, by, 'staff.manage', at)
      if (!permitted.ok) return permitted
      const [before] = await selectOwnRoles(tx, slug)
      if (!before) return refused('gone')
      if (by.via === 'api' && before.clients > 0) return refused('has-clients')
      const added = permissions.filter((permission) => !before.permissions.includes(permission))
      const mayGive = await requireGiveable(tx, by, added)
      if (!mayGive.ok) return mayGive
      if (!(await updateRole(tx, { slug, name, permissions, version, by: by.name, at })))
        return refused('changed-meanwhile')
      await recordAct(tx, {
        by,
        act: 'role.changed',
        fresh: permitted.value,
        subject: name,
        before: { name: before.name, ...recorded(before.permissions) },
        after: { name, ...recorded(permissions) },
        at,
      })
      return ok(null)
    })
  } catch (error) {
    if (isNameTaken(error)) return refused('name-taken')
    throw error
  }
}

/** Retires a role that no person and no API client has. Refuses `gone` and `in-use`. */
export async function retireRole(
  { db, clock }: Deps,
  by: Actor,
  slug: string,
): Promise<Outcome<null, ManageRefusal | Refused<'gone'> | Refused<'in-use', Pick<OwnRole, 'people' | 'clients'>>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    await lockStaff(tx)
    const permitted = await requireFreshOrScope(tx, by, 'staff.manage', at)
    if (!permitted.ok) return permitted
    const [role] = await selectOwnRoles(tx, slug)
    if (!role) return refused('gone')
    const { people, clients } = role
    if (people + clients > 0) return refused('in-use', { people, clients })
    await retireRoleRow(tx, { slug, by: by.name, at })
    await recordAct(tx, {
      by,
      act: 'role.retired',
      fresh: permitted.value,
      subject: role.name,
      before: recorded(role.permissions),
      at,
    })
    return ok(null)
  })
}

const recorded = (permissions: readonly string[]) => ({ permissions: permissions.join(', ') })

/** The short name of a role follows from its name, so either may be taken. */
function isNameTaken(error: unknown): boolean {
  return ['staff_role_named_once', 'staff_role_pkey'].includes(violatedConstraint(error) ?? '')
}
