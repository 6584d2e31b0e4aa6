/**
 * `npm run drill -- replica` reads the catalog from a streaming replica. Its replay pauses while prices and stock
 * change, then it is killed and returns. Shoppers always see correct data within the limit plus a second.
 */
import { setTimeout as later } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { seed } from '#db/seed/seed.ts'
import { announceCatalogChange } from '#domain/catalog/catalog/catalog.server.ts'
import { createDatabase, type Database } from '#platform/db.ts'
import { migrate } from '#platform/migrate.ts'
import { eventually } from '#tests/support/eventually.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { findParts } from './debian-parts.ts'
import { stockPlenty } from '../ready-cart.ts'
import { oneNetwork, orderMeanwhile, secondsBetween } from './orders-meanwhile.ts'
import { startCluster, startReplica, type Cluster, type FreeReplica } from './patroni-cluster.ts'
import { openDatabase } from './postgres-server.ts'
import { report } from './report.ts'

/** The bound that the store is given. */
const lagSeconds = 2

type Seen = { unitCents: number; units: number }

test('shoppers see correct data in time, whatever the replica does', { timeout: 900_000 }, async () => {
  await using folder = await createTemporaryFolder()
  const parts = await findParts(folder.path)
  await using cluster = await startCluster(parts)
  await migrate(cluster.url)
  await seed(cluster.url, { scale: 'small', now: Temporal.Now.instant(), log: () => {} })
  await using replica = await startReplica(parts, cluster)
  // The worker takes the next one.
  const [metricsPort = 0] = await freePorts(2)
  await using store = await startStore({
    database: openDatabase(cluster.url),
    env: {
      ...oneNetwork,
      DATABASE_REPLICA_URL: replica.url,
      DATABASE_REPLICA_LAG_SECONDS: String(lagSeconds),
      METRICS_PORT: String(metricsPort),
    },
  })
  const { db } = store.database
  const tire = await oneTire(db)
  const metrics = () => readMetrics(metricsPort)

  const following = await seeChanges(store, tire)
  expect((await metrics()).replica).toBeGreaterThan(0)
  const share = await shareOfReplica(cluster, replica, () => shopFor(store, 30))

  const paused = await whilePaused(replica, async () => {
    const first = await seeChanges(store, tire)
    // The data no longer changes, but the limit has passed.
    await later((lagSeconds + 1) * 1_000)
    const before = await metrics()
    const second = await seeChanges(store, tire)
    const after = await metrics()
    expect(after.lagSeconds).toBeGreaterThan(lagSeconds)
    expect(after.replica).toBe(before.replica)
    expect(after.primary).toBeGreaterThan(before.primary)
    return Math.max(first, second)
  })

  await replica.kill()
  const killedAt = Temporal.Now.instant()
  const slowest = await slowestAnswer(store, tire)
  const killed = await seeChanges(store, tire)
  expect((await metrics()).lagSeconds).toBe(-1)
  await replica.revive()
  const answered = (await metrics()).replica
  await eventually('reading from the replica that came back', async () => {
    await seeChanges(store, tire)
    return (await metrics()).replica > answered
  })
  const backAfter = secondsBetween(killedAt, Temporal.Now.instant())
  for (const seconds of [following, paused, killed]) expect(seconds).toBeLessThan(lagSeconds + 1)

  const { replica: fromReplica, primary: fromPrimary } = await metrics()
  await report('replica', {
    'bound, seconds': lagSeconds,
    'price and stock seen, replica following, seconds': following,
    'price and stock seen, replay standing still, seconds': paused,
    'price and stock seen, replica killed, seconds': killed,
    'slowest answer after it was killed, seconds': slowest,
    'replica used again after its loss, seconds': backAfter,
    'of the databases’ work under a mixed load by the replica, %': share.percent,
    'the same, milliseconds for a page or call': share.msPerAsked,
    'catalog readings by the replica': fromReplica,
    'catalog readings by the primary': fromPrimary,
  })
})

