/** A cart that can be bought over the API, for tests. */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { exampleContact } from '#api/schemas.ts'
import { pickTire } from '#domain/ordering/checkout/checkout.testing.ts'
import { openApi } from './api.testing.ts'

export type Api = Awaited<ReturnType<typeof openApi>>
export type CartBody = { key: string; cart: { version: number; lines: { itemId: number; quantity: number }[] } }

export const key = () => ({ 'idempotency-key': randomUUID() })

export async function beginCart(api: Api): Promise<{ cart: string; itemId: number; etag: string }> {
  const itemId = await pickTire(api.database)
  const made = await api.call('POST', '/cart', { body: { lines: [{ itemId, quantity: 4 }], zip: '60614' } })
  expect(made.status).toBe(201)
  return { cart: (made.body as CartBody).key, itemId, etag: made.headers.get('etag') ?? '' }
}

/** Completes every step before placing the order, with the payment authorized. */
export async function prepare(api: Api): Promise<{ cart: string; agreedPrice: string }> {
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
