/**
 * Session limits as defaults of a role. A client cannot set limits on a session that a pooler lends it for one
 * transaction: PgBouncer refuses them at connection, and later settings leak to the next client. So they belong to the
 * role, in this database only; direct connections set their own, which take precedence.
 */
import { sql } from 'kysely'
import pg from 'pg'
import { limitsOf, type Database, type Patience } from '#platform/db.ts'
import type { Log } from '#platform/log.ts'
import { PlainError } from '#platform/plain-error.ts'

/** The role that `url` connects as, by the driver's rules. */
export function roleOf(url: string): string {
  return new pg.Client({ connectionString: url }).user ?? ''
}

/**
 * Sets `patience` as the default of `role` in the database of `client`, for new sessions. Throws a `PlainError` with
 * the command to run instead if the role doesn't exist or `client` can't change it.
 */
export async function limitRole(client: pg.ClientBase, role: string, patience: Patience): Promise<void> {
  const { rows } = await client.query<{ name: string }>('select current_database() as name')
  const target = `alter role ${pg.escapeIdentifier(role)} in database ${pg.escapeIdentifier(rows[0]?.name ?? '')}`
  const statements = Object.entries(limitsOf(patience)).map(
    ([name, milliseconds]) => `${target} set ${name} = ${milliseconds}`,
  )
  try {
    for (const statement of statements) await client.query(statement)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new PlainError(
      `The role in DATABASE_URL cannot be given its limits (${reason}). Let someone who may run: ${statements.join('; ')}`,
      { cause },
    )
  }
}

/** Logs the `patience` timeouts that sessions of `db` lack. Without them, statements can hang. */
export async function warnOfMissingLimits({ db, log }: { db: Database; log: Log }, patience: Patience): Promise<void> {
  const missing = await findMissingLimits(db, patience).catch(() => [])
  if (missing.length === 0) return
  log.error(
    { missing },
    'the role in DATABASE_URL is without its limits: run `npm run migrate` with the settings of this process, then let the pooler reconnect',
  )
}

/** The limits of `patience`, by name, that sessions of `db` lack, with their actual values. */
async function findMissingLimits(
  db: Database,
  patience: Patience,
): Promise<{ name: string; wanted: number; found: number }[]> {
  const wanted = limitsOf(patience)
  const { rows } = await sql<{ name: keyof typeof wanted; found: number }>`
    select name, setting::int as found from pg_settings where name = any(${Object.keys(wanted)})`.execute(db)
  return rows.map((row) => ({ ...row, wanted: wanted[row.name] })).filter((limit) => limit.found !== limit.wanted)
}
