/**
 * `npm run drill -- backup`: a store takes orders while its database is backed up and its log archived; then the machine
 * with the database is lost. It is restored to the last that was archived, and to a point between two orders. Every
 * invariant holds in both, the second has exactly the orders before the point, and the store goes on over it.
 */
import { chmod, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { seed } from '#db/seed/seed.ts'
import { migrate } from '#platform/migrate.ts'
import { firstPlacedOrder, type TestDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { placeHomeOrder } from '#tests/support/order-by-api.ts'
import { startStore } from '#tests/support/store.ts'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { createVisitor } from '#tests/support/visitor.ts'
import { backUpBase, restoreBase } from './base-backup.ts'
import { oneNetwork, orderMeanwhile, secondsBetween, type Acknowledged } from './orders-meanwhile.ts'
import { createCluster, makeFolder, openDatabase, reachPrograms, startServer } from './postgres-server.ts'
import { report } from './report.ts'

/** A segment of the log is archived at the latest this many seconds after its first change. */
const archiveSeconds = 10

type Place = { programs: Awaited<ReturnType<typeof reachPrograms>>; at(name: string): string }

/** What was known when the machine was lost. */
type Lost = {
  at: Temporal.Instant
  acknowledged: Acknowledged[]
  point: string
  idsAtPoint: number[]
  backupSeconds: number
}

test(
  'a lost database is restored to a point in time with exactly the orders before it',
  { timeout: 600_000 },
  async () => {
    await using folder = await createTemporaryFolder()
    await chmod(folder.path, 0o755)
    const place = { at: (name: string) => join(folder.path, name), programs: await reachPrograms(folder.path) }
    for (const name of ['socket', 'archive', 'backup', 'data', 'latest', 'restored']) await makeFolder(place.at(name))
    const lost = await loseDatabase(place)
    const { acknowledged, idsAtPoint } = lost

    const latest = await restore(place, 'latest', {})
    await using _latestServer = latest.server
    await using latestDatabase = latest.database
    const found = await idsIn(latestDatabase)
    const kept = acknowledged.filter(({ orderId }) => found.includes(orderId))
    // What is lost is the end, never something before what was kept.
    expect(kept).toEqual(acknowledged.slice(0, kept.length))
    expect(await verify(latestDatabase.db, Temporal.Now.instant())).toEqual([])

    const target = { recovery_target_time: lost.point, recovery_target_action: 'promote' }
    const restored = await restore(place, 'restored', target)
    await using _restoredServer = restored.server
    const { database } = restored
    expect(idsAtPoint.length).toBeGreaterThan(5)
    expect(found.length).toBeGreaterThan(idsAtPoint.length)
    expect(await idsIn(database)).toEqual(idsAtPoint)
    expect(await verify(database.db, Temporal.Now.instant())).toEqual([])
    await using store = await startStore({ database, env: oneNetwork })
    const next = await placeHomeOrder(store, createVisitor(), { email: 'after@example.com' })
    expect(idsAtPoint).not.toContain(next)

    const firstLost = acknowledged[kept.length]
    await report('backup', {
      'database, MB': await megabytes(database),
      'base backup, seconds': lost.backupSeconds,
      'orders acknowledged': acknowledged.length,
      'of them lost with the machine': acknowledged.length - kept.length,
      'recovery point, seconds before the loss': firstLost ? secondsBetween(firstLost.at, lost.at) : 0,
      'recovery time, seconds': latest.seconds,
      'orders before the point': idsAtPoint.length,
      'recovery time to the point, seconds': restored.seconds,
    })
  },
)

/** Takes orders over a database that is backed up meanwhile, and loses it with all its files. */
async function loseDatabase({ programs, at }: Place): Promise<Lost> {
  const [port = 0] = await freePorts(1)
  await createCluster(programs, at('data'))
  await using server = await startServer(programs, {
    data: at('data'),
    port,
    socket: at('socket'),
    settings: {
      archive_mode: 'on',
      archive_command: archiveCommand(at('archive')),
      archive_timeout: String(archiveSeconds),
    },
  })
  await using maintenance = openDatabase(server.url.replace(/sidewall$/, 'postgres'))
  await sql`create database sidewall`.execute(maintenance.db)
  await migrate(server.url)
  await seed(server.url, { scale: 'small', now: Temporal.Now.instant(), log: () => {} })

  const database = openDatabase(server.url)
  await using store = await startStore({ database, env: oneNetwork })
  const shoppers = orderMeanwhile(store)
  await shoppers.reach(2)
  const began = Temporal.Now.instant()
  await backUpBase(server.url, { data: at('data'), backup: at('backup') })
  const backupSeconds = secondsBetween(began, Temporal.Now.instant())
  await shoppers.reach(shoppers.orders.length + 5)
  const { point, ids } = await readPoint(database)
  await shoppers.reach(shoppers.orders.length + 5)
  await archivedSince(database)
  // What comes now is in a segment that may not be archived any more.
  await shoppers.reach(shoppers.orders.length + 5)
  await server.kill()
  const lostAt = Temporal.Now.instant()
  await shoppers.stop()
  await rm(at('data'), { recursive: true, force: true, maxRetries: 10 })
  const acknowledged = shoppers.orders.filter((order) => Temporal.Instant.compare(order.at, lostAt) <= 0)
  return { at: lostAt, acknowledged, point, idsAtPoint: ids, backupSeconds }
}

/** A segment is in the archive whole, or not there. */
function archiveCommand(archive: string): string {
  const to = `${archive}/%f`
  return `test ! -f ${to} && cp %p ${to}.part && sync ${to}.part && mv ${to}.part ${to}`
}

/** An instant at which no order is being committed, and the orders that are there then. */
function readPoint({ db }: TestDatabase): Promise<{ point: string; ids: number[] }> {
  return db.transaction().execute(async (tx) => {
    await sql`lock table sales_order in share mode`.execute(tx)
    const { rows } = await sql<{ point: string; ids: number[] }>`
      select clock_timestamp()::text as point, array_agg(id::int order by id) as ids
      from sales_order where id >= ${firstPlacedOrder}`.execute(tx)
    return rows[0] ?? expect.fail('no point')
  })
}

/** Settles once a segment was archived that ends after now. */
async function archivedSince({ db }: TestDatabase): Promise<void> {
  const { rows } = await sql<{ file: string }>`select pg_walfile_name(pg_current_wal_lsn()) as file`.execute(db)
  await eventually('archived segment', async () => {
    const archived = await sql`select from pg_stat_archiver where last_archived_wal >= ${rows[0]?.file}`.execute(db)
    return archived.rows.length > 0
  })
}

/** Restores the backup and as much of the log as `target` asks for. */
async function restore({ programs, at }: Place, name: string, target: Record<string, string>) {
  const [port = 0] = await freePorts(1)
  const began = Temporal.Now.instant()
  await restoreBase({ backup: at('backup'), data: at(name) })
  const server = await startServer(programs, {
    data: at(name),
    port,
    socket: at('socket'),
    settings: { restore_command: `cp ${at('archive')}/%f %p`, ...target },
  })
  return { server, database: openDatabase(server.url), seconds: secondsBetween(began, Temporal.Now.instant()) }
}

/** The orders that were placed over the demo's. */
async function idsIn({ db }: TestDatabase): Promise<number[]> {
  const rows = await db
    .selectFrom('sales_order')
    .select('id')
    .where('id', '>=', firstPlacedOrder)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

async function megabytes({ db }: TestDatabase): Promise<number> {
  const { rows } = await sql<{ size: number }>`
    select (pg_database_size(current_database()) / 1e6)::int as size`.execute(db)
  return rows[0]?.size ?? 0
}
