/** An order paid with PayPal, from the approval to the last refund, with every step cut off, repeated or late. */
import { createRateLimits } from '#adapters/limits/rate-limits.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { routePayments } from '#adapters/payments/payment-router.ts'
import { createPayPalPayments } from '#adapters/payments/paypal.ts'
import { approve } from '#adapters/payments/paypal.testing.ts'
import { readOrder, receiptOf, releaseOrder } from '#domain/ordering/orders/orders.server.ts'
import {
  openHostedPage,
  payOutRefund,
  promiseRefund,
  receiveProviderEvent,
  refreshPayment,
  releaseAbandonedCharges,
  voidCharge,
} from '#domain/payments/payments/payments.server.ts'
import { abandonAfterMinutes, ruleOf } from '#domain/payments/payments/payments.ts'
import type { ProviderMessage } from '#domain/payments/payments/payment-provider.port.ts'
import { paypalTest, startReceiver, type Received } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { payBy } from './checkout.server.ts'
import { agreeTo, booksOf, makeReadyCart, must, openTestStore, type TestStore } from './checkout.testing.ts'
import { placeOrder } from './place-order.server.ts'

const [port = 0] = await freePorts(3)
const paypalWebhookUrl = `http://127.0.0.1:${port + 2}/webhooks/payments/paypal`

/** A store that takes cards and PayPal, both at the sandbox. */
async function openPayPalStore(sandboxOptions: Parameters<typeof openTestStore>[1] = {}) {
  const store = await openTestStore(port, sandboxOptions)
  const paypal = createPayPalPayments({
    ...paypalTest,
    apiOrigin: `${store.sandbox.origin}/paypal`,
    clock: store.clock,
  })
  const payments = routePayments(store.payments, { paypal }, (method) => ruleOf(method)?.provider ?? 'stripe')
  return { ...store, payments, paypal, rateLimits: createRateLimits(store) }
}
type PayPalStore = Awaited<ReturnType<typeof openPayPalStore>>

/** A cart ready to be paid with PayPal, and the visit that was opened for it. */
async function visitPayPal(store: PayPalStore) {
  const cart = await makeReadyCart(store)
  await payBy(store, cart, 'paypal')
  const { totalCents, ...agreed } = await agreeTo(store, cart)
  const visit = await reopen(store, cart.id, totalCents)
  return { cartId: cart.id, totalCents, agreed, ...visit }
}

async function reopen(store: PayPalStore, cartId: string, amountCents: number) {
  const { paymentId, url } = must(
    await openHostedPage(store, {
      cartId,
      amountCents,
      email: null,
      description: '4 tires',
      returnUrl: 'http://127.0.0.1/back?payment={payment}',
      cancelUrl: 'http://127.0.0.1/back',
      method: 'paypal',
    }),
  )
  return { paymentId, url, paypalOrder: new URL(url).searchParams.get('token') ?? '' }
}

async function placeByPayPal(store: PayPalStore, funding = 'balance') {
  const visit = await visitPayPal(store)
  await approve(visit.url, 'approve', funding)
  expect(must(await refreshPayment(store, visit))).toMatchObject({ payment: { state: 'authorized' } })
  const { orderId } = must(await placeOrder(store, visit.agreed))
  return { ...visit, orderId }
}

function pass(store: TestStore, time: Temporal.DurationLike): void {
  store.clock.set(store.clock.now().add(time))
}

async function stateOf({ db }: TestStore, paymentId: string): Promise<string> {
  return (await db.selectFrom('payment').select('state').where('id', '=', paymentId).executeTakeFirstOrThrow()).state
}

function tell(store: PayPalStore, { body, headers }: Received) {
  const message: ProviderMessage = { provider: 'paypal', body, header: (name) => [headers[name] ?? ''].flat().join('') }
  return receiveProviderEvent(store, message)
}

/** Runs the jobs that void a charge. Returns the charges. */
async function runVoids(store: PayPalStore): Promise<string[]> {
  const waiting = await waitingVoids(store)
  for (const id of waiting) {
    expect(await voidCharge(store, id, 'store')).toEqual({ ok: true, value: null })
    await sql`select graphile_worker.remove_job(${`void-charge:${id}`})`.execute(store.db)
  }
  return waiting
}