/** Returns a tire with a visible stock count. */
async function oneTire(db: Database): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select item.id from item join stock on stock.item_id = item.id
    where item.active and item.retail_cents >= coalesce(item.map_cents, 0)
    group by item.id having sum(on_hand) between 4 and 30 order by item.id limit 1`.execute(db)
  return rows[0]?.id ?? expect.fail('no tire')
}

/** Returns the tire as a shopper sees it. */
async function seeTire(store: RunningStore, itemId: number): Promise<Seen> {
  const answer = await fetch(`${store.origin}/api/tires/${itemId}`)
  expect(answer.status).toBe(200)
  return (await answer.json()) as Seen
}

/** Changes price and stock as the office does, one after the other; returns after how many seconds the later is seen. */
async function seeChanges(store: RunningStore, itemId: number): Promise<number> {
  const { db } = store.database
  const before = await seeTire(store, itemId)
  await db.transaction().execute(async (tx) => {
    await sql`update item set retail_cents = retail_cents + 1000 where id = ${itemId}`.execute(tx)
    await announceCatalogChange(tx)
  })
  const repriced = await secondsUntil(
    'new price',
    async () => (await seeTire(store, itemId)).unitCents > before.unitCents,
  )
  await sql`
    update stock set on_hand = on_hand + 1
    where item_id = ${itemId} and warehouse_id = (select min(warehouse_id) from stock where item_id = ${itemId})`.execute(
    db,
  )
  const restocked = await secondsUntil('new stock', async () => (await seeTire(store, itemId)).units !== before.units)
  return Math.max(repriced, restocked)
}

async function secondsUntil(what: string, isSo: () => Promise<boolean>): Promise<number> {
  const from = Temporal.Now.instant()
  await eventually(what, isSo)
  return secondsBetween(from, Temporal.Now.instant())
}

/** Two shoppers order and four people look around for so many seconds. Returns how much they asked for. */
async function shopFor(store: RunningStore, seconds: number): Promise<number> {
  const over = AbortSignal.timeout(seconds * 1_000)
  const rows = await store.database.db
    .selectFrom('item')
    .select('id')
    .where('active', '=', true)
    .orderBy('id')
    .execute()
  const itemId = await stockPlenty(store.database.db)
  const crowd = orderMeanwhile(store, { shoppers: 2, itemId })
  let asked = 0
  const look = async (_: unknown, person: number) => {
    for (let no = person; !over.aborted; no += 4) {
      await seeTire(store, rows[(no * 37) % rows.length]?.id ?? 0)
      asked += 1
    }
  }
  await Promise.all(Array.from({ length: 4 }, look))
  await crowd.stop()
  expect(crowd.failures).toEqual([])
  return asked
}

/** How much of what both servers do for statements while `work` the replica does. */
async function shareOfReplica(cluster: Cluster, { url }: FreeReplica, work: () => Promise<number>) {
  const primary = (await cluster.primary()) ?? expect.fail('no primary')
  await using atReplica = createDatabase(superuserAt(url), { size: 1 })
  await using atPrimary = createDatabase(superuserAt(cluster.urlOf(primary)), { size: 1 })
  await sql`create extension if not exists pg_stat_statements`.execute(atPrimary)
  const spent = async (db: Database) => {
    const { rows } = await sql<{ ms: number }>`
      select coalesce(sum(total_exec_time), 0)::float8 as ms from pg_stat_statements`.execute(db)
    return rows[0]?.ms ?? 0
  }
  await eventually('extension on the replica', () =>
    spent(atReplica).then(
      () => true,
      () => false,
    ),
  )
  const before = [await spent(atReplica), await spent(atPrimary)] as const
  const asked = await work()
  const readings = (await spent(atReplica)) - before[0]
  const rest = (await spent(atPrimary)) - before[1]
  return {
    percent: Math.round((1_000 * readings) / (readings + rest)) / 10,
    msPerAsked: Math.round((100 * readings) / asked) / 100,
  }
}

function superuserAt(url: string): string {
  return Object.assign(new URL(url), { username: 'postgres', password: 'drill-super' }).href
}

async function whilePaused<Value>({ url }: FreeReplica, work: () => Promise<Value>): Promise<Value> {
  await using db = createDatabase(superuserAt(url), { size: 1 })
  await sql`select pg_wal_replay_pause()`.execute(db)
  try {
    return await work()
  } finally {
    await sql`select pg_wal_replay_resume()`.execute(db)
  }
}

async function slowestAnswer(store: RunningStore, itemId: number): Promise<number> {
  let slowest = 0
  for (let no = 0; no < 20; no += 1)
    slowest = Math.max(slowest, await secondsUntil('answer', async () => Boolean(await seeTire(store, itemId))))
  return slowest
}

async function readMetrics(port: number) {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const valueOf = (series: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.slice(series.length + 1) ?? 0,
    )
  return {
    lagSeconds: valueOf('database_replica_lag_seconds'),
    replica: valueOf('catalog_readings_total{source="replica"}'),
    primary: valueOf('catalog_readings_total{source="primary"}'),
  }
}
