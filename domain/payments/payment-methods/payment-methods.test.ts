import { expect, test } from 'vitest'
import { isOfCard, isWallet, ruleOf, whyNotFinanced } from './payment-methods.ts'

test.for([
  ['card', false, true],
  ['apple-pay', true, true],
  ['google-pay', true, true],
  ['paypal', false, false],
  ['lease', false, false],
  ['barter', false, false],
] as const)('%s is a wallet: %s, charges a card: %s', ([type, wallet, ofCard]) => {
  expect(isWallet(type)).toBe(wallet)
  expect(isOfCard(type)).toBe(ofCard)
})

test.for([
  ['lease', ['tire', 'installation'], 'shop', null],
  ['lease', ['tire', 'coverage'], 'shop', 'plans'],
  ['lease', ['tire', 'roadside'], 'home', 'plans'],
  ['loan', ['tire', 'coverage', 'roadside'], 'home', null],
  ['loan', ['tire'], 'carrier-pickup', 'counter'],
  ['lease', ['tire', 'coverage'], 'carrier-pickup', 'counter'],
  ['card', ['tire', 'coverage'], 'carrier-pickup', null],
] as const)('a %s for %j by %s is not financed because of: %s', ([type, kinds, fulfillment, why]) => {
  const rule = ruleOf(type) ?? expect.fail()
  expect(whyNotFinanced(rule, { kinds, fulfillment })).toBe(why)
})
