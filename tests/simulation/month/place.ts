/**
 * The environment of a month, with PostgreSQL, web, worker, and sandbox processes on one simulated clock, and the
 * users.
 */
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { seed } from '#db/seed/seed.ts'
import { moveParcels } from '#domain/ordering/orders/orders.testing.ts'
import { joinShop } from '#domain/installer-portal/work-orders/work-orders.testing.ts'
import { migrate } from '#platform/migrate.ts'
import { newId } from '#platform/ids.ts'
import type { TestDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { popularTires } from '#tests/support/items.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { createVisitor, signInAt, signInToOffice, signInToPortal, type Visitor } from '#tests/support/visitor.ts'
import { oneNetwork } from '../../faults/drills/orders-meanwhile.ts'
import {
  createCluster,
  makeFolder,
  openDatabase,
  reachPrograms,
  startServer,
  type Server,
} from '../../faults/drills/postgres-server.ts'
import { createFakedClock, type FakedClock } from './faked-clock.ts'
import { beforeMembers, joinMembers } from './members.ts'
import type { Buyer } from './ways.ts'

export type Place = AsyncDisposable & {
  start: Temporal.Instant
  clock: FakedClock
  store: RunningStore
  database: TestDatabase
  /** Restarts PostgreSQL immediately, without notifying its sessions. */
  restartDatabase(): Promise<void>
  /** The tires on sale. */
  items: readonly number[]
  /** Units of them in our own warehouses before anything was counted or sold. */
  unitsAtStart: number
  /** The sandbox's data file. */
  sandboxFile: string
  /** The ZIP codes of shops and vans, where the shoppers live. */
  homes: readonly { zip: string; city: string; state: string }[]
  people: People
}

export type People = Record<Exclude<Buyer, 'guest'>, Visitor> & { staff: Visitor; owner: Visitor; technician: Visitor }

/**
 * Test data must survive the server's crash but not a power failure. Timers are off because one can interrupt
 * libfaketime reading its file, which aborts the session and all others.
 */
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  deadlock_timeout: '2147483647',
}

