/**
 * The database handle. It extends Kysely's PostgreSQL dialect. Each statement is prepared once per connection under a
 * name derived from its text, because statements cost the Node thread far more than the server (see
 * docs/decisions/011-placing-an-order.md); this is off with a pooler that loses such names. Concurrent statements are
 * sent in one packet, and so is a transaction's start with its first statement. Timestamps are read and written as
 * Temporal.Instant.
 */
import { createHash } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { SpanKind } from '@opentelemetry/api'
import { Kysely, PostgresDialect, type CompiledQuery, type KyselyPlugin } from 'kysely'
import pg from 'pg'
import type { DB } from '#db/types.ts'
import { countRoundTrip, countStatement, currentSpan } from './request-scope.ts'
import { currentTraceparent, markFailed, openStep } from './tracing.ts'

/**
 * The database handle. It leaves out Kysely's methods that change its tables, because comparing their result types
 * takes the compiler six seconds for every pair of handle types.
 */
export interface Database extends Omit<
  Kysely<DB>,
  '$extendTables' | '$omitTables' | '$pickTables' | 'withPlugin' | 'withSchema' | 'withTables' | 'withoutPlugins'
> {
  withPlugin(plugin: KyselyPlugin): Database
}

/** A transaction's handle, which every function that takes a `Database` accepts too. */
export interface Tx extends Database {
  readonly isTransaction: true
  transaction(): never
  startTransaction(): never
  connection(): never
  destroy(): never
}

const int8 = 20
const numeric = 1700
const timestamptz = 1184
const date = 1082

/** The timeouts for database operations, in milliseconds. */
export type Patience = {
  /** For a connection, new or from the pool. */
  connectMs: number
  /** For a statement's result. */
  statementMs: number
  /** For a lock held by another session. */
  lockMs: number
  /**
   * Between two statements of a transaction. The server then ends it, so that a dead process doesn't hold its locks.
   */
  idleInTransactionMs: number
}

/** A pooler between a process and PostgreSQL that may give every transaction another session. Null: none. */
export type Pooler = {
  /** Whether a statement prepared by name in one transaction is still there in the next. */ prepares: boolean
} | null

type PoolSettings = { size?: number; application?: string; patience?: Patience | undefined; pooler?: Pooler }

/**
 * Opens a pool of `size` connections on `url`. Without `patience`, statements have no timeout, and getting a connection
 * can take a minute. With a `pooler`, the server's timeouts come from the role (role-limits.ts). Close it with
 * `db.destroy()`.
 */
export function createDatabase(url: string, settings: PoolSettings = {}): Database {
  const pool = createPool(url, settings, { pipeline: true })
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: preparing(pool, settings.pooler?.prepares ?? true) }),
  })
  pools.set(db, pool)
  return db
}

const pools = new WeakMap<Database, pg.Pool>()

/** The number of connections, how many of them are idle, and how many statements wait for one. */
export function poolState(db: Database): { total: number; idle: number; waiting: number } | undefined {
  const pool = pools.get(db)
  return pool && { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }
}

/** A plain pool with the same types, for the few places that do not use Kysely. */
export function createPool(
  url: string,
  { size = 10, application = 'sidewall', patience, pooler = null }: PoolSettings = {},
  { pipeline = false }: { pipeline?: boolean } = {},
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    pipeline,
    max: size,
    application_name: application,
    types: { getTypeParser },
    connectionTimeoutMillis: patience?.connectMs ?? 60_000,
    idleTimeoutMillis: 30_000,
    ...(!pooler && (patience ? limitsOf(patience) : { options: unlimited })),
    // The server's own limits apply first. This one covers a server that hangs or a connection that is cut silently.
    ...(patience && { query_timeout: patience.statementMs + silenceMs }),
  })
  // A connection can die with the server, while idle or between two statements. The pool replaces it, the next
  // statement fails, and the process carries on.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', () => {})
    cutWhenSilent(client)
  })
  return pool
}

/** The limits as parameters of a session, in milliseconds. */
export function limitsOf(patience: Patience) {
  return {
    statement_timeout: patience.statementMs,
    lock_timeout: patience.lockMs,
    idle_in_transaction_session_timeout: patience.idleInTransactionMs,
  }
}

/** For connections without `patience`, because the role can have default limits. */
export const unlimited = '-c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0'

/** Extra time for the server's own timeout error to arrive. */
const silenceMs = 1_000

/**
 * After a statement timeout, pg reports the error but retains the connection, and later statements wait behind it.
 * Closing the connection makes the pool discard it, and later statements fail immediately.
 */
function cutWhenSilent(client: pg.PoolClient): void {
  client.query = new Proxy(client.query, {
    apply(query, self, input) {
      const answer: unknown = Reflect.apply(query, self, input)
      if (answer instanceof Promise) {
        answer.catch((error: unknown) => {
          if (isSilence(error)) socketOf(client).destroy()
        })
      }
      return answer
    },
  })
}

function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout'
}

function socketOf(client: pg.PoolClient): Duplex {
  return (client as unknown as { connection: pg.Connection }).connection.stream
}

/** Runs `work` in the transaction `db`, or in a new one if `db` is not a transaction. */
export function inTransaction<Value>(db: Database, work: (tx: Tx) => Promise<Value>): Promise<Value> {
  return db.isTransaction ? work(db as Tx) : db.transaction().execute(work)
}

/** The name of the constraint that rejected a statement, or undefined for any other error. */
export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError && error.code?.startsWith('23') ? error.constraint : undefined
}

/** Returns whether PostgreSQL rolled the transaction back to resolve a deadlock. See `retryDeadlocks`. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '40P01'
}

/**
 * SQLSTATE codes for shutting down, starting, too many connections, connection lost, unreachable, statement, lock, or
 * idle timeout, and out of disk or memory.
 */
