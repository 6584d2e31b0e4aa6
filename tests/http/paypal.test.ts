/** Tests PayPal on the pages without JavaScript, and over the API. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { promiseRefund } from '#domain/payments/payments/payments.server.ts'
import { systemClock } from '#platform/clock.ts'
import { eventually } from '#tests/support/eventually.ts'
import { verify } from '#tests/support/invariants.ts'
import { callApi, fillHomeCart } from '#tests/support/order-by-api.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
beforeAll(async () => {
  // Long enough to see the order before it is charged.
  store = await startStore({ env: { RELEASE_AFTER_SECONDS: '8' } })
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`
const textOf = async (answer: Response) => (await answer.text()).replaceAll('<!-- -->', '')
const contact = (email: string) => ({ firstName: 'Sol', lastName: 'Marsh', email, phoneType: 'mobile' })

/** Selects PayPal on the payment page and follows the redirect. Returns PayPal's page URL. */
async function goToPayPal(visitor: Visitor): Promise<URL> {
  const ways = await textOf(await visitor.ask(at('/checkout/payments')))
  expect(ways).toMatch(/value="paypal"/)
  const chosen = await visitor.ask(at('/checkout/payments'), { form: { method: 'paypal', sameAsShipping: '1' } })
  expect(chosen.status).toBe(303)
  expect(chosen.headers.get('location')).toBe('/checkout/payments/paypal')
  const page = await visitor.ask(at('/checkout/payments/paypal'))
  expect(await textOf(page)).toContain('PayPal')
  // A browser follows the form's redirect only if the policy allows it.
  expect(page.headers.get('content-security-policy')).toMatch(new RegExp(`form-action [^;]*${store.sandboxOrigin}`))
  const hosted = await visitor.ask(at('/checkout/payments/paypal'), { form: { intent: 'hosted' } })
  expect(hosted.status).toBe(303)
  return new URL(hosted.headers.get('location') ?? '')
}

async function press(visitor: Visitor, page: URL, act: string, funding = 'balance'): Promise<URL> {
  expect((await visitor.ask(page)).status).toBe(200)
  const answer = await visitor.ask(page, { form: { act, funding } })
  expect(answer.status).toBe(303)
  return new URL(answer.headers.get('location') ?? '', page)
}

const paymentOf = (orderId: number) =>
  store.database.db
    .selectFrom('payment')
    .select(['id', 'method', 'state', 'amount_cents', 'captured_cents', 'refunded_cents', 'provider_ref'])
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()

async function expectBooks(): Promise<void> {
  const broken = await verify(store.database.db, systemClock.now())
  expect(broken.filter(({ severity }) => severity === 'error')).toEqual([])
}

test('a shopper without script approves at PayPal, reviews, places, is charged and gets a part back', async () => {
  const visitor = createVisitor()
  await fillHomeCart(store, visitor, { contact: contact('approves@example.com') })
  const back = await press(visitor, await goToPayPal(visitor), 'approve')
  const { url, response } = await visitor.follow(back)
  expect(url.pathname).toBe('/checkout/order-summary')
  const review = await textOf(response)
  expect(review).toMatch(/PayPal, \$[\d,.]+ authorized/)
  expect(review).toContain('Your PayPal account is charged after that.')
  const agreed = /name="agreed" value="([^"]+)"/.exec(review)?.[1] ?? ''
  const placed = await visitor.ask(at('/checkout/order-summary'), { form: { agreed, terms: '1', conditions: '1' } })
  expect(placed.status).toBe(303)
  const confirmation = placed.headers.get('location') ?? ''
  const orderId = Number(/order=(\d+)/.exec(confirmation)?.[1])
  expect(await textOf(await visitor.ask(at(confirmation)))).toMatch(/PayPal, \$[\d,.]+ authorized/)

  const captured = await eventually('capture', async () => {
    const payment = await paymentOf(orderId)
    return payment.state === 'captured' && payment
  })
  expect(captured).toMatchObject({ method: 'paypal', captured_cents: captured.amount_cents })
  expect(await textOf(await visitor.ask(at(confirmation)))).toMatch(/\$[\d,.]+ charged to your PayPal account/)
  const refund = { orderId, amountCents: 2_500, key: 'test:part', at: systemClock.now() }
  await store.database.db.transaction().execute((tx) => promiseRefund(tx, refund))
  await eventually('refund', async () => (await paymentOf(orderId)).refunded_cents === 2_500)
  const id = captured.provider_ref?.replace('paypal:', '') ?? ''
  const board = await textOf(await visitor.ask(`${store.sandboxOrigin}/paypal/orders/${id}`))
  expect(board).toContain('$25.00 refunded')
  await expectBooks()
})

test('cancellation, decline, and review are shown, and another visit pays', async () => {
  const visitor = createVisitor()
  await fillHomeCart(store, visitor, { contact: contact('wavers@example.com') })
  const canceled = await press(visitor, await goToPayPal(visitor), 'cancel')
  expect(canceled.pathname).toBe('/checkout/payments')
  const told = await visitor.follow(canceled)
  expect(told.response.status).toBe(200)
  expect(await textOf(told.response)).toContain('PayPal payment canceled')

  const declined = await visitor.follow(await press(visitor, await goToPayPal(visitor), 'approve', 'declined'))
  expect(declined.url.pathname).toBe('/checkout/payments')
  expect(await textOf(declined.response)).toContain('Continue to PayPal and choose something else')
  // Reviewing the order leads back to paying.
  const early = await visitor.ask(at('/checkout/order-summary'))
  expect(early.headers.get('location')).toBe('/checkout/payments/paypal')

  const pending = await visitor.follow(await press(visitor, await goToPayPal(visitor), 'approve', 'pending'))
  expect(await textOf(pending.response)).toContain('Your payment is processing...')
  await eventually('review', async () => {
    const settled = await visitor.ask(at('/checkout/payments/paypal'), { form: { intent: 'settle' } })
    return settled.headers.get('location') === '/checkout/order-summary'
  })
})

test('an order is paid with PayPal over the API', async () => {
  const visitor = createVisitor()
  const { agreedPrice, dueCents } = await fillHomeCart(store, visitor, { contact: contact('calls@example.com') })
  const methods = (await callApi(store, visitor, 'GET', '/payment-methods')).body as { methods: { type: string }[] }
  expect(methods.methods.map(({ type }) => type)).toEqual(expect.arrayContaining(['card', 'paypal', 'venmo']))
  const inFields = await callApi(store, visitor, 'POST', '/cart/payment', { flow: 'fields', method: 'paypal' })
  expect(inFields.status).toBe(409)
  const opened = await callApi(store, visitor, 'POST', '/cart/payment', { flow: 'hosted', method: 'paypal' })
  expect(opened).toMatchObject({ status: 201, body: { amountCents: dueCents, clientSecret: null } })
  await press(visitor, new URL((opened.body as { url: string }).url), 'approve')
  expect((await callApi(store, visitor, 'GET', '/cart/payment')).body).toMatchObject({
    by: 'paypal',
    state: 'authorized',
    amountCents: dueCents,
    isProcessing: false,
    message: null,
  })
  const placed = await callApi(store, visitor, 'POST', '/orders', {
    agreedPrice,
    termsAccepted: true,
    conditionsAccepted: true,
  })
  expect(placed.status).toBe(201)
  const { orderId } = placed.body as { orderId: number }
  expect(await paymentOf(orderId)).toMatchObject({ method: 'paypal', amount_cents: dueCents })
  await expectBooks()
})
