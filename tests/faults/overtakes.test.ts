/**
 * Tests two competing operations, one overtaken by the other at every step, so that every interleaving is covered. If
 * the slow one holds a lock, the fast one is blocked, so only their order can differ.
 */
import { cutOffAfterSeconds } from '#domain/payments/payments/payments.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  findAppointment,
  findHold,
  holdSlot,
  holdTires,
  moveBooking,
  releaseHold,
} from '#domain/scheduling/booking/booking.server.ts'
import { readCart } from '#domain/payments/cart/cart.server.ts'
import { installationFor, placeOrder } from '#domain/ordering/checkout/checkout.server.ts'
import { cancelOrder } from '#domain/ordering/orders/orders.server.ts'
import {
  beginSubmission,
  voidPayment,
  openCharge,
  openHostedPage,
  releaseAbandonedCharges,
  releaseCutOffCharges,
} from '#domain/payments/payments/payments.server.ts'
import type { Application } from '#application'
import type { Tx } from '#platform/db.ts'
import { granted, type ReadyCart } from './ready-cart.ts'
import { inTurn } from '../../tools/rotation.testing.ts'
import { openScenario, stepsBetweenComparisons, stepsBetweenOvertakes, type Scenario } from './scenario.ts'

/** `start` is the time held by `cart`; `rival` holds another. */
type Scene = {
  cart: ReadyCart
  rival: ReadyCart
  shopId: number
  start: Temporal.Instant
  orderId: number
  pageUrl: string
}

type Race = {
  stage?: (scenario: Scenario, scene: Scene) => Promise<void>
  slow: (app: Application, scene: Scene, scenario: Scenario) => Promise<string | void>
  fast: (app: Application, scene: Scene, scenario: Scenario) => Promise<string | void>
  /** The possible outcomes of both; each must occur. */
  ends: string[]
}

const races: Record<string, Race> = {
  'an order and the voiding of its charge': {
    stage: abandon,
    slow: place,
    fast: async (app) => void (await releaseAbandonedCharges(app)),
    // The submission is recorded first, so the charge is not treated as abandoned.
    ends: ['placed, done'],
  },
  'the voiding of a charge and an order': {
    stage: abandon,
    slow: async (app) => void (await releaseAbandonedCharges(app)),
    fast: place,
    ends: ['done, incomplete', 'done, payment-not-authorized', 'done, placed'],
  },
  'the voiding of a charge whose submission was cut off and the next submission': {
    async stage(scenario, { cart }) {
      await beginSubmission(scenario.app, { cartId: cart.cartId })
      scenario.clock.set(scenario.clock.now().add({ seconds: cutOffAfterSeconds + 1 }))
    },
    slow: async (app) => void (await releaseCutOffCharges(app)),
    fast: place,
    ends: ['done, incomplete', 'done, payment-not-authorized', 'done, placed'],
  },
  'an order and a shopper who wants to pay in another way': {
    slow: place,
    fast: (app, { cart }) => voidPayment(app, { cartId: cart.cartId }),
    ends: ['placed, done', 'payment-not-authorized, done'],
  },
  'an order and a second tab that opens another charge': {
    slow: place,
    fast: async (app, { cart }) =>
      textOf(await openCharge(app, { cartId: cart.cartId, amountCents: cart.totalCents, email: null }), 'opened'),
    ends: ['placed, opened', 'payment-not-authorized, opened'],
  },
  'voiding a payment page and the shopper who pays there just then': {
    async stage(scenario, scene) {
      const addresses = { returnUrl: 'https://store.example/{payment}', cancelUrl: 'https://store.example' }
      const { cartId, totalCents } = scene.cart
      scene.pageUrl = granted(
        await openHostedPage(scenario.app, {
          cartId,
          amountCents: totalCents,
          email: null,
          description: 'Tires',
          ...addresses,
        }),
      ).url
      scenario.clock.set(scenario.clock.now().add({ minutes: 31 }))
    },
    async slow(app, _, scenario) {
      await releaseAbandonedCharges(app)
      await scenario.runJobs(app, 'void-charge')
    },
    fast: (_, { pageUrl }, scenario) => scenario.outside.payOnPage(pageUrl),
    ends: ['done, done'],
  },
  'canceling in the last second and charging': {
    stage: order,
    slow: async (app, { orderId }) => textOf(await cancelOrder(app, { orderId, actor: 'shopper' }), 'canceled'),
    async fast(app, _, scenario) {
      scenario.clock.set(scenario.clock.now().add({ minutes: 30 }))
      await scenario.runJobs(app, 'release-order')
    },
    ends: ['canceled, done', 'too-late, done'],
  },
  'canceling by a clock that is slow and charging by one that is fast': {
    stage: orderAtItsDeadline,
    slow: async (app, { orderId }) =>
      textOf(await cancelOrder(withClock(app, -10), { orderId, actor: 'shopper' }), 'canceled'),
    fast: (_, __, scenario) => scenario.runJobs(withClock(scenario.app, 10), 'release-order'),
    ends: ['canceled, done', 'too-late, done'],
  },
  'charging by a clock that is fast and canceling by one that is slow': {
    stage: orderAtItsDeadline,
    slow: (app, _, scenario) => scenario.runJobs(withClock(app, 10), 'release-order'),
    fast: async (_, { orderId }, scenario) =>
      textOf(await cancelOrder(withClock(scenario.app, -10), { orderId, actor: 'shopper' }), 'canceled'),
    ends: ['done, too-late'],
  },
  'an order whose hold ran out and the next shopper for that time': {
    stage: async (scenario) => scenario.clock.set(scenario.clock.now().add({ minutes: 11 })),
    slow: place,
    fast: (app, scene) => hold(app, scene, scene.rival),
    ends: ['placed, slot-taken', 'slot-lost, held'],
  },
  'an order whose hold ran out and an appointment that moves there': {
    async stage(scenario, scene) {
      scene.orderId = granted(await placeOrder(scenario.app, scene.rival.press)).orderId
      scenario.clock.set(scenario.clock.now().add({ minutes: 11 }))
    },
    slow: place,
    fast: move,
    ends: ['placed, slot-taken', 'slot-lost, moved'],
  },
  'two who hold one time': {
    stage: (scenario, { cart }) => releaseHold(scenario.app, { cartId: cart.cartId }),
    slow: (app, scene) => hold(app, scene, scene.rival),
    fast: (app, scene) => hold(app, scene, scene.cart),
    ends: ['held, slot-taken', 'slot-taken, held'],
  },
}

