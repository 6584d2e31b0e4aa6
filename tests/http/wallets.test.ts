/**
 * Tests the pages' requests and responses for Apple Pay and Google Pay, with the wallet sheet replaced by its call to
 * the sandbox.
 */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { payWithWallet } from '#sandbox/test-sandbox.ts'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { openStartedStore, type StartedStore } from '../faults/started-store.ts'

const proof = '7B2270737'
let store: StartedStore
let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
beforeAll(async () => {
  folder = await createTemporaryFolder({ association: proof })
  store = await openStartedStore({ env: { APPLE_PAY_DOMAIN_ASSOCIATION: join(folder.path, 'association') } })
})
afterAll(async () => {
  await store[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

function browserOf(cookie: string) {
  const headers = { origin: store.origin, cookie, accept: 'text/html' }
  const ask = (path: string) => fetch(store.origin + path, { headers, redirect: 'manual' })
  const post = (path: string, form: Record<string, string>) =>
    fetch(store.origin + path, { method: 'POST', headers, body: new URLSearchParams(form), redirect: 'manual' })
  return { ask, post, read: async (path: string) => (await ask(path)).text() }
}

/** Returns a shopper with a cart that is ready for payment. */
async function shopper() {
  const ready = await store.prepare()
  const browser = browserOf(`sw_cart=${ready.cartId}`)
  await browser.post('/checkout/payments/card', { intent: 'another' })
  const owner = {
    name: 'Robin Hale',
    phone: '',
    line1: '9 Oak Ave',
    line2: '',
    city: 'Peoria',
    state: 'IL',
    postalCode: '61602',
    country: 'US',
  }
  /** Approves the sheet for `total`. Returns the page's response and the charge's client secret. */
  const approve = async (method: string, change: Record<string, string> = {}) => {
    const form = { intent: 'open', amount: String(ready.totalCents), ...owner, ...change }
    const opened = await browser.post(`/checkout/payments/${method}.data`, form)
    const answer = await opened.text()
    return { status: opened.status, answer, clientSecret: /pi_\w+_secret_\w+/.exec(answer)?.[0] ?? '' }
  }
  const pay = (clientSecret: string, person: string) =>
    payWithWallet(
      { origin: store.sandboxOrigin },
      { clientSecret, amount: ready.totalCents, wallet: 'apple_pay', person },
    )
  return { ...browser, ready, approve, pay }
}

const chargesOf = async (cartId: string) =>
  await store.db
    .selectFrom('payment')
    .select(['method', 'state', 'order_id'])
    .where('cart_id', '=', cartId)
    .orderBy('created_at')
    .execute()

test('wallets appear only with script, and other methods work without it', async () => {
  const { read } = await shopper()
  const page = await read('/checkout/payments')
  expect(page).not.toMatch(/<input[^>]*value="(?:apple|google)-pay"/)
  expect(page).toContain('Pay now')
  const own = await read('/checkout/payments/apple-pay')
  expect(own).toContain('Apple Pay needs JavaScript')
  expect(own).toContain('I accept the')
  expect(own).toContain('Choose another way to pay')
})

test('approved: one order, however often it is submitted, billed to the wallet’s owner', async () => {
  const { ready, approve, pay } = await shopper()
  const { clientSecret } = await approve('apple-pay')
  expect(await pay(clientSecret, 'dana')).toHaveProperty('paymentIntent')
  const pressed = await Promise.all([store.press(ready), store.press(ready)])
  expect(pressed[0]).toEqual({ orderId: expect.any(Number) as number })
  expect(pressed[1]).toEqual(pressed[0])
  expect((await chargesOf(ready.cartId)).filter((charge) => charge.order_id !== null)).toMatchObject([
    { method: 'apple-pay', state: 'authorized' },
  ])
  const { billing } = await store.db
    .selectFrom('sales_order')
    .select('billing')
    .where('cart_id', '=', ready.cartId)
    .executeTakeFirstOrThrow()
  expect(billing).toMatchObject({ name: 'Robin Hale', city: 'Peoria' })
})

test('declined is a payment error in the bank’s words, and the next sheet pays', async () => {
  const { ready, approve, pay, post, read } = await shopper()
  const { clientSecret } = await approve('google-pay', { country: 'CA', state: 'QC' })
  await pay(clientSecret, 'lee')
  expect((await post('/checkout/payments/google-pay', { intent: 'settle' })).status).toBe(402)
  for (const path of ['/checkout/payments', '/checkout/payments/google-pay']) {
    const page = await read(path)
    expect(page).toContain('Payment error')
    expect(page).toContain('This card does not have enough funds.')
  }
  const again = await approve('google-pay')
  expect(again.clientSecret).toBe(clientSecret)
  await pay(clientSecret, 'dana')
  const settled = await post('/checkout/payments/google-pay', { intent: 'settle' })
  expect(settled.headers.get('location')).toBe('/checkout/order-summary')
  expect(await store.press(ready)).toHaveProperty('orderId')
})

test('a sheet with another total than the review’s, or for a time that is gone, opens no charge', async () => {
  const { ready, approve } = await shopper()
  const before = await chargesOf(ready.cartId)
  const wrong = await approve('apple-pay', { amount: String(ready.totalCents - 1) })
  expect(wrong).toMatchObject({ status: 409, clientSecret: '' })
  expect(wrong.answer).toContain('Check it, then pay again.')

  // As when the hold ended and the time went to others.
  await store.db.deleteFrom('booking').where('cart_id', '=', ready.cartId).execute()
  const late = await approve('apple-pay')
  expect(late).toMatchObject({ status: 409, clientSecret: '' })
  expect(late.answer).toContain('No time is held for you anymore.')
  expect(await chargesOf(ready.cartId)).toEqual(before)
})

test('wallet buttons in the cart and on tire pages lead to open choices, then to the wallet', async () => {
  const { ready, post } = await shopper()
  const chosen = await post('/cart', { intent: 'express', wallet: 'google-pay' })
  expect(chosen.status).toBe(303)
  expect(chosen.headers.get('location')).toBe('/checkout/payments/google-pay')
  const { payment_method: kept } = await store.db
    .selectFrom('cart')
    .select('payment_method')
    .where('id', '=', ready.cartId)
    .executeTakeFirstOrThrow()
  expect(kept).toBe('google-pay')
  expect((await post('/cart', { intent: 'express', wallet: 'card' })).status).toBe(422)

  const added = await browserOf('sw_zip=60614').post('/cart', {
    item: String(store.itemId),
    quantity: '4',
    wallet: 'apple-pay',
  })
  expect(added.status).toBe(303)
  expect(added.headers.get('location')).toBe('/checkout/payments/apple-pay')
  const cookie = added.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  const asked = await browserOf(`${cookie}; sw_zip=60614`).ask('/checkout/payments/apple-pay')
  expect(asked.headers.get('location')).toBe('/checkout/shipping')
})

test('the wallet’s frame may ask for payment on the pages with its buttons, and on no other', async () => {
  const { ask } = await shopper()
  const pages = {
    '/checkout/payments': true,
    '/checkout/payments/apple-pay': true,
    '/cart': true,
    '/brands/kestrel/alltide-as2': true,
    '/checkout/shipping-confirmation': false,
    '/tire-sizes/225-65r17': false,
    '/sign-in': false,
    '/': false,
  }
  for (const [path, mayAsk] of Object.entries(pages)) {
    const { status, headers } = await ask(path)
    expect(status, path).toBe(200)
    const asking = headers.get('permissions-policy')?.includes(`payment=(self "${store.sandboxOrigin}")`)
    const scripts = /script-src [^;]*/.exec(headers.get('content-security-policy') ?? '')?.[0] ?? ''
    expect(asking, path).toEqual(mayAsk)
    expect(scripts.includes(store.sandboxOrigin), path).toBe(mayAsk)
  }
})

test('serves the domain verification file unchanged', async () => {
  const answer = await fetch(`${store.origin}/.well-known/apple-developer-merchantid-domain-association`)
  expect(answer.status).toBe(200)
  expect(await answer.text()).toBe(proof)
})
