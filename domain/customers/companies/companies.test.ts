import { expect, test } from 'vitest'
import {
  accountTypeOf,
  applicationForm,
  companyCan,
  companyRoles,
  exemptionForm,
  isFreeMail,
  mailDomain,
  maskWords,
  poProblem,
  poRuleForm,
  type PoRule,
} from './companies.ts'

test.for<[PoRule['rule'], string | null, string | null, boolean]>([
  ['required', null, null, false],
  ['required', null, 'anything', true],
  ['required', 'PO-####', 'po-1234', true],
  ['required', 'PO-####', 'PO-123', false],
  ['required', 'PO-####', 'PO-12345', false],
  ['required', 'PO-####', 'PO-123A', false],
  ['optional', 'PO-####', null, true],
  ['optional', 'PO-####', '1234', false],
  ['optional', '??*', 'ab1', true],
  ['optional', '??*', 'a11', false],
  ['optional', '??*', 'abc', true],
  ['off', 'PO-####', 'nonsense', true],
  ['off', null, null, true],
])('%s, mask %s: the number %s is accepted: %s', ([rule, mask, number, isGood]) => {
  expect(poProblem(number, { rule, mask }) === null).toBe(isGood)
})

test('a mask is explained by an example that matches it', () => {
  for (const mask of ['PO-######', '??-*#', 'A B/C', '*'.repeat(40)])
    expect(poProblem(maskWords(mask), { rule: 'required', mask })).toBeNull()
  expect(maskWords('PO-###')).toBe('PO-123')
  expect(maskWords('??-#')).toBe('AB-1')
})

test('each role has its documented rights', () => {
  const may = (action: Parameters<typeof companyCan>[1]) => companyRoles.filter((role) => companyCan(role, action))
  expect(may('manage')).toEqual(['owner'])
  expect(may('order')).toEqual(['owner', 'buyer'])
  expect(may('see-all-orders')).toEqual(['owner', 'viewer'])
})

test('recognizes free email domains in any case', () => {
  expect(isFreeMail(mailDomain('Someone@GMail.com'))).toBe(true)
  expect(isFreeMail(mailDomain('someone@acme.example'))).toBe(false)
})

const messageOf = (parsed: { error?: { issues: { message: string }[] } | undefined }) =>
  parsed.error?.issues[0]?.message

test.for([
  [{ kind: 'club' }, 'Choose what describes you better.'],
  [{ name: 'x' }, 'Enter the name of your company.'],
  [{ name: '<b>Acme</b>' }, 'Enter the name of your company.'],
  [{ phone: '12' }, 'Please enter a valid phone number'],
  [{ vehicles: '0' }, 'Enter how many vehicles you buy tires for, from 1 to 100,000.'],
  [{ vehicles: 'many' }, 'Enter how many vehicles you buy tires for, from 1 to 100,000.'],
  [{ about: 'x'.repeat(2_001) }, 'Please keep this under 2,000 characters.'],
  [{}, undefined],
] as const)('an application with %j is refused with %s', ([change, message]) => {
  const typed = {
    kind: 'fleet',
    name: 'Acme Plumbing',
    phone: '(312) 555-0142',
    vehicles: '40',
    about: 'Vans',
    ...change,
  }
  expect(messageOf(applicationForm.safeParse(typed))).toBe(message)
})

test('the phone number of an application is stored as digits', () => {
  const typed = { kind: 'fleet', name: 'Acme Plumbing', phone: '(312) 555-0142', vehicles: '40' }
  expect(applicationForm.parse(typed).phone).toBe('3125550142')
})

test.for([
  ['02/29/2028', true],
  ['2/9/2028', true],
  ['02/30/2028', false],
  ['2028-02-01', false],
  ['', false],
] as const)('the expiration date %s is valid: %s', ([expiresOn, isDay]) => {
  const parsed = exemptionForm.safeParse({ state: 'il', number: 'E-1', expiresOn })
  expect(messageOf(parsed)).toBe(isDay ? undefined : 'Please enter a valid date format MM/DD/YYYY')
  expect(parsed.data?.state).toBe(isDay ? 'IL' : undefined)
})

test('a mask contains only meaningful characters', () => {
  expect(poRuleForm.safeParse({ rule: 'required', mask: '(a+)+$' }).success).toBe(false)
  expect(poRuleForm.parse({ rule: 'off', mask: ' ' })).toEqual({ rule: 'off', mask: null })
})

test("a company grants its members its kind's account type", () => {
  expect(accountTypeOf).toEqual({ fleet: 'Fleet', 'special-order': 'Special Order' })
})