test.for(inTurn(Object.entries(races)))('%s', async ([, race]) => {
  await using scenario = await openScenario()
  const shopId = await scenario.shopNearby()
  await sql`delete from shop_bay where shop_id = ${shopId}::int and id not in (select min(id) from shop_bay where shop_id = ${shopId}::int group by kind)`.execute(
    scenario.db,
  )
  const wish = {
    lines: [{ itemId: await scenario.stockUp(), quantity: 4, axle: 'all' as const }],
    zip: '60614',
    install: { shopId, kind: 'shop' as const },
  }
  const ends = new Set<string>()
  const stride = race.slow === place ? stepsBetweenOvertakes : 1
  for (let at = 1; ; at += stride) {
    const [cart, rival] = [await scenario.prepare(wish), await scenario.prepare(wish)]
    const held = await findHold(scenario.app, cart.cartId)
    const scene: Scene = { cart, rival, shopId, start: held?.start ?? scenario.clock.now(), orderId: 0, pageUrl: '' }
    await race.stage?.(scenario, scene)
    let fast: Promise<string | void> | undefined
    await using process = await scenario.process(async ({ number, moment }) => {
      if (number !== at || moment !== 'answered') return
      fast = race.fast(scenario.app, scene, scenario)
      await Promise.race([fast, scenario.someoneWaits()])
    })
    const slowly = (await race.slow(process.app, scene, scenario)) ?? 'done'
    const isOver = fast === undefined
    if (!isOver) ends.add(`${slowly}, ${(await fast) ?? 'done'}`)
    await scenario.letTimePass()
    if (isOver || at % stepsBetweenComparisons < stride)
      expect({ at, disagreements: await scenario.disagreements() }).toEqual({ at, disagreements: [] })
    if (isOver) break
  }
  expect([...ends].toSorted()).toEqual(race.ends.toSorted())
})

async function place(app: Application, { cart }: Scene): Promise<string> {
  return textOf(await placeOrder(app, cart.press), 'placed')
}

/** Its charge has been untouched for half an hour. */
async function abandon(scenario: Scenario, { cart }: Scene): Promise<void> {
  const long = scenario.clock.now().subtract({ minutes: 31 })
  await scenario.db.updateTable('payment').set({ updated_at: long }).where('cart_id', '=', cart.cartId).execute()
}

async function order(scenario: Scenario, scene: Scene): Promise<void> {
  scene.orderId = granted(await placeOrder(scenario.app, scene.cart.press)).orderId
}

