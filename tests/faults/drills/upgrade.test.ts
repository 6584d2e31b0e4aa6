/**
 * `npm run drill -- upgrade [--from <commit>]`: the release before takes orders and shows pages, the database is migrated
 * under it, and its processes are replaced one after the other; then the same way back. No request fails, and every
 * script of either release is there for whoever has a page of it open.
 */
import { setTimeout as later } from 'node:timers/promises'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { migrate } from '#platform/migrate.ts'
import { keepBuild } from '../../../tools/migrate-store.ts'
import { firstPlacedOrder, type TestDatabase } from '#tests/support/database.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import type { RunningStore } from '#tests/support/store.ts'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { openBalancer, type Balancer } from './balancer.ts'
import { browse, pagesOf } from './browse.ts'
import { oneNetwork, orderMeanwhile } from './orders-meanwhile.ts'
import { openDatabase } from './postgres-server.ts'
import { checkOut, commitBefore, runProgram, startProgram, thisRelease, type Release, type Started } from './release.ts'
import { report } from './report.ts'

test(
  'a release is replaced by the next one and comes back, with no failed request',
  { timeout: 1_200_000 },
  async () => {
    await using folder = await createTemporaryFolder()
    const commit = await commitBefore(process.env['UPGRADE_FROM'])
    await using before = await checkOut(commit, join(folder.path, 'before'))
    await using database = await createDatabaseOf(before)
    const [port = 0, sandboxPort = 0, smtpPort = 0, ...ports] = await freePorts(7)
    await using balancer = await openBalancer(port)
    const origin = balancer.origin
    const sandboxOrigin = `http://localhost:${sandboxPort}`
    const env = {
      ...oneNetwork,
      DATABASE_URL: database.url,
      DATABASE_POOL: '6',
      DATA_DIR: join(folder.path, 'data'),
      PUBLIC_ORIGIN: origin,
      STORE_ORIGIN: origin,
      SANDBOX_PORT: String(sandboxPort),
      SANDBOX_SMTP_PORT: String(smtpPort),
      SMTP_URL: `smtp://localhost:${smtpPort}`,
      LOG_LEVEL: 'error',
    }
    await using _sandbox = await startProgram(thisRelease, 'sandbox/main.ts', { port: sandboxPort, env })
    await using fleet = openFleet({ balancer, env, ports })
    await fleet.replaceBy(before)

    const pages = await pagesOf({ origin, database })
    const scripts = followScripts(origin)
    const shoppers = browse(() => pages, scripts.follow)
    const buyers = orderMeanwhile({ origin, sandboxOrigin, database } as RunningStore)
    const phases: Record<string, string> = {}
    const phase = async (name: string, work: () => Promise<unknown>) => {
      const [from, pagesBefore, ordersBefore] = [performance.now(), shoppers.answered(), buyers.orders.length]
      await work()
      await buyers.reach(ordersBefore + 3)
      const seconds = Math.round((performance.now() - from) / 100) / 10
      phases[name] =
        `${seconds} s, ${shoppers.answered() - pagesBefore} pages, ${buyers.orders.length - ordersBefore} orders`
    }

    await phase(`${before.name} alone`, () => later(10_000))
    let applied: string[] = []
    await phase('migrations under it', async () => {
      ;({ applied } = await migrate(database.url))
      await keepBuild({ directUrl: database.url })
    })
    await phase('its processes replaced', () => fleet.replaceBy(thisRelease))
    await phase('N alone', () => later(10_000))
    // The release before leaves the newer database as it is.
    await phase('migrations of the one before', () => runProgram(before, 'tools/migrate.ts', env))
    await phase('back to the one before', () => fleet.replaceBy(before))
    await phase(`${before.name} alone again`, () => later(10_000))
    await buyers.stop()
    const waits = await shoppers.stop()

    await report('upgrade', {
      from: before.name,
      'migrations applied': applied.length,
      ...phases,
      'pages, ms (half, 99 of 100, longest)': `${waits.p50}, ${waits.p99}, ${waits.longest}`,
      'scripts and styles asked for': `${scripts.asked()}, of ${scripts.names()} names`,
      'pages or scripts that failed': shoppers.failures.length,
      'orders that failed': buyers.failures.length,
    })
    expect(shoppers.failures).toEqual([])
    expect(buyers.failures).toEqual([])
    expect(fleet.codes.filter((code) => code !== 0)).toEqual([])
    const placed = await database.db
      .selectFrom('sales_order')
      .select('id')
      .where('id', '>=', firstPlacedOrder)
      .orderBy('id')
      .execute()
    expect(placed.map(({ id }) => id)).toEqual(expect.arrayContaining(buyers.orders.map(({ orderId }) => orderId)))
    expect(await verify(database.db, Temporal.Now.instant())).toEqual([])
  },
)

