import { expect, test } from 'vitest'
import { cardName, expiryText, isExpired } from './saved-cards.ts'

const isExpiredAt = (now: string) => isExpired({ expMonth: 3, expYear: 2028 }, Temporal.Instant.from(now))

test('a card is good through the end of its month, where the store is', () => {
  expect(isExpiredAt('2028-04-01T03:00:00Z')).toBe(false)
  expect(isExpiredAt('2028-04-01T12:00:00Z')).toBe(true)
  expect(isExpiredAt('2029-01-15T12:00:00Z')).toBe(true)
  expect(isExpiredAt('2027-12-15T12:00:00Z')).toBe(false)
})

test('a card is named by its brand and last digits', () => {
  expect(cardName({ brand: 'amex', last4: '0005' })).toBe('American Express ending in 0005')
  expect(cardName({ brand: 'new_brand', last4: '0005' })).toBe('Card ending in 0005')
  expect(expiryText({ expMonth: 3, expYear: 2028 })).toBe('03/2028')
})
