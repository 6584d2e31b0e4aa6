/**
 * `npm run drill -- pgbouncer` takes orders through PgBouncer in transaction mode, with named prepared statements and
 * four sessions in total. It is killed and restarted twice. Every error has a retry time, no data is lost or
 * duplicated, and no store process restarts.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as later } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { firstPlacedOrder } from '#tests/support/database.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { runNode } from '../../../tools/package-program.ts'
import { openStartedStore } from '../started-store.ts'
import { accepts, findParts, startPart, type Part, type Parts } from './debian-parts.ts'
import { oneNetwork, orderMeanwhile, secondsBetween } from './orders-meanwhile.ts'
import { report } from './report.ts'

/** The length of each outage, for an immediate restart and a delayed one. */
const absencesMs = [0, 3_000]

test('orders go on when PgBouncer is killed and started again', { timeout: 600_000 }, async () => {
  await using folder = await createTemporaryFolder()
  const parts = await findParts(folder.path)
  const [port = 0] = await freePorts(1)
  let bouncer: Part | undefined
  await using store = await openStartedStore({
    env: async (url) => {
      await configure(parts, new URL(url), port)
      bouncer = await startBouncer(parts, port)
      const through = Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href
      const env = { DATABASE_URL: through, DATABASE_DIRECT_URL: url, DATABASE_POOLER_PREPARES: '1', ...oneNetwork }
      const { code, output } = await runNode(['tools/migrate.ts'], { env: { ...process.env, ...env } })
      if (code !== 0) throw new Error(output)
      return { ...env, RELEASE_AFTER_SECONDS: '1' }
    },
  })
  const pid = store.pid('web')
  const crowd = orderMeanwhile(store, { shoppers: 3, pauseMs: 200, itemId: store.itemId, mostFailures: 1_000 })
  await crowd.reach(10)
  const pauses: number[] = []
  const lasts: number[] = []
  for (const ms of absencesMs) {
    const before = crowd.failures.length
    const began = Temporal.Now.instant()
    await bouncer?.kill()
    await later(ms)
    bouncer = await startBouncer(parts, port)
    const back = Temporal.Now.instant()
    await crowd.reach(crowd.orders.length + 10)
    const next = crowd.orders.find(({ at }) => Temporal.Instant.compare(at, back) > 0) ?? expect.fail('no order')
    pauses.push(secondsBetween(began, next.at))
    const failed = crowd.failures.slice(before)
    expect(failed.filter(({ at }) => secondsBetween(back, at) > 8)).toEqual([])
    lasts.push(failed.length)
  }
  await crowd.stop()
  expect(crowd.failures.filter(({ status, retryAfter }) => status !== 503 || retryAfter === null)).toEqual([])
  expect(store.pid('web')).toBe(pid)
  const ids = (await store.db.selectFrom('sales_order').select('id').where('id', '>=', firstPlacedOrder).execute()).map(
    ({ id }) => id,
  )
  const told = crowd.orders.map(({ orderId }) => orderId)
  expect(told.filter((id) => !ids.includes(id))).toEqual([])
  expect(new Set(told).size).toBe(told.length)
  expect(await verify(store.db, Temporal.Now.instant())).toEqual([])
  await bouncer?.kill()

  await report('pgbouncer', {
    'orders that shoppers were told of': told.length,
    'of them lost': 0,
    'killed and started at once: seconds to the next order': pauses[0] ?? 0,
    'the same: errors, all with a time to try again': lasts[0] ?? 0,
    'killed and away for 3 seconds: seconds to the next order': pauses[1] ?? 0,
    'away for 3 seconds: errors, all with a time to try again': lasts[1] ?? 0,
  })
})

/** Four sessions for all, so that every one is shared. */
async function configure({ folder, inside }: Parts, server: URL, port: number): Promise<void> {
  await writeFile(join(folder, 'users.txt'), `"${server.username}" "${server.password}"\n`)
  const lines = [
    '[databases]',
    `${server.pathname.slice(1)} = host=${server.hostname} port=${server.port}`,
    '[pgbouncer]',
    'pool_mode = transaction',
    'max_prepared_statements = 200',
    'default_pool_size = 4',
    'max_client_conn = 200',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = plain',
    `auth_file = ${inside}/users.txt`,
  ]
  await writeFile(join(folder, 'pgbouncer.ini'), `${lines.join('\n')}\n`)
}

async function startBouncer(parts: Parts, port: number): Promise<Part> {
  const part = startPart(parts, { program: 'pgbouncer', args: [`${parts.inside}/pgbouncer.ini`] })
  await accepts(part, port)
  return part
}
