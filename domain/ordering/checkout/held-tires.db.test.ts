/** Tires that are held with an appointment. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  expireHolds,
  extendHold,
  findChosenTime,
  findHold,
  holdSlot,
  releaseHold,
} from '#domain/scheduling/booking/booking.server.ts'
import { maxHeldTires } from '#domain/scheduling/booking/booking.ts'
import { addToCart, makeCartLink, openCartLink, readCart, setQuantity } from '#domain/payments/cart/cart.server.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import { maxHeldUnitsPerNetwork } from '#domain/supply/delivery/delivery.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { findOtherTimes, installationFor, placeOrder, quoteCart, settleHold } from './checkout.server.ts'
import { findReleasedTime } from './settle-hold.server.ts'
import { agreeTo, makeReadyCart, must, openTestStore, payByCard, pickTire, type TestStore } from './checkout.testing.ts'
import { openInventory } from '#tests/support/inventory.ts'

const [port = 0] = await freePorts(3)

async function cartOf(store: TestStore, cartId: string): Promise<Cart> {
  const cart = await readCart(store, cartId)
  if (!cart) throw new Error('The cart of a test is gone.')
  return cart
}

/** Reduces a tire's stock to this many units, all in the warehouse that had the most. */
async function leaveOnly(store: TestStore, itemId: number, units: number): Promise<void> {
  await sql`
    update stock set on_hand = case when warehouse_id = (
      select warehouse_id from stock where item_id = ${itemId} order by on_hand desc, warehouse_id limit 1) then ${units}::int else 0 end
    where item_id = ${itemId}`.execute(store.db)
  await openInventory(store.db)
}

async function heldUnits(store: TestStore, cartId: string): Promise<number> {
  const { rows } = await sql<{ units: number }>`
    select coalesce(sum(quantity), 0)::int as units from stock_hold join booking on booking.id = booking_id where cart_id = ${cartId}::uuid`.execute(
    store.db,
  )
  return rows[0]?.units ?? 0
}

async function shortOf(store: TestStore, cart: Cart) {
  const { problems } = await quoteCart(store, await cartOf(store, cart.id), null)
  return problems.find(({ kind }) => kind === 'out-of-stock')
}

const pass = (store: TestStore, minutes: number) => store.clock.set(store.clock.now().add({ minutes }))

