import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { findHold, holdSlot } from '#domain/scheduling/booking/booking.server.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import { voidPayment, releaseCutOffCharges } from '#domain/payments/payments/payments.server.ts'
import type { Database } from '#platform/db.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { installationFor, listShopChoices, placeOrder, type AgreedPart } from './checkout.server.ts'
import {
  agreeTo,
  enterDetails,
  makePaidCart,
  makeReadyCart,
  must,
  openTestStore,
  payByCard,
  pickTire,
  stockOf,
  untilWaiting,
  type TestStore,
} from './checkout.testing.ts'

const [port = 0] = await freePorts(3)

/** The row counts of everything an order writes. */
async function traces(db: Database) {
  const result = await sql<Record<string, number>>`
    select (select count(*) from sales_order)::int as orders, (select count(*) from order_line)::int as lines, (select count(*) from stock_allocation)::int as allocations,
      (select count(*) from shipment)::int as shipments, (select count(*) from ledger_entry)::int as entries, (select count(*) from message)::int as messages,
      (select count(*) from graphile_worker.jobs)::int as jobs, (select count(*) from booking where state = 'confirmed')::int as bookings,
      (select count(*) from payment where order_id is not null)::int as claimed, (select count(*) from cart where state = 'ordered')::int as ordered, (select sum(on_hand) from stock)::int as stock`.execute(
    db,
  )
  return result.rows[0]
}

test('twenty simultaneous submissions place one order, take stock once and claim one charge', async () => {
  await using store = await openTestStore(port)
  const itemId = await pickTire(store)
  const [before, stock] = [await traces(store.db), await stockOf(store, itemId)]
  const input = await makePaidCart(store, { itemId })

  let counted = 0
  const deps = { ...store, metrics: { orderPlaced: () => void (counted += 1) } }
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => placeOrder(deps, input)))
  const placed = outcomes.map(must)
  expect(counted).toBe(1)
  expect(new Set(placed.map(({ orderId }) => orderId)).size).toBe(1)
  expect(placed.filter(({ isNew }) => isNew)).toHaveLength(1)
  expect(await stockOf(store, itemId)).toBe(stock - 4)

  const orderId = placed[0]?.orderId ?? 0
  const after = await traces(store.db)
  expect(after).toMatchObject({
    claimed: (before?.['claimed'] ?? 0) + 1,
    messages: (before?.['messages'] ?? 0) + 1,
    bookings: (before?.['bookings'] ?? 0) + 1,
    ordered: (before?.['ordered'] ?? 0) + 1,
  })
  expect(
    await store.db.selectFrom('payment').select(['state', 'amount_cents']).where('order_id', '=', orderId).execute(),
  ).toEqual([{ state: 'authorized', amount_cents: input.totalCents }])
  const entries = await store.db
    .selectFrom('ledger_entry')
    .select(['account', 'amount_cents'])
    .where('order_id', '=', orderId)
    .execute()
  expect(entries.reduce((sum, entry) => sum + entry.amount_cents, 0)).toBe(0)
  expect(entries.filter(({ account }) => account === 'receivable')).toEqual([
    { account: 'receivable', amount_cents: input.totalCents },
  ])
  // The other submissions took no number.
  expect(must(await placeOrder(store, await makePaidCart(store, { itemId }))).orderId).toBe(orderId + 1)
})

test('a submission after a reload or the back button leads to the same order, whatever it contains', async () => {
  await using store = await openTestStore(port)
  const input = await makePaidCart(store, { fulfillment: 'home' })
  const { orderId } = must(await placeOrder(store, input))
  expect(await placeOrder(store, { ...input, agreedPrice: 'stale', termsAccepted: false })).toEqual({
    ok: true,
    value: { orderId, isNew: false },
  })
})

test('rejects an order if the price differs from the price shown', async () => {
  await using store = await openTestStore(port)
  const itemId = await pickTire(store)
  const input = await makePaidCart(store, { itemId })
  const before = await traces(store.db)
  await store.db
    .updateTable('item')
    .set((eb) => ({ retail_cents: eb('retail_cents', '+', 500) }))
    .where('id', '=', itemId)
    .execute()
  expect(await placeOrder(store, input)).toMatchObject({ ok: false, reason: 'price-changed' })
  expect(await traces(store.db)).toEqual(before)
})

