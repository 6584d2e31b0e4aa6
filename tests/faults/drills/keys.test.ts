/**
 * `npm run drill -- keys` replaces every secret while the store sells, in two web processes and a worker one after the
 * other, and then removes the old one. No request fails, no user is signed out, and signed or sealed data stays valid
 * until the old secret is removed: docs/runbooks/secrets.md. With `DRILL_TOO_EARLY=1` the old ones are removed
 * immediately, and settings in `DRILL_LEFT_OUT` (comma-separated) aren't replaced. The drill must detect both.
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { paths } from '#content/paths.ts'
import { trackingToken } from '#domain/ordering/orders/order-access.server.ts'
import { grantRoles } from '#platform/role-grants.ts'
import { inspectSealed, reseal } from '#db/sealed-values.ts'
import type { TestDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import type { RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInAt, signInToOffice, type Visitor } from '#tests/support/visitor.ts'
import { openBalancer } from './balancer.ts'
import { browse, pagesOf } from './browse.ts'
import { createDatabaseOf, openFleet } from './fleet.ts'
import { oneNetwork, orderMeanwhile } from './orders-meanwhile.ts'
import { startProgram, thisRelease } from './release.ts'
import { report } from './report.ts'
import { knowsSignature, providerSettings, signedMessages } from '#tests/support/signed-messages.ts'
import { secretsToSend } from './sent-secrets.ts'
import { isSentToSupplier, orderFromSupplier, wasRefusedBySupplier, whatFails } from './through-providers.ts'

const isTooEarly = process.env['DRILL_TOO_EARLY'] === '1'
const leftOut = (process.env['DRILL_LEFT_OUT'] ?? '').split(',')
const fresh = () => randomBytes(32).toString('hex')
const providers = Object.keys(signedMessages)
/** Where the sandbox has the same secret. */
const ofSandbox: Readonly<Record<string, string>> = {
  STRIPE_WEBHOOK_SECRET: 'SANDBOX_WEBHOOK_SECRET',
  FINANCING_WEBHOOK_SECRET: 'SANDBOX_FINANCING_WEBHOOK_SECRET',
  RESOLVE_WEBHOOK_SECRET: 'SANDBOX_RESOLVE_WEBHOOK_SECRET',
  CARRIER_CALLBACK_SECRET: 'SANDBOX_CARRIER_SECRET',
  MAILGUN_SIGNING_KEY: 'SANDBOX_MAILGUN_KEY',
  TWILIO_AUTH_TOKEN: 'SANDBOX_TWILIO_TOKEN',
  SUPPLIER_CALLBACK_SECRET: 'SANDBOX_SUPPLIER_CALLBACK_SECRET',
}

