/** The demo's companies with their members. */
import type { PoolClient } from 'pg'
import {
  acceptInvitation,
  applyForCompany,
  changePoRule,
  decideCompany,
  findMembership,
  inviteMember,
  invitationKey,
  listMembers,
  setFleetPackets,
  setResolveCustomer,
  setTerms,
} from '#domain/customers/companies/companies.server.ts'
import { applicationForm, poRuleForm, type CompanyRole } from '#domain/customers/companies/companies.ts'
import { accountIdOf, since, type DemoEmail } from './accounts.ts'
import { accepted, byStaff, depsAt, type SeedDeps } from './seed-transaction.ts'

/** How orders refer to a company, and its payment term. */
export type DemoCompany = { id: string; name: string; netDays: number }
export type DemoCompanies = Record<keyof typeof companies, DemoCompany>

type Sample = {
  owner: DemoEmail
  application: Readonly<Record<'kind' | 'name' | 'phone' | 'vehicles' | 'about', string>>
  decidedBy: string
  creditLimitCents: number
  poRule?: Readonly<Record<'rule' | 'mask', string>>
  /** Known to the sandbox's Resolve by this name. */
  resolveCustomerId?: string
  hasFleetPackets?: true
  invited: readonly { email: DemoEmail; role: CompanyRole }[]
}

const netDays = 30

/**
 * Sample companies, each with 30-day terms. The first has contract prices and requires a PO number. The second is a
 * fleet with an owner, a buyer, and a viewer. The third stores work details for each vehicle and requests quotes with a
 * list of vehicles.
 */
const companies = {
  marsh: {
    owner: 'sol@example.com',
    application: {
      kind: 'special-order',
      name: 'Marsh Equipment Rental',
      phone: '3125550177',
      vehicles: '40',
      about: 'Lifts, loaders and the trucks that bring them.',
    },
    decidedBy: 'Special orders',
    creditLimitCents: 1_000_000,
    poRule: { rule: 'required', mask: 'MER-####' },
    invited: [],
  },
  grant: {
    owner: 'felix@example.com',
    application: {
      kind: 'fleet',
      name: 'Grant Delivery',
      phone: '3125550136',
      vehicles: '24',
      about: 'Parcels and groceries, Chicago and suburbs.',
    },
    decidedBy: 'Fleet desk',
    creditLimitCents: 2_000_000,
    resolveCustomerId: 'GRNTdelivery',
    invited: [
      { email: 'tilda@example.com', role: 'buyer' },
      { email: 'vic@example.com', role: 'viewer' },
    ],
  },
  livery: {
    owner: 'fern@example.com',
    application: {
      kind: 'fleet',
      name: 'Lakeview Livery',
      phone: '3125550151',
      vehicles: '9',
      about: 'Black cars and shuttles for hotels.',
    },
    decidedBy: 'Fleet desk',
    creditLimitCents: 500_000,
    hasFleetPackets: true,
    invited: [],
  },
} as const satisfies Record<string, Sample>

/** Has the owners apply, the staff decide, and the members join. Their accounts exist. Returns the companies. */
export async function loadCompanies(client: PoolClient): Promise<DemoCompanies> {
  const deps = depsAt(client, since)
  return {
    marsh: await loadCompany(deps, companies.marsh),
    grant: await loadCompany(deps, companies.grant),
    livery: await loadCompany(deps, companies.livery),
  }
}

async function loadCompany(deps: SeedDeps, sample: Sample): Promise<DemoCompany> {
  const { name } = sample.application
  const [ownerId, by] = [accountIdOf(sample.owner), byStaff(sample.decidedBy)]
  const { creditLimitCents, poRule, resolveCustomerId: customerId, hasFleetPackets } = sample
  accepted(name, await applyForCompany(deps, ownerId, applicationForm.parse(sample.application)))
  const id = (await findMembership(deps, ownerId))?.company.id
  if (id === undefined) throw new Error(`${name} has no owner.`)
  accepted(name, await decideCompany(deps, { id, decision: 'approve', by }))
  accepted(name, await setTerms(deps, { id, terms: { netDays, creditLimitCents }, by }))
  if (poRule) accepted(name, await changePoRule(deps, ownerId, poRuleForm.parse(poRule)))
  if (customerId !== undefined) accepted(name, await setResolveCustomer(deps, { id, customerId, by }))
  if (hasFleetPackets) accepted(name, await setFleetPackets(deps, { id, hasFleetPackets, by }))
  for (const { email, role } of sample.invited) {
    accepted(email, await inviteMember(deps, ownerId, { email, role }))
    const invitation = (await listMembers(deps, id)).invitations.find((each) => each.email === email)
    if (!invitation) throw new Error(`${email} was not invited.`)
    const person = { accountId: accountIdOf(email), email, isEmailVerified: true }
    accepted(email, await acceptInvitation(deps, person, invitationKey(deps, invitation.id)))
  }
  return { id, name, netDays }
}
