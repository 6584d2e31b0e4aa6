import { expect, test } from 'vitest'
import { newId } from '#platform/ids.ts'
import { brandsForm, memberLimitForm, roleLimitsForm, termsForm } from './companies.ts'

test.for([
  ['30', '5000', { netDays: 30, creditLimitCents: 500_000 }],
  ['120', '0.01', { netDays: 120, creditLimitCents: 1 }],
  ['', 'anything', null],
] as const)('net terms of "%s" days up to "%s" are read', ([days, limit, terms]) => {
  expect(termsForm.parse({ days, limit })).toEqual(terms)
})

test.for([
  ['0', '5000', 'days'],
  ['121', '5000', 'days'],
  ['1.5', '5000', 'days'],
  ['30', '0', 'limit'],
  ['30', 'much', 'limit'],
] as const)('net terms of "%s" days up to "%s" are refused at the field %s', ([days, limit, field]) => {
  expect(termsForm.safeParse({ days, limit }).error?.issues.map(({ path }) => path)).toEqual([[field]])
})

test('a spending limit is at most $9,999,999.99, or blank', () => {
  expect(roleLimitsForm.parse({ owner: '9,999,999.99', buyer: '' })).toEqual({ owner: 999_999_999, buyer: null })
  expect(roleLimitsForm.safeParse({ owner: '10,000,000', buyer: '' }).success).toBe(false)
})

test('a member’s own limit needs an amount, and other rules ignore it', () => {
  const member = newId()
  const own = { member, rule: 'own', amount: '1,500', approves: '1' }
  expect(memberLimitForm.parse(own)).toEqual({
    accountId: member,
    approves: true,
    limit: { by: 'own', cents: 150_000 },
  })
  expect(memberLimitForm.safeParse({ ...own, amount: '' }).error?.issues.map(({ path }) => path)).toEqual([['amount']])
  for (const rule of ['role', 'none'])
    expect(memberLimitForm.parse({ member, rule, amount: '20' })).toMatchObject({
      approves: false,
      limit: { by: rule },
    })
})

test('brands are separated by commas or spaces, and an empty field allows all', () => {
  expect(brandsForm.parse({ brands: ' Cedarline, oakridge  pine,' })).toEqual({
    brands: ['cedarline', 'oakridge', 'pine'],
  })
  expect(brandsForm.parse({ brands: '  ' })).toEqual({ brands: null })
  expect(brandsForm.parse({})).toEqual({ brands: null })
})