test(
  'every secret is replaced under orders, with no failed request and nobody signed out',
  { timeout: 2_400_000 },
  async () => {
    await using folder = await createTemporaryFolder()
    await using database = await createDatabaseOf(thisRelease, 'sidewall_keys')
    await using roles = await openRoles(database.url)
    const [port = 0, sandboxPort = 0, smtpPort = 0, ...ports] = await freePorts(7)
    await using balancer = await openBalancer(port)
    const { origin } = balancer
    const sandboxOrigin = `http://localhost:${sandboxPort}`
    const secrets = Object.fromEntries(providers.map((name) => [name, { old: fresh(), new: fresh() }]))
    const sent = secretsToSend({ origin: sandboxOrigin, smtpPort })
    const session = { old: fresh(), new: fresh() }
    const env: Record<string, string> = {
      ...oneNetwork,
      ...Object.fromEntries(Object.entries(secrets).map(([name, { old }]) => [name, old])),
      ...providerSettings(sandboxOrigin),
      ...sent.settings('all', 'old'),
      SESSION_SECRET: session.old,
      DATABASE_URL: roles.first,
      DATABASE_POOL: '6',
      DATA_DIR: join(folder.path, 'data'),
      PUBLIC_ORIGIN: origin,
      STORE_ORIGIN: origin,
      SANDBOX_PORT: String(sandboxPort),
      SANDBOX_SMTP_PORT: String(smtpPort),
      RELEASE_AFTER_SECONDS: '5',
      LOG_LEVEL: 'error',
    }
    const sandboxWith = (which: 'old' | 'new') => {
      const own = Object.entries(ofSandbox).map(([name, its]) => [its, secrets[name]?.[which] ?? ''])
      return startProgram(thisRelease, 'sandbox/main.ts', {
        port: sandboxPort,
        env: { ...env, ...Object.fromEntries(own), ...sent.atProviders(which) },
      })
    }
    let sandbox = await sandboxWith('old')
    await using _sandbox = { [Symbol.asyncDispose]: async () => void (await sandbox.stop()) }
    await using fleet = openFleet({ balancer, env, ports, togetherMs: 2_000 })
    await fleet.replaceBy(thisRelease)

    const store = { origin, sandboxOrigin, database } as RunningStore
    const pages = await pagesOf(store)
    const shoppers = browse(() => pages)
    let buyers = orderMeanwhile(store)
    const [failures, orders]: [unknown[], number[]] = [[], []]
    const phases: Record<string, string> = {}
    const replace = async (name: string, settings: Record<string, string>) => {
      const [began, before] = [performance.now(), buyers.orders.length]
      Object.assign(env, settings)
      await fleet.replaceBy(thisRelease)
      await buyers.reach(before + 2)
      phases[name] = `${Math.round((performance.now() - began) / 100) / 10} s, ${buyers.orders.length - before} orders`
    }
    const rest = async () => {
      await buyers.stop()
      failures.push(...buyers.failures)
      orders.push(...buyers.orders.map(({ orderId }) => orderId))
    }

    await buyers.reach(2)
    const [dana, owner] = [createVisitor(), createVisitor()]
    await signInAt(origin, dana)
    await signInToOffice(origin, owner)
    const before = { orderId: buyers.orders[0]?.orderId ?? 0, secret: session.old, dana, owner }
    const seen = async (): Promise<string[]> => stillOpens(origin, before)
    expect(await seen()).toEqual([])

    // The store's own secret. Every process accepts it before any of them uses it.
    if (!isTooEarly) {
      await replace('SESSION_SECRET known', { SESSION_SECRET: `${session.old},${session.new}` })
      expect(await seen()).toEqual([])
      await replace('SESSION_SECRET used', { SESSION_SECRET: `${session.new},${session.old}` })
      expect(await seen()).toEqual([])
    }
    const both = [session.new, session.old] as const
    const sealedBefore = await inspectSealed(database.db, both)
    expect(sealedBefore.reduce((sum, { behind }) => sum + behind, 0)).toBeGreaterThan(1)
    const { resealed, shut } = isTooEarly ? { resealed: 0, shut: 0 } : await reseal(database.db, both)
    expect(shut).toBe(0)
    await replace('SESSION_SECRET alone', { SESSION_SECRET: session.new })
    expect((await inspectSealed(database.db, session.new)).filter((count) => count.shut + count.behind > 0)).toEqual([])
    // Removing a secret invalidates links but doesn't sign users out.
    expect(await seen()).toEqual(['link'])

    for (const name of providers) {
      const { old, new: next } = secrets[name] ?? { old: '', new: '' }
      expect(await knowsSignature(origin, name, old), name).toBe(true)
      expect(await knowsSignature(origin, name, next), name).toBe(false)
      // What is also sent stays the old one until the provider has the new one.
      await replace(`${name} known`, { [name]: name === 'TWILIO_AUTH_TOKEN' ? `${old},${next}` : `${next},${old}` })
      // Each of the two processes.
      for (const secret of [old, next, old, next]) expect(await knowsSignature(origin, name, secret), name).toBe(true)
    }
    expect(await sent.taken()).toEqual({ old: sent.names.all, next: sent.names.two })
    expect(await whatFails(store, 0, sent.names.all)).toEqual({})
    await replace('what the store sends', sent.settings('two', 'next', leftOut))
    await rest()
    await sandbox.stop()
    sandbox = await sandboxWith('new')
    expect(await sent.taken()).toEqual({ old: [], next: sent.names.all })
    buyers = orderMeanwhile(store)
    // A provider that accepts only one secret is unreachable until the store has the new one. Shoppers see a message,
    // and jobs wait.
    const waiting = await orderFromSupplier(store, 1)
    expect(await whatFails(store, 1, ['RESOLVE_SECRET_KEY', 'ID_ME_CLIENT_SECRET'])).toEqual({
      RESOLVE_SECRET_KEY: expect.stringContaining('The payment provider is not responding') as string,
      ID_ME_CLIENT_SECRET: expect.stringContaining('Nothing was verified') as string,
    })
    await eventually('a refused purchase order', () => wasRefusedBySupplier(store, waiting))
    await replace('only the new ones', {
      ...Object.fromEntries(providers.map((name) => [name, secrets[name]?.new ?? ''])),
      ...sent.settings('one', 'next', leftOut),
    })
    for (const name of providers) {
      const { old, new: next } = secrets[name] ?? { old: '', new: '' }
      expect(await knowsSignature(origin, name, old), name).toBe(false)
      expect(await knowsSignature(origin, name, next), name).toBe(true)
    }

    // The store's own code is let in everywhere since the old ones are gone, and what waited went out.
    expect(await whatFails(store, 2, sent.names.all)).toEqual({})
    await eventually('the purchase order that waited', () => isSentToSupplier(store, waiting), 300)

    await replace('DATABASE_URL', { DATABASE_URL: roles.second })
    await roles.dropFirst()
    await buyers.reach(buyers.orders.length + 2)
    await rest()
    const waits = await shoppers.stop()
    const authorized = await paidOf(database, orders)

    await report('keys', {
      ...phases,
      'values sealed again': resealed,
      orders: orders.length,
      'pages asked for': shoppers.answered(),
      'pages, ms (half, 99 of 100, longest)': `${waits.p50}, ${waits.p99}, ${waits.longest}`,
      'pages that failed': shoppers.failures.length,
      'orders that failed': failures.length,
    })
    expect(shoppers.failures).toEqual([])
    expect(failures).toEqual([])
    expect(fleet.codes.filter((code) => code !== 0)).toEqual([])
    expect(authorized).toBe(orders.length)
    expect(await seen()).toEqual(['link'])
    expect(await verify(database.db, Temporal.Now.instant())).toEqual([])
  },
)

