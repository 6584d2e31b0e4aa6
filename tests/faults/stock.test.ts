/** Tests that exactly the tires in stock are sold to more shoppers than tires. */
import { expect, test } from 'vitest'
import type { NewLine } from '#domain/payments/cart/cart.ts'
import { placeOrder } from '#domain/ordering/checkout/checkout.server.ts'
import { cancelOrder } from '#domain/ordering/orders/orders.server.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import type { Database } from '#platform/db.ts'
import { createTestDatabase, smallDataMadeAt } from '#tests/support/database.ts'
import { verify } from '#tests/support/invariants.ts'
import { crowdSize, inTurn } from '../../tools/rotation.testing.ts'
import { openOutside } from './outside.ts'
import { randomOf, seeds } from './random.ts'
import { composeApplication, longTimeouts, prepareCart, type ReadyCart } from './ready-cart.ts'
import { findSerialOrder, type Done } from './serial-order.ts'
import { openInventory } from '#tests/support/inventory.ts'

test('with five times as many shoppers as tires, all tires sell and other shoppers see that they sold out', async () => {
  await using store = await openStore()
  const tires = crowdSize(40)
  const [item = 0] = await stockOnly(store.db, [[tires]])
  const outcomes = await rush(
    store,
    Array.from({ length: 5 * tires }, () => [{ itemId: item, quantity: 1, axle: 'all' }]),
  )

  expect(tally(outcomes)).toEqual({ placed: tires, 'out-of-stock': 4 * tires })
  expect(await unitsLeft(store.db, item)).toBe(0)
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

/** Other crowds, of which a daily run takes some. */
const crowds: Readonly<Record<string, () => Promise<void>>> = {
  async 'two lines of one item are reserved together'() {
    await using store = await openStore()
    const carts = crowdSize(30)
    const [item = 0] = await stockOnly(store.db, [[2 * carts + 1]])
    const outcomes = await rush(
      store,
      Array.from({ length: carts + crowdSize(50) }, () => [
        { itemId: item, quantity: 1, axle: 'front' },
        { itemId: item, quantity: 1, axle: 'rear' },
      ]),
    )

    expect(tally(outcomes)).toEqual({ placed: carts, 'out-of-stock': crowdSize(50) })
    expect(await unitsLeft(store.db, item)).toBe(1)
    expect(await verify(store.db, store.clock.now())).toEqual([])
  },
  async 'staggered pairs ordered in either sequence never deadlock, and the scarcer tire decides'() {
    await using store = await openStore()
    const pairs = crowdSize(25)
    const [front = 0, rear = 0] = await stockOnly(store.db, [[2 * pairs + 20], [2 * pairs]])
    const pair: NewLine[] = [
      { itemId: front, quantity: 2, axle: 'front' },
      { itemId: rear, quantity: 2, axle: 'rear' },
    ]
    const swapped: NewLine[] = pair.map((line) => ({ ...line, axle: line.axle === 'front' ? 'rear' : 'front' }))
    const outcomes = await rush(
      store,
      Array.from({ length: pairs + crowdSize(55) }, (_, index) => (index % 2 === 0 ? pair : swapped.toReversed())),
    )

    expect(tally(outcomes)).toEqual({ placed: pairs, 'out-of-stock': crowdSize(55) })
    expect(await unitsLeft(store.db, front)).toBe(20)
    expect(await unitsLeft(store.db, rear)).toBe(0)
    expect(await verify(store.db, store.clock.now())).toEqual([])
  },
  async 'tires spread over all warehouses sell down to the last full set, in several parcels'() {
    await using store = await openStore()
    const [item = 0] = await stockOnly(store.db, [[9, 3, 14, 1, 22, 6, 7, 31, 2, 8]])
    const outcomes = await rush(
      store,
      Array.from({ length: 25 + crowdSize(95) }, () => [{ itemId: item, quantity: 4, axle: 'all' }]),
    )

    expect(tally(outcomes)).toEqual({ placed: 25, 'out-of-stock': crowdSize(95) })
    expect(await unitsLeft(store.db, item)).toBe(3)
    expect(await verify(store.db, store.clock.now())).toEqual([])
  },
}

test.for(inTurn(Object.keys(crowds)))('%s', (name) => crowds[name]?.())

test.for(inTurn(seeds))('concurrent orders and cancellations have a serializable outcome (seed %i)', async (seed) => {
  await using store = await openStore()
  const random = randomOf(seed)
  const total = random.between(9, 16)
  const [item = 0] = await stockOnly(store.db, [
    [Math.ceil(total / 3), Math.ceil(total / 3), total - 2 * Math.ceil(total / 3)],
  ])
  const shoppers = await Promise.all(
    Array.from({ length: 30 }, async () => {
      const quantity = random.between(1, 6)
      const cart = await ready(store, [{ itemId: item, quantity, axle: 'all' }])
      return { quantity, cart, regrets: random.chance(0.6) }
    }),
  )

  const history: Done<number>[] = []
  await Promise.all(
    shoppers.map(async ({ quantity, cart, regrets }, index) => {
      const from = performance.now()
      const placed = await placeOrder(store.app, cart.press)
      const what = `${index} ${placed.ok ? 'buys' : 'is refused'} ${quantity}`
      history.push({
        what,
        from,
        to: performance.now(),
        apply: (left) =>
          placed.ok ? (left >= quantity ? left - quantity : undefined) : left < quantity ? left : undefined,
      })
      if (!placed.ok || !regrets) return
      const asked = performance.now()
      await cancelOrder(store.app, { orderId: placed.value.orderId, actor: 'shopper' })
      history.push({
        what: `${index} gives back ${quantity}`,
        from: asked,
        to: performance.now(),
        apply: (left) => left + quantity,
      })
    }),
  )

  expect(findSerialOrder(total, history)).toHaveLength(history.length)
  const sold = await store.db
    .selectFrom('stock_allocation')
    .innerJoin('order_line', (join) =>
      join
        .onRef('order_line.order_id', '=', 'stock_allocation.order_id')
        .onRef('order_line.line_no', '=', 'stock_allocation.line_no'),
    )
    .innerJoin('sales_order', 'sales_order.id', 'stock_allocation.order_id')
    .select((eb) => eb.fn.sum<number>('stock_allocation.quantity').as('units'))
    .where('item_id', '=', item)
    .where('sales_order.state', '=', 'confirmed')
    .executeTakeFirstOrThrow()
  expect(sold.units + (await unitsLeft(store.db, item))).toBe(total)
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('the serial model rejects an oversold stock', () => {
  const buy = (from: number, to: number): Done<number> => ({
    what: 'buys 1',
    from,
    to,
    apply: (left) => (left >= 1 ? left - 1 : undefined),
  })
  const refusal = (from: number, to: number): Done<number> => ({
    what: 'is refused',
    from,
    to,
    apply: (left) => (left < 1 ? left : undefined),
  })
  expect(findSerialOrder(2, [buy(0, 9), buy(0, 9), buy(0, 9)])).toBeUndefined()
  expect(findSerialOrder(2, [buy(0, 9), refusal(0, 9), buy(0, 9)])).toEqual(['buys 1', 'buys 1', 'is refused'])
  // The refusal ended before the last tire was requested.
  expect(findSerialOrder(2, [buy(0, 1), refusal(2, 3), buy(4, 5)])).toBeUndefined()
})

type Store = Awaited<ReturnType<typeof openStore>>

/** The small demo market with slightly more connections than a busy web process. */
async function openStore() {
  const database = await createTestDatabase({ from: 'small' })
  const clock = fixedClock(smallDataMadeAt)
  const outside = await openOutside(clock)
  const app = composeApplication(database.url, { clock, ...outside.connect() }, { size: 40, env: longTimeouts })
  return {
    app,
    db: database.db,
    clock,
    outside,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      await outside[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

/** Limits one article per entry of `piles` to these units, in the first warehouses. Returns the articles. */
async function stockOnly(db: Database, piles: readonly (readonly number[])[]): Promise<number[]> {
  const items = await db
    .selectFrom('item')
    .innerJoin('size', 'size.id', 'size_id')
    .select('item.id')
    .where('active', '=', true)
    .where('size.kind', '=', 'P')
    .orderBy('item.id')
    .limit(piles.length)
    .execute()
  const warehouses = await db.selectFrom('warehouse').select('id').orderBy('id').execute()
  const ids = items.map(({ id }) => id)
  await db.deleteFrom('stock').where('item_id', 'in', ids).execute()
  const rows = ids.flatMap((item_id, index) =>
    (piles[index] ?? []).map((on_hand, place) => ({
      item_id,
      on_hand,
      warehouse_id: warehouses[place % warehouses.length]?.id ?? 0,
    })),
  )
  await db.insertInto('stock').values(rows).execute()
  await openInventory(db)
  return ids
}

async function unitsLeft(db: Database, item: number): Promise<number> {
  const rows = await db.selectFrom('stock').select('on_hand').where('item_id', '=', item).execute()
  return rows.reduce((sum, { on_hand }) => sum + on_hand, 0)
}

function ready({ app, outside }: Store, lines: readonly NewLine[]): Promise<ReadyCart> {
  return prepareCart(app, { lines, zip: '60614' }, outside.authorize)
}

/** Prepares every cart, then submits them concurrently. */
async function rush(store: Store, wishes: readonly (readonly NewLine[])[]) {
  const carts = await Promise.all(wishes.map((lines) => ready(store, lines)))
  return Promise.all(carts.map((cart) => placePatiently(store, cart)))
}

/** Places an order, and retries if the payment provider times out on a slow machine. */
async function placePatiently(store: Store, cart: ReadyCart, attemptsLeft = 3): ReturnType<typeof placeOrder> {
  const outcome = await placeOrder(store.app, cart.press)
  const isAway = !outcome.ok && outcome.reason === 'payment-unavailable'
  return isAway && attemptsLeft > 0 ? placePatiently(store, cart, attemptsLeft - 1) : outcome
}

function tally(outcomes: Awaited<ReturnType<typeof rush>>): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const outcome of outcomes) {
    const what = outcome.ok
      ? 'placed'
      : outcome.reason === 'problem'
        ? outcome.detail.problems.map(({ kind }) => kind).join()
        : outcome.reason
    counts[what] = (counts[what] ?? 0) + 1
  }
  return counts
}
