import { expect, test } from 'vitest'
import { cardFaults, expiryOf, type CardEntry } from './card-entry.ts'
import { testCards } from './test-cards.ts'

const good: CardEntry = { number: '4242 4242 4242 4242', expiry: '08/27', cvc: '123', zip: '60601' }
const faultsOf = (change: Partial<CardEntry>) => cardFaults({ ...good, ...change }, 2026, 6)

test('a complete card has no errors', () => {
  expect(faultsOf({})).toEqual({})
  expect(faultsOf({ number: '4242-4242-4242-4242', expiry: ' 8 / 27 ', zip: '60601-1234' })).toEqual({})
  expect(faultsOf({ number: '378282246310005', cvc: '1234' })).toEqual({})
})

test.each(['', '4242', '4242 4242 4242 4241', '4242 4242 4242 424x', '0'.repeat(20)])(
  'the number %j is not valid',
  (number) => {
    expect(faultsOf({ number }).number).toBe('The card number is not valid')
  },
)

test.each([
  ['', 'Please fill out an expiration date'],
  ['  ', 'Please fill out an expiration date'],
  ['05/26', 'This expiration date is not valid'],
  ['13/27', 'This expiration date is not valid'],
  ['00/27', 'This expiration date is not valid'],
  ['08/47', 'This expiration date is not valid'],
  ['august', 'This expiration date is not valid'],
])('the expiration %j: %s', (expiry, message) => {
  expect(faultsOf({ expiry }).expiry).toBe(message)
})

test('a card is valid through the end of its month', () => {
  expect(cardFaults({ ...good, expiry: '06/26' }, 2026, 6)).toEqual({})
  expect(cardFaults({ ...good, expiry: '06/26' }, 2026, 7).expiry).toBe('This expiration date is not valid')
})

test('the code has the length of the brand, the ZIP 5 or 5+4 digits', () => {
  expect(faultsOf({ cvc: '12' }).cvc).toBe('Enter the 3-digit security code printed on the card')
  expect(faultsOf({ number: '378282246310005', cvc: '123' }).cvc).toBe(
    'Enter the 4-digit security code printed on the card',
  )
  expect(faultsOf({ zip: '6060' }).zip).toBe('Enter the 5-digit ZIP code of the billing address')
})

test('an expiration is read with and without a slash', () => {
  expect(expiryOf({ ...good, expiry: '08/27' })).toEqual({ month: 8, year: 2027 })
  expect(expiryOf({ ...good, expiry: '827' })).toEqual({ month: 8, year: 2027 })
})

test('every test card has a valid and unique number', () => {
  for (const { number, brand } of testCards)
    expect(faultsOf({ number, cvc: brand === 'amex' ? '1234' : '123' }), number).toEqual({})
  expect(new Set(testCards.map(({ number }) => number)).size).toBe(testCards.length)
  expect(new Set(testCards.map(({ paymentMethod }) => paymentMethod)).size).toBe(testCards.length)
})