/** What of before no longer opens, asked of both processes. */
async function stillOpens(
  origin: string,
  { orderId, secret, dana, owner }: { orderId: number; secret: string; dana: Visitor; owner: Visitor },
): Promise<string[]> {
  const look = trackingToken(secret, orderId, Temporal.Now.instant())
  const asks: Record<string, () => Promise<Response>> = {
    account: () => dana.ask(`${origin}/account`),
    office: () => owner.ask(`${origin}/office`),
    link: () => fetch(origin + paths.trackResult(orderId, { look }), { redirect: 'manual' }),
  }
  const shut = new Set<string>()
  for (const [what, ask] of Object.entries(asks))
    for (let process = 0; process < 4; process += 1) {
      const { status } = await ask()
      // A busy or unavailable store doesn't count as invalidated.
      if (status >= 500) throw new Error(`${what}: ${status}`)
      if (status !== 200) shut.add(what)
    }
  return [...shut]
}

/** Creates two logins of the application's role. The second replaces the first. */
async function openRoles(url: string) {
  const owner = new pg.Client({ connectionString: url })
  await owner.connect()
  const suffix = randomBytes(4).toString('hex')
  const [first, second] = [`keys_a_${suffix}`, `keys_b_${suffix}`]
  const password = fresh()
  for (const role of [first, second]) {
    await owner.query(`create role ${role} login password '${password}'`)
    await grantRoles(owner, { app: role })
  }
  const drop = async (role: string) => {
    await owner.query(`drop owned by ${role}`)
    await owner.query(`drop role ${role}`)
  }
  const as = (role: string) => Object.assign(new URL(url), { username: role, password }).href
  return {
    first: as(first),
    second: as(second),
    dropFirst: () => drop(first),
    async [Symbol.asyncDispose]() {
      for (const role of [first, second]) await drop(role).catch(() => {})
      await owner.end()
    },
  }
}

/** How many of the orders have a charge that was authorized or captured. */
async function paidOf({ db }: TestDatabase, orders: readonly number[]): Promise<number> {
  const paid = await db
    .selectFrom('payment')
    .select('order_id')
    .where('order_id', 'in', orders)
    .where('state', 'in', ['authorized', 'captured'])
    .execute()
  return new Set(paid.map((row) => row.order_id)).size
}
