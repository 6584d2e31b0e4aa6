import { createRateLimits } from '#adapters/limits/rate-limits.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { setQuantity } from '#domain/payments/cart/cart.server.ts'
import {
  agreeTo,
  cartOf,
  makePaidCart,
  makePlacedOrder,
  makeReadyCart,
  must,
  openTestStore,
  payByCard,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { placeOrder } from '#domain/ordering/checkout/checkout.server.ts'
import { readOrder, releaseOrder } from '#domain/ordering/orders/orders.server.ts'
import { openCharge, receiveProviderEvent } from '#domain/payments/payments/payments.server.ts'
import { payWithFields, startReceiver } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { fromStripe } from '#tests/support/provider-message.ts'
import {
  cancelUndecidedOrders,
  decideHeldOrder,
  findScreening,
  listHeldOrders,
  listRules,
  saveRule,
} from './fraud.server.ts'
import { fraudRuleForm } from './fraud.ts'

const [port = 0] = await freePorts(3)
const by = { via: 'command line', name: 'tester' } as const

/** An order of so many tires to a home. */
async function payFor(store: TestStore, tires: number) {
  const cart = await makeReadyCart(store, { fulfillment: 'home' })
  const [line] = cart.lines
  if (!line) throw new Error('The cart of a test is empty.')
  must(await setQuantity(store, cart.id, { itemId: line.itemId, axle: line.axle, quantity: tires }))
  const { totalCents, ...input } = await agreeTo(store, await cartOf(store, cart.id))
  await payByCard(store, cart.id, totalCents)
  return input
}

const chargesOf = async (store: TestStore, cartId: string) =>
  (await store.db.selectFrom('payment').select('state').where('cart_id', '=', cartId).execute()).map(
    ({ state }) => state,
  )

test('more tires than two cars need wait for staff, who let them go on', async () => {
  await using store = await openTestStore(port)
  const { orderId } = must(await placeOrder(store, await payFor(store, 9)))
  expect(await readOrder(store.db, orderId)).toMatchObject({ state: 'confirmed', releasedAt: null })
  expect(await listHeldOrders(store, 10)).toMatchObject([
    { orderId, outcome: 'review', reasons: [{ words: 'More than 8 tires to a home.' }] },
  ])
  // It can't be released before the decision.
  store.clock.set(store.clock.now().add({ hours: 47 }))
  await expect(releaseOrder(store, orderId)).rejects.toThrow()
  await expect(
    sql`update sales_order set released_at = cancel_until where id = ${orderId}`.execute(store.db),
  ).rejects.toThrow('waits for staff')

  expect(must(await decideHeldOrder(store, { orderId, decision: 'accepted', note: 'Called.', by }))).toEqual({
    isNew: true,
  })
  expect(must(await decideHeldOrder(store, { orderId, decision: 'accepted', note: null, by }))).toEqual({
    isNew: false,
  })
  expect(await decideHeldOrder(store, { orderId, decision: 'canceled', note: null, by })).toMatchObject({
    reason: 'over',
  })
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, orderId)
  expect(await readOrder(store.db, orderId)).toMatchObject({ payment: { state: 'captured' } })
  expect(await cancelUndecidedOrders(store)).toBe(0)
})

test('cancels an undecided order before its charge expires and emails the customer', async () => {
  await using store = await openTestStore(port)
  const { orderId } = must(await placeOrder(store, await payFor(store, 9)))
  store.clock.set(store.clock.now().add({ hours: 47 }))
  expect(await cancelUndecidedOrders(store)).toBe(0)
  store.clock.set(store.clock.now().add({ hours: 1 }))
  expect(await cancelUndecidedOrders(store)).toBe(1)
  expect(await cancelUndecidedOrders(store)).toBe(0)
  expect(await readOrder(store.db, orderId)).toMatchObject({ state: 'canceled' })
  expect(await findScreening(store, orderId)).toMatchObject({ decision: 'canceled', decidedBy: 'store' })
  const mails = await store.db.selectFrom('message').select('kind').where('order_id', '=', orderId).execute()
  expect(mails.map(({ kind }) => kind)).toContain('order-canceled')
})

test('rejects tires for resale, restores the cart, releases the charge, and shows staff the reason', async () => {
  await using store = await openTestStore(port)
  const input = await payFor(store, 25)
  expect(await placeOrder(store, input)).toEqual({ ok: false, reason: 'refused-online' })
  expect((await cartOf(store, input.cartId)).lines).toMatchObject([{ quantity: 25 }])
  expect(await chargesOf(store, input.cartId)).toEqual(['voided'])
  const rows = await store.db.selectFrom('order_screening').select(['outcome', 'order_id', 'cart_id']).execute()
  expect(rows).toEqual([{ outcome: 'refuse', order_id: null, cart_id: input.cartId }])
  // Paid and submitted again, there is one entry still.
  const again = await agreeTo(store, await cartOf(store, input.cartId))
  await payByCard(store, input.cartId, again.totalCents)
  expect(await placeOrder(store, input)).toEqual({ ok: false, reason: 'refused-online' })
  expect(await store.db.selectFrom('order_screening').select('id').execute()).toHaveLength(1)
})

test('a rejection doesn’t release the appointment hold', async () => {
  await using store = await openTestStore(port)
  await changeRule(store, 'first-order', { fromCents: '1.00', outcome: 'refuse' })
  const input = await makePaidCart(store)
  expect(await placeOrder(store, input)).toEqual({ ok: false, reason: 'refused-online' })
  const held = await store.db.selectFrom('booking').select('state').where('cart_id', '=', input.cartId).execute()
  expect(held).toEqual([{ state: 'held' }])
})

