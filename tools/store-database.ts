import pg from 'pg'
import { PlainError } from '#platform/plain-error.ts'
import { findAddress } from './postgres.ts'

/**
 * Returns the database URL for staff commands: DATABASE_DIRECT_URL or DATABASE_URL, otherwise the one that `npm start`
 * uses in DATA_DIR. Throws a `PlainError` if there is no URL or the database doesn't respond.
 */
export async function findStoreDatabase(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const given = env.DATABASE_DIRECT_URL || env.DATABASE_URL
  const url = given || (await findAddress(env.DATA_DIR || '.data'))
  if (!url)
    throw new PlainError(
      "There is no database here: start the store with `npm start`, or set DATABASE_URL to the address of the store's database.",
    )
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  try {
    await client.connect()
  } catch (cause) {
    const [first] = cause instanceof AggregateError ? (cause.errors as unknown[]) : [cause]
    const reason = first instanceof Error ? first.message : String(first)
    throw new PlainError(
      given
        ? `The database in DATABASE_URL cannot be used: ${reason}.`
        : `The store does not run: start it with \`npm start\` (${reason}).`,
      {
        cause,
      },
    )
  } finally {
    await client.end().catch(() => {})
  }
  return url
}
