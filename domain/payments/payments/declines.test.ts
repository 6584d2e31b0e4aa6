import { expect, test } from 'vitest'
import { ok } from '#platform/outcome.ts'
import type { CardLimits } from './card-limits.port.ts'
import { mayTryCard } from './payments.server.ts'

test.for([
  ['card', 1],
  ['apple-pay', 1],
  ['paypal', 0],
  ['lease', 0],
] as const)('declines of cards limit a charge by %s: asked %d times', async ([method, times]) => {
  const asked: unknown[] = []
  const cardLimits = {
    mayFollow: (attempt: unknown) => (asked.push(attempt), Promise.resolve(ok(undefined))),
  } as unknown as CardLimits
  await mayTryCard({ cardLimits }, { cartId: 'cart' }, 'home', method)
  expect(asked).toEqual(Array.from({ length: times }, () => ({ payer: 'cart', from: 'home' })))
})
