import { expect, test } from 'vitest'
import type { AccountPricing } from '#domain/terms/terms.ts'
import { accountPriceBook } from './account-prices.ts'
import { makeItem, makePromotion, now } from './catalog.testing.ts'
import { priceBook } from './promotion.ts'

const item = makeItem({ retailCents: 20_000 })

const sale = makePromotion({ endsAt: now.add({ hours: 2 }) })

/** A list with one price for every tire. */
const fixed = (amountCents: number): AccountPricing['list'] => ({
  rules: new Map([['every-tire', { id: 1, scope: { kind: 'every-tire' }, formula: { kind: 'fixed', amountCents }, since: now, until: null }]]),
  until: now.add({ hours: 1 }),
})

const retail = priceBook([sale], now)

test('an account price stands on the tag beside the retail price, and takes no promotion', () => {
  const tag = accountPriceBook(retail, { type: 'Fleet', list: fixed(17_000) }).priceOf(item)
  expect(tag).toEqual({ unitCents: 17_000, wasCents: 20_000, promotions: [], account: { type: 'Fleet', unitCents: 17_000 } })
})

test('an account without a price of its own pays retail, without promotions and without a label', () => {
  const tag = accountPriceBook(retail, { type: 'EPP', list: null }).priceOf(item)
  expect(tag).toEqual({ unitCents: 20_000, wasCents: null, promotions: [], account: { type: 'EPP', unitCents: null } })
})

test('for a member a promotion is counted on the member price', () => {
  const tag = accountPriceBook(retail, { type: 'Retail Member', list: fixed(19_000) }).priceOf(item)
  expect(tag).toEqual({ unitCents: 17_100, wasCents: 20_000, promotions: [sale], account: { type: 'Retail Member', unitCents: 19_000 } })
})

test('the tags hold until the list or a promotion changes, whichever comes first', () => {
  expect(accountPriceBook(retail, { type: 'Fleet', list: fixed(1) }).until).toEqual(now.add({ hours: 1 }))
  expect(accountPriceBook(retail, { type: 'Fleet', list: null }).until).toEqual(now.add({ hours: 2 }))
})
