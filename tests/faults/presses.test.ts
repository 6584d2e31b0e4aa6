/**
 * "Place order" submitted more than once: by a double click, by two tabs, over two web processes. There is one order,
 * and everyone is led to it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { setQuantity } from '#domain/payments/cart/cart.server.ts'
import { placeOrder } from '#domain/ordering/checkout/checkout.server.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { createTestDatabase, smallDataMadeAt } from '#tests/support/database.ts'
import { verify } from '#tests/support/invariants.ts'
import { openOutside } from './outside.ts'
import { seeds } from './random.ts'
import { composeApplication, granted, prepareCart } from './ready-cart.ts'
import { openInventory } from '#tests/support/inventory.ts'
import { watchSteps } from './steps.ts'

/** Tires beyond the cart's eight. Without spare tires, the order itself blocks the next submission. */
const spares = [0, 100]

test.for(seeds.flatMap((seed) => spares.map((spare) => [seed, spare] as const)))(
  '20 submissions over two web processes make one order (round %i, %i tires to spare)',
  async ([, spare]) => {
    await using store = await openStore()
    const { cart, item } = await store.cartOfEight(spare)
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, press) => placeOrder(press % 2 === 0 ? store.web1 : store.web2, cart.press)),
    )

    const ids = new Set(outcomes.map((outcome) => (outcome.ok ? outcome.value.orderId : outcome.reason)))
    expect([...ids]).toEqual([expect.any(Number)])
    expect(outcomes.filter((outcome) => outcome.ok && outcome.value.isNew)).toHaveLength(1)
    expect(await store.counts(cart.cartId, item)).toEqual({
      orders: 1,
      allocated: 8,
      left: spare,
      charges: 1,
      mails: 1,
      releases: 1,
    })
    expect(await verify(store.db, store.clock.now())).toEqual([])
  },
)

test.for(spares)(
  'a submission overtaken by another at any step leads to the same order (%i tires to spare)',
  async (spare) => {
    await using store = await openStore()
    let step = 0
    for (;;) {
      step += 1
      const { cart, item } = await store.cartOfEight(spare)
      let overtaking: ReturnType<typeof placeOrder> | undefined
      await using slow = await watchSteps(store.url, async ({ number, moment }) => {
        if (number !== step || moment !== 'answered') return
        overtaking = placeOrder(store.web2, cart.press)
        // If the slow one holds the cart's lock, the fast one is blocked.
        await Promise.race([overtaking, store.someoneWaits()])
      })
      await using web = composeApplication(
        slow.url,
        { clock: store.clock, payments: slow.watch(store.outside.connect().payments) },
        { size: 5 },
      )
      const placed = await placeOrder(web, cart.press)
      if (!overtaking) break

      const { orderId } = granted(await overtaking)
      expect({ step, placed }).toMatchObject({ step, placed: { ok: true, value: { orderId } } })
      expect(await store.counts(cart.cartId, item)).toEqual({
        orders: 1,
        allocated: 8,
        left: spare,
        charges: 1,
        mails: 1,
        releases: 1,
      })
    }
    expect(step).toBeGreaterThan(15)
    expect(await verify(store.db, store.clock.now())).toEqual([])
  },
)

test('submitting again later returns the first order, whatever was agreed to since', async () => {
  await using store = await openStore()
  const { cart, item } = await store.cartOfEight(0)
  const first = await placeOrder(store.web1, cart.press)
  const again = await placeOrder(store.web2, { ...cart.press, agreedPrice: 'another price', termsAccepted: false })

  if (!first.ok) throw new Error(first.reason)
  expect(again).toEqual({ ok: true, value: { orderId: first.value.orderId, isNew: false } })
  expect(await store.counts(cart.cartId, item)).toMatchObject({ orders: 1, mails: 1 })
})

