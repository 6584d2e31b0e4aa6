/** A company buys on Resolve's net terms over sockets, without script: on the pages, and over the API. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { promiseRefund } from '#domain/payments/payments/payments.server.ts'
import { systemClock } from '#platform/clock.ts'
import { eventually } from '#tests/support/eventually.ts'
import { verify } from '#tests/support/invariants.ts'
import { callApi, fillHomeCart } from '#tests/support/order-by-api.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInAt, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
let felix: Visitor
beforeAll(async () => {
  store = await startStore({ env: { RELEASE_AFTER_SECONDS: '8' } })
  felix = await signedIn('felix@example.com')
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`
const textOf = async (answer: Response) => (await answer.text()).replaceAll('<!-- -->', '')

async function signedIn(email: string): Promise<Visitor> {
  const visitor = createVisitor()
  await signInAt(store.origin, visitor, { email })
  return visitor
}

const fillCart = (visitor: Visitor, email = 'felix@example.com') =>
  fillHomeCart(store, visitor, { contact: { firstName: 'Felix', lastName: 'Grant', email, phoneType: 'work' } })

/** Sets the Resolve status of Felix's company. */
const stand = (status: string, line = '25000') =>
  createVisitor().ask(`${store.sandboxOrigin}/resolve/customers/GRNTdelivery`, { form: { status, line } })

const page = '/checkout/payments/net-terms'
const goOn = (form: Record<string, string> = {}) => felix.ask(at(page), { form: { intent: 'hosted', ...form } })

const paymentOf = (orderId: number) =>
  store.database.db
    .selectFrom('payment')
    .select(['method', 'state', 'amount_cents', 'captured_cents', 'refunded_cents', 'provider_ref', 'capture_before'])
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()

async function expectBooks(): Promise<void> {
  const broken = await verify(store.database.db, systemClock.now())
  expect(broken.filter(({ severity }) => severity === 'error')).toEqual([])
}

test('a company chooses net terms, gives its PO number, places, and is invoiced and credited by Resolve', async () => {
  await fillCart(felix)
  const ways = await textOf(await felix.ask(at('/checkout/payments')))
  expect(ways).toMatch(/value="resolve"/)
  expect(ways).toContain('Net 30, $25,000.00 available')
  const chosen = await felix.ask(at('/checkout/payments'), { form: { method: 'resolve', sameAsShipping: '1' } })
  expect(chosen.status).toBe(303)
  expect(chosen.headers.get('location')).toBe(page)
  const shown = await textOf(await felix.ask(at(page)))
  expect(shown).toContain('Net 30, $25,000.00 available')
  expect(shown).toMatch(/name="poNumber"/)

  const back = await goOn({ poNumber: 'GD-4411' })
  expect(back.status).toBe(303)
  const { url, response } = await felix.follow(new URL(back.headers.get('location') ?? ''))
  expect(url.pathname).toBe('/checkout/order-summary')
  const review = await textOf(response)
  expect(review).toMatch(/Resolve, \$[\d,.]+ authorized/)
  expect(review).toContain('PO number GD-4411')
  const agreed = /name="agreed" value="([^"]+)"/.exec(review)?.[1] ?? ''
  const placed = await felix.ask(at('/checkout/order-summary'), { form: { agreed, terms: '1', conditions: '1' } })
  const confirmation = placed.headers.get('location') ?? ''
  const orderId = Number(/order=(\d+)/.exec(confirmation)?.[1])
  const held = await paymentOf(orderId)
  expect(held).toMatchObject({ method: 'resolve', provider_ref: expect.stringMatching(/^resolve:ORD\w+$/) as string })
  const loanId = held.provider_ref?.replace('resolve:', '') ?? ''
  // Resolve's own end of the authorization, not our estimate.
  expect(held.capture_before?.since(systemClock.now()).total('hours')).toBeGreaterThan(29 * 24)

  const order = await textOf(await felix.ask(at(confirmation)))
  expect(order).toContain(`Resolve loan ID ${loanId}`)
  expect(order).toContain('PO number GD-4411')
  const captured = await eventually('capture', async () => {
    const payment = await paymentOf(orderId)
    return payment.state === 'captured' && payment
  })
  expect(captured.captured_cents).toBe(captured.amount_cents)
  const refund = { orderId, amountCents: 2_500, key: 'test:part', at: systemClock.now() }
  await store.database.db.transaction().execute((tx) => promiseRefund(tx, refund))
  await eventually('refund', async () => (await paymentOf(orderId)).refunded_cents === 2_500)
  const board = await textOf(await createVisitor().ask(`${store.sandboxOrigin}/resolve/orders/${loanId}`))
  expect(board).toContain('GD-4411')
  expect(board).toMatch(/Credit note<\/dt>\s*<dd>\$25\.00/)
  await expectBooks()
})

