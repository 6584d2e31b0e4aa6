/**
 * Tests a database that accepts connections but never responds, and locks held for long. No request takes more than a
 * few seconds, and the store recovers with the database.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '#tests/support/eventually.ts'
import { verify } from '#tests/support/invariants.ts'
import { createGate, type Gate } from './database-gate.ts'
import { holdLock, openStartedStore, type StartedStore } from './started-store.ts'

let gate: Gate
let store: StartedStore
beforeAll(async () => {
  store = await openStartedStore({
    env: async (url) => {
      gate = await createGate(url)
      return {
        DATABASE_URL: gate.url,
        DATABASE_POOL: '4',
        DATABASE_CONNECT_SECONDS: '2',
        DATABASE_STATEMENT_SECONDS: '2',
        DATABASE_LOCK_SECONDS: '1',
        DATABASE_IDLE_TRANSACTION_SECONDS: '4',
        DATABASE_JOB_STATEMENT_SECONDS: '2',
        RELEASE_AFTER_SECONDS: '1',
      }
    },
  })
})
afterAll(async () => {
  await store[Symbol.asyncDispose]()
  await gate[Symbol.asyncDispose]()
})

/** A connection, a statement and the second for its answer, and as long again for a machine that is busy. */
const aFewSeconds = 10_000
const sorry = /We&#(39|x27);re experiencing a technical problem\. Please try again\./

test('a hanging database gets a clear message, browsing continues, and it is used again once it answers', async () => {
  const [web, worker] = [store.pid('web'), store.pid('worker')]
  const cart = await store.prepare()
  expect((await look('/brands', { isKnown: false })).status).toBe(200)
  expect((await fetch(`${store.origin}/readyz`)).status).toBe(200)

  gate.stall()
  const answers = await Promise.all(
    ['/cart', '/checkout/shipping', '/checkout/services', '/cart', '/cart'].map((path) => look(path)),
  )
  for (const { status, text, retryAfter } of answers) {
    expect({ status, retryAfter }).toEqual({ status: 503, retryAfter: '5' })
    expect(text).toMatch(sorry)
    expect(text).toContain('<title>One moment · Sidewall</title>')
    expect(text).not.toMatch(/\b500\b/)
  }
  expect(await store.press(cart)).toMatchObject({ status: 503 })
  expect((await fetch(`${store.origin}/healthz`)).status).toBe(200)
  expect((await fetch(`${store.origin}/readyz`)).status).toBe(503)
  expect((await look('/brands', { isKnown: false })).status).toBe(200)
  // Visitors with a cart can also keep browsing, without the cart count.
  expect(await look('/brands')).toMatchObject({
    status: 200,
    text: expect.stringMatching(/<header.*\(800\) 555-0142.*<main/s) as unknown,
  })

  await gate.open()
  await eventually('page', async () => (await look('/cart')).status === 200)
  expect((await fetch(`${store.origin}/readyz`)).status).toBe(200)
  // The web process recovers all four connections, not just some.
  expect((await Promise.all(Array.from({ length: 12 }, () => look('/cart')))).map(({ status }) => status)).toEqual(
    Array.from({ length: 12 }, () => 200),
  )
  expect(await store.press(cart)).toEqual({ orderId: (await store.ordersOf(cart))[0] })
  await eventually('charge by the worker, whose connections hung too', async () =>
    (await store.chargesOf(cart)).includes('captured'),
  )
  expect(store.pid('web')).toBe(web)
  expect(store.pid('worker')).toBe(worker)
})

test('an order with a silent connection releases its locks and is placed once on resubmission', async () => {
  const cart = await store.prepare()
  let first: ReturnType<typeof store.press>
  {
    await using _lock = await holdLock(store.db, `select from stock where item_id = ${store.itemId} for update`)
    first = store.press(cart)
    await store.someoneWaits()
    gate.stall()
  }
  expect(await first).toMatchObject({ status: 503 })
  await gate.open()
  await eventually('order', async () => 'orderId' in (await store.press(cart)))
  expect(await store.ordersOf(cart)).toHaveLength(1)
  expect(await verify(store.db, Temporal.Now.instant())).toEqual([])
})

test('a shopper waiting for a stuck lock sees a retry message, and no part of the order is stored', async () => {
  const cart = await store.prepare()
  {
    await using _lock = await holdLock(store.db, `select from stock where item_id = ${store.itemId} for update`)
    const answer = await store.press(cart)
    expect(answer).toMatchObject({ status: 503, text: expect.stringMatching(sorry) as unknown })
    expect(await store.ordersOf(cart)).toEqual([])
    expect((await look('/cart')).status).toBe(200)
  }
  expect(await store.press(cart)).toEqual({ orderId: (await store.ordersOf(cart))[0] })
  expect(await store.ordersOf(cart)).toHaveLength(1)
})

test('an abandoned statement is canceled on the server too', async () => {
  const running = () =>
    sql`select from pg_stat_activity where datname = current_database() and application_name = 'sidewall' and state = 'active' and wait_event_type = 'Lock'`.execute(
      store.db,
    )
  await using _lock = await holdLock(store.db, 'lock table cart in access exclusive mode')
  expect((await look('/cart')).status).toBe(503)
  expect((await running()).rows).toEqual([])
})

async function look(
  path: string,
  { isKnown = true } = {},
): Promise<{ status: number; text: string; retryAfter: string | null }> {
  const headers = isKnown ? { cookie: `sw_cart=${crypto.randomUUID()}; sw_zip=60614` } : {}
  const answer = await fetch(`${store.origin}${path}`, {
    redirect: 'manual',
    headers,
    signal: AbortSignal.timeout(aFewSeconds),
  })
  return { status: answer.status, text: await answer.text(), retryAfter: answer.headers.get('retry-after') }
}
