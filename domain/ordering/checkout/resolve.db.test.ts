/** An order on Resolve's net terms, from the first press to the last credit note, with every step cut off or repeated. */
import { createRateLimits } from '#adapters/limits/rate-limits.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { setResolveCustomer } from '#domain/customers/companies/companies.server.ts'
import { cancelOrder, readOrder, releaseOrder } from '#domain/ordering/orders/orders.server.ts'
import {
  receiveProviderEvent,
  refreshPayment,
  releaseAbandonedCharges,
  voidCharge,
} from '#domain/payments/payments/payments.server.ts'
import { abandonAfterMinutes } from '#domain/payments/payments/payments.ts'
import type { PaymentProvider } from '#domain/payments/payments/payment-provider.port.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { startReceiver } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { readProviderTerms } from './checkout.server.ts'
import { agreeTo, booksOf, makeReadyCart, must, openTestStore, type TestStore } from './checkout.testing.ts'
import { asResolveCustomer, withEveryProvider } from './every-provider.testing.ts'
import { openPageToPay } from './pages-to-pay.testing.ts'
import { placeOrder } from './place-order.server.ts'

const [port = 0] = await freePorts(3)

/** Opens a store as seen by the owner at a company with a Resolve account. */
async function openTerms(customer = 'GRNTdelivery', options: Parameters<typeof openTestStore>[1] = {}) {
  const opened = await openTestStore(port, options)
  // The company of the demo data has this customer.
  await opened.db.updateTable('company').set({ resolve_customer_id: null }).execute()
  const rateLimits = createRateLimits(opened)
  const owner = await asResolveCustomer(withEveryProvider({ ...opened, rateLimits }), customer)
  return { ...owner, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() }
}
type TermsStore = Awaited<ReturnType<typeof openTerms>>

async function readyOnTerms(store: TermsStore, payments: PaymentProvider = store.payments) {
  const cart = await makeReadyCart(store, { fulfillment: 'home' })
  const { totalCents, ...agreed } = await agreeTo(store, cart)
  const open = () => openPageToPay({ ...store, payments }, cart, 'resolve')
  return { cartId: cart.id, totalCents, open, place: () => placeOrder(store, agreed) }
}

const available = async (store: TermsStore) => {
  const terms = await readProviderTerms(store)
  return terms && terms.granted !== 'silent' ? terms.granted.availableCents : null
}

const refOf = async ({ db }: TestStore, cartId: string) =>
  await db
    .selectFrom('payment')
    .select(['id', 'state', 'provider_ref as ref'])
    .where('cart_id', '=', cartId)
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow()

/** Runs the jobs that void charges. */
async function runVoids(store: TermsStore): Promise<void> {
  const { rows } = await sql<{ key: string }>`
    select key from graphile_worker.jobs where task_identifier = 'void-charge'`.execute(store.db)
  for (const { key } of rows) must(await voidCharge(store, key.replace('void-charge:', ''), 'store'))
}

const errors = async ({ db, clock }: TestStore) =>
  (await verify(db, clock.now())).filter(({ severity }) => severity === 'error')

test('two pages and two presses make one order on one authorization, charged once after the window', async () => {
  await using store = await openTerms()
  const { cartId, totalCents, open, place } = await readyOnTerms(store)
  must(await open())
  store.clock.set(store.clock.now().add({ seconds: 1 }))
  must(await open())
  must(await refreshPayment(store, { cartId }))
  await runVoids(store)
  const placed = await Promise.all([place(), place()])
  expect(new Set(placed.map((one) => must(one).orderId)).size).toBe(1)
  const { orderId } = must(placed[0] ?? expect.unreachable())
  const { ref } = await refOf(store, cartId)
  expect((await readOrder(store.db, orderId))?.payment).toMatchObject({
    method: 'resolve',
    state: 'authorized',
    loanId: ref?.replace('resolve:', ''),
  })
  // The first page no longer reserves credit.
  expect(await available(store)).toBe(Math.floor((2_500_000 - totalCents) / 100) * 100)
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await Promise.all([releaseOrder(store, orderId), releaseOrder(store, orderId)])
  expect(await booksOf(store.db, orderId)).toMatchObject({ cash: totalCents })
  expect(await store.payments.readCharge(ref ?? '')).toMatchObject({
    value: { state: 'captured', capturedCents: totalCents },
  })
  expect(await errors(store)).toEqual([])
})

