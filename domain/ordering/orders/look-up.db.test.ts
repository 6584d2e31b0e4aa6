import { createRateLimits } from '#adapters/limits/rate-limits.ts'
import { expect, test } from 'vitest'
import { makePlacedOrder, openTestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { counting } from '#domain/supply/delivery/delivery.testing.ts'
import { lookUpOrder } from './orders.server.ts'

test('an unknown order and a wrong ZIP cost the same work and give the same answer', async () => {
  await using store = await openTestStore(7_411)
  const { orderId } = await makePlacedOrder(store, { fulfillment: 'home' })
  const { db, count } = counting(store.db)
  const deps = { db, rateLimits: createRateLimits({ db }) }
  const ask = async (input: { orderId: number; zip: string }) => {
    const before = count()
    const found = await lookUpOrder(deps, { ...input, from: 'here' })
    return [found, count() - before]
  }
  const wrongZip = await ask({ orderId, zip: '60615' })
  expect(wrongZip).toEqual([{ ok: false, reason: 'no-match', detail: undefined }, 3])
  expect(await ask({ orderId: orderId + 1_000_000, zip: '60614' })).toEqual(wrongZip)
})