test('rejects an order if address, contact, or appointment changed after consent, and names the change', async () => {
  await using store = await openTestStore(port)
  const cart = await makeReadyCart(store)
  const { totalCents, ...input } = await agreeTo(store, cart)
  await payByCard(store, cart.id, totalCents)
  const before = await traces(store.db)
  const refusal = (...changed: AgreedPart[]) => ({ ok: false, reason: 'order-changed', detail: { changed } })

  // Another person with the cart's key enters a different address.
  await enterDetails(store, cart.id, '900 W Fulton Market')
  expect(await placeOrder(store, input)).toMatchObject(refusal('delivery'))
  await enterDetails(store, cart.id, undefined, 'stranger@example.com')
  expect(await placeOrder(store, input)).toMatchObject(refusal('contact'))
  await enterDetails(store, cart.id)
  await chooseAnotherTime(store, cart)
  expect(await placeOrder(store, input)).toMatchObject(refusal('appointment'))
  expect(await traces(store.db)).toMatchObject({ orders: before?.['orders'], claimed: before?.['claimed'] })

  const { totalCents: _, ...agreedAgain } = await agreeTo(store, cart)
  expect(await placeOrder(store, agreedAgain)).toMatchObject({ ok: true })
})

/** Reserves a later available time at the cart's shop. */
async function chooseAnotherTime(store: TestStore, cart: Cart): Promise<void> {
  const shopId = cart.shopId ?? 0
  const choices = must(await listShopChoices(store, cart, { zip: '60614', kind: 'shop' }))
  const start = choices.find(({ shop }) => shop.id === shopId)?.openings.at(-1)?.start
  if (!start) throw new Error('The shop of a test has no other time.')
  const target = must(await installationFor(store, cart, shopId))
  must(await holdSlot(store, { cartId: cart.id, shopId, choice: { start }, ...target }))
}

test('rejects an order without accepted terms of sale', async () => {
  await using store = await openTestStore(port)
  const input = await makePaidCart(store)
  expect(await placeOrder(store, { ...input, termsAccepted: false })).toMatchObject({
    ok: false,
    reason: 'terms-not-accepted',
  })
})

test('of two carts for the last four tires, one gets them and the other is refused as sold out', async () => {
  await using store = await openTestStore(port)
  const itemId = await pickTire(store)
  const inputs = [
    await makePaidCart(store, { itemId, fulfillment: 'home' }),
    await makePaidCart(store, { itemId, fulfillment: 'home' }),
  ]
  const { warehouse_id } = await store.db
    .selectFrom('stock')
    .select('warehouse_id')
    .where('item_id', '=', itemId)
    .orderBy('warehouse_id')
    .executeTakeFirstOrThrow()
  await store.db
    .updateTable('stock')
    .set((eb) => ({ on_hand: eb.case().when('warehouse_id', '=', warehouse_id).then(4).else(0).end() }))
    .where('item_id', '=', itemId)
    .execute()

  const outcomes = await Promise.all(inputs.map((input) => placeOrder(store, input)))
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1)
  expect(outcomes.find(({ ok }) => !ok)).toMatchObject({
    reason: 'problem',
    detail: { problems: [{ kind: 'out-of-stock', shortages: [{ itemId, wanted: 4, available: 0 }] }] },
  })
  expect(await stockOf(store, itemId)).toBe(0)
})

test('rejects an expired hold with a taken slot and stores no data', async () => {
  await using store = await openTestStore(port)
  const cart = await makeReadyCart(store)
  const agreed = await agreeTo(store, cart)
  await payByCard(store, cart.id, agreed.totalCents)
  const mine = await findHold(store, cart.id)
  store.clock.set(store.clock.now().add({ minutes: 11 }))
  // Others take that time at that shop until no bay is left.
  for (let isTaken = false; !isTaken;) {
    const rival = await findHold(store, (await makeReadyCart(store)).id)
    isTaken = rival?.shopId !== mine?.shopId || !mine?.start.equals(rival?.start ?? mine.end)
  }
  const before = await traces(store.db)
  expect(await placeOrder(store, await agreeTo(store, cart))).toMatchObject({ ok: false, reason: 'slot-lost' })
  expect(await traces(store.db)).toEqual(before)
})

