import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { Logger, runMigrations } from 'graphile-worker'
import pg, { type ClientBase } from 'pg'
import { createPool, unlimited, type Patience } from './db.ts'
import { PlainError } from './plain-error.ts'
import { limitRole } from './role-limits.ts'
import { readTextFile } from './text-file.ts'

/** PostgreSQL 18 brought `without overlaps`, which the tables of shop hours and prices use. README.md names the same. */
export const oldestVersion = 18
const migrationsFolder = new URL('../db/migrations/', import.meta.url)

export type MigrateOptions = { folder?: URL; limits?: { role: string; patience: Patience } | undefined }

/** An arbitrary number, the same for every migrating process. */
const lock = 4_070_501

/**
 * Applies the .sql files of `folder` to the database at `databaseUrl` in name order, each once and in its own
 * transaction, then creates the job queue's tables. Returns the names of the newly applied files. Safe to run
 * concurrently. One process works, and the others wait. Throws a `PlainError` for a changed applied file, a failed
 * file, or an unusable database. The lock belongs to the session, so the URL must not use a pooler in transaction mode.
 * `limits` are the limits for the role that does.
 */
export async function migrate(
  databaseUrl: string,
  { folder = migrationsFolder, limits }: MigrateOptions = {},
): Promise<{ applied: string[] }> {
  const client = await connect(databaseUrl)
  try {
    await client.query('select pg_advisory_lock($1)', [lock])
    await client.query(
      'create table if not exists schema_migration (name text primary key, sha256 text not null, applied_at timestamptz not null default now())',
    )
    const { rows } = await client.query<{ name: string; sha256: string }>('select name, sha256 from schema_migration')
    const known = new Map(rows.map((row) => [row.name, row.sha256]))
    const applied: string[] = []
    for (const name of (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()) {
      const text = await readTextFile(new URL(name, folder))
      const sha256 = createHash('sha256').update(text).digest('hex')
      if (known.has(name)) refuseChange(name, known.get(name) === sha256)
      else applied.push(await apply(client, { name, text, sha256 }))
    }
    await migrateQueue(databaseUrl)
    if (limits) await limitRole(client, limits.role, limits.patience)
    return { applied }
  } finally {
    await client.end()
  }
}

/** Whether a newer release than this one has migrated the database of `client`. */
export async function isOfNewerRelease(client: ClientBase): Promise<boolean> {
  const known = (await readdir(migrationsFolder)).filter((file) => file.endsWith('.sql'))
  const { rowCount } = await client.query('select from schema_migration where name <> all ($1) limit 1', [known])
  return rowCount !== 0
}

/** The job queue creates its own tables. */
async function migrateQueue(databaseUrl: string): Promise<void> {
  const pool = createPool(databaseUrl, { size: 1, application: 'sidewall migrate' })
  try {
    await runMigrations({ pgPool: pool, logger: new Logger(() => () => {}) })
  } finally {
    await pool.end()
  }
}

async function connect(databaseUrl: string): Promise<pg.Client> {
  try {
    const client = new pg.Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: 10_000,
      application_name: 'sidewall migrate',
      options: unlimited,
    })
    await client.connect()
    const fault = await findFault(client)
    if (fault === undefined) return client
    await client.end()
    throw new PlainError(fault)
  } catch (error) {
    if (error instanceof PlainError) throw error
    if (error instanceof Error && error.message.startsWith('unsupported startup parameter'))
      throw new PlainError(
        'DATABASE_URL leads through a pooler. Set DATABASE_DIRECT_URL to the address of the server itself.',
        { cause: error },
      )
    throw new PlainError(`The database in DATABASE_URL cannot be used: ${describe(error)}.`, { cause: error })
  }
}

/** Why a reachable database cannot be used for the store; undefined if it can. */
async function findFault(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ version: string; encoding: string; name: string }>(
    "select current_setting('server_version') as version, current_setting('server_encoding') as encoding, current_database() as name",
  )
  const { version = '', encoding = '', name = '' } = rows[0] ?? {}
  if (Number.parseInt(version, 10) < oldestVersion)
    return `The database is PostgreSQL ${version}; version ${oldestVersion} or newer is needed.`
  if (encoding === 'UTF8') return undefined
  return `The database ${name} is encoded in ${encoding}; UTF8 is needed. Make another: create database ${name}_utf8 encoding 'UTF8' template template0.`
}

function refuseChange(name: string, same: boolean): void {
  if (same) return
  throw new PlainError(
    `The migration ${name} was changed after it had been applied to this database. Restore it and write a new migration.`,
  )
}

async function apply(client: pg.Client, migration: { name: string; text: string; sha256: string }): Promise<string> {
  try {
    await client.query('begin')
    await client.query(migration.text)
    await client.query('insert into schema_migration (name, sha256) values ($1, $2)', [
      migration.name,
      migration.sha256,
    ])
    await client.query('commit')
    return migration.name
  } catch (error) {
    throw new PlainError(`The migration ${migration.name} failed and was rolled back: ${describe(error)}.`, {
      cause: error,
    })
  }
}

function describe(error: unknown): string {
  // A host name with several addresses fails once per address, in an AggregateError without a message.
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error]
  return first instanceof Error ? first.message : String(first)
}
