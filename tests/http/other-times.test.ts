/** Tests the alternatives after a lost slot when choosing a time, in the review, when placing, and over the API. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findChosenTime, holdSlot } from '#domain/scheduling/booking/booking.server.ts'
import { readCart } from '#domain/payments/cart/cart.server.ts'
import { installationFor } from '#domain/ordering/checkout/checkout.server.ts'
import { composeApplication, granted, prepareCart, type ReadyCart } from '#tests/faults/ready-cart.ts'
import { openStartedStore, type StartedStore } from '#tests/faults/started-store.ts'
import type { Application } from '#application'

let store: StartedStore
let app: Application & AsyncDisposable
beforeAll(async () => {
  store = await openStartedStore()
  app = composeApplication(store.database.url, {}, { size: 4, env: { SANDBOX_ORIGIN: store.sandboxOrigin } })
}, 120_000)
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await store[Symbol.asyncDispose]()
})

/**
 * Returns a cart that is ready to place but lost its time, because its hold expired and others hold every bay at the
 * shop.
 */
async function loseTime(): Promise<ReadyCart & { shopId: number; slot: string }> {
  const ready = await store.prepare()
  const { booking } = (await findChosenTime(app, ready.cartId)) ?? {}
  if (!booking) throw new Error('The cart of a test chose no time.')
  const { shopId, start } = booking
  await store.db
    .updateTable('booking')
    .set({ hold_expires_at: app.clock.now().subtract({ minutes: 1 }) })
    .where('id', '=', booking.id)
    .execute()
  for (;;) {
    const rival = await prepareCart(
      app,
      { lines: [{ itemId: store.itemId, quantity: 4, axle: 'all' }], zip: '60614' },
      () => undefined,
    )
    const cart = await readCart(app, rival.cartId)
    if (!cart) throw new Error('The cart of a test is gone.')
    const work = granted(await installationFor(app, cart, shopId))
    const held = await holdSlot(app, { cartId: cart.id, shopId, choice: { start }, ...work })
    if (!held.ok) return { ...ready, shopId, slot: start.toString() }
  }
}

const send = (path: string, cartId: string, form?: Record<string, string>) =>
  fetch(`${store.origin}${path}`, {
    redirect: 'manual',
    headers: { origin: store.origin, cookie: `sw_cart=${cartId}; sw_zip=60614`, accept: 'text/html' },
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  })

/** The forms of the times that are offered, as a browser without script sends them. */
function formsIn(page: string): { at: string | null; shopId: number; slots: string[] }[] {
  const offered = /<section class="panel padded other-times".*?<\/section>/s.exec(page)?.[0] ?? ''
  return [...offered.matchAll(/<form (.*?)<\/form>/gs)].map(([, form = '']) => ({
    at: /action="([^"]*)"/.exec(form)?.[1] ?? null,
    shopId: Number(/name="shop" value="(\d+)"/.exec(form)?.[1]),
    slots: [...form.matchAll(/name="slot" value="([^"]*)"|value="([^"]*)" [^>]*name="slot"/g)].map(
      ([, one, other]) => one ?? other ?? '',
    ),
  }))
}

test('time selection, review, and placing offer the next times at this and three other shops', async () => {
  const lost = await loseTime()
  const chosen = await send('/checkout/shipping', lost.cartId, {
    intent: 'hold',
    tab: 'shop',
    shop: String(lost.shopId),
    slot: lost.slot,
  })
  expect(chosen.status).toBe(409)
  const [here, ...others] = formsIn(await chosen.text())
  expect(here?.shopId).toBe(lost.shopId)
  expect(others).toHaveLength(3)
  for (const each of [here, ...others]) expect(each?.slots.length).toBeGreaterThan(0)

  const review = await (await send('/checkout/order-summary', lost.cartId)).text()
  expect(review).toContain('is no longer free')
  expect(formsIn(review).map(({ shopId }) => shopId)).toEqual([here, ...others].map((each) => each?.shopId))

  const { agreedPrice: agreed } = lost.press
  const refused = await send('/checkout/order-summary', lost.cartId, { agreed, terms: '1', conditions: '1' })
  expect(refused.status).toBe(409)
  const [first] = formsIn(await refused.text())
  // One click holds it and returns to the same step.
  const taken = await send(first?.at ?? '', lost.cartId, {
    intent: 'hold',
    tab: 'shop',
    shop: String(first?.shopId),
    slot: first?.slots[0] ?? '',
    back: '/checkout/order-summary',
  })
  expect(taken.status).toBe(303)
  expect(taken.headers.get('location')).toBe('/checkout/order-summary')
  expect(await findChosenTime(app, lost.cartId)).toMatchObject({ status: 'held' })
})

test('the API includes the next times here and nearby with each error', async () => {
  const lost = await loseTime()
  const call = (path: string, body: unknown) =>
    fetch(`${store.origin}/api${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': crypto.randomUUID(),
        authorization: `Bearer ${lost.cartId}`,
      },
      body: JSON.stringify(body),
    })
  const answers = [
    await call('/cart/hold', { shopId: lost.shopId, start: lost.slot }),
    await call('/cart/hold/extensions', {}),
    await call('/orders', { agreedPrice: lost.press.agreedPrice, termsAccepted: true, conditionsAccepted: true }),
  ]
  for (const [index, answer] of answers.entries()) {
    const { code, data } = (await answer.json()) as {
      code: string
      data: { next: { start: string }[]; elsewhere: { shop: { id: number }; openings: { start: string }[] }[] }
    }
    expect(answer.status).toBe(409)
    expect(code).toBe(index === 2 ? 'SlotLost' : 'SlotTaken')
    expect(data.next.length).toBeGreaterThan(0)
    expect(data.elsewhere).toHaveLength(3)
    expect(data.elsewhere.map((each) => each.shop.id)).not.toContain(lost.shopId)
    for (const { openings } of data.elsewhere) expect(openings.length).toBeGreaterThan(0)
  }
})
