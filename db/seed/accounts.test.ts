import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ACCOUNT_TYPES } from '#domain/pricing/pricing/pricing.ts'
import { staffRoles } from '#domain/kernel/staff/staff.ts'
import { demoPeople } from '#sandbox/identity/people.ts'
import { demoAccountPeople, demoAccounts, staffEmail } from './accounts.ts'

test('there is one account for each type except Retail, the default', () => {
  expect(demoAccounts.map(({ type }) => type).sort()).toEqual(ACCOUNT_TYPES.filter((type) => type !== 'Retail').sort())
})

test('every demo account can sign in with the same name and a verified email', () => {
  for (const { email, name } of demoAccountPeople)
    expect(demoPeople).toContainEqual(expect.objectContaining({ email, name, isEmailVerified: true }))
})

test('the demo has a verified person for every back office role', () => {
  for (const role of staffRoles)
    expect(demoPeople).toContainEqual(expect.objectContaining({ email: staffEmail(role), isEmailVerified: true }))
})

test('the README describes every demo account', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  expect(demoPeople.filter(({ email }) => !readme.includes(`\`${email}\``))).toEqual([])
})