test.for(seeds)(
  'a cart changed in another tab during submission is ordered as agreed to, or not at all (round %i)',
  async () => {
    await using store = await openStore()
    const { cart, item } = await store.cartOfEight(0)
    const presses = Array.from({ length: 10 }, (_, press) =>
      placeOrder(press % 2 === 0 ? store.web1 : store.web2, cart.press),
    )
    const change = setQuantity(store.web2, cart.cartId, { itemId: item, axle: 'all', quantity: 4 })
    const outcomes = await Promise.all(presses)
    const changed = await change

    // Either the change came before the order, or it found the cart closed.
    const placed = outcomes.filter((outcome) => outcome.ok)
    const refusals = new Set(outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.reason])))
    if (changed.ok) {
      expect(placed).toEqual([])
      expect([...refusals]).toEqual(['price-changed'])
      expect(await store.counts(cart.cartId, item)).toMatchObject({ orders: 0, left: 8 })
    } else {
      expect([...refusals]).toEqual([])
      expect(await store.counts(cart.cartId, item)).toMatchObject({ orders: 1, allocated: 8, left: 0 })
    }
    expect(await verify(store.db, store.clock.now())).toEqual([])
  },
)

test('a cart changed before submission is rejected instead of ordered', async () => {
  await using store = await openStore()
  const { cart, item } = await store.cartOfEight(0)
  await setQuantity(store.web1, cart.cartId, { itemId: item, axle: 'all', quantity: 6 })

  expect(await placeOrder(store.web1, cart.press)).toMatchObject({ ok: false, reason: 'price-changed' })
  expect(await store.counts(cart.cartId, item)).toMatchObject({ orders: 0, left: 8 })
})

/** Returns two shops on one database, like two web processes, each with a separate pool. */
async function openStore() {
  const database = await createTestDatabase({ from: 'small' })
  const clock = fixedClock(smallDataMadeAt)
  const outside = await openOutside(clock)
  const web1 = composeApplication(database.url, { clock, ...outside.connect() }, { size: 12 })
  const web2 = composeApplication(database.url, { clock, ...outside.connect() }, { size: 12 })
  const { db } = database
  return {
    web1,
    web2,
    db,
    clock,
    outside,
    url: database.url,
    /** Resolves when a statement is blocked by another's lock. */
    async someoneWaits() {
      for (;;) {
        const { rows } =
          await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
            db,
          )
        if (rows.length > 0) return
        await sleep(5)
      }
    },
    /** A cart of eight tires, with `spare` more in stock. */
    async cartOfEight(spare: number) {
      const { id: item } = await db
        .selectFrom('item')
        .select('id')
        .where('active', '=', true)
        .orderBy('id')
        .limit(1)
        .executeTakeFirstOrThrow()
      await db.deleteFrom('stock').where('item_id', '=', item).execute()
      await db
        .insertInto('stock')
        .values({ item_id: item, warehouse_id: 1, on_hand: 8 + spare })
        .execute()
      await openInventory(db)
      const cart = await prepareCart(
        web1,
        { lines: [{ itemId: item, quantity: 8, axle: 'all' }], zip: '60614' },
        outside.authorize,
      )
      return { cart, item }
    },
    /** Counts everything an order of the cart creates. */
    async counts(cartId: string, item: number) {
      const { rows } = await sql<Record<'orders' | 'allocated' | 'left' | 'charges' | 'mails' | 'releases', number>>`
        with placed as (select id from sales_order where cart_id = ${cartId}::uuid)
        select (select count(*)::int from placed) as orders,
          (select coalesce(sum(quantity), 0)::int from stock_allocation where order_id in (select id from placed)) as allocated,
          (select sum(on_hand)::int from stock where item_id = ${item}::int) as left,
          (select count(*)::int from payment where order_id in (select id from placed)) as charges,
          (select count(*)::int from message where order_id in (select id from placed)) as mails,
          (select count(*)::int from graphile_worker.jobs where key in (select 'release-order:' || id from placed)) as releases`.execute(
        db,
      )
      return rows[0]
    },
    async [Symbol.asyncDispose]() {
      await web1[Symbol.asyncDispose]()
      await web2[Symbol.asyncDispose]()
      await outside[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}
