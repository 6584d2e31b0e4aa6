import { expect, test } from 'vitest'
import { chargedTo, methodName, refundPlanned, refundSent, releasedText } from './charge-words.ts'

test.for([
  { method: 'card', name: 'Card', account: 'your card' },
  { method: 'paypal', name: 'PayPal', account: 'your PayPal account' },
  { method: 'venmo', name: 'Venmo', account: 'your Venmo account' },
])('money of $method is named by where it came from', ({ method, name, account }) => {
  expect(methodName({ method })).toBe(name)
  expect(chargedTo({ method })).toBe(account)
  expect(refundPlanned({ method }, '$5.00')).toBe(`We’ll refund $5.00 to ${account}, and email you when we’ve sent it.`)
  expect(refundSent({ method }, '$5.00')).toBe(
    `We refunded $5.00 to ${account}. Banks usually show it within a few days.`,
  )
})

test.for([
  { method: 'card', brand: 'visa', name: 'Visa ending in 4242', account: 'your Visa ending in 4242' },
  { method: 'apple-pay', brand: 'visa', name: 'Apple Pay, Visa ending in 4242', account: 'your Visa ending in 4242' },
  { method: 'card', brand: 'other', name: 'Card ending in 4242', account: 'your card ending in 4242' },
])('a $brand card paid by $method is named by brand and last four digits', ({ method, brand, name, account }) => {
  const payment = { method, card: { brand, last4: '4242' } }
  expect(methodName(payment)).toBe(name)
  expect(chargedTo(payment)).toBe(account)
  expect(refundSent(payment, '$5.00')).toContain(`to ${account}.`)
  expect(releasedText(payment, '$5.00')).toMatch(new RegExp(`^Y${account.slice(1)} is not charged`))
})

test('released amounts use the account’s wording', () => {
  expect(releasedText(null, '$10.00')).toContain('A hold your bank shows on $10.00')
  expect(releasedText({ method: 'paypal' }, '$10.00')).toBe(
    'Your PayPal account is not charged, and the $10.00 set aside there is released.',
  )
})
