/**
 * `npm run drill -- upgrade [--from <commit>]`: the previous release takes orders and shows pages, the database is
 * migrated, and its processes are replaced one by one. Then the same in reverse. No request fails, and each release's
 * scripts stay available to open pages.
 */
import { setTimeout as later } from 'node:timers/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { migrate } from '#platform/migrate.ts'
import { keepBuild } from '../../../tools/migrate-store.ts'
import { firstPlacedOrder } from '#tests/support/database.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import type { RunningStore } from '#tests/support/store.ts'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { openBalancer } from './balancer.ts'
import { browse, pagesOf } from './browse.ts'
import { oneNetwork, orderMeanwhile } from './orders-meanwhile.ts'
import { createDatabaseOf, openFleet } from './fleet.ts'
import { checkOut, commitBefore, runProgram, startProgram, thisRelease } from './release.ts'
import { report } from './report.ts'

test(
  'a release is replaced by the next one and comes back, with no failed request',
  { timeout: 1_200_000 },
  async () => {
    await using folder = await createTemporaryFolder()
    const commit = await commitBefore(process.env['UPGRADE_FROM'])
    await using before = await checkOut(commit, join(folder.path, 'before'))
    await using database = await createDatabaseOf(before, 'sidewall_upgrade')
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
    // The previous release doesn't change the newer database.
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

/**
 * Requests pages' scripts and styles. They belong to the current page, from any process, and to one earlier page that
 * is still open.
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
