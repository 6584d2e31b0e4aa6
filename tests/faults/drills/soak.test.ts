/**
 * `npm run drill -- soak` runs SOAK_MINUTES (120) with SOAK_ORDERS (4) whole orders and 20 pages per second, about half
 * the capacity of two cores. Memory, open files, and connections stay level, no request fails, no job is late, and the
 * database cost per order is constant. Also reports the stored size of an order by table.
 */
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as later } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { verify } from '#tests/support/invariants.ts'
import { activeItems } from '#tests/support/items.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { browse, pagesOf, waitsOf } from './browse.ts'
import { startBuyers } from './start-buyers.ts'
import { oneNetwork } from './orders-meanwhile.ts'
import { report } from './report.ts'
import { growthOf, type Sample } from './soak-growth.ts'
import { openInventory } from '#tests/support/inventory.ts'

const minutes = Number(process.env['SOAK_MINUTES'] ?? 120)
const ordersPerSecond = Number(process.env['SOAK_ORDERS'] ?? 4)
/** How often it is looked at, in seconds. */
const lookEvery = 60
/**
 * By how much the second half may grow, by its trend, in parts of its mean. In less than an hour caches still fill and
 * few minutes make a trend, so three times as much may be chance.
 */
const chance = minutes < 60 ? 3 : 1
const mostGrowth = {
  memory: 0.1 * chance,
  files: 0.1 * chance,
  connections: 0.1 * chance,
  'bytes an order': 0.15 * chance,
}

test('a long soak at half load leaves the store healthy', { timeout: (minutes + 20) * 60_000 }, async () => {
  await using store = await startStore({
    env: { ...oneNetwork, BUSY_AFTER_SECONDS: '1', PROXY_HOPS: '1', RELEASE_AFTER_SECONDS: '20', DATABASE_POOL: '8' },
  })
  const { db } = store.database
  const { id: itemId } = await activeItems(db).orderBy('item.id').executeTakeFirstOrThrow()
  await db.deleteFrom('stock').where('item_id', '=', itemId).execute()
  await db.insertInto('stock').values({ item_id: itemId, warehouse_id: 1, on_hand: 1_000_000 }).execute()
  await openInventory(db)
  const before = await tableSizes(store)
  const pages = await pagesOf(store)
  const shoppers = browse(() => pages)
  const buyers = startBuyers({
    origin: store.origin,
    sandboxOrigin: store.sandboxOrigin,
    itemId,
    buyers: Math.round(minutes * 60 * ordersPerSecond),
    seconds: minutes * 60,
  })
  const samples: Sample[] = []
  const look = async () => void samples.push(await takeSample(store))
  for (let second = 0; second < minutes * 60; second += lookEvery) {
    await look()
    await Promise.race([later(lookEvery * 1_000), buyers])
  }
  const sold = await buyers
  const browsed = await shoppers.stop()
  const { ordered = 0, ...refused } = sold.ends
  const grown = growthOf(samples.slice(Math.floor(samples.length / 2)))
  const { rows: overdue } = await sql<{ jobs: number }>`
    select count(*)::int as jobs from graphile_worker._private_jobs
    where run_at < now() - interval '1 minute' and attempts = 0`.execute(db)
  const waits = waitsOf(sold.waits)
  await sql`vacuum analyze`.execute(db)

  await report('soak', {
    minutes,
    ordered,
    refused: JSON.stringify(refused),
    'answers to come again': sold.busyAnswers,
    'wait for an answer, ms (half, 99 of 100, longest)': `${waits.p50}, ${waits.p99}, ${waits.longest}`,
    'browsing, ms': `${browsed.p50}, ${browsed.p99}, ${browsed.longest}`,
    'pages that failed': shoppers.failures.length,
    'jobs that wait too long': overdue[0]?.jobs ?? 0,
    ...Object.fromEntries(
      Object.entries(grown).map(([what, { first, last, growth }]) => [
        what,
        `${first} to ${last}, trend ${Math.round(growth * 1_000) / 10}% over the second half`,
      ]),
    ),
    ...leftBehind(before, await tableSizes(store), ordered),
  })

  expect(refused).toEqual({})
  expect(shoppers.failures).toEqual([])
  expect(overdue).toEqual([{ jobs: 0 }])
  for (const [what, most] of Object.entries(mostGrowth))
    for (const [name, { growth }] of Object.entries(grown).filter(([each]) => each.startsWith(what)))
      expect({ name, isLevel: growth <= most, growth }).toMatchObject({ name, isLevel: true })
  expect(await verify(db, Temporal.Now.instant())).toEqual([])
})

async function takeSample(store: RunningStore): Promise<Sample> {
  const { db } = store.database
  const of = async (name: 'web' | 'worker') => {
    const status = await readFile(`/proc/${store.pid(name)}/status`, 'utf8')
    const files = await readdir(`/proc/${store.pid(name)}/fd`)
    return { megabytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024, files: files.length }
  }
  const [web, worker] = [await of('web'), await of('worker')]
  const { rows } = await sql<{ connections: number; bytes: number; orders: number }>`
    select (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
      pg_database_size(current_database()) as bytes, (select count(*)::int from sales_order) as orders`.execute(db)
  const { connections = 0, bytes = 0, orders = 0 } = rows[0] ?? {}
  return {
    'memory of web, MB': Math.round(web.megabytes),
    'memory of worker, MB': Math.round(worker.megabytes),
    'files of web': web.files,
    'files of worker': worker.files,
    connections,
    bytes,
    orders,
  }
}

type Size = { rows: number; bytes: number }

/** Rows and bytes, indexes and long values included, of each table. */
async function tableSizes({ database: { db } }: RunningStore): Promise<Map<string, Size>> {
  await sql`vacuum analyze`.execute(db)
  const { rows } = await sql<Size & { name: string }>`
    select nspname || '.' || relname as name, greatest(reltuples, 0)::int as rows, pg_total_relation_size(c.oid) as bytes
    from pg_class c join pg_namespace n on n.oid = relnamespace
    where relkind = 'r' and nspname in ('public', 'graphile_worker')`.execute(db)
  return new Map(rows.map(({ name, ...size }) => [name.replace('public.', ''), size]))
}

/** What an order leaves in each table that grew by more than 20 bytes an order, largest first. */
function leftBehind(before: Map<string, Size>, after: Map<string, Size>, orders: number): Record<string, string> {
  const grown = [...after].map(([name, { rows, bytes }]) => {
    const then = before.get(name) ?? { rows: 0, bytes: 0 }
    return { name, rows: rows - then.rows, bytes: bytes - then.bytes }
  })
  const all = grown.reduce((sum, { bytes }) => sum + bytes, 0)
  return Object.fromEntries([
    ['an order leaves, bytes', String(Math.round(all / orders))],
    ...grown
      .filter(({ bytes }) => bytes / orders > 20)
      .toSorted((a, b) => b.bytes - a.bytes)
      .map(({ name, rows, bytes }) => [
        `- ${name}`,
        `${Math.round(bytes / orders)} bytes in ${(rows / orders).toFixed(2)} rows`,
      ]),
  ])
}