const unavailableCodes = new Set(
  '57P01 57P02 57P03 53300 3D000 08006 08001 08003 57014 55P03 25P03 53000 53100 53200'.split(' '),
)

/**
 * Whether the database was unreachable, did not answer in time, or cannot take writes now, so that trying again may
 * help.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return unavailableCodes.has(error.code ?? '')
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return (
    ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT'].includes(code) ||
    isSilence(error) ||
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
      error.message,
    )
  )
}

function getTypeParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  // Keys and amounts stay far below 2^53; exact fractions are not stored as numeric.
  if (oid === int8 || oid === numeric) return Number
  if (oid === timestamptz)
    return (text) => (text.endsWith('infinity') ? text : Temporal.Instant.from(text.replace(' ', 'T')))
  if (oid === date) return (text) => text
  return pg.types.getTypeParser(oid, format) as (text: string) => unknown
}

const names = new Map<string, string>()

function statementName(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined) return known
  // Lists of varying length produce endless distinct statements; past this many they go unnamed rather than fill the
  // server's memory.
  if (names.size >= 2_000) return undefined
  const name = createHash('sha1').update(text).digest('base64url')
  names.set(text, name)
  return name
}

function parameter(value: unknown): unknown {
  return value instanceof Temporal.Instant || value instanceof Temporal.PlainDate || value instanceof Temporal.PlainTime
    ? value.toString()
    : value
}

/**
 * Returns `pool` in the form that Kysely takes. It uses only `connect` and `end`, and a client's `query` and `release`.
 */
export function preparing(pool: pg.Pool, isByName: boolean) {
  return {
    options: {},
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect()
      let isPacketOpen = false
      const send = (text: string, values: readonly unknown[] = []) => {
        if (!isPacketOpen) {
          isPacketOpen = true
          countRoundTrip()
          const socket = socketOf(client)
          socket.cork()
          // After everything that is ready to be sent by now.
          process.nextTick(() => {
            isPacketOpen = false
            socket.uncork()
          })
        }
        const name = isByName && values.length > 0 ? statementName(text) : undefined
        return client.query({ ...(name ? { name } : {}), text, values: values.map(parameter) })
      }
      let begins = false
      let waiting: { text: string; values: readonly unknown[] }[] = []
      return {
        release: (isDiscarded?: boolean) => client.release(isDiscarded),
        query(text: unknown, values: readonly unknown[] = []): never {
          if (typeof text !== 'string') return client.query(text as never)
          if (text === 'begin') {
            begins = true
            return nothing as never
          }
          if (values[0] === withNext) {
            waiting.push({ text, values: values.slice(1) })
            return nothing as never
          }
          const earlier = text === 'rollback' ? [] : waiting
          const isFirst = begins
          ;[begins, waiting] = [false, []]
          if (isFirst && earlier.length === 0 && (text === 'commit' || text === 'rollback')) return nothing as never
          const all = [...earlier, { text, values }]
          for (const _ of all) countStatement()
          if (isFirst) all.unshift({ text: beginning(), values: [] })
          const answers = all.map((statement) => traced(statement.text, () => send(statement.text, statement.values)))
          return Promise.all(answers).then((answered) => answered.at(-1)) as never
        },
      } as never
    },
  }
}

/** Starts a transaction and sets the current trace for its triggers, which save it with queued work. */
function beginning(): string {
  const traceparent = currentTraceparent()
  return traceparent === undefined ? 'begin' : `begin; set local sidewall.traceparent = '${traceparent}'`
}

/**
 * A span of a statement, by what it does to which table and the name it is prepared under (`pg_prepared_statements`):
 * neither its text, which may hold constants, nor its values.
 */
function traced<Value>(text: string, send: () => Promise<Value>): Promise<Value> {
  if (!currentSpan()) return send()
  const span = openStep({
    name: summaryOf(text),
    kind: SpanKind.CLIENT,
    attributes: { 'db.system.name': 'postgresql' },
  })
  if (!span) return send()
  const name = names.get(text)
  if (name !== undefined) span.setAttribute('db.statement.name', name)
  const answer = send()
  answer.then(
    () => span.end(),
    (error: unknown) => {
      markFailed(span, error)
      span.end()
    },
  )
  return answer
}

const writes = /\b(?:(insert) into|(delete) from|(?<!for |key )(update)) "?([a-z_]{1,63})/
const reads = /\bfrom "?([a-z_]{1,63})/

/**
 * Returns a statement's summary in two words, such as `insert sales_order`, with its first written table, or else its
 * first read table.
 */
function summaryOf(text: string): string {
  const begun = text.slice(0, 2_000)
  const [, insert, remove, update, table] = writes.exec(begun) ?? []
  if (table !== undefined) return `${insert ?? remove ?? update} ${table}`
  const from = reads.exec(begun)?.[1]
  return from === undefined ? (/[a-z]+/.exec(begun)?.[0] ?? 'statement') : `select ${from}`
}

const nothing = Promise.resolve({ command: '', rowCount: null, rows: [] })

// The server bundle has its own copy of this module, different from the one that opened the pool.
const withNext = Symbol.for('sidewall.with-next')

/**
 * Sends a transaction's statement in one packet with its next one, which can be the commit and fails if this one does.
 * For writes without a needed result.
 */
export async function sendWithNext(tx: Tx, query: { compile(db: Database): CompiledQuery }): Promise<void> {
  const compiled = query.compile(tx)
  await tx.executeQuery({ ...compiled, parameters: [withNext, ...compiled.parameters] })
}
