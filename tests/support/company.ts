/** Companies for signed-in people, and such people. */
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import {
  applyForCompany,
  decideCompany,
  findMembership,
  setBrands,
} from '#domain/customers/companies/companies.server.ts'
import type { CompanyKind } from '#domain/customers/companies/companies.ts'
import { systemClock, type Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import type { RunningStore } from '#tests/support/store.ts'
import { createVisitor, registerAt, type Visitor } from '#tests/support/visitor.ts'

/**
 * Makes the account with this email an approved company's owner. With `brands`, it can buy only those. Returns the
 * company's ID.
 */
export async function giveCompany(
  db: Database,
  email: string,
  {
    kind = 'fleet',
    name = 'Acme Plumbing',
    brands,
    clock = systemClock,
  }: { kind?: CompanyKind; name?: string; brands?: readonly string[]; clock?: Clock } = {},
): Promise<string> {
  const deps = {
    db,
    clock,
    config: {
      store: {
        name: 'Sidewall',
        phone: '(800) 555-0142',
        email: 'help@sidewall.example',
        address: '100 Sample Street, Chicago, IL 60601',
      },
    },
  }
  const account = await db.selectFrom('account').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  await applyForCompany(deps, account.id, { kind, name, phone: '3125550142', vehicles: 12, about: '' })
  const membership = await findMembership(deps, account.id)
  if (!membership) throw new Error(`${email} has no company.`)
  const { id } = membership.company
  await decideCompany(deps, { id, decision: 'approve', by: desk })
  if (brands) await setBrands(deps, { of: 'company', id }, { slugs: brands, by: desk })
  return id
}

/** Registers someone, signed in, with a verified email. */
export async function registerVerified(
  store: RunningStore,
  name: string,
  email = `${name.toLowerCase()}@example.com`,
): Promise<{ visitor: Visitor; accountId: string; email: string; isEmailVerified: true }> {
  const visitor = createVisitor()
  await registerAt(store.origin, visitor, name, { email })
  const { id } = await store.database.db
    .updateTable('account')
    .set({ email_verified_at: systemClock.now() })
    .where('email', '=', email)
    .returning('id')
    .executeTakeFirstOrThrow()
  return { visitor, accountId: id, email, isEmailVerified: true }
}