test('an order renews an expired hold if its slot is available', async () => {
  await using store = await openTestStore(port)
  const input = await makePaidCart(store)
  store.clock.set(store.clock.now().add({ minutes: 11 }))
  const { orderId } = must(await placeOrder(store, input))
  expect(await store.db.selectFrom('booking').select('state').where('order_id', '=', orderId).execute()).toEqual([
    { state: 'confirmed' },
  ])
})

test('refuses a card authorized for another amount', async () => {
  await using store = await openTestStore(port)
  const cart = await makeReadyCart(store, { fulfillment: 'home' })
  const agreed = await agreeTo(store, cart)
  await payByCard(store, cart.id, agreed.totalCents - 100)
  const before = await traces(store.db)
  expect(await placeOrder(store, agreed)).toMatchObject({
    ok: false,
    reason: 'incomplete',
    detail: { step: 'payment' },
  })
  expect(await traces(store.db)).toEqual(before)
})

test('a charge an order is claiming can no longer be voided', async () => {
  await using store = await openTestStore(port)
  const input = await makePaidCart(store, { fulfillment: 'home' })
  // The ledger is written after the charge is claimed, so locking it here leaves the order half placed.
  const blocker = await store.db.startTransaction().execute()
  await sql`lock table ledger_entry in exclusive mode`.execute(blocker)
  const placing = placeOrder(store, input)
  await untilWaiting(store.db, 1)
  const voiding = voidPayment(store, { cartId: input.cartId })
  await untilWaiting(store.db, 2)
  await blocker.rollback().execute()

  const { orderId } = must(await placing)
  await voiding
  expect(
    await store.db.selectFrom('payment').select(['state', 'order_id']).where('cart_id', '=', input.cartId).execute(),
  ).toEqual([{ state: 'authorized', order_id: orderId }])
})

test('a voided charge cannot pay for an order', async () => {
  await using store = await openTestStore(port)
  const input = await makePaidCart(store, { fulfillment: 'home' })
  await voidPayment(store, { cartId: input.cartId })
  expect(await placeOrder(store, input)).toMatchObject({ ok: false, reason: 'incomplete', detail: { step: 'payment' } })
})

test('a rejected submission reuses the charge, and a failed one is voided within a minute', async () => {
  await using store = await openTestStore(port)
  const input = await makePaidCart(store, { fulfillment: 'home' })
  const stateOfCharge = () =>
    store.db.selectFrom('payment').select('state').where('cart_id', '=', input.cartId).executeTakeFirst()
  expect(await placeOrder(store, { ...input, agreedPrice: 'another' })).toMatchObject({
    ok: false,
    reason: 'price-changed',
  })
  store.clock.set(store.clock.now().add({ minutes: 1 }))
  expect(await releaseCutOffCharges(store)).toBe(0)

  await sql`alter table ledger_entry rename to ledger_away`.execute(store.db)
  await expect(placeOrder(store, input)).rejects.toThrow('ledger_entry')
  await sql`alter table ledger_away rename to ledger_entry`.execute(store.db)
  expect(await releaseCutOffCharges(store)).toBe(0)
  store.clock.set(store.clock.now().add({ seconds: 31 }))
  expect(await releaseCutOffCharges(store)).toBe(1)
  expect(await stateOfCharge()).toEqual({ state: 'voided' })
  expect(await placeOrder(store, input)).toMatchObject({ ok: false, reason: 'incomplete', detail: { step: 'payment' } })
})

test('a failed final write stores no data, and the next submission places the order', async () => {
  await using store = await openTestStore(port)
  const input = await makePaidCart(store)
  const before = await traces(store.db)
  await sql`create function refuse_mail() returns trigger language plpgsql as $$ begin raise exception 'no mail today'; end $$`.execute(
    store.db,
  )
  await sql`create trigger refuse_mail before insert on message for each row execute function refuse_mail()`.execute(
    store.db,
  )
  await expect(placeOrder(store, input)).rejects.toThrow('no mail today')
  expect(await traces(store.db)).toEqual(before)

  await sql`drop trigger refuse_mail on message`.execute(store.db)
  expect(await placeOrder(store, input)).toMatchObject({ ok: true, value: { isNew: true } })
})
