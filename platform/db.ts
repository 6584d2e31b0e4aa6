/**
 * The database handle. Two things are added to Kysely's PostgreSQL dialect: every statement is prepared once per connection under a name made
 * from its text (a statement costs the Node thread far more than the server, see docs/performance), and instants travel as Temporal.Instant.
 */
import { createHash } from 'node:crypto'
import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { DB } from '#db/types.ts'

export type Database = Kysely<DB>
export type Tx = Transaction<DB>

const int8 = 20
const numeric = 1700
const timestamptz = 1184
const date = 1082

/** Opens a pool of `size` connections on `url`. Close it with `db.destroy()`. */
export function createDatabase(url: string, { size = 10, application = 'sidewall' }: { size?: number; application?: string } = {}): Database {
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool: preparing(createPool(url, { size, application })) }) })
}

/** A bare pool with the same types, for the few places that do not go through Kysely. */
export function createPool(url: string, { size = 10, application = 'sidewall' }: { size?: number; application?: string } = {}): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    application_name: application,
    types: { getTypeParser },
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
  })
  // A connection may die with the server: while it is idle, or in use between two statements. The pool replaces it, the statement that follows fails,
  // and the process goes on.
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  return pool
}

/** The name of the constraint that refused a statement, or undefined when the failure was something else. */
export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError && error.code?.startsWith('23') ? error.constraint : undefined
}

/** Whether PostgreSQL ended a transaction of two that waited for each other. Nothing of it was written: it can begin again at once. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '40P01'
}

/** Whether the database could not be reached, or gave up a statement because it is stopping: worth saying "try again" for. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return ['57P01', '57P02', '57P03', '53300', '3D000', '08006', '08001', '08003'].includes(error.code ?? '')
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return (
    ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT'].includes(code) ||
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(error.message)
  )
}

function getTypeParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  // Keys and amounts stay far below 2^53; exact fractions are not stored as numeric.
  if (oid === int8 || oid === numeric) return Number
  if (oid === timestamptz) return (text) => (text.endsWith('infinity') ? text : Temporal.Instant.from(text.replace(' ', 'T')))
  if (oid === date) return (text) => text
  return pg.types.getTypeParser(oid, format) as (text: string) => unknown
}

const names = new Map<string, string>()

function statementName(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined) return known
  // Lists of changing length make endless texts; past this many, statements go unnamed rather than fill the server's memory.
  if (names.size >= 2_000) return undefined
  const name = createHash('sha1').update(text).digest('base64url')
  names.set(text, name)
  return name
}

function parameter(value: unknown): unknown {
  return value instanceof Temporal.Instant || value instanceof Temporal.PlainDate || value instanceof Temporal.PlainTime ? value.toString() : value
}

/** Kysely asks its pool only for `connect` and `end`, and a client only for `query` and `release`. */
function preparing(pool: pg.Pool) {
  return {
    options: {},
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect()
      return {
        release: () => client.release(),
        query(text: unknown, values?: readonly unknown[]): never {
          if (typeof text !== 'string') return client.query(text as never)
          const name = values && values.length > 0 ? statementName(text) : undefined
          return client.query({ ...(name ? { name } : {}), text, values: (values ?? []).map(parameter) }) as never
        },
      } as never
    },
  }
}