async function waitingVoids({ db }: TestStore): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from graphile_worker.jobs where task_identifier = 'void-charge'`.execute(db)
  return rows.map(({ key }) => key.replace('void-charge:', ''))
}

/** The PayPal balance must equal captures less refunds in the ledger. */
async function expectReconciled(store: PayPalStore, order: { orderId: number; paypalOrder: string }): Promise<void> {
  const charge = await store.paypal.readCharge(order.paypalOrder)
  if (!charge.ok) throw new Error(charge.message)
  const { cash = 0 } = await booksOf(store.db, order.orderId)
  expect(cash).toBe(charge.value.capturedCents - charge.value.refundedCents)
}

test('an order is placed, charged after the window and given back in parts, and the books agree', async () => {
  await using store = await openPayPalStore()
  const order = await placeByPayPal(store)
  pass(store, { minutes: 30 })
  await Promise.all([releaseOrder(store, order.orderId), releaseOrder(store, order.orderId)])
  await expectReconciled(store, order)
  const view = await readOrder(store.db, order.orderId)
  if (!view) throw new Error('The order is gone.')
  expect(view.payment).toMatchObject({ method: 'paypal', state: 'captured', capturedCents: order.totalCents })
  const shop = { store: { name: 'Sidewall', phone: '', email: '', address: '' }, demo: true }
  expect(receiptOf(view, shop).paidWith).toMatch(/^PayPal, \$[\d,.]+ charged$/)

  for (const [at, amountCents] of [2_500, 10_000].entries()) {
    const refund = { orderId: order.orderId, amountCents, key: `test:${at}`, at: store.clock.now() }
    must(await store.db.transaction().execute((tx) => promiseRefund(tx, refund)))
  }
  const refunds = await store.db.selectFrom('charge_refund').select('id').execute()
  for (const { id } of refunds) await payOutRefund(store, id)
  await expectReconciled(store, order)
  expect((await readOrder(store.db, order.orderId))?.payment).toMatchObject({ refundedCents: 12_500 })
})

test('twenty concurrent checks of a visit authorize it once', async () => {
  await using store = await openPayPalStore()
  const visit = await visitPayPal(store)
  await approve(visit.url, 'approve')
  const asked = await Promise.all(Array.from({ length: 20 }, () => refreshPayment(store, visit)))
  for (const one of asked) expect(must(one)).toMatchObject({ payment: { state: 'authorized' } })
  const board = await (await fetch(`${store.sandbox.origin}/paypal/orders/${visit.paypalOrder}`)).text()
  expect(board.match(/<dt>Authorization/g)).toHaveLength(1)
})

test('a decline returns the same message on retry, and another visit can pay', async () => {
  await using store = await openPayPalStore()
  const visit = await visitPayPal(store)
  await approve(visit.url, 'approve', 'declined')
  const words = 'PayPal could not use what you chose to pay with. Continue to PayPal and choose something else.'
  for (const _ of [1, 2])
    expect(must(await refreshPayment(store, visit))).toMatchObject({ payment: { state: 'failed' }, failure: words })
  expect(await placeOrder(store, visit.agreed)).toMatchObject({ ok: false, reason: 'payment-not-authorized' })
  const again = await reopen(store, visit.cartId, visit.totalCents)
  await approve(again.url, 'approve')
  expect(must(await refreshPayment(store, visit))).toMatchObject({
    payment: { id: again.paymentId, state: 'authorized' },
    failure: null,
  })
  expect(await stateOf(store, visit.paymentId)).toBe('voided')
})

test('a canceled visit can’t be used for payment', async () => {
  await using store = await openPayPalStore()
  const visit = await visitPayPal(store)
  await approve(visit.url, 'cancel')
  expect(must(await refreshPayment(store, visit))).toMatchObject({ payment: { state: 'pending' }, failure: null })
  expect(await placeOrder(store, visit.agreed)).toMatchObject({ ok: false, reason: 'payment-not-authorized' })
})

test('what PayPal reviews is processing, and is authorized by its webhook', async () => {
  await using receiver = await startReceiver(port + 2)
  await using store = await openPayPalStore({ paypalWebhookUrl })
  const visit = await visitPayPal(store)
  await approve(visit.url, 'approve', 'pending')
  expect(must(await refreshPayment(store, visit))).toMatchObject({ isProcessing: true, payment: { state: 'pending' } })
  pass(store, { seconds: 6 })
  await store.sandbox.catchUp()
  for (const message of receiver.received) expect(await tell(store, message)).toMatchObject({ ok: true })
  expect(await stateOf(store, visit.paymentId)).toBe('authorized')
})

test('repeated, reordered, and forged webhooks have no effect', async () => {
  await using receiver = await startReceiver(port + 2)
  await using store = await openPayPalStore({ paypalWebhookUrl })
  const order = await placeByPayPal(store, 'twice')
  pass(store, { minutes: 30 })
  await releaseOrder(store, order.orderId)
  await store.sandbox.catchUp()
  pass(store, { seconds: 30 })
  await store.sandbox.catchUp()
  expect(receiver.received).toHaveLength(6)
  for (const message of receiver.received.toReversed()) expect(await tell(store, message)).toMatchObject({ ok: true })
  expect(await store.db.selectFrom('provider_event').select('kind').orderBy('kind').execute()).toEqual([
    { kind: 'CHECKOUT.ORDER.APPROVED' },
    { kind: 'PAYMENT.AUTHORIZATION.CREATED' },
    { kind: 'PAYMENT.CAPTURE.COMPLETED' },
  ])
  const [first] = receiver.received
  expect(first && (await tell(store, { ...first, body: `${first.body} ` }))).toMatchObject({
    ok: false,
    reason: 'bad-signature',
  })
  await expectReconciled(store, order)
})

test('an abandoned approval isn’t authorized and expires with the charge', async () => {
  await using store = await openPayPalStore()
  const visit = await visitPayPal(store)
  await approve(visit.url, 'vanish')
  pass(store, { minutes: abandonAfterMinutes + 1 })
  expect(await releaseAbandonedCharges(store)).toBe(1)
  expect(await runVoids(store)).toEqual([visit.paymentId])
  pass(store, { hours: 4 })
  await store.sandbox.catchUp()
  expect(await store.paypal.readCharge(visit.paypalOrder)).toMatchObject({ ok: true, value: { state: 'voided' } })
})

test('finds and voids an authorization after a crash before its response', async () => {
  await using store = await openPayPalStore()
  const visit = await visitPayPal(store)
  await approve(visit.url, 'approve')
  // The process ended after PayPal answered and before anything was written.
  expect(await store.paypal.readHostedPage(visit.paypalOrder)).toMatchObject({ ok: true, value: { completed: true } })
  expect(await stateOf(store, visit.paymentId)).toBe('pending')
  pass(store, { minutes: abandonAfterMinutes + 1 })
  expect(await releaseAbandonedCharges(store)).toBe(1)
  expect(await runVoids(store)).toEqual([visit.paymentId])
  expect(await store.paypal.readCharge(visit.paypalOrder)).toMatchObject({ ok: true, value: { state: 'voided' } })
})

test('an authorization that comes after the charge was ended is released once its webhook comes', async () => {
  await using receiver = await startReceiver(port + 2)
  await using store = await openPayPalStore({ paypalWebhookUrl })
  const visit = await visitPayPal(store)
  await approve(visit.url, 'approve')
  await store.sandbox.catchUp()
  const hear = async () => {
    for (const message of receiver.received.splice(0)) expect(await tell(store, message)).toMatchObject({ ok: true })
  }
  await hear()
  pass(store, { minutes: abandonAfterMinutes + 1 })
  await releaseAbandonedCharges(store)
  expect(await runVoids(store)).toEqual([visit.paymentId])
  // A request that was under way all the time.
  expect(await store.paypal.readHostedPage(visit.paypalOrder)).toMatchObject({ ok: true, value: { completed: true } })
  expect(await waitingVoids(store)).toEqual([])
  await store.sandbox.catchUp()
  await hear()
  expect(await store.paypal.readCharge(visit.paypalOrder)).toMatchObject({ ok: true, value: { state: 'voided' } })
})

test('a capture and a refund that were cut off after PayPal acted are booked once', async () => {
  await using store = await openPayPalStore()
  const order = await placeByPayPal(store)
  pass(store, { minutes: 30 })
  const key = `capture:${order.paymentId}`
  const captured = await store.payments.captureCharge({
    ref: `paypal:${order.paypalOrder}`,
    amountCents: order.totalCents,
    key,
  })
  expect(captured).toMatchObject({ ok: true, value: { state: 'captured' } })
  await releaseOrder(store, order.orderId)
  await expectReconciled(store, order)

  const refund = { orderId: order.orderId, amountCents: 4_000, key: 'test', at: store.clock.now() }
  must(await store.db.transaction().execute((tx) => promiseRefund(tx, refund)))
  const { id, attempt } = await store.db
    .selectFrom('charge_refund')
    .select(['id', 'attempt'])
    .where('state', '=', 'promised')
    .executeTakeFirstOrThrow()
  await store.payments.refundCharge({
    ref: `paypal:${order.paypalOrder}`,
    amountCents: 4_000,
    key: `refund:${id}:${attempt}`,
  })
  await payOutRefund(store, id)
  await payOutRefund(store, id)
  await expectReconciled(store, order)
  expect(await store.paypal.readCharge(order.paypalOrder)).toMatchObject({ value: { refundedCents: 4_000 } })
})

test.for([{ days: 4 }, { days: 20 }])(
  'an order released after $days days is charged on a renewal',
  async ({ days }) => {
    await using store = await openPayPalStore()
    const order = await placeByPayPal(store)
    pass(store, { hours: days * 24 })
    await store.sandbox.catchUp()
    await releaseOrder(store, order.orderId)
    expect((await readOrder(store.db, order.orderId))?.payment).toMatchObject({ state: 'captured' })
    await expectReconciled(store, order)
  },
)

test('an order canceled in its window releases what PayPal set aside', async () => {
  await using store = await openPayPalStore()
  const order = await placeByPayPal(store)
  expect(await voidCharge(store, order.paymentId, 'store')).toEqual({ ok: true, value: null })
  expect(await store.paypal.readCharge(order.paypalOrder)).toMatchObject({ ok: true, value: { state: 'voided' } })
  expect(await stateOf(store, order.paymentId)).toBe('voided')
})