/** Opens the demo's store as of `start`; `tires` is what must be on the shelves for the month. */
export async function openPlace(
  library: string,
  { start, tires }: { start: Temporal.Instant; tires: number },
): Promise<Place> {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await createTemporaryFolder())
  await chmod(folder.path, 0o755)
  const clock = await createFakedClock(library, folder.path, beforeMembers(start))
  const cluster = opened.use(await openCluster(folder.path, clock))
  const { database } = cluster
  await migrate(database.url)
  await seed(database.url, { scale: 'small', now: start, log: () => {} })
  await settleSamples(database, start)
  const files = join(folder.path, 'files')
  const store = opened.use(await startStore({ database, env: environmentOf(clock, files), from: 'sources' }))
  await joinMembers(store, clock)
  await clock.to(start)
  const people = await openPeople(store, database)
  const items = await popularTires(database.db, 6)
  const unitsAtStart = await unitsOf(database, items)
  await stockUp(store, { items, staff: people.staff, tires })
  const homes = await readHomes(database)
  const all = opened.move()
  return {
    start,
    clock,
    store,
    database,
    items,
    unitsAtStart,
    sandboxFile: join(files, 'sandbox.sqlite'),
    people,
    homes,
    restartDatabase: () => cluster.restart(),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/** The settings of every process of a month. */
function environmentOf(clock: FakedClock, files: string): Record<string, string> {
  const monthModules = new URL('./month-modules.ts', import.meta.url).href
  return {
    ...oneNetwork,
    ...clock.env,
    DATA_DIR: files,
    NODE_OPTIONS: `--import ${monthModules}`,
    // The longest there are, as no timer of PostgreSQL is to end.
    DATABASE_STATEMENT_SECONDS: '600',
    DATABASE_LOCK_SECONDS: '600',
    DATABASE_IDLE_TRANSACTION_SECONDS: '600',
    DATABASE_JOB_STATEMENT_SECONDS: '3600',
    // A parcel takes a day.
    SANDBOX_CARRIER_PACE_SECONDS: String(11 * 3_600),
  }
}

async function openCluster(folder: string, clock: FakedClock) {
  const at = (name: string) => join(folder, name)
  const programs = await reachPrograms(folder)
  await mkdir(folder, { recursive: true })
  for (const name of ['socket', 'data']) await makeFolder(at(name))
  const [port = 0] = await freePorts(1)
  await createCluster(programs, at('data'))
  const start = () => startServer(programs, { data: at('data'), port, socket: at('socket'), settings, env: clock.env })
  let server: Server = await start()
  const maintenance = openDatabase(server.url.replace(/sidewall$/, 'postgres'))
  await sql`create database sidewall`.execute(maintenance.db)
  await maintenance[Symbol.asyncDispose]()
  return {
    database: openDatabase(server.url),
    async restart() {
      await server.kill()
      // Its sessions end a moment later. Until then a new server refuses to start.
      server = await eventually('PostgreSQL', () => start().catch(unlessInUse))
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

function unlessInUse(error: unknown): undefined {
  if (!String(error).includes('still in use')) throw error
}

/** Delivers the demo's packages immediately because the carrier and the providers don't know the samples. */
async function settleSamples({ db }: TestDatabase, at: Temporal.Instant): Promise<void> {
  const parcels = await db
    .selectFrom('shipment')
    .innerJoin('sales_order', 'sales_order.id', 'shipment.order_id')
    .select(['shipment.order_id as orderId'])
    .distinct()
    .where('sales_order.state', '=', 'confirmed')
    .where('shipment.state', 'in', ['processed', 'pending-pickup', 'in-transit'])
    .execute()
  for (const { orderId } of parcels) await moveParcels({ db }, orderId, 'delivered', at)
}

/** Staff and the people of shops sign in each morning, each in a browser of the day. */
export async function signIn(store: RunningStore, people: People): Promise<void> {
  const [staff, owner, technician] = [createVisitor(), createVisitor(), createVisitor()]
  Object.assign(people, { staff, owner, technician })
  signIns.set(staff, () => signInToOffice(store.origin, staff, { again: true }))
  signIns.set(owner, () => signInToPortal(store.origin, owner))
  signIns.set(technician, () => signInToPortal(store.origin, technician, 'technician@example.com'))
  for (const visitor of [staff, owner, technician]) await signIns.get(visitor)?.()
}

/** How each user signs in. Some actions require a recent sign-in. */
const signIns = new WeakMap<Visitor, () => Promise<unknown>>()

/** Signs in the companies' buyers again before their sessions expire. */
export async function signInBuyers({ origin }: RunningStore, people: People): Promise<void> {
  Object.assign(people, { 'on-terms': createVisitor(), 'at-resolve': createVisitor() })
  await signInAt(origin, people['on-terms'], { email: 'sol@example.com' })
  await signInAt(origin, people['at-resolve'], { email: 'felix@example.com' })
}

async function openPeople(store: RunningStore, database: TestDatabase): Promise<People> {
  const visitor = createVisitor
  const people = {
    staff: visitor(),
    owner: visitor(),
    technician: visitor(),
    'on-terms': visitor(),
    'at-resolve': visitor(),
  }
  await signIn(store, people)
  await signInBuyers(store, people)
  const shops = await database.db.selectFrom('shop').select('id').where('active', '=', true).execute()
  for (const email of ['shop-owner@example.com', 'technician@example.com'])
    for (const { id: shopId } of shops) await joinShop(database, { shopId, email })
  const form = { status: 'approved', line: '9000000' }
  await createVisitor().ask(`${store.sandboxOrigin}/resolve/customers/GRNTdelivery`, { form })
  const company = await companyOf(database, 'sol@example.com')
  await granted(people.staff, `${store.origin}/office/companies/${company}`, {
    intent: 'terms',
    days: '30',
    limit: '5000000',
  })
  return people
}

/** The company of a person. */
export async function companyOf({ db }: TestDatabase, email: string): Promise<string> {
  const { company_id: id } = await db
    .selectFrom('company_member')
    .innerJoin('account', 'account.id', 'account_id')
    .select('company_id')
    .where('account.email', '=', email)
    .executeTakeFirstOrThrow()
  return id
}

/** Submits a form that must succeed. Signs in and retries if required. */
export async function granted(visitor: Visitor, url: string, form: Record<string, string>): Promise<string> {
  const next = await post(visitor, url, form)
  if (!next.includes('/sign-in?')) return next
  await signIns.get(visitor)?.()
  const second = await post(visitor, url, form)
  if (second.includes('/sign-in?')) throw new Error(`${url} ${JSON.stringify(form)}: sign in first`)
  return second
}

async function post(visitor: Visitor, url: string, form: Record<string, string>): Promise<string> {
  const answer = await visitor.ask(url, { form })
  if (answer.status !== 303)
    throw new Error(`${url} ${JSON.stringify(form)}: ${answer.status} ${await wordsOf(answer)}`)
  await answer.body?.cancel()
  return answer.headers.get('location') ?? ''
}

async function wordsOf(answer: Response): Promise<string> {
  const html = (await answer.text()).replaceAll(/<(?:script|style)[^]*?<\/(?:script|style)>/g, '')
  const alert = /role="alert"[^]*/.exec(html)?.[0] ?? html
  return alert
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .slice(0, 400)
}

/** Units free to sell in our own warehouses. */
export async function unitsOf({ db }: TestDatabase, items: readonly number[]): Promise<number> {
  const { units } = await db
    .selectFrom('stock')
    .innerJoin('warehouse', 'warehouse.id', 'warehouse_id')
    .select(({ fn }) => fn.sum<string>('on_hand').as('units'))
    .where('item_id', 'in', items)
    .where('supplier_id', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(units)
}

/** Adjusts the stock in every warehouse with the items. */
async function stockUp(
  { origin, database: { db } }: RunningStore,
  { items, staff, tires }: { items: readonly number[]; staff: Visitor; tires: number },
): Promise<void> {
  const places = await db
    .selectFrom('stock')
    .innerJoin('warehouse', 'warehouse.id', 'warehouse_id')
    .select(['item_id as id', 'warehouse_id as warehouseId'])
    .where('item_id', 'in', items)
    .where('supplier_id', 'is', null)
    .execute()
  for (const { id, warehouseId } of places) {
    const counted = { warehouse: String(warehouseId), reason: 'count', units: String(Math.min(100_000, tires)) }
    await granted(staff, `${origin}/office/stock/${id}`, { intent: 'adjust', key: newId(), ...counted, note: '' })
  }
}

async function readHomes({ db }: TestDatabase): Promise<Place['homes']> {
  return db
    .selectFrom('shop')
    .innerJoin('zip', 'zip.zip', 'shop.zip')
    .select(['zip.zip', 'zip.city', 'zip.state'])
    .distinct()
    .where('shop.active', '=', true)
    .orderBy('zip.zip')
    .execute()
}
