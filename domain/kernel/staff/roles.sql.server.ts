/** The statements for the store's own roles. */
import type { OwnRole } from './roles.ts'
import { knownPermissions } from './roles.ts'
import { roleOf } from './grants.sql.server.ts'
import type { StaffRole } from './permissions.ts'
import type { Database, Tx } from '#platform/db.ts'

/** Every role that people can be invited to, by name. */
export function selectRoleNames(db: Database): Promise<{ slug: string; name: string; isBuiltIn: boolean }[]> {
  return db
    .selectFrom('staff_role')
    .select(({ eb }) => ['slug', 'name', eb('permissions', 'is', null).as('isBuiltIn')])
    .where('retired_at', 'is', null)
    .orderBy('name')
    .limit(200)
    .$castTo<{ slug: string; name: string; isBuiltIn: boolean }>()
    .execute()
}

/** Returns a role, built-in or not; undefined for an unknown or retired one. */
export async function selectRole(db: Database, slug: string): Promise<StaffRole | undefined> {
  const row = await db
    .selectFrom('staff_role')
    .select(['slug as role', 'name as roleName', 'permissions'])
    .where('slug', '=', slug)
    .where('retired_at', 'is', null)
    .executeTakeFirst()
  return row && roleOf(row)
}

/** The store's own roles that are not retired, by name; only the one of `slug` if it is given. */
export async function selectOwnRoles(db: Database, slug: string | null): Promise<OwnRole[]> {
  const rows = await db
    .selectFrom('staff_role')
    .select(({ selectFrom }) => [
      'slug',
      'name',
      'permissions',
      'version',
      'changed_at as changedAt',
      'changed_by as changedBy',
      selectFrom('staff_grant')
        .select(({ fn }) => fn.countAll<number>().as('people'))
        .whereRef('role', '=', 'slug')
        .where('revoked_at', 'is', null)
        .as('people'),
      selectFrom('api_client')
        .select(({ fn }) => fn.countAll<number>().as('clients'))
        .whereRef('role', '=', 'slug')
        .where('revoked_at', 'is', null)
        .as('clients'),
    ])
    .where('retired_at', 'is', null)
    .where('permissions', 'is not', null)
    .$if(slug !== null, (query) => query.where('slug', '=', slug))
    .orderBy('name')
    .limit(200)
    .execute()
  return rows.map(({ permissions, changedAt, changedBy, people, clients, ...row }) => ({
    ...row,
    permissions: knownPermissions(permissions ?? []),
    changedAt: changedAt ?? Temporal.Instant.fromEpochMilliseconds(0),
    changedBy: changedBy ?? '',
    people: people ?? 0,
    clients: clients ?? 0,
  }))
}

type Saved = { slug: string; name: string; permissions: readonly string[]; by: string; at: Temporal.Instant }

/** Adds a role. Throws the violated `staff_role_named_once` for a name that another role has, or `staff_role_pkey`. */
export async function insertRole(tx: Tx, { slug, name, permissions, by, at }: Saved): Promise<void> {
  await tx
    .insertInto('staff_role')
    .values({ slug, name, permissions: [...permissions], changed_by: by, changed_at: at })
    .execute()
}

/** Changes a role that still has this version; false if it does not. Throws the violated `staff_role_named_once`. */
export async function updateRole(
  tx: Tx,
  { slug, name, permissions, version, by, at }: Saved & { version: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('staff_role')
    .set({ name, permissions: [...permissions], version: version + 1, changed_by: by, changed_at: at })
    .where('slug', '=', slug)
    .where('version', '=', version)
    .where('permissions', 'is not', null)
    .where('retired_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Retires a custom role; false if it is already retired or built-in. */
export async function retireRoleRow(tx: Tx, { slug, by, at }: Pick<Saved, 'slug' | 'by' | 'at'>): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('staff_role')
    .set({ retired_at: at, changed_by: by, changed_at: at })
    .where('slug', '=', slug)
    .where('permissions', 'is not', null)
    .where('retired_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
