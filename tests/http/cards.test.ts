/** Card testing is stopped, at the provider and here; other shoppers can pay. */
import { rateLimits } from '#domain/kernel/rate-limits/rate-limits.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { payWithFields } from '#sandbox/test-sandbox.ts'
import { eventually } from '#tests/support/eventually.ts'
import { openStartedStore, type StartedStore } from '../faults/started-store.ts'

let store: StartedStore
beforeAll(async () => {
  store = await openStartedStore({ env: { PROXY_HOPS: '1' } })
})
afterAll(() => store[Symbol.asyncDispose]())

const declined = '4000000000000002'

async function openFields(cartId: string, from: string) {
  const answer = await fetch(`${store.origin}/checkout/payments/card`, {
    method: 'POST',
    headers: { origin: store.origin, cookie: `sw_cart=${cartId}`, 'x-forwarded-for': from },
    body: new URLSearchParams({ intent: 'open' }),
    redirect: 'manual',
  })
  const html = await answer.text()
  return {
    status: answer.status,
    retryAfter: Number(answer.headers.get('retry-after')),
    html,
    clientSecret: /pi_\w+?_secret_\w+/.exec(html)?.[0],
  }
}

async function freshCart(): Promise<string> {
  const { cartId } = await store.prepare()
  const headers = { origin: store.origin, cookie: `sw_cart=${cartId}` }
  await fetch(`${store.origin}/checkout/payments/card`, {
    method: 'POST',
    headers,
    body: new URLSearchParams({ intent: 'another' }),
    redirect: 'manual',
  })
  return cartId
}

test('five declined cards end the current charge, and no other is opened; another cart can pay', async () => {
  const cartId = await freshCart()
  const { clientSecret = '' } = await openFields(cartId, '203.0.113.7')
  const sandbox = { origin: store.sandboxOrigin, storeOrigin: store.origin }
  for (let count = 0; count < rateLimits['card-decline'].counts.payer; count += 1)
    expect(await payWithFields(sandbox, clientSecret, declined)).toMatchObject({ status: 'failed' })
  const refused = await eventually('limit', async () => {
    const opened = await openFields(cartId, '203.0.113.7')
    return opened.status === 429 && opened
  })
  expect(refused.retryAfter).toSatisfy((seconds: number) => seconds > 3_500 && seconds <= 3_600)
  expect(refused.html).toContain('Several cards were declined')
  expect(refused.clientSecret).toBeUndefined()
  // A valid card is too late, even if the earlier page is still open.
  await eventually(
    'end of the charge',
    async () => (await payWithFields(sandbox, clientSecret, '4242424242424242')).status !== 'authorized',
  )
  expect(
    (await store.db.selectFrom('payment').select('state').where('cart_id', '=', cartId).execute()).map(
      ({ state }) => state,
    ),
  ).not.toContain('authorized')

  // Only cards are limited. The card page links to the other methods, and a lender's page opens.
  const shopper = {
    origin: store.origin,
    cookie: `sw_cart=${cartId}`,
    'x-forwarded-for': '203.0.113.7',
    accept: 'text/html',
  }
  const cardPage = await (await fetch(`${store.origin}/checkout/payments/card`, { headers: shopper })).text()
  expect(cardPage).toContain('Choose another payment method')
  const methods = await (await fetch(`${store.origin}/checkout/payments`, { headers: shopper })).text()
  expect(methods).toContain('Several cards were declined')
  expect(/<input[^>]*value="card"[^>]*>/.exec(methods)?.[0]).toContain('disabled')
  expect(/<input[^>]*value="klarna"[^>]*>/.exec(methods)?.[0]).not.toContain('disabled')
  const lender = await fetch(`${store.origin}/checkout/payments/klarna`, {
    method: 'POST',
    headers: shopper,
    body: new URLSearchParams({ intent: 'hosted' }),
    redirect: 'manual',
  })
  expect(lender.status).toBe(303)
  expect(lender.headers.get('location')?.startsWith(`${store.sandboxOrigin}/pay/`)).toBe(true)

  const other = await openFields(await freshCart(), '203.0.113.7')
  expect(other.status).toBe(200)
  expect(await payWithFields(sandbox, other.clientSecret ?? '', '4242424242424242')).toMatchObject({
    status: 'authorized',
  })
})
