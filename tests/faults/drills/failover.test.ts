/**
 * `npm run drill -- failover` takes orders on a three-member PostgreSQL cluster managed by Patroni. The primary is lost
 * with its machine, returns as a replica, and later switches over to another member. No confirmed order is lost, no
 * shopper is charged twice or gets two bays, every error has a retry time, and no store process restarts.
 */
import { setTimeout as later } from 'node:timers/promises'
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { seed } from '#db/seed/seed.ts'
import { DEMO_SECRETS } from '#platform/config-variables.ts'
import { migrate } from '#platform/migrate.ts'
import { firstPlacedOrder } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { verify } from '#tests/support/invariants.ts'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import type { ReadyCart } from '../ready-cart.ts'
import { openStartedStore, type StartedStore } from '../started-store.ts'
import { findParts } from './debian-parts.ts'
import { oneNetwork, orderMeanwhile, secondsBetween, type Acknowledged, type Failure } from './orders-meanwhile.ts'
import { startCluster, type Cluster } from './patroni-cluster.ts'
import { openDatabase } from './postgres-server.ts'
import { report } from './report.ts'

/** Shoppers with a bay, who submit one after the other and again until they have their order. */
const withBays = 12

type Round = {
  orders: Acknowledged[]
  failures: Failure[]
  secondsWithoutOrders: number
  secondsOfErrors: number
  workerSeconds: number
}

test(
  'no order is lost, doubled or charged twice when the primary fails or switches over',
  { timeout: 900_000 },
  async () => {
    await using folder = await createTemporaryFolder()
    await using cluster = await startCluster(await findParts(folder.path))
    await migrate(cluster.url)
    await seed(cluster.url, { scale: 'small', now: Temporal.Now.instant(), log: () => {} })
    await using store = await openStartedStore({
      database: openDatabase(cluster.url),
      env: { ...oneNetwork, RELEASE_AFTER_SECONDS: '1' },
    })
    const pids = [store.pid('web'), store.pid('worker')]

    const first = await cluster.primary()
    if (!first) throw new Error(cluster.output())
    const lost = await playRound(store, cluster, () => cluster.kill(first))
    const second = await cluster.primary()
    expect(second).not.toBe(first)
    cluster.revive(first)
    await cluster.settled(2)
    const handedOver = await playRound(store, cluster, () => cluster.switchOver(second ?? first))
    expect(await cluster.primary()).not.toBe(second)

    expect([store.pid('web'), store.pid('worker')]).toEqual(pids)
    expect(pids.map((pid) => process.kill(pid, 0))).toEqual([true, true])
    const unanswered = await compareBooks(store, [...lost.orders, ...handedOver.orders])
    expect(await verify(store.db, Temporal.Now.instant())).toEqual([])
    await report('failover', {
      ...figuresOf('primary lost', lost),
      ...figuresOf('handed over', handedOver),
      'orders that are there but were not answered': unanswered,
    })
  },
)

/** Runs shoppers' orders during `happening` until the new primary takes orders, then checks the failures. */
async function playRound(store: StartedStore, cluster: Cluster, happening: () => Promise<void>): Promise<Round> {
  const before = await cluster.primary()
  const carts: ReadyCart[] = []
  while (carts.length < withBays) carts.push(await store.prepare())
  const crowd = orderMeanwhile(store, { shoppers: 2, pauseMs: 300, itemId: store.itemId, mostFailures: 2_000 })
  await crowd.reach(5)
  const presses = pressAll(store, carts)
  await crowd.reach(crowd.orders.length + 4)
  const began = Temporal.Now.instant()
  await happening()
  await eventually('other primary', async () => {
    const now = await cluster.primary()
    return now !== undefined && now !== before
  })
  const changed = Temporal.Now.instant()
  await crowd.reach(crowd.orders.length + 15)
  const withBay = await presses
  await crowd.stop()

  const orders = [...crowd.orders, ...withBay.orders].toSorted((a, b) => Temporal.Instant.compare(a.at, b.at))
  const failures = [...crowd.failures, ...withBay.failures].toSorted((a, b) => Temporal.Instant.compare(a.at, b.at))
  // Shoppers get a message to retry, with a time.
  expect(failures.filter(({ status, retryAfter }) => status !== 503 || retryAfter === null)).toEqual([])
  expect(failures.filter(({ at }) => secondsBetween(began, at) < 0 || secondsBetween(changed, at) > 10)).toEqual([])
  const last = failures.at(-1)
  const next = orders.find(({ at }) => secondsBetween(changed, at) > 0) ?? expect.fail('no order')
  return {
    orders,
    failures,
    secondsWithoutOrders: longestPause(orders, began),
    secondsOfErrors: last ? secondsBetween(began, last.at) : 0,
    workerSeconds: await secondsToRelease(store, next),
  }
}

