/** Tests a purchase over the API from an empty cart to a canceled order, and optimistic locking. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { exampleContact } from '#api/schemas.ts'
import { openApi } from './api.testing.ts'
import { key, beginCart, prepare } from './buying.testing.ts'

test('an order is placed once, read, tracked and canceled', async () => {
  await using api = await openApi({ withOutside: true })
  const { cart, agreedPrice } = await prepare(api)
  const body = { agreedPrice, termsAccepted: true }
  expect(await api.call('POST', '/orders', { cart, body })).toMatchObject({
    status: 400,
    body: { code: 'IdempotencyKeyMissing' },
  })
  expect(
    await api.call('POST', '/orders', { cart, headers: key(), body: { ...body, agreedPrice: 'another' } }),
  ).toMatchObject({
    status: 409,
    body: { code: 'PriceChanged' },
  })
  expect(
    await api.call('POST', '/orders', { cart, headers: key(), body: { ...body, termsAccepted: false } }),
  ).toMatchObject({
    status: 422,
    body: { code: 'TermsNotAccepted' },
  })

  const headers = key()
  const placed = await api.call('POST', '/orders', { cart, headers, body })
  expect(placed).toMatchObject({ status: 201, body: { isNew: true } })
  const again = await api.call('POST', '/orders', { cart, headers, body })
  expect(again.body).toEqual(placed.body)
  expect(again.status).toBe(201)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(again.headers.get('location')).toBe(placed.headers.get('location'))
  // With another key it is another call, but still the same order.
  const { orderId } = placed.body as { orderId: number }
  expect(await api.call('POST', '/orders', { cart, headers: key(), body })).toMatchObject({
    status: 201,
    body: { orderId, isNew: false },
  })

  const order = await api.call('GET', `/orders/${orderId}`, { cart })
  expect(order).toMatchObject({
    status: 200,
    body: { orderId, canCancel: true, contact: { email: 'dana@example.com' }, appointment: { state: 'confirmed' } },
  })
  expect(await api.call('GET', `/orders/${orderId}`)).toMatchObject({ status: 404, body: { code: 'OrderNotFound' } })
  expect(await api.call('GET', '/cart', { cart })).toMatchObject({ status: 404, body: { code: 'NoCart' } })

  const looked = await api.call('POST', '/order-look-ups', { body: { order: `S-${orderId}`, zip: '60614' } })
  expect(looked).toMatchObject({ status: 200, body: { orderId, shipments: [{ step: 'Order Processed' }] } })
  const { look } = looked.body as { look: string }
  const seen = await api.call('GET', `/orders/${orderId}?look=${encodeURIComponent(look)}`)
  expect(seen).toMatchObject({
    status: 200,
    body: { contact: null, shipTo: null, totals: null, lines: [], receipt: null, canCancel: false },
  })
  expect(
    await api.call('POST', `/orders/${orderId}/cancellation?look=${encodeURIComponent(look)}`, { headers: key() }),
  ).toMatchObject({ status: 404 })

  expect(await api.call('POST', `/orders/${orderId}/cancellation`, { cart, headers: key() })).toMatchObject({
    status: 200,
    body: { state: 'canceled', canCancel: false },
  })
})

test('an unknown number and a wrong ZIP get the same error, and attempts are limited', async () => {
  await using api = await openApi()
  const { id, zip } = await api.database.db
    .selectFrom('sales_order')
    .select(['id', 'zip'])
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  const tried = async (order: string, at: string) => {
    const { status, body } = await api.call('POST', '/order-look-ups', { body: { order, zip: at } })
    return [status, body as { code: string; message: string; data: null }] as const
  }
  const wrongZip = await tried(`S-${id}`, zip === '10001' ? '10002' : '10001')
  expect(wrongZip).toEqual(await tried('S-999999999', '10001').then(([status, body]) => [status, { ...body }]))
  expect(wrongZip).toMatchObject([
    404,
    { code: 'NoMatch', message: 'Please review. Order ID & ZIP Code do not match.' },
  ])
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => api.call('POST', '/order-look-ups', { body: { order: `S-${id}`, zip: '10001' } })),
  )
  const last = answers.find(({ status }) => status === 429)
  expect(last?.body).toMatchObject({ code: 'TooManyAttempts' })
  expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0)
})

test('a cart is changed only if it is still the cart that was read', async () => {
  await using api = await openApi()
  const { cart, itemId, etag } = await beginCart(api)
  const line = `/cart/lines/${itemId}/all`
  const set = (quantity: number, ifMatch?: string) =>
    api.call('PATCH', line, { cart, body: { quantity }, headers: ifMatch === undefined ? {} : { 'if-match': ifMatch } })
  expect(await set(2)).toMatchObject({ status: 428, body: { code: 'PreconditionRequired' } })
  expect((await api.call('GET', '/cart', { cart })).headers.get('etag')).toBe(etag)
  const changed = await set(2, etag)
  expect(changed).toMatchObject({ status: 200, body: { lines: [{ quantity: 2 }] } })
  const stale = await set(3, etag)
  expect(stale).toMatchObject({ status: 412, body: { code: 'PreconditionFailed' } })
  expect(stale.headers.get('etag')).toBe(changed.headers.get('etag'))
  expect(await set(3, `"other", ${changed.headers.get('etag')}`)).toMatchObject({ status: 200 })
  expect(await set(1, '*')).toMatchObject({ status: 200 })
  expect(await set(1, `W/${etag}`)).toMatchObject({ status: 412 })

  // A changed price also changes the ETag.
  const before = (await api.call('GET', '/cart', { cart })).headers.get('etag') ?? ''
  await api.database.db
    .updateTable('item')
    .set((eb) => ({ retail_cents: eb('retail_cents', '+', 100) }))
    .where('id', '=', itemId)
    .execute()
  expect(await set(2, before)).toMatchObject({ status: 412 })

  expect(await api.call('DELETE', line, { cart, headers: { 'if-match': '*' } })).toMatchObject({
    status: 200,
    body: { lines: [] },
  })
  expect(await api.call('DELETE', line, { cart, headers: { 'if-match': '*' } })).toMatchObject({
    status: 404,
    body: { code: 'LineNotFound' },
  })
})

test('a cart has its vehicle, its destination and its fitment', async () => {
  await using api = await openApi({ withOutside: true })
  const { cart } = await beginCart(api)
  expect(await api.call('GET', '/cart/verdict', { cart })).toMatchObject({ status: 200, body: null })
  const { key: vehicle } = (await api.call('GET', '/vehicles/2021/toyota/rav4')).body as { key: string }
  expect(await api.call('PUT', '/cart/vehicle', { cart, body: { vehicle } })).toMatchObject({
    status: 200,
    body: { vehicle: { name: '2021 Toyota RAV4' } },
  })
  expect(await api.call('GET', '/cart/verdict', { cart })).toMatchObject({
    status: 200,
    body: { vehicle: '2021 Toyota RAV4' },
  })
  expect(await api.call('PUT', '/cart/zip', { cart, body: { zip: '77002' } })).toMatchObject({
    status: 200,
    body: { zip: '77002' },
  })
  expect(await api.call('PUT', '/cart/zip', { cart, body: { zip: '00000' } })).toMatchObject({
    status: 404,
    body: { code: 'UnknownZip' },
  })
  expect(await api.call('PUT', '/cart/delivery', { cart, body: { fulfillment: 'home' } })).toMatchObject({
    status: 200,
    body: { fulfillment: 'home' },
  })
  const [counter] = (await api.call('GET', '/cart/pickup-locations', { cart })).body as { id: number }[]
  expect(
    await api.call('PUT', '/cart/delivery', {
      cart,
      body: { fulfillment: 'carrier-pickup', carrierLocationId: counter?.id },
    }),
  ).toMatchObject({
    status: 200,
  })
  expect(await api.call('PUT', '/cart/delivery', { cart, body: { fulfillment: 'carrier-pickup' } })).toMatchObject({
    status: 400,
    body: { message: 'Please select a FedEx location' },
  })
  expect(
    await api.call('PUT', '/cart/contact', { cart, body: { ...exampleContact, firstName: '1', zip: '606' } }),
  ).toMatchObject({
    status: 400,
    body: {
      code: 'BadRequest',
      data: { firstName: 'Please enter valid First Name', zip: 'Please enter valid US Zip Code' },
    },
  })
  expect(await api.call('POST', '/cart/prices-accepted', { cart })).toMatchObject({ status: 200 })
})

test('rejects an invalid cart key', async () => {
  await using api = await openApi()
  expect(await api.call('GET', '/cart')).toMatchObject({ status: 401, body: { code: 'Unauthorized' } })
  expect(await api.call('GET', '/cart', { cart: randomUUID() })).toMatchObject({
    status: 404,
    body: { code: 'NoCart' },
  })
  expect(
    await api.call('POST', '/orders', {
      cart: randomUUID(),
      headers: key(),
      body: { agreedPrice: 'x', termsAccepted: true },
    }),
  ).toMatchObject({
    status: 409,
  })
  expect(await api.call('GET', '/orders')).toMatchObject({ status: 401 })
})
