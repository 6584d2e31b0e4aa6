import { expect, test } from 'vitest'
import { lookUpTries } from '#domain/orders/look-up-limits.port.ts'
import { createLookUpLimits } from './look-up-limits.ts'

test('an order takes five wrong tries, wherever they come from', async () => {
  const limits = createLookUpLimits()
  const tries = await Promise.all(Array.from({ length: 8 }, (_, index) => limits.take({ orderId: 104_001, from: `203.0.113.${index}` })))
  expect(tries.filter((isTaken) => isTaken)).toHaveLength(lookUpTries.perOrder)
  expect(await limits.take({ orderId: 104_002, from: '203.0.113.1' })).toBe(true)
})

test('an address takes thirty wrong tries, whatever it asks for', async () => {
  const limits = createLookUpLimits()
  const tries = await Promise.all(Array.from({ length: 40 }, (_, index) => limits.take({ orderId: index + 1, from: '203.0.113.1' })))
  expect(tries.filter((isTaken) => isTaken)).toHaveLength(lookUpTries.perAddress)
})

test('tries that were right do not count', async () => {
  const limits = createLookUpLimits()
  for (let index = 0; index < 20; index++) {
    expect(await limits.take({ orderId: 104_001, from: '203.0.113.1' })).toBe(true)
    await limits.giveBack({ orderId: 104_001, from: '203.0.113.1' })
  }
})