test('shows cancellation, decline, low credit, and review', async () => {
  await fillCart(felix)
  const left = await textOf(await felix.ask(at('/checkout/payments?canceled=resolve')))
  expect(left).toContain('Resolve payment canceled')

  const sentence = 'the payment was not able to be processed. Please try again or use another payment method.'
  await stand('hold')
  expect(await textOf(await felix.ask(at('/checkout/payments')))).toContain('account at Resolve is on hold')
  const onHold = await goOn()
  expect(onHold.status).toBe(402)
  expect(await textOf(onHold)).toContain(sentence)
  await stand('approved', '100')
  const tooLittle = await goOn()
  expect(tooLittle.status).toBe(402)
  expect(await textOf(tooLittle)).toContain(sentence)

  await stand('pending')
  const pending = await felix.follow(new URL((await goOn()).headers.get('location') ?? ''))
  expect(await textOf(pending.response)).toContain('Your payment is processing...')
  await eventually('review', async () => {
    const settled = await felix.ask(at(page), { form: { intent: 'settle' } })
    return settled.headers.get('location') === '/checkout/order-summary'
  })
  await stand('approved')
})

test('a company pays this way over the API, and other callers can’t', async () => {
  const { agreedPrice, dueCents } = await fillCart(felix)
  await callApi(store, felix, 'PUT', '/cart/billing', { sameAsShipping: '1', poNumber: 'GD-4412' })
  const methods = (await callApi(store, felix, 'GET', '/payment-methods')).body
  expect(JSON.stringify(methods)).toContain('"resolve"')
  const opened = await callApi(store, felix, 'POST', '/cart/payment', { flow: 'hosted', method: 'resolve' })
  expect(opened).toMatchObject({ status: 201, body: { amountCents: dueCents } })
  expect((await callApi(store, felix, 'GET', '/cart/payment')).body).toMatchObject({
    by: 'resolve',
    state: 'authorized',
    amountCents: dueCents,
  })
  const placed = await callApi(store, felix, 'POST', '/orders', {
    agreedPrice,
    termsAccepted: true,
    conditionsAccepted: true,
  })
  expect(placed.status).toBe(201)
  const { orderId } = placed.body as { orderId: number }
  // Canceled in time, the line is free again.
  expect((await callApi(store, felix, 'POST', `/orders/${orderId}/cancellation`)).status).toBeLessThan(300)
  const loanId = (await paymentOf(orderId)).provider_ref?.replace('resolve:', '') ?? ''
  await eventually('void', async () => {
    const board = await textOf(await createVisitor().ask(`${store.sandboxOrigin}/resolve/orders/${loanId}`))
    return board.includes('>canceled<')
  })

  const sol = await signedIn('sol@example.com')
  const guest = createVisitor()
  for (const [visitor, email] of [
    [sol, 'sol@example.com'],
    [guest, 'guest@example.com'],
  ] as const) {
    await fillCart(visitor, email)
    expect(JSON.stringify((await callApi(store, visitor, 'GET', '/payment-methods')).body)).not.toContain('"resolve"')
    expect(await textOf(await visitor.ask(at('/checkout/payments')))).not.toContain('value="resolve"')
    const refused = await callApi(store, visitor, 'POST', '/cart/payment', { flow: 'hosted', method: 'resolve' })
    expect(refused).toMatchObject({ status: 409, body: { code: 'CartNotForSale' } })
    const posted = await visitor.ask(at(page), { form: { intent: 'hosted' } })
    expect(posted.headers.get('location')).toBe('/checkout/payments')
  }
  await expectBooks()
})

test('a message of Resolve is believed only with its signature', async () => {
  const body = '{"id":"e1","object":"order","type":"order.updated","data":{"id":"ORD1"}}'
  const post = (signature: string) =>
    fetch(at('/webhooks/payments/resolve'), { method: 'POST', body, headers: { 'x-webhook-signature': signature } })
  expect((await post('')).status).toBe(400)
  expect((await post('0'.repeat(64))).status).toBe(400)
})
