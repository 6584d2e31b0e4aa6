/**
 * Every way to pay on a provider's page or from a device's wallet, from the page to the money given back: whatever the provider answers and
 * whenever, there is one order with one charge, or none with none. Each day one way stands for all; PAYMENT_ROUTES=all runs all.
 */
import { expect, test } from 'vitest'
import {
  agreeTo,
  booksOf,
  payByCard,
  makeReadyCart,
  must,
  openTestStore,
  type TestStore,
} from '#domain/checkout/checkout.testing.ts'
import { payBy, placeOrder } from '#domain/checkout/checkout.server.ts'
import { releaseOrder } from '#domain/orders/orders.server.ts'
import { createStripePayments } from '#adapters/payments/stripe.ts'
import { createCardLimits } from '#adapters/limits/card-limits.ts'
import { newId } from '#platform/ids.ts'
import { payWithWallet, startReceiver, type Received } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { payOutRefunds } from '#tests/support/pay-out.ts'
import { fromStripe } from '../../tests/support/provider-message.ts'
import { walletMethods, type ChargedMethod, type OrderToPay } from './payments.ts'
import {
  findRefund,
  findSilentMethods,
  followOldRefunds,
  listRefusedRefunds,
  openCharge,
  openHostedPage,
  processingMinutes,
  promiseRefund,
  receiveProviderEvent,
  refreshPayment,
  releaseUnansweredCharges,
  voidCharge,
} from './payments.server.ts'

const [port = 0] = await freePorts(3)

const stripeAnswers = { yes: 'approves', no: 'declines', later: 'stalls', keepsMoney: 'approves-but-keeps' }

/** The ways to pay on a page, each with what its provider is told to answer. */
const routes: { method: ChargedMethod; answers: Record<'yes' | 'no' | 'later' | 'keepsMoney', string> }[] = [
  { method: 'klarna', answers: stripeAnswers },
  { method: 'affirm', answers: stripeAnswers },
  { method: 'afterpay', answers: stripeAnswers },
]
const isAll = process.env['PAYMENT_ROUTES'] === 'all'
const today = isAll ? routes : routes.slice(0, 1)

/** The wallets of devices, each with whose it is. */
const wallets = walletMethods
  .slice(0, isAll ? undefined : 1)
  .map((method) => ({ method, answers: { yes: 'dana', no: 'lee', later: 'sam' } }))

const home = { name: 'Dana Ruiz', address1: '1 Elm St', address2: null, city: 'Chicago', state: 'IL', zip: '60614' }
const order: OrderToPay = {
  lines: [],
  taxCents: 0,
  shippingCents: 0,
  discountCents: 0,
  shipTo: home,
  billTo: home,
  phone: '3125550100',
  isBusiness: false,
}

/** A cart ready to order, and the provider's page for it. */
async function openRoute(store: TestStore, method: ChargedMethod) {
  const cart = await makeReadyCart(store)
  const agreed = await agreeTo(store, cart)
  await payBy(store, cart, method)
  const open = () =>
    openHostedPage(store, {
      cartId: cart.id,
      amountCents: agreed.totalCents,
      email: null,
      description: '4 tires',
      returnUrl: 'http://127.0.0.1/back?payment={payment}',
      cancelUrl: 'http://127.0.0.1/back',
      method,
      order,
    })
  const wallet = method === 'apple-pay' || method === 'google-pay' ? method : null
  const openSheet = async () => {
    const charge = { cartId: cart.id, amountCents: agreed.totalCents, email: null }
    const opened = must(await openCharge(store, { ...charge, method: wallet ?? 'card' }))
    return { ok: true as const, value: { paymentId: opened.payment.id, url: opened.clientSecret } }
  }
  const answerSheet = async (clientSecret: string, person: string) => {
    const asked = { clientSecret, amount: agreed.totalCents, person }
    const paying = payWithWallet(store.sandbox, {
      ...asked,
      wallet: wallet === 'apple-pay' ? 'apple_pay' : 'google_pay',
    })
    if (person !== 'sam') return paying
    // Its bank answers when time has passed.
    paying.catch(() => {})
    const [ref = ''] = clientSecret.split('_secret_')
    await expect
      .poll(async () => await store.payments.readCharge(ref))
      .toMatchObject({ value: { state: 'processing' } })
    return undefined
  }
  const answer = async (url: string, words: string) => {
    await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: store.sandbox.origin },
      body: new URLSearchParams({ answer: words }),
    })
  }
  const { totalCents, ...input } = agreed
  const place = () => placeOrder(store, input)
  return wallet
    ? { cart, totalCents, open: openSheet, answer: answerSheet, place }
    : { cart, totalCents, open, answer, place }
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

