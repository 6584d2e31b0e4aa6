/** Store credit pays part of an order once, and is restored when the order is canceled. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { keepCart, readCart, releaseCart, setUsesCredit } from '#domain/payments/cart/cart.server.ts'
import { creditOf, enterTransfer, spendCredit } from '#domain/payments/ledger/ledger.server.ts'
import { cancelOrder, readOrder, releaseOrder } from '#domain/ordering/orders/orders.server.ts'
import { newId } from '#platform/ids.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import {
  agreeTo,
  asAccount,
  asOwnerOf,
  makePlacedOrder,
  makeReadyCart,
  must,
  openTestStore,
  payByCard,
  untilWaiting,
  type TestStore,
} from './checkout.testing.ts'
import { placeOrder, quoteCart, readDetails, type PlaceOrderInput } from './checkout.server.ts'

import { smallestChargeCents } from './quote.server.ts'

const [port = 0] = await freePorts(3)

/** An account with this much credit, earned by another account's order. */
async function addOwner(store: TestStore, cents: number): Promise<string> {
  const id = newId()
  const at = store.clock.now()
  await store.db
    .insertInto('account')
    .values({ id, name: 'Ray', email: `${id}@example.com`, email_verified_at: at, created_at: at })
    .execute()
  const { orderId } = await makePlacedOrder(store, { fulfillment: 'home' })
  const entries = [
    { account: 'referral-rewards' as const, cents },
    { account: 'store-credit' as const, cents: -cents, ownerId: id },
  ]
  await store.db.transaction().execute((tx) => enterTransfer(tx, { orderId, reason: 'a test', at, entries }))
  return id
}

async function creditCart(store: TestStore, accountId: string): Promise<string> {
  const { id } = await makeReadyCart(asAccount(store, accountId), { fulfillment: 'home' })
  await keepCart(store.db, id, accountId)
  await setUsesCredit(store, { id, accountId, usesCredit: true })
  return id
}

async function read(open: TestStore, cartId: string) {
  const store = await asOwnerOf(open, cartId)
  const cart = await readCart(store, cartId)
  if (!cart) throw new Error('The cart of a test is gone.')
  const { breakdown, creditCents, dueCents } = await quoteCart(store, cart, (await readDetails(store, cartId)).contact)
  return { cart, totalCents: breakdown?.totals.totalCents ?? 0, creditCents, dueCents }
}

/** Agrees to the price and pays the amount due by card. */
async function pay(open: TestStore, cartId: string): Promise<PlaceOrderInput> {
  const store = await asOwnerOf(open, cartId)
  const { cart, dueCents } = await read(store, cartId)
  const { totalCents: _, ...input } = await agreeTo(store, cart)
  await payByCard(store, cartId, dueCents)
  return input
}

async function receivable({ db }: TestStore, orderId: number): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(amount_cents), 0)::int as cents from ledger_entry where order_id = ${orderId}::bigint and account = 'receivable'`.execute(
    db,
  )
  return rows[0]?.cents ?? 0
}

test('credit pays part and the card the rest; the ledger balances after capture', async () => {
  await using store = await openTestStore(port)
  const owner = await addOwner(store, 2_000)
  const cartId = await creditCart(store, owner)
  const { totalCents, creditCents, dueCents } = await read(store, cartId)
  expect(creditCents).toBe(2_000)
  expect(dueCents).toBe(totalCents - 2_000)
  const { orderId } = must(await placeOrder(asAccount(store, owner), await pay(store, cartId)))
  expect(await creditOf(store.db, owner)).toBe(0)
  expect(await readOrder(store.db, orderId)).toMatchObject({
    totalCents,
    creditCents: 2_000,
    payment: { amountCents: dueCents },
  })
  expect(await receivable(store, orderId)).toBe(dueCents)
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, orderId)
  expect(await receivable(store, orderId)).toBe(0)
  expect((await verify(store.db, store.clock.now())).filter(({ severity }) => severity === 'error')).toEqual([])
})

test('two simultaneous orders use credit once; the other is refused', async () => {
  await using store = await openTestStore(port)
  const owner = await addOwner(store, 1_000)
  const carts = [await creditCart(store, owner), await creditCart(store, owner)]
  const inputs = [await pay(store, carts[0] ?? ''), await pay(store, carts[1] ?? '')]
  const placed = await Promise.all(inputs.map((input) => placeOrder(asAccount(store, owner), input)))
  expect(placed.filter(({ ok }) => ok)).toHaveLength(1)
  expect(placed.find(({ ok }) => !ok)).toMatchObject({ reason: expect.stringMatching(/price-changed|incomplete/) })
  expect(await creditOf(store.db, owner)).toBe(0)
})

test('of two orders for the same credit, the second finds it spent', async () => {
  await using store = await openTestStore(port)
  const owner = await addOwner(store, 1_000)
  const orders = [
    await makePlacedOrder(store, { fulfillment: 'home' }),
    await makePlacedOrder(store, { fulfillment: 'home' }),
  ]
  for (const { cartId } of orders) await keepCart(store.db, cartId, owner)
  const use = (of: (typeof orders)[number] | undefined, until: Promise<unknown>) =>
    store.db.transaction().execute(async (tx) => {
      if (!of) throw new Error('A test needs two orders.')
      const isUsed = await spendCredit(tx, {
        orderId: of.orderId,
        cartId: of.cartId,
        cents: 1_000,
        at: store.clock.now(),
      })
      await until
      return isUsed
    })
  const { promise: committing, resolve: commit } = Promise.withResolvers<void>()
  const first = use(orders[0], committing)
  const second = use(orders[1], Promise.resolve())
  await Promise.race([untilWaiting(store.db, 1), second])
  commit()
  expect([await first, await second].filter(Boolean)).toHaveLength(1)
  expect(await creditOf(store.db, owner)).toBe(0)
})

test('a canceled order restores its credit, once', async () => {
  await using store = await openTestStore(port)
  const owner = await addOwner(store, 1_000)
  const { orderId } = must(await placeOrder(asAccount(store, owner), await pay(store, await creditCart(store, owner))))
  await Promise.all([
    cancelOrder(store, { orderId, actor: 'shopper' }),
    cancelOrder(store, { orderId, actor: 'shopper' }),
  ])
  expect(await creditOf(store.db, owner)).toBe(1_000)
  expect(await receivable(store, orderId)).toBe(0)
})

test("a card always pays part, and no one can spend another account's credit", async () => {
  await using store = await openTestStore(port)
  const owner = await addOwner(store, 5_000_000)
  const cartId = await creditCart(store, owner)
  expect((await read(store, cartId)).dueCents).toBe(smallestChargeCents)
  const stranger = await addOwner(store, 1)
  await setUsesCredit(store, { id: cartId, accountId: stranger, usesCredit: false })
  expect((await read(store, cartId)).creditCents).toBeGreaterThan(0)
  await releaseCart(store.db, cartId, owner)
  expect((await read(store, cartId)).creditCents).toBe(0)
})
