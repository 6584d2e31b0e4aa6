import { expect, test } from 'vitest'
import { chargedTo, goesBack, methodName, releasedText } from './charge-words.ts'

test.for([
  { method: 'card', name: 'Card', account: 'your card' },
  { method: 'paypal', name: 'PayPal', account: 'your PayPal account' },
  { method: 'venmo', name: 'Venmo', account: 'your Venmo account' },
])('money of $method is named by where it came from', ({ method, name, account }) => {
  expect(methodName({ method })).toBe(name)
  expect(chargedTo({ method })).toBe(account)
  expect(goesBack({ method })).toBe(`goes back to ${account}; banks take a few days to show it`)
})

test('what is released is said in the words of the account', () => {
  expect(releasedText(null, '$10.00')).toContain('A hold your bank shows on $10.00')
  expect(releasedText({ method: 'paypal' }, '$10.00')).toBe(
    'Your PayPal account is not charged, and the $10.00 set aside there is released.',
  )
})