test.for(today)(
  '$method: declined, then two pages, then approved: one order and one charge',
  async ({ method, answers }) => {
    await using store = await openTestStore(port)
    const { cart, open, answer, place } = await openRoute(store, method)
    const first = must(await open())
    await answer(first.url, answers.no)
    expect(must(await refreshPayment(store, { cartId: cart.id }))).toMatchObject({ payment: { state: 'failed' } })
    expect(await place()).toMatchObject({ ok: false, reason: 'payment-not-authorized' })
    // Two tabs open a page each; the later one counts.
    const second = must(await open())
    const third = must(await open())
    await voidCharge(store, second.paymentId, 'shopper')
    await answer(third.url, answers.yes)
    expect(must(await refreshPayment(store, { cartId: cart.id }))).toMatchObject({ payment: { state: 'authorized' } })
    const placed = await Promise.all([place(), place()])
    expect(new Set(placed.map((one) => must(one).orderId)).size).toBe(1)
    expect(await chargesOf(store, cart.id)).toEqual([
      { method, state: 'voided' },
      { method, state: 'voided' },
      { method, state: 'authorized' },
    ])
    expect(await broken(store)).toEqual([])
  },
)

test.for(wallets)(
  '$method: declined, then approved in the sheets of two tabs: one order and one charge',
  async ({ method, answers }) => {
    await using store = await openTestStore(port)
    const { cart, open, answer, place } = await openRoute(store, method)
    const first = must(await open())
    expect(await answer(first.url, answers.no)).toMatchObject({ error: { type: 'card_error' } })
    expect(must(await refreshPayment(store, { cartId: cart.id }))).toMatchObject({ payment: { state: 'failed' } })
    expect(await place()).toMatchObject({ ok: false, reason: 'payment-not-authorized' })
    const sheets = [must(await open()), must(await open())]
    const paid = await Promise.all(sheets.map(({ url }) => answer(url, answers.yes)))
    expect(paid.filter((one) => one && 'paymentIntent' in one)).toHaveLength(1)
    const placed = await Promise.all([place(), place()])
    expect(new Set(placed.map((one) => must(one).orderId)).size).toBe(1)
    expect(await chargesOf(store, cart.id)).toEqual([{ method, state: 'authorized' }])
    expect(await broken(store)).toEqual([])
  },
)

test.for(wallets)('$method: a sheet approved after the shopper took a card is voided', async ({ method, answers }) => {
  await using receiver = await startReceiver(port + 2)
  await using store = await openTestStore(port, { webhookUrl: `http://127.0.0.1:${port + 2}/` })
  const { cart, totalCents, open, answer, place } = await openRoute(store, method)
  const sheet = must(await open())
  await payBy(store, cart, 'card')
  await payByCard(store, cart.id, totalCents)
  await answer(sheet.url, answers.yes)
  expect((await place()).ok).toBe(true)
  await store.sandbox.catchUp()
  for (const message of receiver.received) await hear(store, message)
  const [ref = ''] = sheet.url.split('_secret_')
  expect(await store.payments.readCharge(ref)).toMatchObject({ ok: true, value: { state: 'voided' } })
  expect(await chargesOf(store, cart.id)).toEqual([
    { method, state: 'voided' },
    { method: 'card', state: 'authorized' },
  ])
  expect(await broken(store)).toEqual([])
})

test.for([...today, ...wallets])(
  '$method: an answer after the deadline is voided, and never an order',
  async ({ method, answers }) => {
    await using receiver = await startReceiver(port + 2)
    await using store = await openTestStore(port, { webhookUrl: `http://127.0.0.1:${port + 2}/`, stallSeconds: 3_600 })
    const { cart, open, answer, place } = await openRoute(store, method)
    const { url } = must(await open())
    await answer(url, answers.later)
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
  const deps = { ...store, cardLimits: createCardLimits({ db: store.db, networkFactor: 1 }) }
  must(await receiveProviderEvent(deps, fromStripe(body, String(headers['stripe-signature']))))
}

/** An order whose charge is captured, with a part of it promised back. */
async function refunding(store: TestStore, method: ChargedMethod, answerWords: string) {
  const { cart, totalCents, open, answer, place } = await openRoute(store, method)
  await answer(must(await open()).url, answerWords)
  must(await refreshPayment(store, { cartId: cart.id }))
  const { orderId } = must(await place())
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, orderId)
  const key = `test:${newId().slice(0, 20)}`
  await store.db
    .transaction()
    .execute(async (tx) => must(await promiseRefund(tx, { orderId, amountCents: 1_000, key, at: store.clock.now() })))
  await payOutRefunds(store)
  return { orderId, totalCents, key }
}

test.for(today)(
  '$method: money given back stays promised until the lender has it done',
  async ({ method, answers }) => {
    await using receiver = await startReceiver(port + 2)
    await using store = await openTestStore(port, { webhookUrl: `http://127.0.0.1:${port + 2}/` })
    const { orderId, totalCents, key } = await refunding(store, method, answers.yes)
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
  },
)

test.for(today)(
  '$method: a refund that the lender refuses later waits for staff, even if its message is lost',
  async ({ method, answers }) => {
    await using store = await openTestStore(port)
    const { orderId, key } = await refunding(store, method, answers.keepsMoney)
    await pass(store, { minutes: 61 })
    expect(await followOldRefunds(store)).toBe(1)
    expect(await findRefund(store, key)).toMatchObject({ state: 'refused' })
    expect(await listRefusedRefunds(store, 10)).toMatchObject([{ orderId, amountCents: 1_000 }])
    expect(await followOldRefunds(store)).toBe(0)
  },
)

test('a method whose provider does not answer is off for a minute, and a card never', async () => {
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
