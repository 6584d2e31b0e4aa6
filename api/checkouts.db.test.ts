/** Tests a whole checkout in three calls, and which parts a refused step leaves. */
import { expect, test } from 'vitest'
import { exampleContact } from '#api/schemas.ts'
import { pickTire } from '#domain/ordering/checkout/checkout.testing.ts'
import { openApi } from './api.testing.ts'
import { beginCart, key, type Api } from './buying.testing.ts'

type Checkout = {
  key: string
  cart: { fulfillment: string | null; coupon: string | null; roadside: boolean; lines: unknown[] }
  hold: { shopId: number; start: string } | null
  price: { agreedPrice: string | null; dueCents: number; problems: { kind: string }[] }
  problems: { step: string; code: string; message: string; data: unknown }[]
}

test('an order with installation takes three calls', async () => {
  await using api = await openApi({ withOutside: true })
  const { lines, appointment } = await findAppointment(api)
  const headers = key()
  const body = {
    lines,
    zip: '60614',
    appointment,
    contact: exampleContact,
    billing: { sameAsShipping: '1' },
    services: { coverage: true, roadside: true },
    coupon: { code: 'WELCOME10' },
  }
  const made = await api.call('POST', '/checkouts', { headers, body })
  expect(made.status).toBe(201)
  const { key: cart, hold, price, ...checkout } = made.body as Checkout
  expect(checkout.problems).toEqual([])
  expect(price.problems).toEqual([])
  expect(hold).toMatchObject({ shopId: appointment.shopId })
  expect(checkout.cart).toMatchObject({ fulfillment: 'shop', coupon: 'WELCOME10', roadside: true })

  const opened = (await api.call('POST', '/cart/payment', { cart, headers: key(), body: { flow: 'fields' } })).body as {
    clientSecret: string
    amountCents: number
  }
  expect(opened.amountCents).toBe(price.dueCents)
  await api.outside?.authorize(opened)
  const order = { agreedPrice: price.agreedPrice, termsAccepted: true }
  expect(await api.call('POST', '/orders', { cart, headers: key(), body: order })).toMatchObject({
    status: 201,
    body: { isNew: true },
  })

  const again = await api.call('POST', '/checkouts', { headers, body })
  expect((again.body as Checkout).key).toBe(cart)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
})

test('a refused step is listed with its fields, and the others keep their effect', async () => {
  await using api = await openApi()
  const itemId = await pickTire(api.database)
  const made = await api.call('POST', '/checkouts', {
    headers: key(),
    body: {
      lines: [{ itemId, quantity: 4 }],
      zip: '60614',
      delivery: { fulfillment: 'home' },
      contact: { ...exampleContact, zip: '10001' },
      billing: { sameAsShipping: '1' },
      coupon: { code: 'NOSUCHCODE' },
    },
  })
  expect(made.status).toBe(201)
  const { key: cart, problems, ...checkout } = made.body as Checkout
  expect(checkout.cart).toMatchObject({ fulfillment: 'home', coupon: null })
  expect(problems.map(({ step, code }) => ({ step, code }))).toEqual([
    { step: 'contact', code: 'BadRequest' },
    { step: 'billing', code: 'CartIncomplete' },
    { step: 'coupon', code: 'CouponNotFound' },
  ])
  expect(problems[0]?.data).toEqual({ state: problems[0]?.message })

  expect(await api.call('PUT', '/cart/contact', { cart, body: exampleContact })).toMatchObject({ status: 200 })
  expect(await api.call('PUT', '/cart/billing', { cart, body: { sameAsShipping: '1' } })).toMatchObject({ status: 200 })
  const price = (await api.call('GET', '/cart/price', { cart })).body as Checkout['price']
  expect(price.problems).toEqual([])
})

test('a taken time is a problem with the next times, and no time is held', async () => {
  await using api = await openApi()
  const { lines, appointment } = await findAppointment(api)
  const body = { lines, zip: '60614', appointment }
  async function ask(): Promise<Checkout> {
    const made = await api.call('POST', '/checkouts', { headers: key(), body })
    return made.body
  }
  let last = await ask()
  // A shop has several bays.
  for (let bay = 1; bay < 20 && last.hold !== null; bay++) last = await ask()
  expect(last.problems).toMatchObject([{ step: 'appointment', code: 'SlotTaken', data: { next: expect.any(Array) } }])
  expect(last.hold).toBeNull()
})

test('without tires that are sold, nothing is created', async () => {
  await using api = await openApi()
  const count = () => api.database.db.selectFrom('cart').select('id').execute()
  const before = (await count()).length
  const body = { lines: [{ itemId: 2_000_000_000, quantity: 4 }], contact: exampleContact }
  expect(await api.call('POST', '/checkouts', { headers: key(), body })).toMatchObject({
    status: 404,
    body: { code: 'NotSold' },
  })
  expect(await api.call('POST', '/checkouts', { body })).toMatchObject({ body: { code: 'IdempotencyKeyMissing' } })
  expect((await count()).length).toBe(before)
})

