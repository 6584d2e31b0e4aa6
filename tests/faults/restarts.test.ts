/** Tests that processes killed at the worst moments repeat no action and lose no data. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '#tests/support/eventually.ts'
import { mailFor } from '#tests/support/mailbox.ts'
import { verify } from '#tests/support/invariants.ts'
import { randomOf, seeds } from './random.ts'
import { inTurn } from '../../tools/rotation.testing.ts'
import { longTimeouts, type ReadyCart } from './ready-cart.ts'
import { holdLock, openStartedStore, type StartedStore } from './started-store.ts'

let store: StartedStore
beforeAll(async () => {
  // Two connections for each concurrent visitor.
  store = await openStartedStore({ env: { RELEASE_AFTER_SECONDS: '1', DATABASE_POOL: '40', ...longTimeouts } })
})
afterAll(() => store[Symbol.asyncDispose]())

/** The point where an order's transaction is blocked while another session holds this lock. */
const stages = {
  'taking the tires': () => `select from stock where item_id = ${store.itemId} for update`,
  'writing its lines': () => 'lock table order_line in exclusive mode',
  'entering the books': () => 'lock table ledger_entry in exclusive mode',
  'promising the mail': () => 'lock table message in exclusive mode',
  'asking for its release': () => 'lock table graphile_worker._private_jobs in exclusive mode',
}

test.for(inTurn(Object.keys(stages)))(
  'the web process is killed while an order is %s; after resubmission there is one order',
  async (stage) => {
    await store.kill('worker')
    const cart = await store.prepare()
    {
      await using _lock = await holdLock(store.db, stages[stage as keyof typeof stages]())
      const lost = store.press(cart).catch((error: unknown) => error)
      await store.someoneWaits()
      await store.kill('web')
      expect(await lost).toBeInstanceOf(Error)
    }
    await store.revive('web')
    const again = await store.press(cart)
    expect(await store.ordersOf(cart)).toEqual([expect.any(Number)])
    expect(again).toEqual({ orderId: (await store.ordersOf(cart))[0] })
    expect(await verify(store.db, Temporal.Now.instant())).toEqual([])
    await store.revive('worker')
  },
)

test.for(inTurn(seeds))(
  'the web process is killed at a random moment during twelve concurrent orders (seed %i)',
  async (seed) => {
    const carts: ReadyCart[] = []
    while (carts.length < 12) carts.push(await store.prepare())
    const first = Promise.all(carts.map((cart) => store.press(cart).catch(() => undefined)))
    await sleep(randomOf(seed).between(5, 250))
    await store.kill('web')
    await first
    await store.revive('web')
    for (const cart of carts) {
      const again = await store.press(cart)
      expect(again).toEqual({ orderId: (await store.ordersOf(cart))[0] })
      expect(await store.ordersOf(cart)).toHaveLength(1)
    }
    expect(await verify(store.db, Temporal.Now.instant())).toEqual([])
  },
)

/** The point where an order's job is blocked, and whether it has had an external effect by then. */
const jobs = {
  'before it sends the mail': 'lock table message in access exclusive mode',
  'after it sent the mail': 'select from message for update',
  'before it charges': 'lock table payment in access exclusive mode',
  'after it charged': 'lock table ledger_entry in exclusive mode',
  'before it announces the parcel': 'lock table shipment in access exclusive mode',
  'after it announced the parcel': 'lock table shipment_event in exclusive mode',
}

test.for(inTurn(Object.entries(jobs)))(
  'the worker is killed %s; another finishes the job, with a single effect outside',
  async ([when, lock]) => {
    await store.kill('worker')
    const email = `${crypto.randomUUID()}@example.com`
    const cart = await store.prepare(email)
    const placed = await store.press(cart)
    const [orderId = 0] = await store.ordersOf(cart)
    expect(placed).toEqual({ orderId })
    {
      await using _lock = await holdLock(store.db, lock)
      await store.revive('worker')
      await store.someoneWaits()
      await sleep(300)
      await store.kill('worker')
    }
    await store.revive('worker')
    const shipments = () =>
      store.db.selectFrom('shipment').select(['id', 'state']).where('order_id', '=', orderId).execute()
    await eventually('delivery', async () => (await shipments()).every(({ state }) => state === 'delivered'))
    await eventually(
      'mail',
      async () =>
        (
          await store.db
            .selectFrom('message')
            .select('id')
            .where('order_id', '=', orderId)
            .where('state', '<>', 'sent')
            .execute()
        ).length === 0,
    )

    const mails = await mailFor(store, email)
    // A mail sent but not recorded arrives twice under one id, by which mail programs deduplicate.
    const ids = Map.groupBy(mails, ({ headers }) => headers['message-id'])
    const subjects = [...ids.values()].map(([mail]) => String(mail?.subject.replace(/S-\d+/, 'S'))).toSorted()
    // A pickup that the carrier reports again only after the delivery sends no email.
    const isPickupEmailed = when !== 'after it announced the parcel' || subjects.length === 3
    expect(subjects).toEqual([
      'Delivered: order S',
      ...(isPickupEmailed ? ['On the way: order S'] : []),
      'We have your order S',
    ])
    expect(mails.length).toBeLessThanOrEqual(ids.size + 1)
    expect(await shipmentsAtCarrier(orderId)).toBe((await shipments()).length)
    expect(
      await store.db
        .selectFrom('payment')
        .select(['state', 'captured_cents'])
        .where('order_id', '=', orderId)
        .execute(),
    ).toEqual([{ state: 'captured', captured_cents: cart.totalCents }])
    expect(await verify(store.db, Temporal.Now.instant())).toEqual([])
  },
)

async function shipmentsAtCarrier(orderId: number): Promise<number> {
  const board = await (await fetch(`${store.sandboxOrigin}/carrier`)).text()
  return board.split(`S-${orderId}`).length - 1
}
