/**
 * Tests clocks that are wrong, differ between processes, or jump. The shopper's 30-minute promise holds, and no action
 * is repeated.
 */
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { expireHolds } from '#domain/scheduling/booking/booking.server.ts'
import { placeOrder } from '#domain/ordering/checkout/checkout.server.ts'
import { cancelOrder, releaseOrder } from '#domain/ordering/orders/orders.server.ts'
import { releaseAbandonedCharges } from '#domain/payments/payments/payments.server.ts'
import { systemClock } from '#platform/clock.ts'
import { eventually } from '#tests/support/eventually.ts'
import { verify } from '#tests/support/invariants.ts'
import { randomOf, seeds } from './random.ts'
import type { ReadyCart } from './ready-cart.ts'
import { openStartedStore } from './started-store.ts'
import { openScenario } from './scenario.ts'

const windowSeconds = 6
/**
 * A process estimates the database's clock from its answers (platform/database-clock.ts): off by at most a round trip,
 * which is longer on a busy machine.
 */
const reckoningSeconds = 2

test.for(['server.ts=-10 worker.ts=10', 'server.ts=10 worker.ts=-10'])(
  'with clocks %s minutes off, an order can be canceled within its window and is charged after it',
  async (wrong) => {
    const wrongClock = new URL('./wrong-clock.ts', import.meta.url).href
    await using store = await openStartedStore({
      env: {
        RELEASE_AFTER_SECONDS: String(windowSeconds),
        CLOCK_WRONG_BY: wrong,
        NODE_OPTIONS: `--import=${wrongClock}`,
      },
    })
    const cart = await store.prepare()
    const regretted = await store.prepare()
    await store.press(cart)
    await store.press(regretted)
    const [orderId = 0] = await store.ordersOf(cart)
    const [regrettedId = 0] = await store.ordersOf(regretted)

    const { rows } = await sql<{ lead: number }>`
    select extract(epoch from cancel_until - clock_timestamp())::float8 as lead from sales_order where id = ${regrettedId}::bigint`.execute(
      store.db,
    )
    expect(rows[0]?.lead).toBeGreaterThan(0)
    expect(rows[0]?.lead).toBeLessThanOrEqual(windowSeconds + reckoningSeconds)
    expect(await cancel(regrettedId)).toEqual({ status: 303, reason: null })

    await eventually('charge', async () => (await charges(orderId)).some(({ state }) => state === 'captured'))
    const charged = await sql<{
      late: boolean
    }>`select clock_timestamp() > cancel_until as late from sales_order where id = ${orderId}::bigint`.execute(store.db)
    expect(charged.rows).toEqual([{ late: true }])
    expect(await cancel(orderId)).toEqual({
      status: 409,
      reason: expect.stringContaining('Orders can be canceled for 30 minutes after they are placed.') as unknown,
    })
    await eventually('voided charge', async () => (await charges(regrettedId)).every(({ state }) => state === 'voided'))
    expect(await charges(orderId)).toEqual([{ state: 'captured', captured_cents: cart.totalCents }])

    async function cancel(id: number): Promise<{ status: number; reason: string | null }> {
      const answer = await fetch(`${store.origin}/checkout/order-confirmation?order=${id}&key=${store.keyOf(id)}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { origin: store.origin },
        body: new URLSearchParams(),
      })
      return { status: answer.status, reason: /Orders can be canceled[^<]*/.exec(await answer.text())?.[0] ?? null }
    }

    function charges(id: number) {
      return store.db.selectFrom('payment').select(['state', 'captured_cents']).where('order_id', '=', id).execute()
    }
  },
)

test('a tenth of a second before the window ends, with the worker running, canceling still wins', async () => {
  await using store = await openStartedStore({ env: { RELEASE_AFTER_SECONDS: String(windowSeconds) } })
  const carts = await Promise.all(Array.from({ length: 2 }, () => store.prepare()))
  for (const cart of carts) {
    const placed = await store.press(cart)
    if (!('orderId' in placed)) throw new Error(placed.text)
    const { orderId } = placed
    const left = async () => {
      const { rows } = await sql<{ left: number }>`
        select extract(epoch from cancel_until - clock_timestamp())::float8 as left from sales_order where id = ${orderId}::bigint`.execute(
        store.db,
      )
      return rows[0]?.left ?? 0
    }
    // By the database's clock, up to the last tenth.
    await setTimeout((await left()) * 1000 - 1_000)
    while ((await left()) > 0.1) await setTimeout(5)
    const canceled = await fetch(
      `${store.origin}/checkout/order-confirmation?order=${orderId}&key=${store.keyOf(orderId)}`,
      {
        method: 'POST',
        redirect: 'manual',
        headers: { origin: store.origin },
        body: new URLSearchParams(),
      },
    )
    // The first to lock the row wins, so the charge is either canceled and voided, or refused and charged.
    await eventually('end of the charge', async () => {
      const [charge] = await store.db.selectFrom('payment').select('state').where('order_id', '=', orderId).execute()
      return charge?.state === (canceled.status === 303 ? 'voided' : 'captured')
    })
    const order = await store.db
      .selectFrom('sales_order')
      .select(['state', 'released_at'])
      .where('id', '=', orderId)
      .executeTakeFirstOrThrow()
    expect(order).toEqual(
      canceled.status === 303
        ? { state: 'canceled', released_at: null }
        : { state: 'confirmed', released_at: expect.anything() as unknown },
    )
  }
  expect((await verify(store.db, systemClock.now())).filter(({ severity }) => severity === 'error')).toEqual([])
})

test('an order canceled at 29:59.9 store time isn’t charged by the pending release', async () => {
  await using scenario = await openScenario()
  const cart = await scenario.prepare({
    lines: [{ itemId: await scenario.stockUp(), quantity: 4, axle: 'all' }],
    zip: '60614',
    install: { shopId: await scenario.shopNearby(), kind: 'shop' },
  })
  const placed = await placeOrder(scenario.app, cart.press)
  if (!placed.ok) throw new Error(placed.reason)
  scenario.clock.set(scenario.clock.now().add({ minutes: 29, seconds: 59, milliseconds: 900 }))
  await expect(releaseOrder(scenario.app, placed.value.orderId)).rejects.toThrow('is not over')
  expect(await cancelOrder(scenario.app, { orderId: placed.value.orderId, actor: 'shopper' })).toEqual({
    ok: true,
    value: { isNew: true },
  })
  await scenario.letTimePass()
  expect(await scenario.disagreements()).toEqual([])
})

test.for(seeds)('the clock jumps by an hour, forward and back, between all operations (seed %i)', async (seed) => {
  const random = randomOf(seed)
  await using scenario = await openScenario()
  const wish = {
    lines: [{ itemId: await scenario.stockUp(), quantity: 4, axle: 'all' as const }],
    zip: '60614',
    install: { shopId: await scenario.shopNearby(), kind: 'shop' as const },
  }
  const carts: ReadyCart[] = []
  const orders: number[] = []
  const deeds = [
    async () => void carts.push(await scenario.prepare(wish)),
    async () => {
      const placed = carts.length > 0 ? await placeOrder(scenario.app, random.pick(carts).press) : undefined
      if (placed?.ok) orders.push(placed.value.orderId)
    },
    async () =>
      void (orders.length > 0 && (await cancelOrder(scenario.app, { orderId: random.pick(orders), actor: 'shopper' }))),
    () => expireHolds(scenario.app),
    () => releaseAbandonedCharges(scenario.app),
    () => scenario.runJobs(scenario.app, 'void-charge', 'send-message'),
    () => scenario.runJobs(scenario.app, 'release-order', 'ship-order'),
  ]
  let latest = scenario.clock.now()
  for (let count = 0; count < 40; count++) {
    scenario.clock.set(scenario.clock.now().add({ minutes: random.pick([-60, 0, 0, 7, 60]) }))
    await random.pick(deeds)()
    latest = [latest, scenario.clock.now()].toSorted((a, b) => Temporal.Instant.compare(a, b)).at(-1) ?? latest
    expect((await verify(scenario.db, scenario.clock.now())).filter(({ severity }) => severity === 'error')).toEqual([])
  }
  scenario.clock.set(latest)
  await scenario.letTimePass()
  expect(await scenario.disagreements()).toEqual([])
  expect(orders.length).toBeGreaterThan(0)
})