test('canceled within the window, the order frees the line', async () => {
  await using store = await openTerms()
  const { open, place } = await readyOnTerms(store)
  must(await open())
  const { orderId } = must(await place())
  must(await cancelOrder(store, { orderId, actor: 'shopper' }))
  await runVoids(store)
  expect(await available(store)).toBe(2_500_000)
  expect(await errors(store)).toEqual([])
})

test.for(['HLDhauling', 'DCLfreight', 'SMLgarage'])('%s gets no order and no authorization', async (customer) => {
  await using store = await openTerms(customer)
  const { cartId, open, place } = await readyOnTerms(store)
  expect(await open()).toMatchObject({ ok: false, reason: 'declined' })
  expect(await place()).toMatchObject({ ok: false })
  expect(await refOf(store, cartId)).toMatchObject({ ref: null })
})

test('finds and releases a hold by our number after a crash before the response', async () => {
  await using store = await openTerms()
  const ends: PaymentProvider = {
    ...store.payments,
    async openHostedPage(input) {
      await store.payments.openHostedPage(input)
      throw new Error('The process ended.')
    },
  }
  const { cartId, totalCents, open } = await readyOnTerms(store, ends)
  await expect(open()).rejects.toThrow('The process ended.')
  expect(await available(store)).toBe(Math.floor((2_500_000 - totalCents) / 100) * 100)
  store.clock.set(store.clock.now().add({ minutes: abandonAfterMinutes + 1 }))
  expect(await releaseAbandonedCharges(store)).toBe(1)
  await runVoids(store)
  expect(await available(store)).toBe(2_500_000)
  expect(await refOf(store, cartId)).toMatchObject({ state: 'voided' })
})

test('an answer lost on the way is found by the shopper’s next step', async () => {
  await using store = await openTerms('DRPlogistics')
  const { cartId, open, place } = await readyOnTerms(store)
  expect(await open()).toMatchObject({ ok: false, reason: 'payment-unavailable' })
  expect(must(await refreshPayment(store, { cartId }))).toMatchObject({ payment: { state: 'authorized' } })
  must(await place())
  expect(await errors(store)).toEqual([])
})

test('accepts a review decision only by message, and a lowered order isn’t a payment', async () => {
  await using receiver = await startReceiver(port + 2)
  await using store = await openTerms('PNDcouriers', { resolveUrl: `http://127.0.0.1:${port + 2}/` })
  const { cartId, open, place } = await readyOnTerms(store)
  must(await open())
  expect(must(await refreshPayment(store, { cartId }))).toMatchObject({ isProcessing: true })
  expect(await place()).toMatchObject({ ok: false, detail: { isProcessing: true } })
  store.clock.set(store.clock.now().add({ seconds: 6 }))
  await store.sandbox.catchUp()
  for (const { body, headers } of [...receiver.received, ...receiver.received]) {
    const header = (name: string) => [headers[name] ?? ''].flat().join('')
    must(await receiveProviderEvent(store, { provider: 'resolve', body, header }))
  }
  expect(await refOf(store, cartId)).toMatchObject({ state: 'authorized' })

  const short: PaymentProvider = {
    ...store.payments,
    async readHostedPage(ref) {
      const read = await store.payments.readHostedPage(ref)
      if (!read.ok || !read.value.charge) return read
      return { ok: true, value: { ...read.value, charge: { ...read.value.charge, amountCents: 100 } } }
    },
  }
  const other = await readyOnTerms({ ...store, payments: short })
  must(await other.open())
  store.clock.set(store.clock.now().add({ seconds: 6 }))
  await store.sandbox.catchUp()
  expect(must(await refreshPayment({ ...store, payments: short }, other))).toMatchObject({
    payment: { state: 'failed' },
  })
})

test('who left the company does not order on its terms', async () => {
  await using store = await openTerms()
  const { open, place } = await readyOnTerms(store)
  must(await open())
  await setResolveCustomer(store, { id: store.companyId, customerId: null, by: desk })
  expect(await place()).toMatchObject({ ok: false, reason: 'incomplete', detail: { step: 'payment' } })
  expect(await readProviderTerms(store)).toBeNull()
})
