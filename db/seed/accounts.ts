import { setBrands } from '#domain/customers/companies/companies.server.ts'
import { keepCustomer } from '#domain/customers/customers/customers.server.ts'
import { inviteStaff } from '#domain/kernel/staff/staff.server.ts'
import { staffRoles, type BuiltInRole } from '#domain/kernel/staff/staff.ts'
import { grantType } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import type { PoolClient } from 'pg'
import { insertRows } from '#db/insert-rows.ts'
import { accepted, byDemo, depsAt } from './seed-transaction.ts'

/** Before any date that tests or demos use. */
export const since = Temporal.Instant.from('2026-01-01T05:00:00Z')

/**
 * One person of the demo's sign-in service for each type of account; they are listed there too
 * (`sandbox/identity/people.ts`). Signing in with that verified email opens the account. Companies in demo-companies.ts
 * give their members the type.
 */
export const demoAccounts = [
  { email: 'erin@example.com', name: 'Erin Cole', type: 'EPP', how: 'invitation', by: 'Personnel' },
  { email: 'felix@example.com', name: 'Felix Grant', type: 'Fleet', how: 'company' },
  { email: 'paula@example.com', name: 'Paula Ortiz', type: 'Partner Program', how: 'staff', by: 'Partner program' },
  { email: 'mona@example.com', name: 'Mona Webb', type: 'Retail Member', how: 'purchase', by: 'membership' },
  { email: 'sol@example.com', name: 'Sol Marsh', type: 'Special Order', how: 'company' },
  { email: 'will@example.com', name: 'Will Tran', type: 'WholeSale', how: 'staff', by: 'Wholesale' },
  { email: 'sam@example.com', name: 'Sam Doyle', type: 'Sales Tool', how: 'staff', by: 'Sales' },
  { email: 'noa@example.com', name: 'Noa Kim', type: 'none', how: 'staff', by: 'Support' },
] as const

/** Accounts with a shared type or without one, which demonstrate a company, an order history, or a restriction. */
const otherAccounts = [
  { email: 'tilda@example.com', name: 'Tilda Lund', type: 'Fleet', how: 'company' },
  { email: 'vic@example.com', name: 'Vic Moss', type: 'Fleet', how: 'company' },
  { email: 'olive@example.com', name: 'Olive Hart', type: null },
  { email: 'rita@example.com', name: 'Rita Vale', type: null },
  { email: 'fern@example.com', name: 'Fern Osei', type: 'Fleet', how: 'company' },
] as const

export const demoAccountPeople = [...demoAccounts, ...otherAccounts]
export type DemoEmail = (typeof demoAccountPeople)[number]['email']

/** Adds the accounts of everyone who has one from the start. */
export async function loadAccounts(client: PoolClient, now: Temporal.Instant): Promise<void> {
  const rows = demoAccountPeople.map(({ email, name }) => ({
    id: accountIdOf(email),
    email,
    email_verified_at: now,
    name,
    created_at: since,
  }))
  await insertRows(client, 'account', rows)
}

/**
 * Gives the accounts their types, except those from companies, and Rita the only brands that she is shown and sold.
 * `member` is the term of Mona's membership.
 */
export async function loadGrants(
  client: PoolClient,
  member: { from: Temporal.Instant; until: Temporal.Instant },
): Promise<void> {
  for (const person of demoAccountPeople) {
    if (person.type === null || person.how === 'company') continue
    const { type, how, by } = person
    const isBought = how === 'purchase'
    await grantType(depsAt(client, isBought ? member.from : since), {
      accountId: accountIdOf(person.email),
      type,
      how,
      until: isBought ? member.until : null,
      by,
    })
  }
  const rita = { of: 'account', id: accountIdOf('rita@example.com') } as const
  const brands = { slugs: ['kestrel', 'tarn'], by: byDemo }
  accepted('The restriction of Rita', await setBrands(depsAt(client, since), rita, brands))
}

/** Makes the accounts that haven't ordered customers, as verifying their email did. */
export async function loadCustomers(client: PoolClient): Promise<void> {
  const { db } = depsAt(client, since)
  for (const { email, name } of demoAccountPeople) await keepCustomer(db, { email, name, at: since })
}

/** The demo's person for a back-office role. The person who signs in with the verified email gets the role. */
export function staffEmail(role: BuiltInRole): string {
  return `${role}@example.com`
}

/** Invites one person for each back-office role. */
export async function loadStaff(client: PoolClient): Promise<void> {
  for (const role of staffRoles) {
    const email = staffEmail(role)
    accepted(`The role of ${email}`, await inviteStaff(depsAt(client, since), byDemo, { email, role, lastDay: null }))
  }
}

/** The key of a demo person's account, the same on every machine. */
export function accountIdOf(email: DemoEmail): string {
  const index = demoAccountPeople.findIndex((person) => person.email === email)
  return `00000000-0000-7000-8000-a${String(index + 1).padStart(11, '0')}`
}
