/**
 * The permissions of the store database's roles, except its owner, who migrates. The application reads and writes rows
 * but doesn't change tables. Readers see reporting data without keys (docs/runbooks/database-roles.md).
 */
import pg from 'pg'
import { PlainError } from '#platform/plain-error.ts'

export type StoreRoles = { app?: string | undefined; read?: string | undefined }

/**
 * Tables that readers can't see, because a cart's ID or a session's row would allow acting as its owner. Includes all
 * tables with names that start with `cart`.
 */
export const withheldTables: readonly string[] = [
  'account_session',
  'agent_session',
  'idempotency_key',
  'military_attempt',
  'office_session',
  'portal_session',
  'punchout_session',
  'purchasing_message',
  'purchasing_secret',
  'purchasing_system',
  'shop_feed',
  'sign_in_attempt',
]

/**
 * Columns of other tables that name a cart or a session, and thus its key, or that hold a key. Readers get the other
 * columns.
 */
const keyColumns = '(^|_)(cart_id|cart_key|session_id|code_verifier|tokens?|token_hash|secret|secret_hash)$'

/**
 * Grants the roles their permissions in one transaction and revokes their previous ones. `client` is the owner. Run it
 * after each migration, because new tables have no grants. Throws a `PlainError` for a role that doesn't exist, owns
 * the tables, or is a superuser, which ignores grants.
 */
export async function grantRoles(client: pg.ClientBase, { app, read }: StoreRoles): Promise<void> {
  for (const role of [app, read]) if (role !== undefined) await requireOrdinary(client, role)
  if (app !== undefined && app === read) throw new PlainError('The application and readers need a role each.')
  await client.query('begin')
  try {
    await client.query('revoke create on schema public from public')
    if (app !== undefined) await grantToApp(client, pg.escapeIdentifier(app))
    if (read !== undefined) await grantToReaders(client, pg.escapeIdentifier(read))
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

async function grantToApp(client: pg.ClientBase, role: string): Promise<void> {
  for (const schema of ['public', 'graphile_worker']) {
    await client.query(`revoke all on all tables in schema ${schema} from ${role}`)
    await client.query(`grant usage on schema ${schema} to ${role}`)
    await client.query(`grant select, insert, update, delete on all tables in schema ${schema} to ${role}`)
    await client.query(`grant usage, select on all sequences in schema ${schema} to ${role}`)
    await client.query(`grant execute on all functions in schema ${schema} to ${role}`)
  }
  await letThroughQueue(client, role)
  // Which migrations were applied is the owner's to write.
  await client.query(`revoke insert, update, delete on schema_migration from ${role}`)
}

/** The queue's tables have row security without policies, so only their owner can read rows. */
async function letThroughQueue(client: pg.ClientBase, role: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'graphile_worker'::regnamespace and relrowsecurity`,
  )
  for (const { name } of rows) {
    const table = `graphile_worker.${pg.escapeIdentifier(name)}`
    await client.query(`drop policy if exists ${role} on ${table}`)
    await client.query(`create policy ${role} on ${table} to ${role} using (true) with check (true)`)
  }
}

async function grantToReaders(client: pg.ClientBase, role: string): Promise<void> {
  await client.query(`revoke all on all tables in schema public, graphile_worker from ${role}`)
  await client.query(`grant usage on schema public to ${role}`)
  const { rows } = await client.query<{ name: string; columns: string[] | null }>(
    `select relname as name, case when bool_or(attname ~ $2) then array_agg(attname::text order by attnum) filter (where attname !~ $2) end as columns
     from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm')
       and relname not like 'cart%' and relname <> all ($1) group by relname order by relname`,
    [withheldTables, keyColumns],
  )
  for (const { name, columns } of rows) {
    const named = columns === null ? '' : `(${columns.map((column) => pg.escapeIdentifier(column)).join(', ')})`
    await client.query(`grant select ${named} on ${pg.escapeIdentifier(name)} to ${role}`)
  }
  await client.query(
    `alter role ${role} in database ${await databaseOf(client)} set default_transaction_read_only = on`,
  )
}

async function databaseOf(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ name: string }>('select current_database() as name')
  return pg.escapeIdentifier(rows[0]?.name ?? '')
}

async function requireOrdinary(client: pg.ClientBase, role: string): Promise<void> {
  const { rows } = await client.query<{ rolsuper: boolean; owns: boolean }>(
    `select rolsuper, pg_has_role(oid, (select relowner from pg_class where oid = 'schema_migration'::regclass), 'usage') as owns
     from pg_roles where rolname = $1`,
    [role],
  )
  const [found] = rows
  if (!found)
    throw new PlainError(`Role not found: ${role}. Create it first with create role ${role} login password '…'.`)
  if (found.rolsuper) throw new PlainError(`The role ${role} is a superuser, which no grant holds. Choose another.`)
  if (found.owns)
    throw new PlainError(`The role ${role} owns the store's tables, and could change them. Choose another.`)
}
