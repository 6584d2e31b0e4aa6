/**
 * The limits of a session as defaults of a role. A session that a pooler lends out for one transaction cannot be given
 * limits by who borrows it: PgBouncer refuses them when a connection is made, and what is set later stays behind for
 * the next borrower. So they belong to the role, in this database only; whoever connects directly says its own, which
 * come first.
 */
import { sql } from 'kysely'
import pg from 'pg'
import { limitsOf, type Database, type Patience } from '#platform/db.ts'
import { PlainError } from '#platform/plain-error.ts'

/** The role that `url` connects as, by the rules of the driver. */
export function roleOf(url: string): string {
  return new pg.Client({ connectionString: url }).user ?? ''
}

/**
 * Makes `patience` the default of `role` in the database of `client`, for sessions that begin from now on. Refuses,
 * with a `PlainError` that says what to run instead, a role that is not there or that the one of `client` may not
 * change.
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
      `The role in DATABASE_URL cannot be given its limits (${reason}). Let somebody who may run: ${statements.join('; ')}`,
      { cause },
    )
  }
}

/** The limits of `patience`, by name, that sessions of `db` do not have, with what they have instead. */
export async function findMissingLimits(
  db: Database,
  patience: Patience,
): Promise<{ name: string; wanted: number; found: number }[]> {
  const wanted = limitsOf(patience)
  const { rows } = await sql<{ name: keyof typeof wanted; found: number }>`
    select name, setting::int as found from pg_settings where name = any(${Object.keys(wanted)})`.execute(db)
  return rows.map((row) => ({ ...row, wanted: wanted[row.name] })).filter((limit) => limit.found !== limit.wanted)
}
