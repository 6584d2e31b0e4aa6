/**
 * Tests fitment rule FR46 at each entry point. Tires that don't fit the vehicle can't get an appointment or an
 * installation payment.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findVehicle } from '#domain/catalog/vehicles/vehicles.server.ts'
import { encodeChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'

let store: RunningStore
let cookie: string
let itemId: number
let shopId: number
beforeAll(async () => {
  store = await startStore()
  const { db } = store.database
  const item = db
    .selectFrom('item')
    .innerJoin('size', 'size.id', 'item.size_id')
    .select('item.id')
    .where('size.designation', '=', '225/65R17')
    .where('item.active', '=', true)
  itemId = (await item.orderBy('item.id').executeTakeFirstOrThrow()).id
  const places = db.selectFrom('shop').select('id').where('kind', '=', 'shop')
  shopId = (await places.orderBy('id').executeTakeFirstOrThrow()).id
  const found = await findVehicle({ db }, { year: 2021, makeSlug: 'toyota', modelSlug: 'rav4', trimSlug: 'le' })
  if (!found.ok || found.value.kind !== 'sized') return expect.fail('The vehicle of the test has no sizes.')
  const { id, year, makeSlug, modelSlug } = found.value.trims[0].vehicle
  const label = { front: '235/55R19 101V', rear: '235/55R19 101V' }
  const vehicle = { vehicleId: id, fitmentId: null, year, makeSlug, modelSlug, name: found.value.name }
  const chosen = encodeURIComponent(encodeChosenVehicle({ ...vehicle, confirmed: true, label }))
  cookie = `sw_zip=60614; sw_vehicle=${chosen}`
  const added = await post('/cart', { item: String(itemId), quantity: '4' })
  cookie += `; sw_cart=${/sw_cart=([^;]+)/u.exec(added.headers.get('set-cookie') ?? '')?.[1] ?? ''}`
})
afterAll(() => store[Symbol.asyncDispose]())

const post = (path: string, fields: Record<string, string> | URLSearchParams) =>
  fetch(store.origin + path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { origin: store.origin, cookie },
    redirect: 'manual',
  })
const slot = '2026-12-02T15:00:00Z'

test.for([
  ['POST', '/cart/hold', () => ({ shopId, start: slot })],
  ['PUT', '/cart/delivery', () => ({ fulfillment: 'shop', shopId })],
] as const)('the API refuses %s %s', async ([method, path, body]) => {
  const headers = {
    origin: store.origin,
    cookie,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  }
  const init: RequestInit = { body: JSON.stringify(body()), headers }
  init.method = method
  const answer = await fetch(`${store.origin}/api${path}`, init)
  expect(answer.status).toBe(409)
  expect(await answer.json()).toMatchObject({ code: 'DoesNotFit' })
})

test.for(['hold', 'extend', 'continue'])('the shipping page refuses the intent %s', async (intent) => {
  const answer = await post('/checkout/shipping', { intent, tab: 'shop', shop: String(shopId), slot })
  expect(answer.status).toBe(409)
  expect(await answer.text()).toContain('Pick tires that fit, or have these shipped to you.')
})

test('a time picked on the product page is not held; the shipping page offers tires that fit, and shipping', async () => {
  const fields = new URLSearchParams({ item: String(itemId), quantity: '4', shop: String(shopId), slot })
  fields.set('then', 'shipping')
  const answer = await post('/cart', fields)
  const page = await fetch(new URL(answer.headers.get('location') ?? '', store.origin), { headers: { cookie } })
  const html = await page.text()
  expect(html).toMatch(/<a href="\/vehicles\/toyota\/rav4\/2021">See tires that fit<\/a>/u)
  expect(html).toMatch(/<a href="\/checkout\/shipping\?tab=home">ship to me<\/a>/u)
  expect(html).not.toContain('name="slot"')
})

test('cart and shipping page offer tires that fit and shipping, without a price of an installation', async () => {
  for (const path of ['/cart', '/checkout/shipping']) {
    const html = await (await fetch(store.origin + path, { headers: { cookie } })).text()
    const shown = html.replaceAll(/<script[\s\S]*?<\/script>/gu, '')
    expect(shown, path).toContain('See tires that fit')
    expect(shown, path).toContain('ship to me')
    expect(shown, path).not.toContain('Choose shop and time')
    expect(shown, path).not.toContain('Old tire disposal')
  }
})
