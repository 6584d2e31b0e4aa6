/**
 * Every payment method on a provider's page or in a device wallet, from payment to refund. For any response at any
 * time, there is either one order with one charge, or neither. By default one method per provider runs, rotated daily;
 * PAYMENT_ROUTES=all runs them all.
 */
import { createRateLimits } from '#adapters/limits/rate-limits.ts'
import { expect, test } from 'vitest'
import {
  agreeTo,
  booksOf,
  cartOf,
  payByCard,
  makeReadyCart,
  must,
  openTestStore,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { payBy, placeOrder } from '#domain/ordering/checkout/checkout.server.ts'
import {
  asResolveCustomer,
  setCreditStatus,
  withEveryProvider,
} from '#domain/ordering/checkout/every-provider.testing.ts'
import { answerOnPage, openPageToPay, type PageAnswer } from '#domain/ordering/checkout/pages-to-pay.testing.ts'
import { releaseOrder, settleFinancedOrder } from '#domain/ordering/orders/orders.server.ts'
import { moveParcels } from '#domain/ordering/orders/orders.testing.ts'
import { createStripePayments } from '#adapters/payments/stripe.ts'
import { newId } from '#platform/ids.ts'
import { payWithWallet, startReceiver, type Received } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { payOutRefunds } from '#tests/support/pay-out.ts'
import { fromStripe } from '../../../tests/support/provider-message.ts'
import { ruleOf, walletMethods, type ChargedMethod, type WalletMethod } from './payments.ts'
import {
  findRefund,
  findSilentMethods,
  followOldRefunds,
  listOpenRefunds,
  openCharge,
  processingMinutes,
  promiseRefund,
  receiveProviderEvent,
  refreshPayment,
  releaseUnansweredCharges,
  voidCharge,
} from './payments.server.ts'

const [port = 0] = await freePorts(3)

const isAll = process.env['PAYMENT_ROUTES'] === 'all'
/** The ways to pay on a page; of those in `payLater` the lender may refuse a refund later. */
const payLater = (['klarna', 'affirm', 'afterpay'] as const).slice(0, isAll ? undefined : 1)
const further = ['paypal', 'venmo', 'loan', 'lease', 'store-card', 'resolve'] as const
const onePerProvider = ['paypal', 'loan', 'resolve'] as const
const pages: readonly ChargedMethod[] = [...payLater, ...(isAll ? further : onePerProvider)]
const wallets = walletMethods.slice(0, isAll ? undefined : 1)

/** Sandbox customers with wallets that return these answers. */
const owners = { yes: 'dana', no: 'lee', later: 'sam', 'keeps-money': 'dana' } as const

const customer = 'TWCvans'

/** A store with every provider, as seen by a buyer with this payment method. */
async function openStore(method: ChargedMethod, options: Parameters<typeof openTestStore>[1] = {}) {
  const opened = withEveryProvider(await openTestStore(port, options))
  return method === 'resolve' ? asResolveCustomer(opened, customer) : opened
}

/** A cart ready to order, and the provider's page for it. */
async function openRoute(store: TestStore, method: ChargedMethod) {
  const cart = await makeReadyCart(store, { fulfillment: 'home' })
  await payBy(store, cart, method)
  const { totalCents, ...input } = await agreeTo(store, await cartOf(store, cart.id))
  const place = () => placeOrder(store, input)
  const shared = { cart, totalCents, place }
  if (method === 'apple-pay' || method === 'google-pay')
    return { ...shared, ...(await sheetOf(store, { cartId: cart.id, totalCents, method })) }
  return {
    ...shared,
    open: () => openPageToPay(store, cart, method),
    async answer(url: string, what: PageAnswer) {
      await answerOnPage(store, { method, url }, what)
      return undefined
    },
  }
}

async function sheetOf(
  store: TestStore,
  { cartId, totalCents, method }: { cartId: string; totalCents: number; method: WalletMethod },
) {
  return {
    async open() {
      const opened = must(await openCharge(store, { cartId, amountCents: totalCents, email: null, method }))
      return { ok: true as const, value: { paymentId: opened.payment.id, url: opened.clientSecret } }
    },
    async answer(clientSecret: string, what: PageAnswer) {
      const wallet = method === 'apple-pay' ? 'apple_pay' : 'google_pay'
      const paying = payWithWallet(store.sandbox, { clientSecret, amount: totalCents, person: owners[what], wallet })
      if (what !== 'later') return paying
      // Its bank answers when time has passed.
      paying.catch(() => {})
      const [ref = ''] = clientSecret.split('_secret_')
      await expect
        .poll(async () => await store.payments.readCharge(ref))
        .toMatchObject({ value: { state: 'processing' } })
      return undefined
    },
  }
}

const chargesOf = async ({ db }: TestStore, cartId: string) =>
  await db
    .selectFrom('payment')
    .select(['method', 'state'])
    .where('cart_id', '=', cartId)
    .orderBy('created_at')
    .execute()

const broken = async ({ db, clock }: TestStore) =>
  (await verify(db, clock.now())).filter(({ severity }) => severity === 'error')

test.for(pages)('%s: declined, then two pages, then approved: one order and one charge', async (method) => {
  await using store = await openStore(method)
  const { cart, open, answer, place } = await openRoute(store, method)
  // Resolve declines immediately, the others on their page.
  await setCreditStatus(store, customer, { status: 'hold' })
  const first = await open()
  if (first.ok) await answer(first.value.url, 'no')
  else expect(first).toMatchObject({ reason: 'declined' })
  const declined = await refreshPayment(store, { cartId: cart.id })
  if (first.ok) expect(must(declined)).toMatchObject({ payment: { state: 'failed' } })
  expect(await place()).toMatchObject({ ok: false })
  await setCreditStatus(store, customer, { status: 'approved' })
  // Two tabs open a page each; the later one counts.
  const second = must(await open())
  store.clock.set(store.clock.now().add({ seconds: 1 }))
  const third = must(await open())
  await voidCharge(store, second.paymentId, 'shopper')
  await answer(third.url, 'yes')
  expect(must(await refreshPayment(store, { cartId: cart.id }))).toMatchObject({ payment: { state: 'authorized' } })
  const placed = await Promise.all([place(), place()])
  expect(new Set(placed.map((one) => must(one).orderId)).size).toBe(1)
  const charges = await chargesOf(store, cart.id)
  expect(charges.at(-1)).toEqual({ method, state: 'authorized' })
  for (const { state } of charges.slice(0, -1)) expect(['voided', 'failed']).toContain(state)
  expect(await broken(store)).toEqual([])
})

test.for(pages)('%s: a part is given back once, however often the job runs', async (method) => {
  await using store = await openStore(method)
  const { orderId, totalCents, key } = await refunding(store, method, 'yes')
  await pass(store, { minutes: 61 })
  await followOldRefunds(store)
  await payOutRefunds(store)
  expect(await findRefund(store, key)).toMatchObject({ state: 'done' })
  expect(await booksOf(store.db, orderId)).toMatchObject({ cash: totalCents - 1_000 })
  const { ref } = await store.db
    .selectFrom('payment')
    .select('provider_ref as ref')
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  expect(await store.payments.readCharge(ref ?? '')).toMatchObject({
    value: { state: 'captured', capturedCents: totalCents, refundedCents: 1_000 },
  })
  expect(await broken(store)).toEqual([])
})

test.for(wallets)('%s: declined, then approved in the sheets of two tabs: one order and one charge', async (method) => {
  await using store = await openTestStore(port)
  const { cart, open, answer, place } = await openRoute(store, method)
  const first = must(await open())
  expect(await answer(first.url, 'no')).toMatchObject({ error: { type: 'card_error' } })
  expect(must(await refreshPayment(store, { cartId: cart.id }))).toMatchObject({ payment: { state: 'failed' } })
  expect(await place()).toMatchObject({ ok: false, reason: 'payment-not-authorized' })
  const sheets = [must(await open()), must(await open())]
  const paid = await Promise.all(sheets.map(({ url }) => answer(url, 'yes')))
  expect(paid.filter((one) => one && 'paymentIntent' in one)).toHaveLength(1)
  const placed = await Promise.all([place(), place()])
  expect(new Set(placed.map((one) => must(one).orderId)).size).toBe(1)
  expect(await chargesOf(store, cart.id)).toEqual([{ method, state: 'authorized' }])
  expect(await broken(store)).toEqual([])
})

test.for(wallets)('%s: a sheet approved after the shopper took a card is voided', async (method) => {
  await using receiver = await startReceiver(port + 2)
  await using store = await openTestStore(port, { webhookUrl: `http://127.0.0.1:${port + 2}/` })
  const { cart, totalCents, open, answer, place } = await openRoute(store, method)
  const sheet = must(await open())
  await payBy(store, cart, 'card')
  await payByCard(store, cart.id, totalCents)
  await answer(sheet.url, 'yes')
  expect((await place()).ok).toBe(true)
  await store.sandbox.catchUp()
  for (const message of receiver.received) await hear(store, message)
  const [ref = ''] = sheet.url.split('_secret_')
  expect(await store.payments.readCharge(ref)).toMatchObject({ ok: true, value: { state: 'voided' } })
  // Both were opened in the same instant of the test's clock.
  const charges = await chargesOf(store, cart.id)
  expect(charges).toHaveLength(2)
  expect(charges).toEqual(
    expect.arrayContaining([
      { method, state: 'voided' },
      { method: 'card', state: 'authorized' },
    ]),
  )
  expect(await broken(store)).toEqual([])
})

test.for([...payLater, ...wallets])(
  '%s: an answer after the deadline is voided, and never an order',
  async (method) => {
    await using receiver = await startReceiver(port + 2)
    await using store = await openTestStore(port, { webhookUrl: `http://127.0.0.1:${port + 2}/`, stallSeconds: 3_600 })
    const { cart, open, answer, place } = await openRoute(store, method)
    const { url } = must(await open())
    await answer(url, 'later')
    expect(must(await refreshPayment(store, { cartId: cart.id }))).toMatchObject({ isProcessing: true })
    expect(await place()).toMatchObject({ ok: false, detail: { isProcessing: true } })
    store.clock.set(store.clock.now().add({ minutes: processingMinutes - 1 }))
    expect(await releaseUnansweredCharges(store)).toBe(0)
    store.clock.set(store.clock.now().add({ minutes: 2 }))
    expect(await releaseUnansweredCharges(store)).toBe(1)

    await pass(store, { hours: 1 })
    const told = receiver.received.filter(({ body }) => body.includes('amount_capturable_updated'))
    expect(told).toHaveLength(1)
    for (const message of told) await hear(store, message)
    const { provider_ref: ref } = await store.db
      .selectFrom('payment')
      .select('provider_ref')
      .where('cart_id', '=', cart.id)
      .executeTakeFirstOrThrow()
    expect(await store.payments.readCharge(ref ?? '')).toMatchObject({ ok: true, value: { state: 'voided' } })
    expect(await place()).toMatchObject({ ok: false })
    expect(await chargesOf(store, cart.id)).toEqual([{ method, state: 'voided' }])
  },
)

/** Time passes, in the store and at the provider. */
async function pass({ clock, sandbox }: TestStore, duration: Temporal.DurationLike): Promise<void> {
  clock.set(clock.now().add(duration))
  await sandbox.catchUp()
}

async function hear(store: TestStore, { body, headers }: Received): Promise<void> {
  const deps = { ...store, rateLimits: createRateLimits(store) }
  must(await receiveProviderEvent(deps, fromStripe(body, String(headers['stripe-signature']))))
}

/** Creates an order with a captured charge and a promised partial refund. */
async function refunding(store: TestStore, method: ChargedMethod, what: PageAnswer) {
  const { cart, totalCents, open, answer, place } = await openRoute(store, method)
  await answer(must(await open()).url, what)
  must(await refreshPayment(store, { cartId: cart.id }))
  const { orderId } = must(await place())
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, orderId)
  // A lender pays with the goods.
  await settleFinancedOrder(store, orderId)
  if (ruleOf(method)?.capture === 'on-delivery') await moveParcels(store, orderId, 'delivered', store.clock.now())
  await settleFinancedOrder(store, orderId)
  const key = `test:${newId().slice(0, 20)}`
  await store.db
    .transaction()
    .execute(async (tx) => must(await promiseRefund(tx, { orderId, amountCents: 1_000, key, at: store.clock.now() })))
  await payOutRefunds(store)
  return { orderId, totalCents, key }
}

