/**
 * A database that tests use one after the other. After each test its rows and sequences are restored, which takes a
 * fifth of the time of a new copy, and the sessions keep their prepared statements, compiled functions and caches.
 */
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { DB } from '#db/types.ts'
import { createPool, preparing, type Database } from '#platform/db.ts'

/** Where the template's rows are copied to, one table for each that has any. */
const originals = 'test_originals'

/** After this many tests, dead rows cost more than a new copy. */
const maxUses = 60

/** How long a test may go on using its connections after its end, in milliseconds. */
const patienceMs = 10_000

export type WarmDatabase = {
  url: string
  /** For one test. Closing it gives the connections back. */
  open(): Database
  /** Restores everything. Returns false if that is impossible, and then the database has to be dropped. */
  reset(): Promise<boolean>
  close(): Promise<void>
}

/** Copies a template's rows to where `reset` finds them. Call it once, without other connections. */
export async function keepOriginals(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`create schema ${originals}`)
    const { rows } = await client.query<{ oid: string; name: string }>(tablesQuery)
    for (const { oid, name } of rows) {
      const { rowCount } = await client.query(`select from ${name} limit 1`)
      if (rowCount !== 0) await client.query(`create table ${originals}.t${oid} as table ${name}`)
    }
    await client.query(`create table ${originals}.sequence (oid oid, value bigint, called boolean, last bigint)`)
    const sequenceNames = await client.query<{ oid: string; name: string }>(
      'select seqrelid as oid, seqrelid::regclass::text as name from pg_sequence',
    )
    for (const { oid, name } of sequenceNames.rows)
      await client.query(
        `insert into ${originals}.sequence select ${oid}, last_value, is_called, pg_sequence_last_value(${oid}) from ${name}`,
      )
  } finally {
    await client.end()
  }
}

const isOurs = `nspname not in ('pg_catalog', 'pg_toast', 'information_schema', '${originals}')`
const tablesQuery = `select pg_class.oid, pg_class.oid::regclass::text as name from pg_class
  join pg_namespace on pg_namespace.oid = relnamespace where relkind = 'r' and ${isOurs} order by pg_class.oid`

/** Connects to a copy of a template that has its originals. */
export async function openWarmDatabase(url: string): Promise<WarmDatabase> {
  const keeper = new pg.Client({ connectionString: url })
  keeper.on('error', () => {})
  await keeper.connect()
  const pool = createPool(withKeptPlans(url), { size: 5, application: warmSession }, { pipeline: true })
  const tables = await readTables(keeper)
  let uses = 0
  let counted = await countWrites(keeper)
  let newestXid = await readNewestXid(keeper)
  const reset = async (): Promise<boolean> => {
    uses += 1
    if (uses >= maxUses || !(await settle(pool, keeper))) return false
    const written = await countWrites(keeper)
    const changed = [...written].filter(([oid, writes]) => writes !== (counted.get(oid) ?? 0)).map(([oid]) => oid)
    const kinds = changed.map((oid) => tables.get(oid))
    // More than rows changed, such as a table, a function, a trigger, or statistics.
    if (kinds.includes(undefined) || written.size !== counted.size || (await hasOwnSettings(keeper))) return false
    await keeper.query(putBack(kinds as Table[], newestXid))
    counted = await countWrites(keeper)
    newestXid = await readNewestXid(keeper)
    return true
  }
  return {
    url,
    open: () =>
      new Kysely<DB>({ dialect: new PostgresDialect({ pool: { ...preparing(pool, true), end: async () => {} } }) }),
    reset: () => reset().catch(() => false),
    async close() {
      await Promise.all([pool.end(), keeper.end()])
    },
  }
}

const warmSession = 'warm'

/**
 * Sessions keep each plan from the first call, as production's do from the sixth. That takes less time, and detects
 * statements that fail with a kept plan.
 */
function withKeptPlans(url: string): string {
  const kept = new URL(url)
  kept.searchParams.set('options', '-c plan_cache_mode=force_generic_plan')
  return kept.href
}

