import { expect, test } from 'vitest'
import { findChosenTime, findHold, holdSlot } from '#domain/scheduling/booking/booking.server.ts'
import { readCart } from '#domain/payments/cart/cart.server.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { chooseFulfillment, findOtherTimes, installationFor, listShopChoices, placeOrder } from './checkout.server.ts'
import { agreeTo, makeReadyCart, must, openTestStore, payByCard, type TestStore } from './checkout.testing.ts'

const [port = 0] = await freePorts(3)

async function cartOf(store: TestStore, cartId: string) {
  const cart = await readCart(store, cartId)
  if (!cart) throw new Error('The cart of a test is gone.')
  return cart
}

/** Other carts hold every bay of the shop at the time that a cart chose first. */
async function takeEveryBay(store: TestStore, shopId: number, start: Temporal.Instant): Promise<void> {
  for (;;) {
    const rival = await makeReadyCart(store)
    const work = must(await installationFor(store, rival, shopId))
    const held = await holdSlot(store, { cartId: rival.id, shopId, choice: { start }, ...work })
    if (!held.ok) return
  }
}

test('a time that is taken offers the next ones of the shop, and of up to three others that take the tires', async () => {
  await using store = await openTestStore(port)
  const cart = await makeReadyCart(store)
  const mine = await findHold(store, cart.id)
  if (!mine) throw new Error('The cart of a test holds no time.')
  store.clock.set(store.clock.now().add({ minutes: 11 }))
  await takeEveryBay(store, mine.shopId, mine.start)

  const work = must(await installationFor(store, cart, mine.shopId))
  const refusal = await holdSlot(store, {
    cartId: cart.id,
    shopId: mine.shopId,
    choice: { start: mine.start },
    ...work,
  })
  if (refusal.ok || refusal.reason !== 'slot-taken') throw new Error('The time of a test is free.')
  const { next } = refusal.detail
  const offered = await findOtherTimes(store, cart, { shopId: mine.shopId, next })
  expect(offered.here?.openings).toEqual(next.slice(0, 4))
  expect(offered.elsewhere.length).toBeGreaterThan(0)
  expect(offered.elsewhere.length).toBeLessThanOrEqual(3)
  expect(offered.elsewhere.map(({ shop }) => shop.id)).not.toContain(mine.shopId)
  const miles = offered.elsewhere.map(({ shop }) => shop.miles)
  expect(miles).toEqual(miles.toSorted((a, b) => a - b))
  for (const { installation, openings } of offered.elsewhere) {
    expect(installation.minutes).toBeGreaterThan(0)
    expect(openings.length).toBeGreaterThan(0)
  }

  // Every suggested time can be booked.
  const [other] = offered.elsewhere
  const [opening] = other?.openings ?? []
  if (!other || opening?.kind !== 'wait') throw new Error('No other shop has a time for a test.')
  const there = must(await installationFor(store, cart, other.shop.id))
  const held = must(
    await holdSlot(store, { cartId: cart.id, shopId: other.shop.id, choice: { start: opening.start }, ...there }),
  )
  expect(held).toMatchObject({ shopId: other.shop.id, state: 'held' })
})

test('an order that lost its time is placed with one of those offered instead', async () => {
  await using store = await openTestStore(port)
  const cart = await makeReadyCart(store)
  const agreed = await agreeTo(store, cart)
  await payByCard(store, cart.id, agreed.totalCents)
  const mine = await findHold(store, cart.id)
  if (!mine) throw new Error('The cart of a test holds no time.')
  store.clock.set(store.clock.now().add({ minutes: 11 }))
  await takeEveryBay(store, mine.shopId, mine.start)
  expect(await placeOrder(store, agreed)).toMatchObject({ ok: false, reason: 'slot-lost' })
  expect(await findChosenTime(store, cart.id)).toMatchObject({ status: 'lost' })

  const { here } = await findOtherTimes(store, cart, { shopId: mine.shopId })
  const opening = here?.openings.find(({ kind }) => kind === 'wait')
  if (!opening) throw new Error('The shop of a test has no other time.')
  const work = must(await installationFor(store, cart, mine.shopId))
  must(await holdSlot(store, { cartId: cart.id, shopId: mine.shopId, choice: { start: opening.start }, ...work }))
  must(await chooseFulfillment(store, cart, { fulfillment: 'shop', shopId: mine.shopId }))
  const { orderId } = must(await placeOrder(store, await agreeTo(store, await cartOf(store, cart.id))))
  const booking = await store.db
    .selectFrom('booking')
    .select(['state', 'shop_id'])
    .where('order_id', '=', orderId)
    .executeTakeFirst()
  expect(booking).toEqual({ state: 'confirmed', shop_id: mine.shopId })
})

test('a shop without other times isn’t offered, and a van’s other times are', async () => {
  await using store = await openTestStore(port)
  const cart = await makeReadyCart(store)
  const shopId = cart.shopId ?? 0
  expect((await findOtherTimes(store, cart, { shopId })).here?.shop.id).toBe(shopId)
  expect((await findOtherTimes(store, cart, { shopId, next: [] })).here).toBeNull()
  expect((await findOtherTimes(store, cart, { shopId: 2_000_000_000 })).here).toBeNull()

  const van = must(await listShopChoices(store, cart, { zip: '60614', kind: 'van' })).find(
    ({ openings }) => openings.length > 0,
  )
  if (!van) throw new Error('The test needs a van.')
  const near = await findOtherTimes(store, cart, { shopId: van.shop.id })
  expect(near.fulfillment).toBe('mobile')
  expect(near.here?.openings.length).toBeGreaterThan(0)
})
