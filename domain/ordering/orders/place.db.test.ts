/** What the statements of placing an order lock and refuse, as seen by parallel transactions. */
import { sql } from 'kysely'
import { allItems } from '#domain/payments/cart/cart.testing.ts'
import { expect, test } from 'vitest'
import { addToCart, readCart } from '#domain/payments/cart/cart.server.ts'
import { updateSeenPrices } from '#domain/payments/cart/cart.sql.server.ts'
import {
  agreeTo,
  makePaidCart,
  makeReadyCart,
  must,
  openTestStore,
  payByCard,
  pickTire,
  untilWaiting,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { placeOrder } from '#domain/ordering/checkout/checkout.server.ts'
import { takeStock } from '#domain/supply/delivery/delivery.server.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { cancelOrder } from './orders.server.ts'

const [port = 0] = await freePorts(3)

/** Returns two items in the same size, with the lower id first. */
async function twoTires(store: TestStore): Promise<[number, number]> {
  const first = await pickTire(store)
  const { id } = await store.db
    .selectFrom('item')
    .innerJoin('stock', 'stock.item_id', 'item.id')
    .select('item.id')
    .where('item.id', '>', first)
    .where('item.active', '=', true)
    .groupBy('item.id')
    .having((eb) => eb(eb.fn.sum('stock.on_hand'), '>=', 40))
    .orderBy('item.id')
    .limit(1)
    .executeTakeFirstOrThrow()
  return [first, id]
}

/**
 * Locks the first tire's row, runs `work` until it blocks on that row, and returns whether the second tire's row is
 * still unlocked.
 */
async function isLastRowFree(
  store: TestStore,
  orderOf: readonly [number, number],
  work: () => Promise<unknown>,
): Promise<boolean> {
  const blocker = await store.db.startTransaction().execute()
  await sql`select from stock where item_id = ${orderOf[0]} for update`.execute(blocker)
  const working = work()
  await untilWaiting(store.db, 1)
  const free = await sql`select from stock where item_id = ${orderOf[1]} for update skip locked`.execute(blocker)
  const all = await sql`select from stock where item_id = ${orderOf[1]}`.execute(blocker)
  await blocker.rollback().execute()
  await working
  return free.rows.length === all.rows.length
}

test('stock is locked in key order when taken and when returned, so that orders cannot deadlock', async () => {
  await using store = await openTestStore(port)
  const tires = await twoTires(store)
  const { id } = await makeReadyCart(store, { itemId: tires[1], fulfillment: 'home' })
  must(
    await addToCart(
      { ...store, catalog: allItems },
      { cartId: id, lines: [{ itemId: tires[0], quantity: 2, axle: 'all' }], zip: null, vehicle: null },
    ),
  )
  const cart = (await readCart(store, id)) ?? expect.fail('The cart of a test is gone.')
  const { totalCents, ...input } = await agreeTo(store, cart)
  await payByCard(store, id, totalCents)

  let orderId = 0
  expect(await isLastRowFree(store, tires, async () => void ({ orderId } = must(await placeOrder(store, input))))).toBe(
    true,
  )
  expect(await isLastRowFree(store, tires, () => cancelOrder(store, { orderId, actor: 'shopper' }))).toBe(true)
})

test('rejects a tire without a warehouse row and takes no stock', async () => {
  await using store = await openTestStore(port)
  const itemId = await pickTire(store)
  const { warehouse_id } = await store.db
    .selectFrom('stock')
    .select('warehouse_id')
    .where('item_id', '=', itemId)
    .where('on_hand', '>', 0)
    .executeTakeFirstOrThrow()
  const shipment = (items: number[]) => [
    {
      id: 'p',
      warehouseId: warehouse_id,
      promisedOn: '2026-11-24',
      items: items.map((item, index) => ({ itemId: item, quantity: 1, lineNo: index + 1 })),
    },
  ]
  const take = (items: number[]) =>
    store.db.transaction().execute((tx) => takeStock(tx, shipment(items), { cartId: null, at: store.clock.now() }))
  expect(await take([itemId])).toBe(true)
  expect(await take([itemId, 2_000_000_000])).toBe(false)
  expect(await take([2_000_000_000])).toBe(false)
})

test('prices are not recorded as seen in an ordered cart', async () => {
  await using store = await openTestStore(port)
  const itemId = await pickTire(store)
  const input = await makePaidCart(store, { itemId, fulfillment: 'home' })
  const seen = async () => (await readCart(store, input.cartId))?.lines.map(({ seenUnitCents }) => seenUnitCents)
  const [before, cart] = [await seen(), await readCart(store, input.cartId)]
  must(await placeOrder(store, input))
  // As a request that read the cart earlier would.
  await updateSeenPrices(
    store.db,
    { id: input.cartId, lines: (cart?.lines ?? []).map((line) => ({ ...line, unitCents: line.unitCents + 500 })) },
    store.clock.now(),
  )
  expect(await seen()).toEqual(before)
})