/**
 * Once the test's connections are free, closes additional ones, and resets the sessions except for prepared statements
 * and caches. Returns false if the test still uses a connection.
 */
async function settle(pool: pg.Pool, keeper: pg.Client): Promise<boolean> {
  const deadline = performance.now() + patienceMs
  while (pool.idleCount < pool.totalCount || pool.waitingCount > 0) {
    if (performance.now() > deadline) return false
    await new Promise((resolve) => void setTimeout(resolve, 5))
  }
  const { rowCount } = await keeper.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
        and application_name <> '${warmSession}'`,
  )
  if (rowCount === null) return false
  const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()))
  await Promise.all(clients.map((client) => client.query(asNew)))
  for (const client of clients) client.release()
  return true
}

const asNew = `reset session authorization; reset all; unlisten *; close all; discard sequences; discard temp;
  select pg_advisory_unlock_all(); select pg_stat_force_next_flush()`

/** The rows ever written, by table. */
async function countWrites(keeper: pg.Client): Promise<Map<string, number>> {
  await keeper.query('select pg_stat_force_next_flush()')
  const { rows } = await keeper.query<{ oid: string; writes: string }>(
    `select pg_class.oid, pg_stat_get_tuples_inserted(pg_class.oid) + pg_stat_get_tuples_updated(pg_class.oid)
        + pg_stat_get_tuples_deleted(pg_class.oid) as writes
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where relkind = 'r' and not relisshared and nspname not in ('information_schema', '${originals}')`,
  )
  return new Map(rows.map(({ oid, writes }) => [oid, Number(writes)]))
}

async function readNewestXid(keeper: pg.Client): Promise<string> {
  const { rows } = await keeper.query<{ xid: string }>('select pg_snapshot_xmax(pg_current_snapshot()) as xid')
  return rows[0]?.xid ?? '0'
}

async function hasOwnSettings(keeper: pg.Client): Promise<boolean> {
  const { rowCount } = await keeper.query(
    'select from pg_db_role_setting join pg_database on pg_database.oid = setdatabase where datname = current_database()',
  )
  return rowCount !== 0
}

/** `original` is the table with its saved rows, or null without saved rows. Names are quoted for SQL. */
type Table = { name: string; original: string | null; columns: string; key: string[] }

async function readTables(keeper: pg.Client): Promise<Map<string, Table>> {
  const { rows } = await keeper.query<Table & { oid: string }>(
    `select pg_class.oid, pg_class.oid::regclass::text as name,
        to_regclass('${originals}.t' || pg_class.oid)::text as original,
        (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
          where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
        array(select quote_ident(attname) from pg_index join pg_attribute on attrelid = indrelid and attnum = any(indkey)
          where indrelid = pg_class.oid and indisprimary) as key
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace where relkind = 'r' and ${isOurs}`,
  )
  return new Map(rows.map(({ oid, ...table }) => [oid, table]))
}

/** Deletes rows of transactions since `newestXid` and restores missing original rows. */
function putBack(tables: readonly Table[], newestXid: string): string {
  const statements = tables.flatMap(({ name, original, columns, key }) => {
    if (original === null) return [`delete from ${name}`]
    const rows = `insert into ${name} (${columns}) overriding system value select ${columns} from ${original} original`
    if (key.length === 0) return [`delete from ${name}`, rows]
    const same = key.map((column) => `now.${column} = original.${column}`).join(' and ')
    return [
      `delete from ${name} where xmin::text::bigint >= ${newestXid}`,
      `${rows} where not exists (select from ${name} now where ${same})`,
    ]
  })
  // Triggers and foreign keys have their say when the template is made.
  return ['begin', 'set local session_replication_role = replica', ...statements, sequences, 'commit'].join(';\n')
}

const sequences = `select setval(seqrelid, original.value, original.called) from ${originals}.sequence original
  join pg_sequence on seqrelid = original.oid where pg_sequence_last_value(seqrelid) is distinct from original.last`
