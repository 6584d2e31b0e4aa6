/**
 * `npm run drill -- backup`: a store takes orders while pgBackRest archives its database's log and backs it up, by the
 * files in deploy/pgbackrest; then the machine with the database is lost. Another one gets the last that was archived,
 * and sells on; a third gets a point between two orders, with exactly those before it. Every invariant holds in both.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { seed } from '#db/seed/seed.ts'
import { DEMO_SECRETS } from '#platform/config-variables.ts'
import { migrate } from '#platform/migrate.ts'
import { firstPlacedOrder, type TestDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { placeHomeOrder } from '#tests/support/order-by-api.ts'
import { startStore } from '#tests/support/store.ts'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { createVisitor, signInToOffice } from '#tests/support/visitor.ts'
import { project } from '../../../tools/package-program.ts'
import { stockPlenty } from '../ready-cart.ts'
import { createBucket } from './backup-bucket.ts'
import { createFolder, type Repository } from './backup-repository.ts'
import { findParts } from './debian-parts.ts'
import { oneNetwork, orderMeanwhile, secondsBetween, type Acknowledged } from './orders-meanwhile.ts'
import { prepareMachine, provideSettings, type Machine } from './pgbackrest-machine.ts'
import { openDatabase } from './postgres-server.ts'
import { report } from './report.ts'

/** Matches deploy/pgbackrest/archive.conf. */
const archiveTimeoutSeconds = 60
const anotherKey = { PGBACKREST_REPO1_CIPHER_PASS: 'another key' }

type Backup = { label: string; type: string; seconds: number; repositoryMegabytes: number }
type Point = { at: string; ids: number[] }

/** The known data when the machine was lost. */
type Lost = {
  at: Temporal.Instant
  acknowledged: Acknowledged[]
  point: Point
  full: Backup
  differential: Backup
}

test(
  'a lost database is restored, and a point in time beside it with exactly the orders before it',
  { timeout: 1_200_000 },
  async () => {
    await using folder = await createTemporaryFolder()
    const parts = await findParts(folder.path)
    await provideSettings(parts)
    const minio = process.env['MINIO']
    await using repository = await (minio ? createBucket(parts, minio) : createFolder(parts))
    const prepare = (name: string) => prepareMachine(parts, name, repository.env)
    const lost = await loseDatabase(await prepare('first'), repository)
    const { acknowledged, point } = lost

    await using latest = await prepare('latest')
    const latestSeconds = await restore(latest, lost.differential, [])
    await using latestDatabase = openDatabase(latest.url)
    const found = await idsIn(latestDatabase)
    const kept = acknowledged.filter(({ orderId }) => found.includes(orderId))
    // What is lost is the end, never something before what was kept.
    expect(kept).toEqual(acknowledged.slice(0, kept.length))
    await expectSound(latest)
    await sellOver(latest, found)

    await using second = await prepare('second')
    // Uses the backup from before the point, and no log archiving, because the other server continues selling.
    const target = ['--type=time', `--target=${point.at}`, '--target-action=promote', '--archive-mode=off']
    const pointSeconds = await restore(second, lost.full, target)
    await using secondDatabase = openDatabase(second.url)
    expect(point.ids.length).toBeGreaterThan(5)
    expect(found.length).toBeGreaterThan(point.ids.length)
    expect(await idsIn(secondDatabase)).toEqual(point.ids)
    expect(await show(secondDatabase, 'archive_mode')).toBe('off')
    await expectSound(second)
    await sellOver(second, point.ids)

    const restored = await backUp(latest, 'diff')
    expect(restored.label).toContain(lost.full.label)
    await latest.checkBackups('1', 'whole')
    await noticeDamage(latest, repository, lost.full, await prepare('third'))
    await using stranger = await prepareMachine(parts, 'stranger', { ...repository.env, ...anotherKey })
    await expect(stranger.backrest('restore')).rejects.toThrow('unable to load info file')

    const firstLost = acknowledged[kept.length]
    await report('backup', {
      repository: minio ? 'a bucket of MinIO' : 'a folder',
      'database, MB': await megabytes(latestDatabase),
      'full backup, seconds': lost.full.seconds,
      'full backup, MB in the repository': lost.full.repositoryMegabytes,
      'differential backup, seconds': lost.differential.seconds,
      'differential backup, MB in the repository': lost.differential.repositoryMegabytes,
      'orders acknowledged': acknowledged.length,
      'of them lost with the machine': acknowledged.length - kept.length,
      'recovery point, seconds before the loss': firstLost ? secondsBetween(firstLost.at, lost.at) : 0,
      'recovery time, seconds': latestSeconds,
      'orders before the point': point.ids.length,
      'recovery time to the point, seconds': pointSeconds,
    })
  },
)

