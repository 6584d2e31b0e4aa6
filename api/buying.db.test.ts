/**
 * From an empty cart to a canceled order over the API alone, and what keeps a call from taking effect twice or
 * overwriting someone else's change. Over 400 lines: one purchase, step by step.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { exampleContact } from '#api/schemas.ts'
import { pickTire } from '#domain/checkout/checkout.testing.ts'
import { openApi } from './api.testing.ts'

type Api = Awaited<ReturnType<typeof openApi>>
type CartBody = { key: string; cart: { version: number; lines: { itemId: number; quantity: number }[] } }

const key = () => ({ 'idempotency-key': randomUUID() })

async function beginCart(api: Api): Promise<{ cart: string; itemId: number; etag: string }> {
  const itemId = await pickTire(api.database)
  const made = await api.call('POST', '/cart', { body: { lines: [{ itemId, quantity: 4 }], zip: '60614' } })
  expect(made.status).toBe(201)
  return { cart: (made.body as CartBody).key, itemId, etag: made.headers.get('etag') ?? '' }
}

/** Completes every step before placing the order, with the payment authorized. */
async function prepare(api: Api): Promise<{ cart: string; agreedPrice: string }> {
  const { cart } = await beginCart(api)
  const shops = (await api.call('GET', '/cart/shops', { cart })).body as {
    shop: { id: number }
    openings: { start: string }[]
  }[]
  const [choice] = shops.filter(({ openings }) => openings.length > 0)
  expect(await api.call('GET', `/cart/shops/${choice?.shop.id}/times`, { cart })).toMatchObject({ status: 200 })
  expect(
    await api.call('POST', '/cart/hold', {
      cart,
      headers: key(),
      body: { shopId: choice?.shop.id, start: choice?.openings[0]?.start },
    }),
  ).toMatchObject({
    status: 201,
  })
  expect(await api.call('POST', '/cart/hold/extensions', { cart, headers: key() })).toMatchObject({
    status: 200,
    body: { extensionsLeft: 9 },
  })
  expect(await api.call('PUT', '/cart/contact', { cart, body: exampleContact })).toMatchObject({ status: 200 })
  expect(await api.call('PUT', '/cart/services', { cart, body: { coverage: true, roadside: true } })).toMatchObject({
    status: 200,
    body: { roadside: true },
  })
  expect(await api.call('PUT', '/cart/billing', { cart, body: { sameAsShipping: '1' } })).toMatchObject({
    status: 200,
    body: { billing: { name: 'Dana Ruiz' } },
  })
  const price = (await api.call('GET', '/cart/price', { cart })).body as {
    agreedPrice: string
    totals: { totalCents: number }
    rows: unknown[]
    problems: unknown[]
  }
  expect(price.problems).toEqual([])
  const opened = (await api.call('POST', '/cart/payment', { cart, headers: key(), body: { flow: 'fields' } })).body as {
    clientSecret: string
    amountCents: number
  }
  expect(opened.amountCents).toBe(price.totals.totalCents)
  await api.outside?.authorize(opened)
  expect(await api.call('GET', '/cart/payment', { cart })).toMatchObject({
    status: 200,
    body: { state: 'authorized', amountCents: price.totals.totalCents },
  })
  return { cart, agreedPrice: price.agreedPrice }
}

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
  expect([again.status, again.headers.get('idempotent-replayed'), again.headers.get('location')]).toEqual([
    201,
    'true',
    placed.headers.get('location'),
  ])
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

test('the same call with the same key gets the same response, and a different call is refused', async () => {
  await using api = await openApi()
  const { cart, itemId } = await beginCart(api)
  const headers = { 'idempotency-key': 'x'.repeat(255) }
  const add = (quantity: number, sent: Record<string, string> = headers) =>
    api.call('POST', '/cart/lines', { cart, headers: sent, body: { lines: [{ itemId, quantity, axle: 'front' }] } })
  const first = await add(2)
  expect(first.status).toBe(201)
  const again = await add(2)
  expect([again.status, again.body, again.headers.get('etag'), again.headers.get('idempotent-replayed')]).toEqual([
    201,
    first.body,
    first.headers.get('etag'),
    'true',
  ])
  expect(await add(3)).toMatchObject({ status: 422, body: { code: 'IdempotencyKeyReused' } })
  expect(await add(2, { 'idempotency-key': 'x'.repeat(256) })).toMatchObject({ status: 400 })
  expect(await add(2, { 'idempotency-key': 'with space' })).toMatchObject({ status: 400 })

  // Another caller's key is a different key.
  const other = await beginCart(api)
  expect(
    await api.call('POST', '/cart/lines', {
      cart: other.cart,
      headers,
      body: { lines: [{ itemId, quantity: 3, axle: 'front' }] },
    }),
  ).toMatchObject({
    status: 201,
  })

  // A refusal is a response, too.
  const refused = { 'idempotency-key': 'refused' }
  const sell = () =>
    api.call('POST', '/cart/lines', { cart, headers: refused, body: { lines: [{ itemId: 1, quantity: 1 }] } })
  expect(await sell()).toMatchObject({ status: 404, body: { code: 'NotSold' } })
  const replayed = await sell()
  expect([replayed.status, replayed.headers.get('idempotent-replayed')]).toEqual([404, 'true'])

  // After a day the key can be used again.
  api.clock.set(api.clock.now().add({ hours: 24 }))
  const fresh = await add(3)
  expect([fresh.status, fresh.headers.get('idempotent-replayed')]).toEqual([201, null])
})

