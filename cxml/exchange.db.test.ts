/**
 * Tests a military exchange's program over the API. Follows channel and customer from the first call through the cart
 * and its order-request document to the order, at the exchange's price.
 */
import { expect, test } from 'vitest'
import { openApi } from '#api/api.testing.ts'
import { exampleContact } from '#api/schemas.ts'
import { createCxml } from '#cxml/app.ts'
import { pickTire } from '#domain/ordering/checkout/checkout.testing.ts'
import { readOrder } from '#domain/ordering/orders/orders.server.ts'
import { receiptOf } from '#domain/ordering/orders/receipt.server.ts'
import { givePurchasing, type PurchasingStore } from '#domain/channels/purchasing/purchasing.testing.ts'
import { childAt, parseXml } from '#platform/xml.ts'

type Api = Awaited<ReturnType<typeof openApi>>

const channel = 'channel=military-exchange'
const terms = { channel: 'military-exchange', billName: 'Army Exchange' } as const

async function openExchange(api: Api) {
  const { secret, companyId } = await givePurchasing(
    { ...api.app, db: api.database.db } as unknown as PurchasingStore,
    terms,
  )
  const headers = { 'x-authorization': `Bearer ${secret}`, 'x-military-exchange-customer-id': 'CUST-9' }
  const door = createCxml(api.app)
  return {
    secret,
    companyId,
    headers,
    call: (method: string, path: string, sent: Parameters<Api['call']>[2] = {}) =>
      api.call(method, `${path}${path.includes('?') ? '&' : '?'}${channel}`, {
        ...sent,
        headers: { ...headers, ...sent.headers },
      }),
    /** Posts a document to /cxml with the exchange's secret, and returns the Status of the answer. */
    async post(document: string) {
      const body = document.replace(
        /(<Sender><Credential [^>]*><Identity>[^<]+<\/Identity>)/,
        `$1<SharedSecret>${secret}</SharedSecret>`,
      )
      const answer = await door.request('/cxml', { method: 'POST', body, headers: { 'content-type': 'text/xml' } }, {})
      const status = childAt(parseXml(await answer.text()), 'Response', 'Status')
      return { code: status?.attributes['code'], words: status?.text ?? '' }
    },
  }
}

type Times = { shop: { id: number }; openings: { start: string }[] }[]

