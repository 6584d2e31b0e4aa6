/** Cards that require bank authentication, in the card fields and on the provider's page, approved and declined. */
import { expect, test } from 'vitest'
import { openHostedPage, openCharge } from '#domain/payments/payments/payments.server.ts'
import { payWithFields } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { placeOrder, quoteCart, readDetails } from './checkout.server.ts'
import { agreeTo, cartOf, makeReadyCart, must, openTestStore, payByCard, type TestStore } from './checkout.testing.ts'

const [port = 0] = await freePorts(3)
const asking = '4000002500003155'

/** Answers on the bank's page; returns where it leads, if anywhere. */
async function answer(store: TestStore, page: string, word: 'approve' | 'refuse'): Promise<string | null> {
  const response = await fetch(page, {
    method: 'POST',
    headers: { origin: store.sandbox.origin },
    body: new URLSearchParams({ answer: word }),
    redirect: 'manual',
  })
  return response.headers.get('location')
}

/** The tires, appointment, and price that a refusal must preserve. */
async function stateOf(store: TestStore, cartId: string) {
  const cart = await cartOf(store, cartId)
  const { contact } = await readDetails(store, cartId)
  const bookings = await store.db
    .selectFrom('booking')
    .select(['id', 'state', 'hold_expires_at'])
    .where('cart_id', '=', cartId)
    .execute()
  const { breakdown } = await quoteCart(store, cart, contact)
  return { lines: cart.lines, shopId: cart.shopId, bookings, totals: breakdown?.totals }
}

async function openFields(store: TestStore) {
  const cart = await makeReadyCart(store)
  const { totalCents, ...input } = await agreeTo(store, cart)
  const { clientSecret } = must(await openCharge(store, { cartId: cart.id, amountCents: totalCents, email: null }))
  return { input, totalCents, clientSecret }
}

test('places the order only after bank authentication in the card fields', async () => {
  await using store = await openTestStore(port)
  const { input, clientSecret } = await openFields(store)
  const asked = await payWithFields(store.sandbox, clientSecret, asking)
  expect(asked.url).toContain('/challenge/')
  expect(await placeOrder(store, input)).toMatchObject({ ok: false, reason: 'payment-not-authorized' })
  await answer(store, asked.url ?? '', 'approve')
  expect(must(await placeOrder(store, input))).toMatchObject({ isNew: true })
})

test('in the fields, a refused approval leaves cart, time and price, and another card pays', async () => {
  await using store = await openTestStore(port)
  const { input, totalCents, clientSecret } = await openFields(store)
  const before = await stateOf(store, input.cartId)
  const asked = await payWithFields(store.sandbox, clientSecret, asking)
  await answer(store, asked.url ?? '', 'refuse')
  expect(await placeOrder(store, input)).toMatchObject({
    ok: false,
    reason: 'payment-not-authorized',
    detail: { failure: 'The bank did not get your approval. Try again, or use another card.', isProcessing: false },
  })
  expect(await stateOf(store, input.cartId)).toEqual(before)
  await payByCard(store, input.cartId, totalCents)
  expect(must(await placeOrder(store, input))).toMatchObject({ isNew: true })
})

async function openPage(store: TestStore) {
  const cart = await makeReadyCart(store)
  const { totalCents, ...input } = await agreeTo(store, cart)
  const { url } = must(
    await openHostedPage(store, {
      cartId: cart.id,
      amountCents: totalCents,
      email: null,
      description: 'Four tires',
      returnUrl: 'https://store.example/paid?payment={payment}',
      cancelUrl: 'https://store.example/checkout',
    }),
  )
  return { input, url }
}

/** Enters a card on the provider's page; returns where it leads. */
async function enterCard(store: TestStore, page: string, number: string): Promise<string> {
  const response = await fetch(page, {
    method: 'POST',
    headers: { origin: store.sandbox.origin },
    body: new URLSearchParams({ number, expiry: '12/39', cvc: '123', zip: '60614', email: '' }),
    redirect: 'manual',
  })
  return new URL(response.headers.get('location') ?? '', page).href
}

test('on the provider’s page, an approval leads back to the store, and the order is placed', async () => {
  await using store = await openTestStore(port)
  const { input, url } = await openPage(store)
  const bank = await enterCard(store, url, asking)
  expect(bank).toContain('/challenge/')
  expect(await placeOrder(store, input)).toMatchObject({ ok: false, reason: 'payment-not-authorized' })
  const back = await answer(store, bank, 'approve')
  const page = await fetch(new URL(back ?? '', bank), { redirect: 'manual' })
  expect(page.headers.get('location')).toContain('https://store.example/paid?payment=')
  expect(must(await placeOrder(store, input))).toMatchObject({ isNew: true })
})

test('on the provider’s page, a refused approval leaves cart, time and price, and the page takes another card', async () => {
  await using store = await openTestStore(port)
  const { input, url } = await openPage(store)
  const before = await stateOf(store, input.cartId)
  const bank = await enterCard(store, url, asking)
  await answer(store, bank, 'refuse')
  expect(await placeOrder(store, input)).toMatchObject({ ok: false, reason: 'payment-not-authorized' })
  expect(await stateOf(store, input.cartId)).toEqual(before)
  expect(await enterCard(store, url, '4242424242424242')).toContain('https://store.example/paid')
  expect(must(await placeOrder(store, input))).toMatchObject({ isNew: true })
})
