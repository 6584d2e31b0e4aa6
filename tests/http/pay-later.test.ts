/** Tests pay-later methods on a lender's page without JavaScript, with each of the lender's answers. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '#tests/support/eventually.ts'
import { openStartedStore, type StartedStore } from '../faults/started-store.ts'

let store: StartedStore
beforeAll(async () => {
  store = await openStartedStore()
})
afterAll(() => store[Symbol.asyncDispose]())

/** Returns a shopper with a cart that is ready for payment. */
async function shopper() {
  const ready = await store.prepare()
  const { cartId } = ready
  const headers = { origin: store.origin, cookie: `sw_cart=${cartId}`, accept: 'text/html' }
  const post = (path: string, form: Record<string, string>) =>
    fetch(store.origin + path, { method: 'POST', headers, body: new URLSearchParams(form), redirect: 'manual' })
  const read = async (path: string) => (await fetch(store.origin + path, { headers, redirect: 'manual' })).text()
  await post('/checkout/payments/card', { intent: 'another' })
  return {
    ready,
    cartId,
    post,
    read,
    follow: (path: string) => fetch(store.origin + path, { headers, redirect: 'manual' }),
  }
}
type Shopper = Awaited<ReturnType<typeof shopper>>

/** Chooses the method, opens the lender's page, and has the lender answer. Returns where the shopper comes back. */
async function payBy({ post }: Shopper, method: string, answer: string): Promise<{ status: number; back: string }> {
  const chosen = await post('/checkout/payments', { method, sameAsShipping: '1' })
  expect(chosen.headers.get('location')).toBe(`/checkout/payments/${method}`)
  const opened = await post(`/checkout/payments/${method}`, { intent: 'hosted' })
  const page = opened.headers.get('location') ?? ''
  expect(page).toContain(`${store.sandboxOrigin}/pay/`)
  const answered = await fetch(page, {
    method: 'POST',
    headers: { origin: store.sandboxOrigin },
    body: new URLSearchParams({ answer }),
    redirect: 'manual',
  })
  return { status: answered.status, back: (answered.headers.get('location') ?? '').replace(store.origin, '') }
}

test('the payment page shows what each way means for the order, and only what fits it', async () => {
  const { read, cartId } = await shopper()
  const page = await read('/checkout/payments')
  for (const words of ['Pay now', 'Pay over time', 'Klarna', 'Afterpay', 'Affirm', '4 payments, 0% APR', 'a month'])
    expect(page).toContain(words)
  expect(page.indexOf('Klarna')).toBeLessThan(page.indexOf('Affirm'))
  expect(page).not.toContain('isn’t answering')

  // As when Klarna did not answer a moment ago.
  await store.db
    .updateTable('payment')
    .set({ method: 'klarna', unanswered_at: new Date().toISOString() })
    .where('cart_id', '=', cartId)
    .execute()
  const later = await read('/checkout/payments')
  expect(later).toContain('Klarna isn’t answering right now.')
  expect(/<input[^>]*value="klarna"[^>]*>/.exec(later)?.[0]).toContain('disabled')
  await store.db.updateTable('payment').set({ unanswered_at: null }).execute()
})

test('approved: the shopper comes back to the order, which is authorized until the lender’s days are over', async () => {
  const dana = await shopper()
  const { back } = await payBy(dana, 'klarna', 'approves')
  expect((await dana.follow(back)).headers.get('location')).toBe('/checkout/order-summary')
  const payment = await store.db
    .selectFrom('payment')
    .select(['state', 'method', 'capture_before', 'updated_at'])
    .where('cart_id', '=', dana.cartId)
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow()
  expect(payment).toMatchObject({ state: 'authorized', method: 'klarna' })
  expect(payment.capture_before?.epochMilliseconds).toBeGreaterThan(
    payment.updated_at.add({ hours: 27 * 24 }).epochMilliseconds,
  )
})

test('two tabs submitting after lender approval place one order with the lender’s charge', async () => {
  const dana = await shopper()
  await dana.follow((await payBy(dana, 'affirm', 'approves')).back)
  const pressed = await Promise.all([store.press(dana.ready), store.press(dana.ready)])
  expect(pressed[0]).toEqual({ orderId: expect.any(Number) as number })
  expect(pressed[1]).toEqual(pressed[0])
  const charges = await store.db
    .selectFrom('payment')
    .select(['method', 'state', 'order_id'])
    .where('cart_id', '=', dana.cartId)
    .where('order_id', 'is not', null)
    .execute()
  expect(charges).toMatchObject([{ method: 'affirm', state: 'authorized' }])
})

test('cancellation, decline, and expiry are shown on the payment page with other methods available', async () => {
  const dana = await shopper()
  expect((await payBy(dana, 'affirm', 'expires')).back).toBe('/checkout/payments?canceled=affirm')
  const canceled = await dana.read('/checkout/payments?canceled=affirm')
  expect(canceled).toContain('You haven’t been charged.')
  expect(canceled).toContain('role="alert"')

  expect((await payBy(dana, 'afterpay', 'declines')).status).toBe(402)
  // Regardless of the URL.
  for (const query of ['', '?canceled=afterpay', '?canceled=card']) {
    const declined = await dana.read(`/checkout/payments${query}`)
    expect(declined).toContain(
      'the payment was not able to be processed. Please try again or use another payment method.',
    )
    expect(declined).toContain('No loan was opened, and you haven’t been charged.')
    expect(declined).toContain('Open Afterpay again')
  }
  const { back } = await payBy(dana, 'klarna', 'approves')
  expect((await dana.follow(back)).headers.get('location')).toBe('/checkout/order-summary')
  const open = await store.db
    .selectFrom('payment')
    .select('method')
    .where('cart_id', '=', dana.cartId)
    .where('state', 'in', ['pending', 'authorized'])
    .execute()
  expect(open).toEqual([{ method: 'klarna' }])
})

test('for a delayed lender response, the page shows the message for code 539, then continues', async () => {
  const dana = await shopper()
  const { back } = await payBy(dana, 'klarna', 'stalls')
  expect((await dana.follow(back)).headers.get('location')).toMatch(/^\/checkout\/(payments|order-summary)$/)
  // The time in the shop stays taken as long as the answer may come.
  await dana.read('/checkout/payments')
  const { minutes } = await store.db
    .selectFrom('booking')
    .select(sql<number>`extract(epoch from hold_expires_at - now())::int / 60`.as('minutes'))
    .where('cart_id', '=', dana.cartId)
    .where('state', '=', 'held')
    .executeTakeFirstOrThrow()
  expect(minutes).toBeGreaterThan(20)
  await eventually('the answer', async () => {
    const page = await dana.follow('/checkout/payments')
    const html = await page.text()
    if (html.includes('We’re waiting for your bank'))
      expect(html).toContain('Your payment is processing... please check for your email confirmation.')
    const settled = await dana.post('/checkout/payments/klarna', { intent: 'settle' })
    return settled.headers.get('location') === '/checkout/order-summary'
  })
})