test('the last tires are held with the time and unavailable to other shoppers until the hold ends', async () => {
  await using store = await openTestStore(port)
  const itemId = await pickTire(store)
  await leaveOnly(store, itemId, 5)
  const mine = await makeReadyCart(store, { itemId })
  expect(await heldUnits(store, mine.id)).toBe(4)
  expect((await cartOf(store, mine.id)).lines).toMatchObject([{ available: 5, heldUnits: 0 }])

  const { cartId } = must(
    await addToCart(store, {
      cartId: undefined,
      lines: [{ itemId, quantity: 4, axle: 'all' }],
      zip: '60614',
      vehicle: null,
    }),
  )
  const other = await cartOf(store, cartId)
  expect(other.lines).toMatchObject([{ available: 1, heldUnits: 4 }])
  expect(await shortOf(store, other)).toEqual({
    kind: 'out-of-stock',
    shortages: [{ itemId, wanted: 4, available: 1, held: 4 }],
  })

  const { totalCents, ...input } = await agreeTo(store, mine)
  await payByCard(store, mine.id, totalCents)
  must(await placeOrder(store, input))
  expect(await heldUnits(store, mine.id)).toBe(0)
  expect((await cartOf(store, cartId)).lines).toMatchObject([{ available: 1, heldUnits: 0 }])
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('an order for shipping does not get tires that are held, and gets them once the hold is over', async () => {
  await using store = await openTestStore(port)
  const itemId = await pickTire(store)
  const buyer = await makeReadyCart(store, { itemId, fulfillment: 'home' })
  const { totalCents, ...input } = await agreeTo(store, buyer)
  await payByCard(store, buyer.id, totalCents)
  await leaveOnly(store, itemId, 5)
  const holder = await makeReadyCart(store, { itemId })
  expect(await placeOrder(store, input)).toMatchObject({ ok: false, reason: 'problem' })

  // The expired hold hasn't been swept, but stops counting when it expires.
  pass(store, 11)
  must(await placeOrder(store, { ...input, ...(await agreeTo(store, await cartOf(store, buyer.id))) }))
  const extended = await extendHold(store, { cartId: holder.id })
  expect(extended.ok && (await settleHold(store, { cartId: holder.id }))).toBe('out-of-stock')
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test.for(['released', 'expired', 'replaced'] as const)('tires are free as soon as their hold is %s', async (end) => {
  await using store = await openTestStore(port)
  const itemId = await pickTire(store)
  const cart = await makeReadyCart(store, { itemId })
  expect(await heldUnits(store, cart.id)).toBe(4)
  if (end === 'released') await releaseHold(store, { cartId: cart.id })
  if (end === 'expired') {
    pass(store, 11)
    await expireHolds(store)
  }
  if (end === 'replaced') {
    const { shopId, start } = (await findHold(store, cart.id))!
    const work = must(await installationFor(store, cart, shopId))
    const [next] =
      (await findOtherTimes(store, cart, { shopId })).here?.openings.filter((each) => !each.start.equals(start)) ?? []
    if (!next) throw new Error('The shop of a test has one time only.')
    must(await holdSlot(store, { cartId: cart.id, shopId, choice: { start: next.start }, ...work }))
  }
  expect(await heldUnits(store, cart.id)).toBe(end === 'replaced' ? 4 : 0)
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('of two concurrent holds for the last set, one succeeds and can order', async () => {
  await using store = await openTestStore(port)
  const itemId = await pickTire(store)
  await leaveOnly(store, itemId, 4)
  const first = await makeReadyCart(store, { itemId })
  const { start, shopId } = (await findHold(store, first.id))!
  await releaseHold(store, { cartId: first.id })
  const second = await makeReadyCart(store, { itemId, openingAt: 1 })
  const other = (await findHold(store, second.id))!
  await releaseHold(store, { cartId: second.id })
  // Both read that the set is there before either holds it.
  const work = must(await installationFor(store, first, shopId))
  const held = await Promise.all([
    holdSlot(store, { cartId: first.id, shopId, choice: { start }, ...work }),
    holdSlot(store, { cartId: second.id, shopId: other.shopId, choice: { start: other.start }, ...work }),
  ])
  expect(held.map((each) => (each.ok ? 'held' : each.reason)).sort()).toEqual(['held', 'out-of-stock'])
  const winner = held[0].ok ? first : second
  const { totalCents, ...input } = await agreeTo(store, winner)
  await payByCard(store, winner.id, totalCents)
  must(await placeOrder(store, input))
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('one network holds a limited number of a tire, however many carts it fills, and large carts hold their time only', async () => {
  await using store = await openTestStore(port)
  const itemId = await pickTire(store)
  await leaveOnly(store, itemId, 1_000)
  let units = 0
  for (let index = 0; index < maxHeldUnitsPerNetwork / 4 + 2; index += 1) {
    const cart = await makeReadyCart(store, { itemId, openingAt: index % 4 })
    await settleHold(store, { cartId: cart.id, heldBy: 'one network' })
    units += await heldUnits(store, cart.id)
  }
  expect(units).toBe(maxHeldUnitsPerNetwork)

  const large = await makeReadyCart(store, { itemId })
  must(await setQuantity(store, large.id, { itemId, axle: 'all', quantity: maxHeldTires + 1 }))
  expect(await settleHold(store, { cartId: large.id })).not.toBe('out-of-stock')
  expect(await heldUnits(store, large.id)).toBe(0)
})

test('the tires that are held follow the cart, and an empty cart holds no time', async () => {
  await using store = await openTestStore(port)
  const itemId = await pickTire(store)
  await leaveOnly(store, itemId, 3)
  const cart = await makeReadyCart(store, { itemId, quantity: 3 })
  must(await setQuantity(store, cart.id, { itemId, axle: 'all', quantity: 2 }))
  expect(await settleHold(store, { cartId: cart.id })).toBeNull()
  expect(await heldUnits(store, cart.id)).toBe(2)
  must(await setQuantity(store, cart.id, { itemId, axle: 'all', quantity: 4 }))
  expect(await settleHold(store, { cartId: cart.id })).toBe('out-of-stock')
  expect(await heldUnits(store, cart.id)).toBe(2)
  must(await setQuantity(store, cart.id, { itemId, axle: 'all', quantity: 0 }))
  expect(await settleHold(store, { cartId: cart.id })).toBe('no-tires')
  expect(await findHold(store, cart.id)).toBeUndefined()
})

test('a hold shared by link includes its tires', async () => {
  await using store = await openTestStore(port)
  const cart = await makeReadyCart(store, { itemId: await pickTire(store) })
  const { token } = must(await makeCartLink(store, { cartId: cart.id }))
  const opened = must(await openCartLink(store, token))
  expect(await heldUnits(store, cart.id)).toBe(0)
  expect(await heldUnits(store, opened.cartId)).toBe(4)
})

test('tires that arrive after the time release it, with the reason, when the order is placed', async () => {
  await using store = await openTestStore(port)
  const itemId = await pickTire(store)
  const cart = await makeReadyCart(store, { itemId })
  const { totalCents, ...input } = await agreeTo(store, cart)
  await payByCard(store, cart.id, totalCents)
  // The nearest warehouse has zero units, and the next one is farther away.
  await sql`
    update stock set on_hand = case when warehouse_id = (select id from warehouse order by longitude limit 1) then 8 else 0 end where item_id = ${itemId}`.execute(
    store.db,
  )
  expect(await heldUnits(store, cart.id)).toBe(0)
  expect(await placeOrder(store, input)).toMatchObject({ ok: false, reason: 'slot-lost', detail: { why: 'too-soon' } })
  expect(await findChosenTime(store, cart.id)).toBeUndefined()
  expect(await findReleasedTime(store, cart)).toMatchObject({ reason: 'too-soon' })
})