/** Takes orders while the database is backed up, then deletes the database with all its files. */
async function loseDatabase(machine: Machine, repository: Repository): Promise<Lost> {
  await using _machine = machine
  await machine.createCluster()
  await machine.start()
  await machine.backrest('stanza-create')
  await expect(machine.checkBackups('1')).rejects.toThrow('no valid backups')
  await using maintenance = openDatabase(machine.maintenanceUrl)
  await sql`create database sidewall`.execute(maintenance.db)
  await migrate(machine.url)
  await seed(machine.url, { scale: 'small', now: Temporal.Now.instant(), log: () => {} })

  const database = openDatabase(machine.url)
  const itemId = await stockPlenty(database.db)
  // The worker takes the next one.
  const [metricsPort = 0] = await freePorts(2)
  await using store = await startStore({ database, env: { ...oneNetwork, METRICS_PORT: String(metricsPort) } })
  const shoppers = orderMeanwhile(store, { itemId })
  const moreOrders = async (count: number) => {
    for (let no = 0; no < count; no += 1) await shoppers.reach(shoppers.orders.length + 1)
  }
  await moreOrders(2)
  const full = await backUp(machine, 'full')
  await moreOrders(5)
  const point = await readPoint(database)
  await moreOrders(5)
  const differential = await backUp(machine, 'diff')
  await machine.checkBackups('1', 'whole')
  await expect(machine.checkBackups('0')).rejects.toThrow('The newest backup ended 0 hours ago')
  await repository.whileAway(async () => {
    // Longer than any wait for a segment except a repository outage.
    await archiveAge(metricsPort, (seconds) => seconds > archiveTimeoutSeconds + 30)
    await moreOrders(1)
    await expect(machine.checkBackups('1')).rejects.toThrow('pgBackRest says')
    expect(await healthPage(store.origin)).toMatch(/Log last archived<\/dt><dd>[1-9]\d* min ago/)
  })
  await archivedSince(database)
  await archiveAge(metricsPort, (seconds) => seconds < archiveTimeoutSeconds)

  await moreOrders(10)
  await archivedSince(database)
  // The last orders are in a segment that may not be archived.
  await moreOrders(10)
  await machine.lose()
  const at = Temporal.Now.instant()
  await shoppers.stop()
  const acknowledged = shoppers.orders.filter((order) => Temporal.Instant.compare(order.at, at) <= 0)
  return { at, acknowledged, point, full, differential }
}

async function healthPage(origin: string): Promise<string> {
  const owner = createVisitor()
  await signInToOffice(origin, owner, { email: 'owner@example.com' })
  return (await (await owner.ask(`${origin}/office/health`)).text()).replaceAll('<!-- -->', '')
}