test('of many simultaneous calls with one key, only one takes effect', async () => {
  await using api = await openApi()
  const { cart, itemId } = await beginCart(api)
  const headers = key()
  const body = { lines: [{ itemId, quantity: 2, axle: 'rear' }] }
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => api.call('POST', '/cart/lines', { cart, headers, body })),
  )
  const busy = answers.filter(({ status }) => status === 409)
  expect(
    busy.every(
      (answer) =>
        (answer.body as { code: string }).code === 'IdempotencyInProgress' &&
        Number(answer.headers.get('retry-after')) > 0,
    ),
  ).toBe(true)
  const done = answers.filter(({ status }) => status === 201)
  expect(done.length + busy.length).toBe(20)
  expect(done.filter(({ headers: sent }) => sent.get('idempotent-replayed') === null)).toHaveLength(1)
  const { lines } = (await api.call('GET', '/cart', { cart })).body as CartBody['cart']
  expect(lines.map(({ quantity }) => quantity)).toEqual([4, 2])

  const holds = await Promise.all(
    Array.from({ length: 6 }, async () =>
      api.call('POST', '/cart', { headers, body: { lines: [{ itemId, quantity: 1 }] } }),
    ),
  )
  const keys = new Set(holds.filter(({ status }) => status === 201).map(({ body: made }) => (made as CartBody).key))
  expect(keys.size).toBe(1)
})

test('a server error is not stored: it is rolled back, and the same call may succeed later', async () => {
  await using api = await openApi()
  const { cart, itemId } = await beginCart(api)
  const { db } = api.database
  const headers = key()
  const add = () =>
    api.call('POST', '/cart/lines', { cart, headers, body: { lines: [{ itemId, quantity: 2, axle: 'rear' }] } })
  // The response cannot be stored, so the change it reports is rolled back with it.
  await sql`alter table idempotency_key add constraint nothing_kept check (false) not valid`.execute(db)
  expect((await add()).status).toBe(500)
  expect(((await api.call('GET', '/cart', { cart })).body as CartBody['cart']).lines).toHaveLength(1)
  await sql`alter table idempotency_key drop constraint nothing_kept`.execute(db)
  expect((await add()).status).toBe(201)
})

test('an interrupted call can be repeated, but not with another body', async () => {
  await using api = await openApi()
  const { cart, itemId } = await beginCart(api)
  const shops = (await api.call('GET', '/cart/shops', { cart })).body as {
    shop: { id: number }
    openings: { start: string }[]
  }[]
  const [choice] = shops.filter(({ openings }) => openings.length > 1)
  const headers = key()
  const hold = (opening: number) =>
    api.call('POST', '/cart/hold', {
      cart,
      headers,
      body: { shopId: choice?.shop.id, start: choice?.openings[opening]?.start },
    })
  const held = await hold(0)
  expect(held.status).toBe(201)
  // The state after a crash between the hold and its response.
  await api.database.db
    .updateTable('idempotency_key')
    .set({ status: null, headers: null, body: null, claimed_until: api.clock.now().add({ seconds: 60 }) })
    .execute()
  expect(await hold(0)).toMatchObject({ status: 409, body: { code: 'IdempotencyInProgress' } })
  api.clock.set(api.clock.now().add({ seconds: 61 }))
  expect(await hold(1)).toMatchObject({ status: 422, body: { code: 'IdempotencyKeyReused' } })
  const redone = await hold(0)
  expect([redone.status, redone.body, redone.headers.get('idempotent-replayed')]).toEqual([201, held.body, null])
  expect(itemId).toBeGreaterThan(0)
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

  // If a price changes, the cart is a different one to agree to, although nobody changed it.
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

test('of many changes to one state, only one is made', async () => {
  await using api = await openApi()
  const { cart, itemId, etag } = await beginCart(api)
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      api.call('PATCH', `/cart/lines/${itemId}/all`, {
        cart,
        body: { quantity: index + 5 },
        headers: { 'if-match': etag },
      }),
    ),
  )
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200,
    ...Array.from({ length: 11 }, () => 412),
  ])
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

test('an invalid cart key opens nothing', async () => {
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