/** Submits a cart every half second, and each again until its shopper has an order. */
async function pressAll(store: StartedStore, carts: readonly ReadyCart[]) {
  const orders: Acknowledged[] = []
  const failures: Failure[] = []
  await Promise.all(
    carts.map(async (cart, no) => {
      await later(no * 500)
      await eventually(
        'order with a bay',
        async () => {
          const answer = await pressOnce(store, cart)
          if ('orderId' in answer) return orders.push({ orderId: answer.orderId, at: Temporal.Now.instant() })
          failures.push(answer)
          await later(1_000)
          return false
        },
        120,
      )
    }),
  )
  return { orders, failures }
}

async function pressOnce(store: StartedStore, { press }: ReadyCart): Promise<{ orderId: number } | Failure> {
  const answer = await fetch(`${store.origin}/checkout/order-summary`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: store.origin, cookie: `sw_cart=${press.cartId}` },
    body: new URLSearchParams({ agreed: press.agreedPrice, terms: '1', conditions: '1' }),
  })
  const order = /order-confirmation\?order=(\d+)/.exec(answer.headers.get('location') ?? '')?.[1]
  if (order !== undefined) return { orderId: Number(order) }
  const why = `order summary: ${(await answer.text()).slice(0, 200)}`
  return { at: Temporal.Now.instant(), why, status: answer.status, retryAfter: answer.headers.get('retry-after') }
}

/** Returns the longest time without a confirmed order since this instant. */
function longestPause(orders: readonly Acknowledged[], since: Temporal.Instant): number {
  const times = orders.map(({ at }) => at)
  return Math.max(
    ...times.flatMap((at, no) =>
      Temporal.Instant.compare(at, since) < 0 ? [] : [secondsBetween(times[no - 1] ?? at, at)],
    ),
  )
}

/** How long after it was placed an order was charged by the worker. */
async function secondsToRelease({ db }: StartedStore, { orderId, at }: Acknowledged): Promise<number> {
  const releasedAt = await eventually('release of the first order', async () => {
    const order = await db.selectFrom('sales_order').select('released_at').where('id', '=', orderId).executeTakeFirst()
    return order?.released_at ?? undefined
  })
  return secondsBetween(at, releasedAt)
}

/**
 * Compares confirmed orders with the database, and the provider's captures with the store's records. Returns the number
 * of orders that weren't confirmed to a shopper.
 */
async function compareBooks(store: StartedStore, acknowledged: readonly Acknowledged[]): Promise<number> {
  const { db } = store
  const ids = (
    await db.selectFrom('sales_order').select('id').where('id', '>=', firstPlacedOrder).orderBy('id').execute()
  ).map(({ id }) => id)
  const told = acknowledged.map(({ orderId }) => orderId)
  expect(told.filter((id) => !ids.includes(id))).toEqual([])
  expect(new Set(told).size).toBe(told.length)
  const paid = await eventually('charge of every order', async () => {
    const payments = await db
      .selectFrom('payment')
      .select(['order_id', 'provider_ref', 'captured_cents'])
      .where('order_id', 'in', ids)
      .where('captured_cents', '>', 0)
      .execute()
    return payments.length >= ids.length && payments
  })
  expect(paid.map(({ order_id }) => Number(order_id)).toSorted((a, b) => a - b)).toEqual(ids)
  const booked = Object.fromEntries(paid.map(({ provider_ref, captured_cents }) => [provider_ref, captured_cents]))
  expect(await capturedAtProvider(store)).toEqual(booked)
  return ids.length - told.length
}

/** What the provider captured of each charge, by its own events. */
async function capturedAtProvider({ sandboxOrigin }: StartedStore): Promise<Record<string, number>> {
  const { hostname, port } = new URL(sandboxOrigin)
  const stripe = new Stripe(DEMO_SECRETS.STRIPE_SECRET_KEY, {
    host: hostname,
    port,
    protocol: 'http',
    telemetry: false,
  })
  const captured: Record<string, number> = {}
  for await (const { data } of stripe.events.list({ type: 'payment_intent.succeeded', limit: 100 })) {
    const { id, amount_received: cents } = data.object as Stripe.PaymentIntent
    captured[id] = (captured[id] ?? 0) + cents
  }
  return captured
}

function figuresOf(what: string, { orders, failures, ...seconds }: Round): Record<string, number> {
  return {
    [`${what}: orders that shoppers were told of`]: orders.length,
    [`${what}: of them lost`]: 0,
    [`${what}: seconds without an order`]: seconds.secondsWithoutOrders,
    [`${what}: errors, all with a time to try again`]: failures.length,
    [`${what}: seconds until the last of them`]: seconds.secondsOfErrors,
    [`${what}: seconds until the worker charged the first order after it`]: seconds.workerSeconds,
  }
}
