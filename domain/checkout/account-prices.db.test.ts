import { expect, test } from 'vitest'
import { readCart } from '#domain/cart/cart.server.ts'
import { retailBuyer, type Buyer } from '#domain/terms/terms.ts'
import { buyerAt } from '#domain/terms/terms.testing.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { agreeTo, makeReadyCart, must, openTestStore, payByCard, type TestStore } from './checkout.testing.ts'
import { placeOrder, quoteCart, readDetails } from './checkout.server.ts'

const [port = 0] = await freePorts(3)

const tiresRow = { label: '4 tires at $60.00', detail: 'Fleet price' }

async function breakdownFor(store: TestStore, buyer: Buyer, cartId: string) {
  const cart = await readCart({ ...store, buyer }, cartId)
  if (!cart) throw new Error('The cart is gone.')
  return (await quoteCart(store, cart, (await readDetails(store, cartId)).contact)).breakdown
}

test('an order is placed at the price of the account, which the order keeps with its label', async () => {
  await using opened = await openTestStore(port)
  const store = { ...opened, buyer: buyerAt('Fleet', 6_000) }
  const cart = await makeReadyCart(store)
  const agreed = await agreeTo(store, cart)
  await payByCard(store, cart.id, agreed.totalCents)
  const { orderId } = must(await placeOrder(store, agreed))
  const order = await store.db.selectFrom('sales_order').select(['breakdown', 'total_cents']).where('id', '=', orderId).executeTakeFirstOrThrow()
  expect(order.total_cents).toBe(agreed.totalCents)
  expect(order.breakdown).toMatchObject({ accountType: 'Fleet', explain: expect.arrayContaining([expect.objectContaining(tiresRow)]) })
})

test('no promotion stands beside an account price, and coverage follows what is paid', async () => {
  await using store = await openTestStore(port)
  const cart = await makeReadyCart(store)
  await store.db.updateTable('cart_line').set({ coverage: true }).where('cart_id', '=', cart.id).execute()
  const own = await breakdownFor(store, buyerAt('EPP', 6_000), cart.id)
  expect(own?.totals).toMatchObject({ itemPromotionCents: 0 })
  expect(own?.explain.map(({ key, label, detail }) => [key, label, detail])).toContainEqual(['coverage', 'Replacement coverage', '4 at $5.99'])
  expect(own?.explain.find(({ key }) => key.startsWith('tire:'))).toMatchObject({ label: '4 tires at $60.00', detail: 'Employee price' })
})

test('an account whose price is not lower pays what everybody pays, under no label', async () => {
  await using store = await openTestStore(port)
  await store.db.deleteFrom('promotion').execute()
  const cart = await makeReadyCart(store)
  const [own, retail] = [await breakdownFor(store, buyerAt('Fleet', 900_000), cart.id), await breakdownFor(store, retailBuyer, cart.id)]
  expect(own?.totals).toEqual(retail?.totals)
  expect(own?.lines.some(({ atAccountPrice }) => atAccountPrice)).toBe(false)
})

test('a type that ends between the last look and the press is a price that changed, and nothing is placed', async () => {
  await using opened = await openTestStore(port)
  const fleet = { ...opened, buyer: buyerAt('Fleet', 6_000) }
  const cart = await makeReadyCart(fleet)
  const agreed = await agreeTo(fleet, cart)
  await payByCard(fleet, cart.id, agreed.totalCents)
  expect(await placeOrder({ ...fleet, buyer: retailBuyer }, agreed)).toMatchObject({ ok: false, reason: 'price-changed' })
  expect(await opened.db.selectFrom('sales_order').select('id').where('cart_id', '=', cart.id).execute()).toEqual([])
})
