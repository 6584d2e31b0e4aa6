/** Tests the product page's form as sent by browsers. Success redirects, and errors appear on the cart page. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findCart } from '#domain/payments/cart/cart.server.ts'
import { retailBuyer } from '#domain/pricing/price-tiers/price-tiers.ts'
import { systemClock } from '#platform/clock.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'

let store: RunningStore
let itemId: number
beforeAll(async () => {
  store = await startStore()
  itemId = (
    await store.database.db
      .selectFrom('item')
      .select('id')
      .where('active', '=', true)
      .orderBy('id')
      .executeTakeFirstOrThrow()
  ).id
})
afterAll(() => store[Symbol.asyncDispose]())

const post = (body: BodyInit, headers: Record<string, string> = {}) =>
  fetch(`${store.origin}/cart`, {
    method: 'POST',
    body,
    headers: { origin: store.origin, ...headers },
    redirect: 'manual',
  })
const form = (fields: Record<string, string>) => new URLSearchParams({ item: String(itemId), quantity: '4', ...fields })

const cartOf = (answer: Response) => /sw_cart=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1]

test('tires go into a new cart with a cookie, and the response is private', async () => {
  const answer = await post(form({}))
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toBe('/cart')
  expect(answer.headers.get('cache-control')).toBe('private, no-store')
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'self'")
  expect(answer.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax$/)
  const cart = await findCart({ db: store.database.db, clock: systemClock, buyer: retailBuyer }, cartOf(answer))
  expect(cart?.lines.map((line) => [line.itemId, line.quantity])).toEqual([[itemId, 4]])
})

test('more tires go into the browser’s existing cart', async () => {
  const cartId = cartOf(await post(form({ axle: 'front' }))) ?? ''
  const rear = form({ axle: 'rear' })
  rear.set('then', 'shipping')
  const answer = await post(rear, { cookie: `sw_cart=${cartId}; sw_zip=60614` })
  expect(answer.headers.get('location')).toBe('/checkout/shipping')
  expect(cartOf(answer)).toEqual(cartId)
  const cart = await findCart({ db: store.database.db, clock: systemClock, buyer: retailBuyer }, cartId)
  expect(cart?.zip).toBe('60614')
  expect(cart?.lines.map(({ axle }) => axle)).toEqual(['front', 'rear'])
})

test('a multipart form works the same', async () => {
  const body = new FormData()
  for (const [name, value] of form({})) body.append(name, value)
  const answer = await post(body)
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toBe('/cart')
  expect(cartOf(answer)).toBeDefined()
})

test.for([
  [{ quantity: '41' }, 422, 'Choose how many tires you want, from 1 to 40.'],
  [{ item: '2000000000' }, 404, 'This tire is no longer sold. Pick another one in this size.'],
] as const)('%o gets %i on the cart page', async ([fields, status, words]) => {
  const answer = await post(form(fields))
  expect(answer.status).toBe(status)
  expect(answer.headers.get('set-cookie')).toBeNull()
  const html = await answer.text()
  expect(html).toContain(words)
  expect(html).toContain('Your cart is empty')
})

test('rejects a cross-site form', async () => {
  const answer = await post(form({}), { origin: 'https://evil.test' })
  expect(answer.status).toBe(403)
  expect(answer.headers.get('set-cookie')).toBeNull()
})

test('the cart page’s own forms work without script', async () => {
  const cartId = cartOf(await post(form({}))) ?? ''
  const answer = await post(new URLSearchParams({ intent: 'remove', item: String(itemId), axle: 'all' }), {
    cookie: `sw_cart=${cartId}`,
  })
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toBe('/cart')
  expect((await findCart({ db: store.database.db, clock: systemClock, buyer: retailBuyer }, cartId))?.lines).toEqual([])
})
