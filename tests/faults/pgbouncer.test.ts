/**
 * The running product with PgBouncer in transaction mode in front of its database. Runs where PGBOUNCER names the
 * program, as `npm run test:long` does where it is installed (Debian: `apt-get install pgbouncer`).
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, createPool } from '#platform/db.ts'
import { eventually } from '#tests/support/eventually.ts'
import { verify } from '#tests/support/invariants.ts'
import { runNode } from '../../tools/package-program.ts'
import { startPgBouncer, type PgBouncer } from './pgbouncer.ts'
import type { ReadyCart } from './ready-cart.ts'
import { holdLock, openStartedStore, type StartedStore } from './started-store.ts'

const limits = { DATABASE_STATEMENT_SECONDS: '2', DATABASE_LOCK_SECONDS: '1', DATABASE_IDLE_TRANSACTION_SECONDS: '2' }
const { PGBOUNCER: program = 'pgbouncer' } = process.env

let bouncer: PgBouncer
let store: StartedStore
let env: Record<string, string>
beforeAll(async () => {
  store = await openStartedStore({
    env: async (url) => {
      bouncer = await startPgBouncer(program, url)
      env = { ...limits, DATABASE_URL: bouncer.url, DATABASE_DIRECT_URL: url, RELEASE_AFTER_SECONDS: '1' }
      const { code, output } = await migrateAs(env)
      if (code !== 0) throw new Error(output)
      return env
    },
  })
})
afterAll(async () => {
  await store[Symbol.asyncDispose]()
  await bouncer[Symbol.asyncDispose]()
})

test('many shoppers buy through a few shared sessions, and their orders are charged and shipped', async () => {
  const carts: ReadyCart[] = []
  for (let shopper = 0; shopper < 12; shopper++) carts.push(await store.prepare())
  const orders = await Promise.all(carts.map((cart) => store.press(cart)))
  expect(orders).toEqual(carts.map(() => ({ orderId: expect.any(Number) as number })))
  const ids = orders.flatMap((order) => ('orderId' in order ? [order.orderId] : []))
  await eventually('delivery of every order', async () => {
    const shipments = await store.db.selectFrom('shipment').select('state').where('order_id', 'in', ids).execute()
    return shipments.length >= ids.length && shipments.every(({ state }) => state === 'delivered')
  })
  expect(await verify(store.db, Temporal.Now.instant())).toEqual([])
  expect(store.output('web') + store.output('worker')).toBe('')
})

test('the server times out waiting for a stuck lock', async () => {
  const cart = await store.prepare()
  await using _lock = await holdLock(store.db, 'lock table cart in access exclusive mode')
  expect(await store.press(cart)).toMatchObject({ status: 503 })
  const waiting =
    await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      store.db,
    )
  expect(waiting.rows).toEqual([])
})

test('the server itself ends long statements and idle transactions in time', async () => {
  const pool = createPool(bouncer.url, { size: 1, pooler: { prepares: false } })
  const session = await pool.connect()
  try {
    await expect(session.query('select pg_sleep(60)')).rejects.toThrow('canceling statement due to statement timeout')
    await session.query('begin; select pg_advisory_xact_lock(42)')
    const holders = () => sql`select from pg_locks where locktype = 'advisory' and objid = 42`.execute(store.db)
    expect((await holders()).rows).toHaveLength(1)
    await eventually('end of the silent transaction', async () => (await holders()).rows.length === 0)
  } finally {
    session.release(true)
    await pool.end()
  }
})

test('direct connections have no limits, although the role does', async () => {
  await using db = createDatabase(store.database.url, { size: 1 })
  const { rows } =
    await sql`select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`.execute(
      db,
    )
  expect(rows).toEqual([{ statement: '0', lock: '0' }])
})

test('only the worker’s sessions hold locks beyond a transaction, and a killed worker’s jobs continue', async () => {
  const holders = async () => {
    const { rows } = await sql<{ name: string }>`
      select distinct application_name as name from pg_stat_activity join pg_locks using (pid)
      where locktype = 'advisory' and state = 'idle' and datname = current_database()`.execute(store.db)
    return rows.map(({ name }) => name)
  }
  await eventually('lock of the worker', async () => (await holders()).length > 0)
  expect(await holders()).toEqual(['sidewall-worker'])
  await store.kill('worker')
  await eventually('end of its locks', async () => (await holders()).length === 0)
  const placed = await store.press(await store.prepare())
  await store.revive('worker')
  await eventually('charge', async () => {
    const { rows } =
      await sql`select from sales_order where id = ${'orderId' in placed ? placed.orderId : 0} and released_at is not null`.execute(
        store.db,
      )
    return rows.length === 1
  })
})

test('migrations bypass it repeatedly, and refuse to go through it', async () => {
  for (let round = 0; round < 3; round++) expect(await migrateAs(env)).toMatchObject({ code: 0 })
  expect(await migrateAs({ ...env, DATABASE_DIRECT_URL: '' })).toEqual({
    code: 1,
    output: 'DATABASE_URL leads through a pooler. Set DATABASE_DIRECT_URL to the address of the server itself.\n',
  })
})

test('a web process reports limits missing from the role', async () => {
  const db = store.database.db
  await sql`alter role current_user in database ${sql.id(new URL(store.database.url).pathname.slice(1))} reset statement_timeout`.execute(
    db,
  )
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'sidewall' and pid <> pg_backend_pid()`.execute(db)
  await store.revive('second')
  expect(store.output('second')).toMatch(/"name":"statement_timeout".*run `npm run migrate`/)
})

function migrateAs(settings: Record<string, string>) {
  return runNode(['tools/migrate.ts'], { env: { ...process.env, ...settings } })
}
