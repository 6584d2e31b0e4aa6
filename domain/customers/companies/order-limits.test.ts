/** Spending limits and approval rights. */
import { expect, test } from 'vitest'
import { isApprover, isRaised, isWithinLimit, limitOf, mayApprove, type LimitRule } from './order-limits.ts'

const roles = { owner: 500_000, buyer: 100_000 }
const byRole: LimitRule = { by: 'role' }

test.for([
  ['owner', byRole, 500_000],
  ['buyer', byRole, 100_000],
  ['buyer', { by: 'none' }, null],
  ['buyer', { by: 'own', cents: 0 }, 0],
  ['owner', { by: 'own', cents: 1 }, 1],
  ['viewer', { by: 'none' }, 0],
] as const)('a %s with the rule %j may order up to %s alone', ([role, limit, cents]) => {
  expect(limitOf(roles, { role, limit })).toBe(cents)
})

test('members can order freely without limits', () => {
  expect(limitOf({ owner: null, buyer: null }, { role: 'buyer', limit: byRole })).toBeNull()
})

test.for([
  [null, 9_999_999, true],
  [100, 100, true],
  [100, 101, false],
  [0, 1, false],
  [0, 0, true],
] as const)('within a limit of %s an order of %d: %s', ([limit, total, isWithin]) => {
  expect(isWithinLimit(limit, total)).toBe(isWithin)
})

test.for([
  ['owner', false, byRole, 500_000, true],
  ['owner', false, byRole, 500_001, false],
  ['buyer', false, { by: 'none' }, 1, false],
  ['buyer', true, byRole, 100_000, true],
  ['buyer', true, byRole, 100_001, false],
  ['viewer', true, { by: 'none' }, 1, false],
] as const)('a %s, approver %s, with %j approves %d: %s', ([role, approves, limit, total, may]) => {
  expect(mayApprove(roles, { role, approves, limit }, total)).toBe(may)
  expect(isApprover({ role, approves })).toBe(role === 'owner' || (role === 'buyer' && approves))
})

test.for([
  [null, null, false],
  [null, 5, false],
  [5, null, true],
  [5, 6, true],
  [5, 5, false],
] as const)('from %s to %s is a raise: %s', ([before, after, is]) => {
  expect(isRaised(before, after)).toBe(is)
})
