/** Booking services without tires over the form that browsers send, and what it refuses. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
let van: string
beforeAll(async () => {
  store = await startStore()
  van = (await store.database.db.selectFrom('shop').select('code').where('kind', '=', 'van').executeTakeFirstOrThrow())
    .code
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`
const pageOf = (code = 'SW-00001') => at(`/book-service?shop=${code}`)
const book = (visitor: Visitor, fields: Record<string, string>) =>
  visitor.ask(pageOf(), { form: { code: 'SW-00001', service: 'rotation', units: '1', ...fields } })

/** The free times to wait for a service, from the page. */
async function timesOf(visitor: Visitor, query = ''): Promise<string[]> {
  const html = await (await visitor.ask(`${pageOf()}${query}`)).text()
  return [...html.matchAll(/<button[^>]* value="(\d{4}-\d\d-\d\dT[^"]+)"/g)].map(([, value = '']) => value)
}

async function countServiceCarts(): Promise<number> {
  const { count } = await store.database.db
    .selectFrom('cart_service')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

test('a time is held once however often its form is sent, and another time or service replaces it', async () => {
  const visitor = createVisitor()
  const [first = '', second = ''] = await timesOf(visitor)
  const answer = await book(visitor, { slot: first })
  expect(answer.headers.get('location')).toBe('/checkout/shipping-confirmation')
  const cart = visitor.cookie('sw_cart')?.value
  expect((await book(visitor, { slot: first })).status).toBe(303)
  expect(visitor.cookie('sw_cart')?.value).toBe(cart)
  const held = () =>
    store.database.db
      .selectFrom('booking')
      .innerJoin('cart_service', 'cart_service.cart_id', 'booking.cart_id')
      .select(['cart_service.service', 'cart_service.units'])
      .where('booking.cart_id', '=', cart ?? '')
      .where('booking.state', '=', 'held')
      .execute()
  expect(await held()).toEqual([{ service: 'rotation', units: 1 }])
  expect((await book(visitor, { slot: second, service: 'sensors', units: '2' })).status).toBe(303)
  expect(await held()).toEqual([{ service: 'sensors', units: 2 }])
})

test('what the shop doesn’t offer is refused at the form, and no cart is made', async () => {
  const visitor = createVisitor()
  const [slot = ''] = await timesOf(visitor)
  const before = await countServiceCarts()
  const refusals: [Record<string, string>, number, string][] = [
    [{ slot, service: 'constructor' }, 409, 'no longer offers this service'],
    [{ slot, service: '' }, 409, 'no longer offers this service'],
    [{ slot, code: 'SW-99999' }, 409, 'no longer offers this service'],
    [{ slot, code: van }, 409, 'no longer offers this service'],
    [{ slot, service: 'sensors', units: '5' }, 422, 'Choose 1 to 4 tires.'],
    [{ slot, service: 'sensors', units: '-1' }, 422, 'Choose 1 to 4 tires.'],
    [{ slot: 'tomorrow' }, 422, 'Please select a time slot.'],
    [{}, 422, 'Please select a time slot.'],
  ]
  for (const [fields, status, words] of refusals) {
    const answer = await book(visitor, fields)
    expect(answer.status, JSON.stringify(fields)).toBe(status)
    expect(await answer.text(), JSON.stringify(fields)).toContain(words)
  }
  expect(await countServiceCarts()).toBe(before)
  // A vehicle has one rotation, whatever is sent.
  expect((await book(visitor, { slot, units: '3' })).status).toBe(303)
})

test('an impossible time is refused', async () => {
  const visitor = createVisitor()
  const [slot = ''] = await timesOf(visitor)
  const past = Temporal.Now.instant().subtract({ hours: 24 }).toString()
  const far = Temporal.Now.instant()
    .add({ hours: 24 * 400 })
    .toString()
  const night = Temporal.Instant.from(slot).add({ hours: 14, minutes: 7 }).toString()
  for (const time of [past, far, night]) {
    expect((await book(visitor, { slot: time })).status, time).toBe(409)
  }
})

test('a service that the shop stops offering is refused at the form, and its page names the others', async () => {
  const { db } = store.database
  const visitor = createVisitor()
  const [slot = ''] = await timesOf(visitor, '&service=alignment')
  const shop = await db.selectFrom('shop').select('id').where('code', '=', 'SW-00001').executeTakeFirstOrThrow()
  await db.deleteFrom('shop_service_price').where('shop_id', '=', shop.id).where('service', '=', 'alignment').execute()
  expect((await book(visitor, { slot, service: 'alignment' })).status).toBe(409)
  const html = await (await visitor.ask(`${pageOf()}&service=alignment`)).text()
  expect(html).toContain('The shop doesn’t offer this service now.')
  expect(html).toContain('Rotation and balance')
  expect(html).not.toContain('Wheel alignment')
})

test('a cart with tires doesn’t change', async () => {
  const visitor = createVisitor()
  const item = await store.database.db
    .selectFrom('item')
    .select('id')
    .where('active', '=', true)
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const [slot = ''] = await timesOf(visitor)
  await visitor.ask(at('/cart'), { form: { item: String(item.id), quantity: '4' } })
  const cart = visitor.cookie('sw_cart')?.value ?? ''
  expect(await (await visitor.ask(pageOf())).text()).toContain('Your cart has tires.')
  const answer = await book(visitor, { slot })
  expect(answer.status).toBe(409)
  expect(await answer.text()).toContain('Your cart has tires.')
  expect(visitor.cookie('sw_cart')?.value).toBe(cart)
  const lines = await store.database.db.selectFrom('cart_line').select('quantity').where('cart_id', '=', cart).execute()
  expect(lines).toEqual([{ quantity: 4 }])
})

test('tires that follow a service go to a new cart, and checkout of the service has no delivery', async () => {
  const visitor = createVisitor()
  const [slot = ''] = await timesOf(visitor)
  await book(visitor, { slot })
  const cart = visitor.cookie('sw_cart')?.value
  for (const path of ['/checkout/shipping', '/checkout/shipping?tab=home'])
    expect((await visitor.ask(at(path))).headers.get('location')).toMatch(/^\/book-service\?shop=SW-00001/)
  for (const intent of ['ship-home', 'no-install', 'hold'])
    expect((await visitor.ask(at('/checkout/shipping'), { form: { intent } })).headers.get('location')).toMatch(
      /^\/book-service/,
    )
  expect((await visitor.ask(at('/cart/summary'))).headers.get('location')).toBe('/cart')
  const item = await store.database.db
    .selectFrom('item')
    .select('id')
    .where('active', '=', true)
    .orderBy('id')
    .executeTakeFirstOrThrow()
  await visitor.ask(at('/cart'), { form: { item: String(item.id), quantity: '2' } })
  expect(visitor.cookie('sw_cart')?.value).not.toBe(cart)
})

test('services of vans are booked by phone, and an unknown shop has no page', async () => {
  const visitor = createVisitor()
  expect(await (await visitor.ask(pageOf(van))).text()).toContain('can’t be booked here online')
  expect((await visitor.ask(pageOf('SW-99999'))).status).toBe(404)
  expect((await visitor.ask(at('/book-service'))).status).toBe(404)
})
