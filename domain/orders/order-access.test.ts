import { expect, test } from 'vitest'
import { linkDays, trackingToken, lookMinutes, opensOrder, orderKey, showsOrder } from './order-access.server.ts'

const secret = 'a secret of the store'
const now = Temporal.Instant.from('2026-11-20T15:00:00Z')

test('a mailed key opens its own order only, until it expires', () => {
  const key = orderKey(secret, 104_001, now)
  const last = now.add({ hours: 24 * linkDays })
  expect(opensOrder(secret, key, 104_001, last.subtract({ seconds: 1 }))).toBe(true)
  expect(opensOrder(secret, key, 104_001, last)).toBe(false)
  expect(opensOrder(secret, key, 104_002, now)).toBe(false)
  expect(opensOrder('another secret', key, 104_001, now)).toBe(false)
})

test('a lookup key shows progress and does not open the order', () => {
  const key = trackingToken(secret, 104_001, now)
  expect(showsOrder(secret, key, 104_001, now)).toBe(true)
  expect(showsOrder(secret, key, 104_001, now.add({ minutes: lookMinutes }))).toBe(false)
  expect(opensOrder(secret, key, 104_001, now)).toBe(false)
  expect(showsOrder(secret, orderKey(secret, 104_001, now), 104_001, now)).toBe(false)
})

test.for([null, undefined, '', '.', '104001-9999999999', '104001-9999999999.', '104001.abc', 'NaN-NaN.x'])(
  '%s is not a valid key',
  (key) => {
    expect(opensOrder(secret, key, 104_001, now)).toBe(false)
    expect(showsOrder(secret, key, 104_001, now)).toBe(false)
  },
)
