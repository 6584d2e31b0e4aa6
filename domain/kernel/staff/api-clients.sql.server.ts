/** The statements for API clients. */
import type { ApiClient, ApiClientChange, ApiClientDraft } from './api-clients.ts'
import { roleOf } from './grants.sql.server.ts'
import type { StaffRole } from './permissions.ts'
import type { Database, Tx } from '#platform/db.ts'

const columns = [
  'api_client.id',
  'client_id as clientId',
  'api_client.name',
  'role',
  'staff_role.name as roleName',
  'api_client.version',
  'added_at as addedAt',
  'added_by as addedBy',
  'last_used_at as lastUsedAt',
  'revoked_at as revokedAt',
] as const

/** The newest 200 API clients, those that are revoked last; only the one with this id if it is given. */
export async function selectClients(db: Database, id: string | null): Promise<ApiClient[]> {
  return db
    .selectFrom('api_client')
    .innerJoin('staff_role', 'slug', 'role')
    .select(columns)
    .$if(id !== null, (query) => query.where('api_client.id', '=', id))
    .orderBy(({ eb }) => eb('revoked_at', 'is not', null))
    .orderBy('added_at', 'desc')
    .limit(200)
    .execute()
}

/** Returns the name of the team member who added an API client. */
export async function findClientOwner(db: Database, id: string): Promise<string | undefined> {
  const row = await db.selectFrom('api_client').select('added_by as addedBy').where('id', '=', id).executeTakeFirst()
  return row?.addedBy
}

/** Adds an API client. Throws the violated `api_client_once` for a client ID that is there. */
export async function insertClient(
  tx: Tx,
  { id, issuer, clientId, name, role, by, at }: ApiClientDraft & By & { id: string; issuer: string },
): Promise<void> {
  await tx
    .insertInto('api_client')
    .values({
      id,
      issuer,
      client_id: clientId,
      name,
      role,
      added_at: at,
      added_by: by,
      changed_at: at,
      changed_by: by,
    })
    .execute()
}

type By = { by: string; at: Temporal.Instant }

/** Changes an API client that still has this version; false if it does not, or is revoked. */
export async function updateClient(
  tx: Tx,
  { id, name, role, version, by, at }: ApiClientChange & By & { id: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('api_client')
    .set({ name, role, version: version + 1, changed_at: at, changed_by: by })
    .where('id', '=', id)
    .where('version', '=', version)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Revokes an API client and returns its name; undefined if it is revoked or unknown. */
export async function updateClientToRevoked(
  tx: Tx,
  { id, by, at }: By & { id: string },
): Promise<{ name: string; clientId: string } | undefined> {
  return tx
    .updateTable('api_client')
    .set({ revoked_at: at, changed_at: at, changed_by: by })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning(['name', 'client_id as clientId'])
    .executeTakeFirst()
}

/** Returns the API client with its role by provider ID; undefined if it doesn't exist or is revoked. */
export async function selectClientByProvider(
  db: Database,
  { issuer, clientId }: { issuer: string; clientId: string },
): Promise<{ id: string; name: string; role: StaffRole; lastUsedAt: Temporal.Instant | null } | undefined> {
  const row = await db
    .selectFrom('api_client')
    .innerJoin('staff_role', 'slug', 'role')
    .select([
      'api_client.id',
      'api_client.name',
      'role',
      'staff_role.name as roleName',
      'staff_role.permissions',
      'last_used_at as lastUsedAt',
    ])
    .where('issuer', '=', issuer)
    .where('client_id', '=', clientId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return row && { id: row.id, name: row.name, role: roleOf(row), lastUsedAt: row.lastUsedAt }
}

/** Returns an API client's role under a share lock, like a staff member's role. Undefined if the client was revoked. */
export async function lockClientRole(tx: Tx, id: string): Promise<StaffRole | undefined> {
  const row = await tx
    .selectFrom('api_client')
    .innerJoin('staff_role', 'slug', 'role')
    .select(['role', 'staff_role.name as roleName', 'staff_role.permissions'])
    .where('api_client.id', '=', id)
    .where('revoked_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  return row && roleOf(row)
}

/** Notes that an API client was used, unless that was noted within the last minute. */
export async function updateLastUsed(db: Database, id: string, at: Temporal.Instant): Promise<void> {
  await db
    .updateTable('api_client')
    .set({ last_used_at: at })
    .where('id', '=', id)
    .where(({ or, eb }) => or([eb('last_used_at', 'is', null), eb('last_used_at', '<', at.subtract({ minutes: 1 }))]))
    .execute()
}
