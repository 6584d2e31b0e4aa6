import { expect, test } from 'vitest'
import {
  codeKey,
  linkDays,
  trackingToken,
  lookMinutes,
  opensOrder,
  orderKey,
  readReceiptKey,
  receiptKey,
  receiptMinutes,
  showsOrder,
} from './order-access.server.ts'
import { codeAccessMinutes } from './order-code.ts'

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

test('a code opens its order for an hour', () => {
  const key = codeKey(secret, 104_001, now)
  const last = now.add({ minutes: codeAccessMinutes })
  expect(opensOrder(secret, key, 104_001, last.subtract({ seconds: 1 }))).toBe(true)
  expect(opensOrder(secret, key, 104_001, last)).toBe(false)
  expect(opensOrder(secret, key, 104_002, now)).toBe(false)
})

test('a receipt key opens only its receipt, for 15 minutes', () => {
  const key = receiptKey(secret, 104_001, now)
  const last = now.add({ minutes: receiptMinutes })
  expect(readReceiptKey(secret, key, 104_001, last.subtract({ seconds: 1 }))).toBe('receipt')
  expect(readReceiptKey(secret, key, 104_001, last)).toBe('expired')
  expect(readReceiptKey(secret, key, 104_002, now)).toBeUndefined()
  expect(opensOrder(secret, key, 104_001, now)).toBe(false)
  expect(showsOrder(secret, key, 104_001, now)).toBe(false)
})

test('at a receipt URL an email key leads to the order, and a lookup key isn’t accepted', () => {
  const key = orderKey(secret, 104_001, now)
  expect(readReceiptKey(secret, key, 104_001, now)).toBe('order')
  expect(readReceiptKey(secret, key, 104_001, now.add({ hours: 24 * linkDays }))).toBe('expired')
  expect(readReceiptKey(secret, trackingToken(secret, 104_001, now), 104_001, now)).toBeUndefined()
})

test.for([null, undefined, '', '.', '104001-9999999999', '104001-9999999999.', '104001.abc', 'NaN-NaN.x'])(
  '%s is not a valid key',
  (key) => {
    expect(opensOrder(secret, key, 104_001, now)).toBe(false)
    expect(showsOrder(secret, key, 104_001, now)).toBe(false)
    expect(readReceiptKey(secret, key, 104_001, now)).toBeUndefined()
  },
)
