/** Company fixtures, with account holders and an approved company. */
import { createRateLimits } from '#adapters/limits/rate-limits.ts'
import { filesInRows } from '#domain/kernel/files/files.testing.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { accountDeps, signInAs } from '#domain/customers/accounts/accounts.testing.ts'
import type { Database } from '#platform/db.ts'
import { applyForCompany, decideCompany, findMembership } from './companies.server.ts'
import type { CompanyKind } from './companies.ts'

export const store = {
  name: 'Sidewall',
  phone: '(800) 555-0142',
  email: 'help@sidewall.example',
  address: '100 Sample Street, Chicago, IL 60601',
}

/** The dependencies of the company use cases over `db`. */
export function companyDeps(db: Database) {
  const deps = accountDeps(db)
  return {
    ...deps,
    files: filesInRows,
    rateLimits: createRateLimits({ db }),
    config: { ...deps.config, store, web: { origin: 'http://store.test', isSecure: false, port: 0, proxyHops: 0 } },
  }
}

export type CompanyDeps = ReturnType<typeof companyDeps>

export type TestPerson = { accountId: string; email: string; isEmailVerified: boolean }

/** A person with an account and this email. */
export async function signUp(deps: CompanyDeps, email: string, { isEmailVerified = true } = {}): Promise<TestPerson> {
  deps.identity.person = { subject: email, email, isEmailVerified, name: email.split('@')[0] ?? null }
  const { accountId } = await signInAs(deps)
  return { accountId, email, isEmailVerified }
}

export const application = {
  kind: 'fleet' as const,
  name: 'Acme Plumbing',
  phone: '3125550142',
  vehicles: 40,
  about: '',
}

/** An approved company and its owner. */
export async function openCompany(
  deps: CompanyDeps,
  { kind = 'fleet', email = 'olga@acme.example' }: { kind?: CompanyKind; email?: string } = {},
) {
  const owner = await signUp(deps, email)
  const applied = await applyForCompany(deps, owner.accountId, { ...application, kind })
  const membership = await findMembership(deps, owner.accountId)
  if (!applied.ok || !membership) throw new Error('The company of a test was not taken.')
  await decideCompany(deps, { id: membership.company.id, decision: 'approve', by: desk })
  return { owner, companyId: membership.company.id }
}