/** For one process the cancellation window lasts ten more minutes, for the other it ended ten minutes ago. */
async function orderAtItsDeadline(scenario: Scenario, scene: Scene): Promise<void> {
  await order(scenario, scene)
  scenario.clock.set(scenario.clock.now().add({ minutes: 30 }))
}

function withClock(app: Application, minutes: number): Application {
  return { ...app, clock: { now: () => app.clock.now().add({ minutes }) } }
}

async function hold(app: Application, { shopId, start }: Scene, { cartId }: ReadyCart): Promise<string> {
  return textOf(
    await holdSlot(app, { ...(await workFor(app, cartId, shopId)), cartId, shopId, choice: { start } }),
    'held',
  )
}

async function move(app: Application, { shopId, start, orderId, rival }: Scene): Promise<string> {
  const booking = await findAppointment(app, { orderId })
  return textOf(
    await moveBooking(app, {
      ...(await workFor(app, rival.cartId, shopId)),
      bookingId: booking?.id ?? '',
      choice: { start },
    }),
    'moved',
  )
}

async function workFor(app: Application, cartId: string, shopId: number) {
  const cart = await readCart(app, cartId)
  if (!cart) throw new Error('The cart is gone.')
  return granted(await installationFor(app, cart, shopId))
}

function textOf(outcome: { ok: boolean; reason?: string }, done: string): string {
  return outcome.ok ? done : (outcome.reason ?? '')
}

test('an order rolled back by PostgreSQL in a deadlock is placed on the next attempt', async () => {
  await using scenario = await openScenario()
  const cart = await scenario.prepare({
    lines: [{ itemId: await scenario.stockUp(), quantity: 4, axle: 'all' }],
    zip: '60614',
  })
  let rival: Promise<unknown> | undefined
  await using process = await scenario.process(async ({ moment, what }) => {
    if (rival || moment !== 'asked' || !what.includes('update "payment" set "order_id"')) return
    // The rival holds the charge and is blocked by the cart, which the order holds. Its own deadlock check runs only
    // after a minute.
    const hasCharge = Promise.withResolvers<void>()
    rival = scenario.db.transaction().execute(async (tx) => {
      await sql`set local deadlock_timeout = '1min'`.execute(tx)
      await sql`select from payment where cart_id = ${cart.cartId}::uuid for update`.execute(tx)
      hasCharge.resolve()
      await sql`select from cart where id = ${cart.cartId}::uuid for update`.execute(tx)
    })
    await hasCharge.promise
    await scenario.someoneWaits()
  })

  expect(await placeOrder(process.app, cart.press)).toMatchObject({ ok: true, value: { isNew: true } })
  await rival
  expect(await scenario.disagreements()).toEqual([])
})

test('tires held again with a time are held on the next attempt after a deadlock', async () => {
  await using scenario = await openScenario()
  const itemIds = [await scenario.stockUp(), await scenario.stockUp()].toSorted((one, other) => one - other)
  const shopId = await scenario.shopNearby()
  const { cartId } = await scenario.prepare({
    lines: [
      { itemId: itemIds[0] ?? 0, quantity: 4, axle: 'all' },
      { itemId: itemIds[1] ?? 0, quantity: 4, axle: 'all' },
    ],
    zip: '60614',
    install: { shopId, kind: 'shop' },
  })
  const { parcels } = await workFor(scenario.app, cartId, shopId)
  const booking = (await findHold(scenario.app, cartId)) ?? expect.unreachable()
  const lockStockOf = (tx: Tx, item: number) =>
    sql`select from stock where item_id = ${itemIds[item]}::int for update`.execute(tx)

  // PostgreSQL checks once, after a session has waited for a second. The holder waits last, so its check finds the
  // deadlock; the rival's check would run only after a minute.
  const rival = await scenario.db.startTransaction().execute()
  await sql`set local deadlock_timeout = '1min'`.execute(rival)
  await sql`select from stock_hold where booking_id = ${booking.id}::uuid for update`.execute(rival)
  const delay = await scenario.db.startTransaction().execute()
  await lockStockOf(delay, 1)
  const held = holdTires(scenario.app, booking, { parcels })
  await scenario.someoneWaits()
  const rivalLocks = lockStockOf(rival, 0)
  await scenario.someoneWaits(2)
  await delay.commit().execute()
  await rivalLocks
  await rival.commit().execute()

  expect(await held).toBe(true)
  await scenario.letTimePass()
  expect(await scenario.disagreements()).toEqual([])
})