test('parts are sold with tires in the same three calls', async () => {
  await using api = await openApi({ withOutside: true })
  const itemId = await pickTire(api.database)
  const { parts } = (await api.call('GET', '/parts')).body as { parts: { sku: string; unitCents: number }[] }
  const [part] = parts
  const body = {
    lines: [{ itemId, quantity: 4 }],
    parts: [{ sku: part?.sku, quantity: 4 }],
    zip: '60614',
    delivery: { fulfillment: 'home' },
    contact: exampleContact,
    billing: { sameAsShipping: '1' },
  }
  const made = await api.call('POST', '/checkouts', { headers: key(), body })
  const { key: cart, price, ...checkout } = made.body as Checkout & { cart: { parts: unknown[] } }
  expect(checkout.problems).toEqual([])
  expect(checkout.cart.parts).toMatchObject([{ sku: part?.sku, quantity: 4, unitCents: part?.unitCents, isSold: true }])
  const opened = (await api.call('POST', '/cart/payment', { cart, headers: key(), body: { flow: 'fields' } })).body
  await api.outside?.authorize(opened)
  const order = { agreedPrice: price.agreedPrice, termsAccepted: true }
  expect(await api.call('POST', '/orders', { cart, headers: key(), body: order })).toMatchObject({ status: 201 })

  const wrong = { ...body, parts: [{ sku: 'NO-SUCH', quantity: 1 }] }
  const refused = (await api.call('POST', '/checkouts', { headers: key(), body: wrong })).body as Checkout
  expect(refused.problems).toMatchObject([{ step: 'parts', code: 'NotSold', data: { sku: 'NO-SUCH' } }])
  const put = (sku: string, quantity: number) =>
    api.call('PUT', `/cart/parts/${sku}`, { cart: refused.key, body: { quantity } })
  expect((await put(part?.sku ?? '', 2)).body).toMatchObject({ parts: [{ quantity: 2 }] })
  expect(await put(part?.sku ?? '', 9)).toMatchObject({ status: 404, body: { code: 'NotSold' } })
  expect((await put(part?.sku ?? '', 0)).body).toMatchObject({ parts: [] })
})

test('a service without tires is booked in the same three calls', async () => {
  await using api = await openApi({ withOutside: true })
  const path = '/shops/SW-00001/service-times'
  const times = await api.call('GET', `${path}?service=sensors&units=4`)
  const { shopId, openings, priceCents } = times.body as {
    shopId: number
    priceCents: number
    openings: { kind: string; start: string }[]
  }
  const start = openings.findLast(({ kind }) => kind === 'wait')?.start
  const body = {
    service: { shop: 'SW-00001', service: 'sensors', units: 4 },
    zip: '60614',
    appointment: { shopId, start },
    contact: { ...exampleContact, vehicleNote: '2019 Honda CR-V' },
    billing: { sameAsShipping: '1' },
  }
  const made = await api.call('POST', '/checkouts', { headers: key(), body })
  const { key: cart, price, ...checkout } = made.body as Checkout & { cart: { service: unknown } }
  expect(checkout).toMatchObject({
    problems: [],
    hold: { shopId },
    cart: { fulfillment: 'shop', lines: [], service: { service: 'sensors', units: 4 } },
  })
  expect(price).toMatchObject({ problems: [], dueCents: priceCents })
  const opened = (await api.call('POST', '/cart/payment', { cart, headers: key(), body: { flow: 'fields' } })).body
  await api.outside?.authorize(opened)
  const order = { agreedPrice: price.agreedPrice, termsAccepted: true }
  expect(await api.call('POST', '/orders', { cart, headers: key(), body: order })).toMatchObject({ status: 201 })
})

test('a service that isn’t offered, too many units, and a cart of both are refused', async () => {
  await using api = await openApi()
  const ask = (body: object) => api.call('POST', '/checkouts', { headers: key(), body })
  const service = { shop: 'SW-00001', service: 'rotation', units: 1 }
  for (const wrong of [{ service: 'constructor' }, { shop: 'SW-99999' }, { service: 'sensors', units: 5 }])
    expect(await ask({ service: { ...service, ...wrong } })).toMatchObject({ body: { code: 'ServiceNotOffered' } })
  const itemId = await pickTire(api.database)
  for (const body of [{}, { service, lines: [{ itemId, quantity: 4 }] }])
    expect(await ask(body)).toMatchObject({ status: 400, body: { code: 'BadRequest' } })
  expect(await api.call('GET', '/shops/SW-00001/service-times?service=gone')).toMatchObject({
    body: { code: 'ServiceNotOffered' },
  })
})

/** A time of a shop that is free for four tires, found with another cart. */
async function findAppointment(api: Api) {
  const { cart, itemId } = await beginCart(api)
  const shops = (await api.call('GET', '/cart/shops', { cart })).body as {
    shop: { id: number }
    openings: { start: string }[]
  }[]
  const choice = shops.find(({ openings }) => openings.length > 0)
  const [opening] = choice?.openings ?? []
  if (!choice || !opening) throw new Error('No shop is free.')
  return { lines: [{ itemId, quantity: 4 }], appointment: { shopId: choice.shop.id, start: opening.start } }
}