/** A database of the release's own schema with its own demo data. */
async function createDatabaseOf(release: Release): Promise<TestDatabase> {
  const url = new URL(inject('postgresUrl'))
  const maintenance = new pg.Client({ connectionString: url.href })
  await maintenance.connect()
  await maintenance.query('drop database if exists sidewall_upgrade with (force)')
  await maintenance.query('create database sidewall_upgrade')
  await maintenance.end()
  url.pathname = '/sidewall_upgrade'
  await runProgram(release, 'tools/migrate.ts', { DATABASE_URL: url.href })
  await runProgram(release, 'db/seed/main.ts', { DATABASE_URL: url.href, SEED_SCALE: 'small' })
  const database = openDatabase(url.href)
  // The demo's stock is small.
  await database.db.updateTable('stock').set({ on_hand: 100_000 }).execute()
  return database
}

const warming = ['/', '/tire-sizes/225-65r17', '/tire-sizes/205-55r16', '/learn', '/']

/** Two web processes and a worker, of one release but while they are replaced. */
function openFleet({ balancer, env, ports }: { balancer: Balancer; env: Record<string, string>; ports: number[] }) {
  const webs: Started[] = []
  let worker: Started | undefined
  const free = [...ports]
  const codes: (number | null)[] = []

  async function replaceOne(release: Release): Promise<void> {
    const port = free.shift() ?? 0
    const web = await startProgram(release, 'server.ts', { port, env })
    webs.push(web)
    // What a process has never done takes it long.
    for (const path of warming) await (await fetch(`http://localhost:${port}${path}`)).text()
    balancer.add(port)
    if (webs.length <= 2) return
    const old = webs.shift()
    if (!old) return
    await balancer.drain(old.port)
    codes.push(await old.stop())
    free.push(old.port)
  }

  return {
    codes,
    async replaceBy(release: Release): Promise<void> {
      await replaceOne(release)
      const old = worker
      worker = await startProgram(release, 'worker.ts', { port: Number(new URL(balancer.origin).port), env })
      if (old) codes.push(await old.stop())
      // Half and half for a while.
      await later(webs.length > 1 ? 5_000 : 0)
      await replaceOne(release)
    },
    async [Symbol.asyncDispose]() {
      for (const process of [...webs, ...(worker ? [worker] : [])]) await process.stop()
    },
  }
}

/**
 * Follows pages to their scripts and styles: those a page names, of whatever process it is, and one that a page of
 * before named, as somebody has it open still.
 */
function followScripts(origin: string) {
  const known = new Set<string>()
  let asked = 0
  async function ask(path: string): Promise<string | undefined> {
    asked += 1
    const answer = await fetch(origin + path)
    const text = await answer.text()
    return answer.status === 200 && text.length > 0 ? undefined : `${path}: ${answer.status}`
  }
  return {
    asked: () => asked,
    names: () => known.size,
    async follow(html: string): Promise<string | undefined> {
      const named = [...new Set([...html.matchAll(/\/assets\/[\w.-]+\.(?:js|css)/g)].map(([path]) => path))]
      for (const path of named) known.add(path)
      const all = [...known]
      const chosen = [named[asked % named.length], all[asked % all.length]]
      for (const path of chosen) {
        const fault = path === undefined ? undefined : await ask(path)
        if (fault) return fault
      }
      return undefined
    },
  }
}