test.for(payLater)('%s: money given back stays promised until the lender has it done', async (method) => {
  await using receiver = await startReceiver(port + 2)
  await using store = await openTestStore(port, { webhookUrl: `http://127.0.0.1:${port + 2}/` })
  const { orderId, totalCents, key } = await refunding(store, method, 'yes')
  expect(await findRefund(store, key)).toMatchObject({ state: 'promised' })
  expect(await booksOf(store.db, orderId)).toMatchObject({ cash: totalCents })
  await pass(store, { minutes: 1 })
  const ended = receiver.received.filter(({ body }) => body.includes('"refund.updated"'))
  expect(ended).toHaveLength(1)
  // Twice, as it may come.
  for (const message of [...ended, ...ended]) await hear(store, message)
  expect(await findRefund(store, key)).toMatchObject({ state: 'done' })
  expect(await booksOf(store.db, orderId)).toMatchObject({ cash: totalCents - 1_000 })
  expect(await broken(store)).toEqual([])
})

test.for(payLater)(
  '%s: a refund that the lender refuses later waits for staff, even if its message is lost',
  async (method) => {
    await using store = await openTestStore(port)
    const { orderId, key } = await refunding(store, method, 'keeps-money')
    await pass(store, { minutes: 61 })
    expect(await followOldRefunds(store)).toBe(1)
    expect(await findRefund(store, key)).toMatchObject({ state: 'refused' })
    expect(await listOpenRefunds(store, { now: store.clock.now(), limit: 10 })).toMatchObject([
      { orderId, amountCents: 1_000, why: 'refused' },
    ])
    expect(await followOldRefunds(store)).toBe(0)
  },
)

test('hides a non-card method for one minute after its provider times out', async () => {
  await using store = await openTestStore(port)
  const apiOrigin = `http://127.0.0.1:${port + 2}`
  const away = createStripePayments({ apiOrigin, secretKey: 'sk', webhookSecret: 'whsec', clock: store.clock })
  const { open } = await openRoute({ ...store, payments: away }, 'klarna')
  expect(await findSilentMethods(store)).toEqual(new Set())
  expect(await open()).toMatchObject({ ok: false, reason: 'payment-unavailable' })
  expect(await findSilentMethods(store)).toEqual(new Set(['klarna']))
  store.clock.set(store.clock.now().add({ seconds: 61 }))
  expect(await findSilentMethods(store)).toEqual(new Set())
})
