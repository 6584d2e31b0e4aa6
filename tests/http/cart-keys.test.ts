/** Tests that the cart key changes at sign-in, so a previous key opens neither the cart nor its order. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi } from '#tests/support/order-by-api.ts'
import { createVisitor, registerAt } from '#tests/support/visitor.ts'
import { openStartedStore, type StartedStore } from '../faults/started-store.ts'

let store: StartedStore
beforeAll(async () => {
  store = await openStartedStore()
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`
/** What the holder of a key gets from the API. */
const opened = (key: string, path: string) =>
  fetch(at(`/api${path}`), { headers: { authorization: `Bearer ${key}` } }).then(({ status }) => status)
const page = async (cartId: string, path: string) =>
  (await fetch(at(path), { headers: { cookie: `sw_cart=${cartId}` }, redirect: 'manual' })).text()

test('a key from before sign-in no longer works, and hold, payment, and details remain with the cart', async () => {
  const ready = await store.prepare('kim@example.com')
  expect(await opened(ready.cartId, '/cart')).toBe(200)
  expect(await page(ready.cartId, '/cart/summary')).toContain('4 tires')
  const visitor = createVisitor()
  visitor.setCookie('localhost', 'sw_cart', ready.cartId)
  await registerAt(store.origin, visitor, 'Kim')
  const key = visitor.cookie('sw_cart')?.value ?? ''
  expect(key).not.toBe('')
  expect(key).not.toBe(ready.cartId)

  expect(await opened(ready.cartId, '/cart')).toBe(404)
  expect(await page(ready.cartId, '/cart/summary')).not.toContain('4 tires')

  const review = await (await visitor.ask(at('/checkout/order-summary'))).text()
  const agreed = /name="agreed" value="([^"]*)"/.exec(review)?.[1] ?? ''
  const placed = await visitor.ask(at('/checkout/order-summary'), { form: { agreed, terms: '1', conditions: '1' } })
  const order = /order-confirmation\?order=(\d+)/.exec(placed.headers.get('location') ?? '')?.[1] ?? ''
  expect(placed.status).toBe(303)
  expect(order).toMatch(/^\d+$/)
  expect((await callApi(store, visitor, 'GET', `/orders/${order}`)).status).toBe(200)
  expect(await opened(ready.cartId, `/orders/${order}`)).toBe(404)
  expect(await page(ready.cartId, `/checkout/order-confirmation?order=${order}`)).not.toContain('kim@example.com')
})

test('nor does it open an order placed as a guest before the sign-in, which stays with the browser', async () => {
  const ready = await store.prepare('quincy@example.com')
  const placed = await store.press(ready)
  const order = 'orderId' in placed ? placed.orderId : placed.text
  const visitor = createVisitor()
  visitor.setCookie('localhost', 'sw_cart', ready.cartId)
  // The confirmation's redirect gives the browser the order.
  await visitor.ask(at('/checkout/order-summary'))
  expect(await opened(ready.cartId, `/orders/${order}`)).toBe(200)
  await registerAt(store.origin, visitor, 'Quincy')
  expect(visitor.cookie('sw_cart')?.value).not.toBe(ready.cartId)
  expect((await callApi(store, visitor, 'GET', `/orders/${order}`)).status).toBe(200)
  expect(await opened(ready.cartId, `/orders/${order}`)).toBe(404)
  expect(await page(ready.cartId, `/checkout/order-confirmation?order=${order}`)).not.toContain('quincy@example.com')
  const stale = await fetch(at('/checkout/order-summary'), {
    headers: { cookie: `sw_cart=${ready.cartId}` },
    redirect: 'manual',
  })
  expect(stale.headers.get('location')).not.toContain('order-confirmation')
})
