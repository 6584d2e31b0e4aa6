import { expect, test } from 'vitest'
import { fixedClock } from '#platform/clock.testing.ts'
import { createTestDatabase, smallDataMadeAt } from '#tests/support/database.ts'
import { countOnTime, rateShop } from './appointments.server.ts'

async function openStore() {
  const database = await createTestDatabase({ from: 'small' })
  return {
    db: database.db,
    clock: fixedClock(smallDataMadeAt),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}
type Store = Awaited<ReturnType<typeof openStore>>

/** Orders of the demo that are installed, each with its shop. */
const installed = ({ db }: Store) =>
  db
    .selectFrom('booking')
    .innerJoin('sales_order', 'sales_order.id', 'booking.order_id')
    .select(['sales_order.id as orderId', 'booking.shop_id as shopId'])
    .where('booking.state', '=', 'done')
    .where('sales_order.state', '=', 'confirmed')
    .orderBy('sales_order.id')
    .execute()

const numbersOf = ({ db }: Store, shopId: number) =>
  db
    .selectFrom('shop')
    .select(['rating_tenths as tenths', 'rating_count as count', 'on_time_percent as onTime'])
    .where('id', '=', shopId)
    .executeTakeFirstOrThrow()

const good = { stars: 5, wasOnTime: true, cameBack: false }

test('a finished job is rated once, however often it is pressed, and counts for the shop', async () => {
  await using store = await openStore()
  const [{ orderId, shopId } = { orderId: 0, shopId: 0 }] = await installed(store)
  // A new shop without ratings.
  await store.db
    .updateTable('shop')
    .set({ rating_tenths: null, rating_count: 0, on_time_percent: null })
    .where('id', '=', shopId)
    .execute()
  const answers = await Promise.all(Array.from({ length: 20 }, () => rateShop(store, { orderId, rating: good })))
  expect(answers.every(({ ok }) => ok)).toBe(true)
  expect(answers.filter((answer) => answer.ok && answer.value.isNew)).toHaveLength(1)
  expect(await numbersOf(store, shopId)).toEqual({ tenths: 50, count: 1, onTime: 100 })
  const again = await rateShop(store, { orderId, rating: { stars: 1, wasOnTime: false, cameBack: true } })
  expect(again).toEqual({ ok: true, value: { isNew: false } })
  expect(await numbersOf(store, shopId)).toEqual({ tenths: 50, count: 1, onTime: 100 })
  const now = store.clock.now()
  expect(await countOnTime(store.db, { shopId, from: now.subtract({ hours: 1 }) })).toEqual({ rated: 1, onTime: 1 })
  expect(await countOnTime(store.db, { shopId, from: now.add({ hours: 1 }) })).toEqual({ rated: 0, onTime: 0 })
})

test('the shown numbers are rounded from all ratings, and do not drift', async () => {
  await using store = await openStore()
  const orders = await installed(store)
  const shopId = orders[0]?.shopId ?? 0
  await store.db
    .updateTable('booking')
    .set({
      shop_id: shopId,
      bay_id: (
        await store.db.selectFrom('shop_bay').select('id').where('shop_id', '=', shopId).executeTakeFirstOrThrow()
      ).id,
    })
    .where('state', '=', 'done')
    .execute()
  await store.db
    .updateTable('sales_order')
    .set({ shop_id: shopId })
    .where(
      'id',
      'in',
      orders.map(({ orderId }) => orderId),
    )
    .execute()
  await store.db
    .updateTable('shop')
    .set({ rating_tenths: 40, rating_count: 10, on_time_percent: 90 })
    .where('id', '=', shopId)
    .execute()
  let [sum, onTime, count] = [400, 9, 10]
  for (const [index, { orderId }] of orders.entries()) {
    const rating = { stars: index % 3 === 0 ? 4 : 5, wasOnTime: index % 2 === 0, cameBack: false }
    expect(await rateShop(store, { orderId, rating })).toMatchObject({ value: { isNew: true } })
    sum += rating.stars * 10
    onTime += rating.wasOnTime ? 1 : 0
    count += 1
    expect(await numbersOf(store, shopId)).toEqual({
      tenths: Math.round(sum / count),
      count,
      onTime: Math.round((onTime * 100) / count),
    })
  }
  expect(count).toBeGreaterThan(15)
})

test('rejects ratings of unfinished or canceled jobs', async () => {
  await using store = await openStore()
  const others = await store.db
    .selectFrom('booking')
    .select('order_id')
    .where('state', 'in', ['confirmed', 'no-show', 'canceled'])
    .where('order_id', 'is not', null)
    .execute()
  for (const { order_id } of others)
    expect((await rateShop(store, { orderId: order_id ?? 0, rating: good })).ok).toBe(false)
  expect(await rateShop(store, { orderId: 999_999_999, rating: good })).toMatchObject({ reason: 'not-found' })
  expect(await store.db.selectFrom('shop_rating').selectAll().execute()).toEqual([])
})
