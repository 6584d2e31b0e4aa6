import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { Logger, runMigrations } from 'graphile-worker'
import pg from 'pg'
import { PlainError } from './plain-error.ts'

const oldestVersion = 15
/** Any number will do as long as every process that migrates takes the same. */
const lock = 4_070_501

/**
 * Brings the database at `databaseUrl` to what `folder` says: its .sql files in the order of their names, each in a transaction, each once;
 * then the tables of the job queue. Returns the names of the files applied now. Any number may run at once: one works, the others wait for it.
 * An applied file stays as it was. Refuses, with a `PlainError`, a changed one, a failing one, and a database it cannot use.
 * The lock belongs to the session, so the address must not lead through a pool that shares sessions between transactions.
 */
export async function migrate(databaseUrl: string, folder = new URL('../db/migrations/', import.meta.url)): Promise<{ applied: string[] }> {
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
      const text = await readFile(new URL(name, folder), 'utf8')
      const sha256 = createHash('sha256').update(text).digest('hex')
      if (known.has(name)) refuseChange(name, known.get(name) === sha256)
      else applied.push(await apply(client, { name, text, sha256 }))
    }
    await runMigrations({ connectionString: databaseUrl, logger: silent })
    return { applied }
  } finally {
    await client.end()
  }
}

const silent = new Logger(() => () => {})

async function connect(databaseUrl: string): Promise<pg.Client> {
  try {
    const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000, application_name: 'sidewall migrate' })
    await client.connect()
    const { rows } = await client.query<{ server_version: string }>('show server_version')
    const version = rows[0]?.server_version ?? ''
    if (Number.parseInt(version, 10) >= oldestVersion) return client
    await client.end()
    throw new PlainError(`The database is PostgreSQL ${version}; version ${oldestVersion} or newer is needed.`)
  } catch (error) {
    if (error instanceof PlainError) throw error
    throw new PlainError(`The database in DATABASE_URL cannot be used: ${describe(error)}.`, { cause: error })
  }
}

function refuseChange(name: string, same: boolean): void {
  if (same) return
  throw new PlainError(`The migration ${name} was changed after it had been applied to this database. Put it back as it was, and write a new one.`)
}

async function apply(client: pg.Client, migration: { name: string; text: string; sha256: string }): Promise<string> {
  try {
    await client.query('begin')
    await client.query(migration.text)
    await client.query('insert into schema_migration (name, sha256) values ($1, $2)', [migration.name, migration.sha256])
    await client.query('commit')
    return migration.name
  } catch (error) {
    throw new PlainError(`The migration ${migration.name} failed and nothing of it was kept: ${describe(error)}.`, { cause: error })
  }
}

function describe(error: unknown): string {
  // A host name with several addresses fails once for each, under one error without a message.
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error]
  return first instanceof Error ? first.message : String(first)
}
