/**
 * Tests database failures and recovery under load. The store reports them clearly, no process ends, and it recovers
 * automatically.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sessionOf } from '#tests/support/visitor.ts'
import { eventually } from '#tests/support/eventually.ts'
import { verify } from '#tests/support/invariants.ts'
import { createGate, type Gate } from './database-gate.ts'
import type { ReadyCart } from './ready-cart.ts'
import { openStartedStore, type StartedStore } from './started-store.ts'

let gate: Gate
let store: StartedStore
beforeAll(async () => {
  store = await openStartedStore({
    env: async (url) => {
      gate = await createGate(url)
      return { DATABASE_URL: gate.url, RELEASE_AFTER_SECONDS: '1' }
    },
  })
})
afterAll(async () => {
  await store[Symbol.asyncDispose]()
  await gate[Symbol.asyncDispose]()
})

/** 20 in the long run, so that every process gives up and retries many times. */
const outageSeconds = Number(process.env['OUTAGE_SECONDS'] ?? 1)

/** Pages that need the database even with warm caches. */
const pages = () => [
  `/tire-sizes/225-65r17?look=${crypto.randomUUID()}`,
  '/cart',
  '/checkout/shipping',
  '/checkout/services',
  '/brands',
]

test('without a database every page shows a retry message, and the process continues', async () => {
  const [web, worker] = [store.pid('web'), store.pid('worker')]
  const cart = await store.prepare()
  await gate.shut()
  for (const path of pages()) {
    const answer = await look(path)
    expect({ path, status: answer.status }).toEqual({ path, status: 503 })
    expect(answer.text).toMatch(/We&#(39|x27);re experiencing a technical problem\. Please try again\./)
    expect(answer.retryAfter).toBe('5')
    // Visitors with a cart still get the header and the phone number.
    expect(answer.text).toMatch(/<header.*\(800\) 555-0142.*<main/s)
  }
  expect(await store.press(cart)).toMatchObject({ status: 503 })
  expect((await fetch(`${store.origin}/healthz`)).status).toBe(200)
  await sleep(outageSeconds * 1_000)

  await gate.open()
  await eventually('page', async () => (await look('/cart')).status === 200)
  expect(await store.press(cart)).toEqual({ orderId: (await store.ordersOf(cart))[0] })
  await eventually('delivery', async () =>
    (
      await store.db
        .selectFrom('shipment')
        .select('state')
        .where('order_id', 'in', await store.ordersOf(cart))
        .execute()
    ).every(({ state }) => state === 'delivered'),
  )
  expect(store.pid('web')).toBe(web)
  expect(store.pid('worker')).toBe(worker)
  expect(isAlive(web)).toBe(true)
  expect(isAlive(worker)).toBe(true)
})

test('without a database sessions stay valid and every page shows a retry message', async () => {
  const session = await sessionOf(store.origin)
  await gate.shut()
  for (const path of ['/', '/account', '/account/my-orders', '/api/user-details', '/api/garage']) {
    const answer = await look(path, session)
    expect({ path, status: answer.status, cookies: answer.cookies }).toEqual({ path, status: 503, cookies: [] })
    expect(answer.text).toMatch(/technical problem|Try again in a moment/)
  }
  // Pages that need no database work, and do not ask to sign in again.
  const article = await look('/learn', session)
  expect({ status: article.status, cookies: article.cookies, asks: article.text.includes('/sign-in') }).toEqual({
    status: 200,
    cookies: [],
    asks: false,
  })
  await gate.open()
  await eventually('account', async () => (await look('/account', session)).status === 200)
})

test('with connections terminated by the hundred, every request gets a page or a clear message, never a broken page', async () => {
  const carts: ReadyCart[] = []
  while (carts.length < 10) carts.push(await store.prepare())
  const isOver = new AbortController()
  const storm = endConnections(isOver.signal)
  const statuses = new Set<number>()
  const visitors = Array.from({ length: 8 }, async () => {
    for (let round = 0; round < 12; round++) for (const path of pages()) statuses.add((await look(path)).status)
  })
  const presses = carts.map(async (cart) => {
    for (let round = 0; round < 10; round++) await store.press(cart)
  })
  await Promise.all([...visitors, ...presses])
  isOver.abort()
  expect(await storm).toBeGreaterThan(20)

  expect([...statuses].filter((status) => ![200, 302, 303, 404, 503].includes(status))).toEqual([])
  for (const cart of carts) {
    const placed = await store.press(cart)
    const orders = await store.ordersOf(cart)
    // A charge is voided 30 seconds after a failed submission, and the shopper pays again.
    if ((await store.chargesOf(cart)).includes('voided'))
      expect({ placed, orders }).toEqual({ placed: { status: 303, text: '' }, orders: [] })
    else expect({ placed, orders }).toEqual({ placed: { orderId: orders[0] }, orders: [expect.any(Number)] })
  }
  expect(isAlive(store.pid('web'))).toBe(true)
  expect(isAlive(store.pid('worker'))).toBe(true)
  expect(await verify(store.db, Temporal.Now.instant())).toEqual([])
})

test('a full database shows a clear message and stores no part of the order', async () => {
  const cart = await store.prepare()
  const stock = () => store.db.selectFrom('stock').select('on_hand').where('item_id', '=', store.itemId).execute()
  const before = await stock()
  // PostgreSQL's own error, at a row halfway through an order.
  await sql`create function refuse_for_want_of_room() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`.execute(
    store.db,
  )
  await sql`create trigger disk_is_full before insert on ledger_entry execute function refuse_for_want_of_room()`.execute(
    store.db,
  )
  expect(await store.press(cart)).toMatchObject({
    status: 503,
    text: expect.stringMatching(/experiencing a technical problem\. Please try again\./) as unknown,
  })
  expect(await store.ordersOf(cart)).toEqual([])
  expect(await stock()).toEqual(before)

  await sql`drop trigger disk_is_full on ledger_entry`.execute(store.db)
  expect(await store.press(cart)).toEqual({ orderId: (await store.ordersOf(cart))[0] })
  expect(await verify(store.db, Temporal.Now.instant())).toEqual([])
})

test('a message with a file on a full disk isn’t stored and can be resent with its input', async () => {
  await sql`create trigger disk_is_full before insert on support_attachment execute function refuse_for_want_of_room()`.execute(
    store.db,
  )
  const refused = await write('How wide is it?')
  expect(refused.status).toBe(503)
  expect(refused.text).toContain('Message failed to send')
  expect(refused.text).toContain('How wide is it?</textarea>')
  const kept = () =>
    store.db.selectFrom('support_request').select('message').where('message', '=', 'How wide is it?').execute()
  expect(await kept()).toEqual([])

  await sql`drop trigger disk_is_full on support_attachment`.execute(store.db)
  expect(await write('How wide is it?')).toMatchObject({ status: 303 })
  expect(await kept()).toEqual([{ message: 'How wide is it?' }])
})

/** Sends a message to the store, with a half-megabyte attachment. */
async function write(message: string): Promise<{ status: number; text: string }> {
  const form = new FormData()
  const fields = {
    firstName: 'Dana',
    lastName: 'Ruiz',
    email: 'dana@example.com',
    phone: '312-555-0142',
    orderNumber: '',
    subject: 'Does it fit?',
    message,
  }
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append(
    'attachment',
    new File([`%PDF-1.7\n${'%'.repeat(500_000)}\n%%EOF\n`], 'label.pdf', { type: 'application/pdf' }),
  )
  const answer = await fetch(`${store.origin}/contact`, {
    method: 'POST',
    body: form,
    headers: { origin: store.origin },
    redirect: 'manual',
  })
  return { status: answer.status, text: await answer.text() }
}

async function look(
  path: string,
  session = '',
): Promise<{ status: number; text: string; retryAfter: string | null; cookies: string[] }> {
  const cookie = [`sw_cart=${crypto.randomUUID()}`, 'sw_zip=60614', session].filter(Boolean).join('; ')
  const answer = await fetch(`${store.origin}${path}`, { redirect: 'manual', headers: { cookie } })
  return {
    status: answer.status,
    text: await answer.text(),
    retryAfter: answer.headers.get('retry-after'),
    cookies: answer.headers.getSetCookie(),
  }
}

/** Repeatedly terminates every connection of the product. Returns how many. */
async function endConnections(signal: AbortSignal): Promise<number> {
  let ended = 0
  while (!signal.aborted) {
    const { rows } = await sql`
      select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'sidewall%' and pid <> pg_backend_pid()`.execute(
      store.db,
    )
    ended += rows.length
    await sleep(60)
  }
  return ended
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