test('orders by email, card, address and network are counted within their window', async () => {
  await using store = await openTestStore(port)
  const email = 'many@example.com'
  for (const [subject, outcome] of [
    ['email', 'review'],
    ['card', 'review'],
    ['address', 'review'],
  ] as const) {
    await addRule(store, { kind: 'orders', subject, most: '2', minutes: '60', outcome })
  }
  const reasons = async (options: Parameters<typeof makePlacedOrder>[1]) => {
    const { orderId } = await makePlacedOrder(store, options)
    return (await findScreening(store, orderId))?.reasons.map(({ words }) => words) ?? []
  }
  expect(await reasons({ fulfillment: 'home', email })).toEqual([])
  expect(await reasons({ fulfillment: 'home', email })).toEqual([])
  expect(await reasons({ fulfillment: 'home', email })).toEqual([
    'More than 2 orders with one email in an hour.',
    'More than 2 orders with one card in an hour.',
    'More than 2 orders to one address in an hour.',
  ])
  store.clock.set(store.clock.now().add({ minutes: 61 }))
  expect(await reasons({ fulfillment: 'home', email })).toEqual([])
})

test('several declined cards on one cart, and declines by email, are found', async () => {
  await using receiver = await startReceiver(port + 2)
  await using store = await openTestStore(port, { webhookUrl: `http://127.0.0.1:${port + 2}/webhooks` })
  await changeRule(store, 'cards', { most: '1', minutes: '60', outcome: 'review' })
  const cart = await makeReadyCart(store, { fulfillment: 'home' })
  const { totalCents, ...input } = await agreeTo(store, cart)
  const { clientSecret } = must(await openCharge(store, { cartId: cart.id, amountCents: totalCents, email: null }))
  for (const number of ['4000000000000002', '4000000000009995'])
    await payWithFields(store.sandbox, clientSecret, number)
  await store.sandbox.catchUp()
  const deps = { ...store, rateLimits: createRateLimits(store) }
  for (const { body, headers } of receiver.received)
    must(await receiveProviderEvent(deps, fromStripe(body, String(headers['stripe-signature']))))
  expect((await payWithFields(store.sandbox, clientSecret, '4242424242424242')).status).toBe('authorized')
  const { orderId } = must(await placeOrder(store, input))
  expect(await findScreening(store, orderId)).toMatchObject({
    outcome: 'review',
    reasons: [{ words: 'More than 1 card on one cart in an hour.' }],
  })
})

test('a rule can require the customer’s confirmation', async () => {
  await using store = await openTestStore(port)
  await changeRule(store, 'first-order', { fromCents: '1.00', outcome: 'confirm', homesOnly: '1' })
  const { orderId } = await makePlacedOrder(store, { fulfillment: 'home' })
  expect(await readOrder(store.db, orderId)).toMatchObject({ state: 'needs-confirmation' })
  expect(await findScreening(store, orderId)).toMatchObject({ outcome: 'confirm', dueAt: null })
  // The customer has ordered before then.
  const { email } = (await readOrder(store.db, orderId)) ?? { email: '' }
  const next = await makePlacedOrder(store, { fulfillment: 'home', email })
  expect(await findScreening(store, next.orderId)).toBeUndefined()
})

test('a rule created during the provider call applies to the order', async () => {
  await using store = await openTestStore(port)
  const again = { fulfillment: 'home', email: 'again@example.com' } as const
  await makePlacedOrder(store, again)
  const input = await makePaidCart(store, again)
  const payments = {
    ...store.payments,
    async readCharge(ref: string) {
      await addRule(store, { kind: 'orders', subject: 'email', most: '1', minutes: '60', outcome: 'review' })
      return store.payments.readCharge(ref)
    },
  }
  const { orderId } = must(await placeOrder({ ...store, payments }, input))
  expect(await findScreening(store, orderId)).toMatchObject({ outcome: 'review' })
})

test('a rule is changed once, with an entry in the audit log, and not over a change unseen', async () => {
  await using store = await openTestStore(port)
  const rule = (await listRules(store)).find(({ kind }) => kind === 'shop-address')
  const of = { id: rule?.id ?? 0, version: rule?.version ?? 0 }
  const off = fraudRuleForm.parse({ kind: 'shop-address', outcome: 'review', homesOnly: '1', sparesCompanies: '1' })
  expect(must(await saveRule(store, by, { of, rule: off }))).toMatchObject({ isNew: true })
  expect(must(await saveRule(store, by, { of, rule: off }))).toMatchObject({ isNew: false })
  expect(await saveRule(store, by, { of, rule: { ...off, outcome: 'refuse' } })).toMatchObject({
    reason: 'changed-meanwhile',
  })
  const entries = await store.db.selectFrom('audit_entry').select('act').where('act', 'like', 'fraud-rule.%').execute()
  expect(entries).toEqual([{ act: 'fraud-rule.changed' }])
})

async function addRule(store: TestStore, fields: Record<string, string>) {
  must(await saveRule(store, by, { of: null, rule: fraudRuleForm.parse({ isOn: '1', ...fields }) }))
}

async function changeRule(store: TestStore, kind: string, fields: Record<string, string>) {
  const of = (await listRules(store)).find((rule) => rule.kind === kind)
  if (!of) throw new Error(`There is no rule of the kind ${kind}.`)
  must(await saveRule(store, by, { of, rule: fraudRuleForm.parse({ kind, isOn: '1', ...fields }) }))
}