/** Resolves when the worker's metric for the archive age satisfies `isSo`. */
async function archiveAge(metricsPort: number, isSo: (seconds: number) => boolean): Promise<void> {
  await eventually(
    'age of the archive',
    async () => {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort + 1}/metrics`)).text()
      const age = /^database_archive_age_seconds (\d+)$/m.exec(text)?.[1]
      return age !== undefined && isSo(Number(age))
    },
    300,
  )
}

async function backUp(machine: Machine, type: 'full' | 'diff'): Promise<Backup> {
  const began = Temporal.Now.instant()
  await machine.backrest(`--type=${type}`, 'backup')
  const seconds = secondsBetween(began, Temporal.Now.instant())
  const [{ backup }] = JSON.parse(await machine.backrest('--output=json', 'info')) as [
    { backup: { label: string; type: string; info: { repository: { delta: number } } }[] },
  ]
  const newest = backup.at(-1) ?? expect.fail('no backup')
  expect(newest.type).toBe(type)
  return {
    label: newest.label,
    type,
    seconds,
    repositoryMegabytes: Math.round(newest.info.repository.delta / 1e5) / 10,
  }
}

/** Restores from this backup and the log, and starts the server. Returns how many seconds it took. */
async function restore(machine: Machine, backup: Backup, how: readonly string[]): Promise<number> {
  const began = Temporal.Now.instant()
  const said = await machine.backrest(...how, '--log-level-console=info', 'restore')
  await machine.start()
  const seconds = secondsBetween(began, Temporal.Now.instant())
  expect(said).toContain(`restore backup set ${backup.label},`)
  return seconds
}

/** Runs the operator's command with the sealing secret, and includes warnings. */
async function expectSound({ url }: Machine): Promise<void> {
  const { stdout } = await promisify(execFile)(process.execPath, ['tools/launch.mjs', 'verify'], {
    cwd: project,
    env: { ...process.env, DATABASE_URL: url, SESSION_SECRET: DEMO_SECRETS.SESSION_SECRET },
  })
  expect(stdout).toMatch(/\nSound\.\n$/)
  await using database = openDatabase(url)
  expect(await verify(database.db, Temporal.Now.instant())).toEqual([])
}

/** A store takes an order over the database. */
async function sellOver({ url }: Machine, known: readonly number[]): Promise<void> {
  await using store = await startStore({ database: openDatabase(url), env: oneNetwork })
  const next = await placeHomeOrder(store, createVisitor(), { email: 'after@example.com' })
  expect(known).not.toContain(next)
}

/** A changed byte is detected in a backup and in the log, and isn't restored. */
async function noticeDamage(machine: Machine, repository: Repository, full: Backup, other: Machine): Promise<void> {
  await using _other = other
  const repairBackup = await repository.damage(/backup\/sidewall\/\d+-\d+F\/(?:bundle|pg_data)\//)
  await expect(machine.checkBackups('1', 'whole')).rejects.toThrow('status: invalid')
  await expect(other.backrest(`--set=${full.label}`, 'restore')).rejects.toThrow(/\[(?:Checksum|Format|Crypto)Error\]/)
  await repairBackup()
  const repairLog = await repository.damage(/archive\/sidewall\/18-1\/.*\.zst$/)
  await expect(machine.checkBackups('1', 'whole')).rejects.toThrow('checksum invalid: 1')
  await repairLog()
  await machine.checkBackups('1', 'whole')
}

/** An instant at which no order is being committed, and the orders that are there then. */
function readPoint({ db }: TestDatabase): Promise<Point> {
  return db.transaction().execute(async (tx) => {
    await sql`lock table sales_order in share mode`.execute(tx)
    const { rows } = await sql<Point>`
      select clock_timestamp()::text as at, array_agg(id::int order by id) as ids
      from sales_order where id >= ${firstPlacedOrder}`.execute(tx)
    return rows[0] ?? expect.fail('no point')
  })
}

/** Settles once a segment was archived that ends after now. */
async function archivedSince({ db }: TestDatabase): Promise<void> {
  const { rows } = await sql<{ file: string }>`select pg_walfile_name(pg_current_wal_lsn()) as file`.execute(db)
  await eventually(
    'archived segment',
    async () =>
      (await sql`select from pg_stat_archiver where last_archived_wal >= ${rows[0]?.file}`.execute(db)).rows[0],
    180,
  )
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

async function show({ db }: TestDatabase, setting: string): Promise<string | undefined> {
  const { rows } = await sql<{ value: string }>`select current_setting(${setting}) as value`.execute(db)
  return rows[0]?.value
}

async function megabytes({ db }: TestDatabase): Promise<number> {
  const { rows } = await sql<{ size: number }>`
    select (pg_database_size(current_database()) / 1e6)::int as size`.execute(db)
  return rows[0]?.size ?? 0
}