test('an exchange prices, holds, and orders a customer’s cart, and the order names the customer', async () => {
  await using api = await openApi()
  const exchange = await openExchange(api)
  const lines = [{ itemId: await pickTire(api.database), quantity: 4 }]
  const made = await exchange.call('POST', '/cart', { body: { lines, zip: '60614' } })
  expect(made.status).toBe(201)
  const { key: cart } = made.body as { key: string }
  const shops = (await exchange.call('GET', '/cart/shops', { cart })).body as Times
  const choice = shops.find(({ openings }) => openings.length > 0)
  const hold = { shopId: choice?.shop.id, start: choice?.openings[0]?.start }
  const once = { 'idempotency-key': crypto.randomUUID() }
  expect(await exchange.call('POST', '/cart/hold', { cart, headers: once, body: hold })).toMatchObject({ status: 201 })
  const asked = '/cart/order-request?orderId=X-1001&costCenter=PX-7'
  expect(await exchange.call('GET', asked, { cart })).toMatchObject({ status: 409, body: { code: 'CartIncomplete' } })
  expect(await exchange.call('PUT', '/cart/contact', { cart, body: exampleContact })).toMatchObject({ status: 200 })
  const priced = await exchange.call('GET', '/cart/price', { cart })
  expect(priced.body).toMatchObject({ problems: [], totals: { taxCents: 0, installDiscountCents: 2_500 } })

  const { document } = (await exchange.call('GET', asked, { cart })).body as { document: string }
  const request = childAt(parseXml(document), 'Request', 'OrderRequest', 'OrderRequestHeader')
  expect(childAt(request, 'BillTo', 'Address', 'Name')?.text).toBe('Army Exchange')
  expect(childAt(request, 'Tax', 'Money')?.text).toBe('0.00')
  // Of the document itself only the secret is missing.
  expect(document).not.toContain(exchange.secret)
  const other = document.replaceAll('>CUST-9<', '>CUST-8<')
  expect(await exchange.post(other.replace(/payloadID="/, '$&o'))).toMatchObject({
    code: '406',
    words: expect.stringMatching(/^The CustomerId doesn’t match/),
  })
  const placed = await exchange.post(document)
  expect(placed).toMatchObject({ code: '200', words: expect.stringMatching(/^Order S-\d+ is placed/) })

  const orderId = Number(/S-(\d+)/.exec(placed.words)?.[1])
  const order = await readOrder(api.database.db, orderId)
  expect(order).toMatchObject({
    purchase: { channel: 'military-exchange', companyId: exchange.companyId, customerId: 'CUST-9', costCenter: 'PX-7' },
    billing: { name: 'Army Exchange', poNumber: 'X-1001' },
    shop: { id: choice?.shop.id },
    booking: { state: 'confirmed', start: Temporal.Instant.from(hold.start ?? '') },
  })
  if (!order) expect.unreachable()
  expect(receiptOf(order, api.app.config).soldAt).toEqual(['Through Acme Plumbing', 'Exchange customer CUST-9'])
  expect(order.breakdown).toMatchObject({ channel: 'military-exchange', totals: { taxCents: 0 } })
  expect(await exchange.call('GET', `/orders/${orderId}`)).toMatchObject({
    status: 200,
    body: { channel: 'military-exchange', exchangeCustomerId: 'CUST-9', totals: { taxCents: 0 }, canCancel: false },
  })
  expect(await api.call('GET', `/orders/${orderId}`)).toMatchObject({ status: 404 })
})

test('only an exchange can use its channel, and only one customer can use a cart', async () => {
  await using api = await openApi()
  const exchange = await openExchange(api)
  const lines = [{ itemId: await pickTire(api.database), quantity: 4 }]
  const create = (path: string, headers: Record<string, string> = {}) =>
    api.call('POST', path, { body: { lines, zip: '60614' }, headers })
  const { 'x-authorization': proof } = exchange.headers
  const customer = { 'x-military-exchange-customer-id': 'CUST-9' }
  expect(await create(`/cart?${channel}`, customer)).toMatchObject({ status: 401 })
  expect(
    await create(`/cart?${channel}`, { ...customer, 'x-authorization': `Bearer ${'x'.repeat(43)}` }),
  ).toMatchObject({
    status: 401,
  })
  expect(await create('/cart', { ...customer, 'x-authorization': proof })).toMatchObject({ status: 401 })
  expect(await create(`/cart?${channel}`, { 'x-authorization': proof })).toMatchObject({ status: 400 })
  expect(
    await create(`/cart?${channel}`, { 'x-authorization': proof, 'x-military-exchange-customer-id': 'x'.repeat(61) }),
  ).toMatchObject({ status: 400 })
  const { key: cart } = (await exchange.call('POST', '/cart', { body: { lines, zip: '60614' } })).body as {
    key: string
  }
  const another = { 'x-military-exchange-customer-id': 'CUST-8' }
  expect(await exchange.call('GET', '/cart/price', { cart, headers: another })).toMatchObject({ status: 403 })
  const { key: own } = (await create('/cart')).body as { key: string }
  expect(await exchange.call('GET', '/cart', { cart: own })).toMatchObject({ status: 403 })
  // Without the channel it's a normal cart, so it is taxed and has no document.
  const taxed = await api.call('GET', '/cart/price', { cart })
  expect((taxed.body as { totals: { taxCents: number } }).totals.taxCents).toBeGreaterThan(0)
  expect(await api.call('GET', '/cart/order-request?orderId=X-1', { cart })).toMatchObject({ status: 403 })
  // Orders for an exchange's customer require its document.
  const order = { agreedPrice: 'any', termsAccepted: true }
  const once = { 'idempotency-key': crypto.randomUUID() }
  expect(await exchange.call('POST', '/orders', { cart, headers: once, body: order })).toMatchObject({ status: 409 })
})
