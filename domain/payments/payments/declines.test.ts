import { noRateLimits } from '#domain/kernel/rate-limits/rate-limits.testing.ts'
import type { RateLimits } from '#domain/kernel/rate-limits/rate-limits.port.ts'
import { expect, test } from 'vitest'
import { ok } from '#platform/outcome.ts'
import { mayTryCard } from './payments.server.ts'

test.for([
  ['card', 1],
  ['apple-pay', 1],
  ['paypal', 0],
  ['lease', 0],
] as const)('declines of cards limit a charge by %s: asked %d times', async ([method, times]) => {
  const asked: unknown[] = []
  const rateLimits: RateLimits = {
    ...noRateLimits,
    look: (name, keys) => (asked.push([name, keys]), Promise.resolve(ok(undefined))),
  }
  await mayTryCard({ rateLimits }, { cartId: 'cart' }, 'home', method)
  expect(asked).toEqual(Array.from({ length: times }, () => ['card-decline', { payer: 'cart', network: 'home' }]))
})
