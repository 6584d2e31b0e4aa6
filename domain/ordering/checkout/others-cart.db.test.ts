/** Carts of one account opened by another. */
import { expect, test } from 'vitest'
import { addToCart, countTires, findCart, keepCart, readCart, setQuantity } from '#domain/payments/cart/cart.server.ts'
import { listAccountOrders } from '#domain/ordering/orders/orders.server.ts'
import { grantType } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { newId } from '#platform/ids.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { placeOrder } from './checkout.server.ts'
import {
  asAccount,
  makePaidCart,
  makeReadyCart,
  must,
  openTestStore,
  payByCard,
  agreeTo,
  pickTire,
  type TestStore,
} from './checkout.testing.ts'

const [port = 0] = await freePorts(3)

async function addAccount({ db, clock }: TestStore): Promise<string> {
  const id = newId()
  await db
    .insertInto('account')
    .values({ id, name: 'Ann', email: `${id}@example.com`, email_verified_at: clock.now(), created_at: clock.now() })
    .execute()
  return id
}

const buyerOf = ({ db }: TestStore, orderId: number) =>
  db
    .selectFrom('sales_order')
    .innerJoin('cart', 'cart.id', 'cart_id')
    .select(['buyer_id as buyer', 'cart.account_id as owner'])
    .where('sales_order.id', '=', orderId)
    .executeTakeFirstOrThrow()

test('only the owner can read, change, or order an open cart, even with its key', async () => {
  await using store = await openTestStore(port)
  const [ann, ben] = [await addAccount(store), await addAccount(store)]
  const bens = asAccount(store, ben)
  const cart = await makeReadyCart(bens, { fulfillment: 'home' })
  const { totalCents, ...input } = await agreeTo(bens, cart)
  await payByCard(bens, cart.id, totalCents)
  await keepCart(store.db, cart.id, ben)
  const itemId = await pickTire(store)
  for (const other of [asAccount(store, ann), store]) {
    expect(await readCart(other, cart.id)).toBeUndefined()
    expect(await findCart(other, cart.id)).toBeUndefined()
    expect(await countTires(other, cart.id)).toBe(0)
    expect(await setQuantity(other, cart.id, { itemId, axle: 'all', quantity: 1 })).toMatchObject({
      reason: 'line-not-found',
    })
    const added = must(
      await addToCart(other, {
        cartId: cart.id,
        lines: [{ itemId, quantity: 2, axle: 'all' }],
        zip: null,
        vehicle: null,
      }),
    )
    expect(added.cartId).not.toBe(cart.id)
    expect(await placeOrder(other, input)).toMatchObject({ ok: false, reason: 'incomplete', detail: { step: 'cart' } })
  }
  expect((await findCart(bens, cart.id))?.lines.map(({ quantity }) => quantity)).toEqual([4])
  expect(await placeOrder(bens, input)).toMatchObject({ ok: true })
})

test("an unowned cart that an account orders becomes that account's, and the order names the buyer", async () => {
  await using store = await openTestStore(port)
  const ann = await addAccount(store)
  await grantType(store, { accountId: ann, type: 'EPP', how: 'staff', until: null, by: 'a test' })
  // Filled by a guest elsewhere, agreed to and ordered in Ann's session.
  const guestCart = await makeReadyCart(store, { fulfillment: 'home' })
  const anns = asAccount(store, ann)
  const cart = await readCart(anns, guestCart.id)
  if (!cart) throw new Error('The cart of a test is gone.')
  const { totalCents, ...input } = await agreeTo(anns, cart)
  await payByCard(anns, cart.id, totalCents)
  const { orderId } = must(await placeOrder(anns, input))
  expect(await buyerOf(store, orderId)).toEqual({ buyer: ann, owner: ann })
  expect((await listAccountOrders(store, ann)).orders.map(({ id }) => id)).toEqual([orderId])
})

test('a guest order has no buyer, even after an account claimed it', async () => {
  await using store = await openTestStore(port)
  const { totalCents: _, ...input } = await makePaidCart(store, { fulfillment: 'home' })
  const { orderId } = must(await placeOrder(store, input))
  const ann = await addAccount(store)
  await keepCart(store.db, input.cartId, ann)
  expect(await buyerOf(store, orderId)).toEqual({ buyer: null, owner: ann })
})
