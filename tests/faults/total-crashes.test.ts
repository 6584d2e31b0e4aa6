/**
 * Kills all processes, including PostgreSQL, during orders, charges, and email. The store restarts automatically, and
 * no data is lost, duplicated, or incomplete.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase } from '#platform/db.ts'
import { eventually } from '#tests/support/eventually.ts'
import {
  createPlace,
  databaseUrlOf,
  descendantsOf,
  startWholeStore,
  type WholeStore,
} from '#tests/support/whole-store.ts'
import { verify } from '#tests/support/invariants.ts'
import { randomOf } from './random.ts'
import type { ReadyCart } from './ready-cart.ts'
import { openDoors } from './started-store.ts'

const rounds = Array.from({ length: Number(process.env['TOTAL_CRASHES'] ?? 3) }, (_, index) => index + 1)
const cartsPerRound = 8
/** The orders of these rounds. The demo also books a service at startup. */
const orderIds: number[] = []

let running: WholeStore
let store: Awaited<ReturnType<typeof openWholeStore>>
beforeAll(async () => {
  store = await openWholeStore()
})
afterAll(() => store[Symbol.asyncDispose]())

test.for(rounds)('everything is killed in the middle of a busy run (round %i)', async (round) => {
  const random = randomOf(round)
  const carts: ReadyCart[] = []
  while (carts.length < cartsPerRound) carts.push(await store.prepare())
  const lost = Promise.all(
    carts.map(async (cart, index) => {
      await sleep(index * random.between(0, 60))
      return store.press(cart).catch(() => undefined)
    }),
  )
  // Early, this round's orders are in progress; late, so are their charges, mails and parcels.
  await sleep(random.chance(0.5) ? random.between(5, 300) : random.between(300, 3_500))
  await killEverything(running.pid)
  await lost

  running = await startWholeStore(store.env)
  expect(await verify(store.db, Temporal.Now.instant())).toEqual([])
  for (const cart of carts) {
    let again = await store.press(cart)
    // A start that takes more than a minute voids the charges of unfinished orders.
    if (!('orderId' in again) && (await store.chargesOf(cart)).every((state) => state === 'voided')) {
      await store.pay(cart)
      again = await store.press(cart)
    }
    expect(again).toEqual({ orderId: (await store.ordersOf(cart))[0] })
    const own = await store.ordersOf(cart)
    expect(own).toHaveLength(1)
    orderIds.push(...own)
  }
  expect(await verify(store.db, Temporal.Now.instant())).toEqual([])
})

test('in the end every order is charged once, to the cent, confirmed by email and delivered', async () => {
  const charges = () =>
    store.db
      .selectFrom('payment')
      .innerJoin('sales_order', 'sales_order.id', 'order_id')
      .select(['provider_ref', 'payment.state', 'captured_cents', 'total_cents'])
      .where('sales_order.id', 'in', orderIds)
      .execute()
  await eventually(
    'charge of every order',
    async () => (await charges()).every(({ state }) => state === 'captured'),
    90,
  )
  expect(await charges()).toHaveLength(rounds.length * cartsPerRound)
  for (const { provider_ref, captured_cents, total_cents } of await charges()) {
    expect(captured_cents).toBe(total_cents)
    expect(await store.payments.readCharge(provider_ref ?? '')).toMatchObject({
      ok: true,
      value: { state: 'captured', capturedCents: total_cents },
    })
  }
  const unsent = () => store.db.selectFrom('message').select(['kind', 'state']).where('state', '<>', 'sent').execute()
  await eventually('mail about every order', async () => (await unsent()).length === 0, 90)
  expect(await verify(store.db, Temporal.Now.instant())).toEqual([])
})

/** The store as run by `npm start`, without the test database's shortcuts. */
async function openWholeStore() {
  const place = await createPlace()
  const env = {
    ...place.env,
    RELEASE_AFTER_SECONDS: '1',
    SANDBOX_CARRIER_PACE_SECONDS: '1',
    LOG_LEVEL: 'error',
    // All orders use one test card, which the fraud rules would hold.
    NETWORK_ATTEMPTS_FACTOR: '1000',
  }
  running = await startWholeStore(env)
  const url = await databaseUrlOf(env.DATA_DIR)
  const db = createDatabase(url, { size: 4, application: 'test' })
  const origin = `http://localhost:${env.PORT}`
  return openDoors({
    env,
    origin,
    sandboxOrigin: `http://localhost:${env.SANDBOX_PORT}`,
    database: { db, url },
    async [Symbol.asyncDispose]() {
      await db.destroy()
      running.stop()
      await running.exited
      await place[Symbol.asyncDispose]()
    },
  })
}

async function killEverything(supervisor: number): Promise<void> {
  for (const pid of [supervisor, ...(await descendantsOf(supervisor))]) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // Ended with its parent.
    }
  }
}
