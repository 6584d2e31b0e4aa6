/** Tests that coupons over the API share the codes, messages, and attempt limit of the cart's form. */
import { rateLimits } from '#domain/kernel/rate-limits/rate-limits.ts'
import { expect, test } from 'vitest'
import { couponMessages, couponAttemptsMessage } from '#content/messages/coupons.ts'
import { pickTire } from '#domain/ordering/checkout/checkout.testing.ts'
import { openApi } from './api.testing.ts'

async function beginCart(api: Awaited<ReturnType<typeof openApi>>): Promise<{ cart: string; etag: string }> {
  const body = { lines: [{ itemId: await pickTire(api.database), quantity: 4 }], zip: '60614' }
  const made = await api.call('POST', '/cart', { body })
  return { cart: (made.body as { key: string }).key, etag: made.headers.get('etag') ?? '' }
}

test('a code is entered, lowers the price, and is removed', async () => {
  await using api = await openApi()
  // The demo’s coupon does not stack with promotions.
  await api.database.db.deleteFrom('promotion').execute()
  const { cart, etag } = await beginCart(api)
  const put = (code: string, headers: Record<string, string> = {}) =>
    api.call('PUT', '/cart/coupon', { cart, body: { code }, headers })
  const total = async () =>
    ((await api.call('GET', '/cart/price', { cart })).body as { totals: { totalCents: number } | null }).totals
      ?.totalCents

  const before = await total()
  const entered = await put('welcome-10', { 'if-match': etag })
  expect(entered).toMatchObject({ status: 200, body: { coupon: 'WELCOME10' } })
  expect(entered.headers.get('etag')).not.toBe(etag)
  expect(await api.call('GET', '/cart', { cart })).toMatchObject({ body: { coupon: 'WELCOME10' } })
  const lowered = await total()
  expect(lowered).toBeLessThan(before ?? 0)
  // The cart has changed since, so the coupon stays.
  expect(await api.call('DELETE', '/cart/coupon', { cart, headers: { 'if-match': etag } })).toMatchObject({
    status: 412,
  })
  expect(await api.call('DELETE', '/cart/coupon', { cart })).toMatchObject({ status: 200, body: { coupon: null } })
  expect(await total()).toBe(before)

  expect(await put('NO SUCH CODE')).toMatchObject({
    status: 422,
    body: { code: 'CouponNotFound', message: couponMessages['not-found']({ code: '', endedOn: null }) },
  })
  expect(await put('?!')).toMatchObject({
    status: 400,
    body: { code: 'BadRequest', message: 'Enter a code of 4 to 20 letters and digits.' },
  })
  expect(await api.call('PUT', '/cart/coupon', { body: { code: 'WELCOME10' } })).toMatchObject({ status: 401 })
})

test('tries are counted before the code is looked up, right and wrong ones alike', async () => {
  await using api = await openApi()
  const { cart } = await beginCart(api)
  const put = (code: string) => api.call('PUT', '/cart/coupon', { cart, body: { code } })
  // Sequential because concurrent calls would wait for the cart's lock.
  for (let count = 0; count < rateLimits.coupon.counts.network; count++)
    expect((await put(count % 2 === 0 ? `GUESS${count}` : 'WELCOME10')).status).toBe(count % 2 === 0 ? 422 : 200)
  const late = await put('WELCOME10')
  expect(late).toMatchObject({ status: 429, body: { code: 'TooManyAttempts', message: couponAttemptsMessage } })
  expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0)
})

test('reports a coupon that the shopper has used up', async () => {
  await using api = await openApi()
  const { cart } = await beginCart(api)
  await api.database.db.updateTable('coupon_tally').set({ uses: 10_000 }).where('coupon_id', '=', 1).execute()
  expect(await api.call('PUT', '/cart/coupon', { cart, body: { code: 'WELCOME10' } })).toMatchObject({
    status: 409,
    body: { code: 'CouponUsedUp', message: couponMessages['used-up']({ code: 'WELCOME10', endedOn: null }) },
  })
})
