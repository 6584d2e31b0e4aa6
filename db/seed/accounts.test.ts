import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ACCOUNT_TYPES } from '#domain/pricing/pricing.ts'
import { staffRoles } from '#domain/staff/staff.ts'
import { demoPeople } from '#sandbox/identity/people.ts'
import { demoAccountPeople, demoAccounts, staffGrantRows } from './accounts.ts'

test('there is one account for each type except Retail, the default', () => {
  expect(demoAccounts.map(({ type }) => type).sort()).toEqual(ACCOUNT_TYPES.filter((type) => type !== 'Retail').sort())
})

test('everyone with an account can sign in: the demo’s sign-in service has the same name and a verified email', () => {
  for (const { email, name } of demoAccountPeople)
    expect(demoPeople).toContainEqual(expect.objectContaining({ email, name, isEmailVerified: true }))
})

test('the demo has a person with a verified email for every role of the back office', () => {
  expect(staffGrantRows().map(({ role }) => role)).toEqual([...staffRoles])
  for (const { email } of staffGrantRows())
    expect(demoPeople).toContainEqual(expect.objectContaining({ email, isEmailVerified: true }))
})

test('the README says what each demo account shows', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  expect(demoPeople.filter(({ email }) => !readme.includes(`\`${email}\``))).toEqual([])
})
