/** Companies: applications, what owners manage, and what staff decides. */
import {
  companyCan,
  isFreeMail,
  type Application,
  type CompanyState,
  type PaymentTerms,
  type PoRule,
} from '#domain/companies/companies.ts'
import {
  deleteRefused,
  insertCompany,
  insertDomain,
  replaceBrands,
  selectBrandIds,
  selectBrandNames,
  selectCompanies,
  selectCompaniesCalled,
  selectCompany,
  selectMembership,
  updatePoRule,
  updateState,
  updateTerms,
  type Company,
  type Membership,
} from '#domain/companies/companies.sql.server.ts'
import { endForMembers, grantToMembers } from '#domain/companies/members.server.ts'
import { insertMember, selectMembers } from '#domain/companies/members.sql.server.ts'
import { queueMessage } from '#domain/messages/messages.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import { violatedConstraint, type Database } from '#platform/db.ts'
import { isId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

export type { Company, Membership } from '#domain/companies/companies.sql.server.ts'
export { companyMessageValues } from './company-messages.server.ts'
export {
  decideExemption,
  findCertificate,
  findExemption,
  listExemptions,
  listWaitingExemptions,
  sendExemption,
  type Exemption,
} from './exemptions.server.ts'
export {
  acceptInvitation,
  changeRole,
  findCompanyOfMail,
  findInvitation,
  inviteMember,
  joinByMail,
  leaveCompany,
  listMembers,
  removeMember,
  takeBackInvitation,
} from './members.server.ts'
export { exportInvitations, forgetInvitationsTo, type Invitation, type Member } from './members.sql.server.ts'

type Deps = { db: Database; clock: Clock }

/** Finds the company of an account, whatever became of its application, and the account's role in it. */
export function findMembership({ db }: Pick<Deps, 'db'>, accountId: string): Promise<Membership | undefined> {
  return selectMembership(db, accountId)
}

/** Lists the brands a company may buy, by name; null for all. */
export function listCompanyBrands({ db }: Pick<Deps, 'db'>, companyId: string): Promise<string[] | null> {
  return selectBrandNames(db, { of: 'company', id: companyId })
}

/** Lists the brands an account may buy regardless of its company, by name; null for all. */
export function listAccountBrands({ db }: Pick<Deps, 'db'>, accountId: string): Promise<string[] | null> {
  return selectBrandNames(db, { of: 'account', id: accountId })
}

/** Applies for a company, of which the account becomes the owner. A refused company may apply again. */
export async function applyForCompany(
  { db, clock, config }: Deps & { config: Pick<Config, 'store'> },
  accountId: string,
  application: Application,
): Promise<Outcome<null, Refused<'in-a-company'>>> {
  const at = clock.now()
  try {
    await db.transaction().execute(async (tx) => {
      await deleteRefused(tx, accountId)
      const companyId = await insertCompany(tx, application, at)
      await insertMember(tx, { accountId, companyId, role: 'owner', at })
      await queueMessage(tx, {
        kind: 'company-applied',
        key: `company-applied:${companyId}`,
        to: config.store.email,
        orderId: null,
        at,
      })
    })
    return ok(null)
  } catch (error) {
    if (violatedConstraint(error) === 'company_member_pkey') return refused('in-a-company')
    throw error
  }
}

/** Sets the company's rule for PO numbers. */
export async function changePoRule(
  { db }: Pick<Deps, 'db'>,
  by: string,
  rule: PoRule,
): Promise<Outcome<null, Refused<'not-allowed'>>> {
  const membership = await selectMembership(db, by)
  if (!membership || !companyCan(membership.role, 'manage')) return refused('not-allowed')
  await updatePoRule(db, membership.company.id, rule)
  return ok(null)
}

/** Finds a company's rule for PO numbers. */
export async function findPoRule({ db }: Pick<Deps, 'db'>, companyId: string): Promise<PoRule | undefined> {
  return (await selectCompany(db, companyId))?.po
}

// Staff actions, as commands until they have pages.

/** Lists companies in a state, longest waiting first, with the applicant's email. */
export function listCompanies(
  { db }: Pick<Deps, 'db'>,
  state: CompanyState,
): Promise<(Company & { applicant: string | null })[]> {
  return selectCompanies(db, state)
}

/** Finds a company by id, or by name if it is unique. */
export async function findCompany({ db }: Pick<Deps, 'db'>, idOrName: string): Promise<Company | undefined> {
  if (isId(idOrName)) return selectCompany(db, idOrName)
  const called = await selectCompaniesCalled(db, idOrName)
  return called.length === 1 ? called[0] : undefined
}

/** The states in which each decision is allowed. A closed company can be approved again. */
const decisions = {
  approve: { from: ['applied', 'closed'], to: 'approved' },
  refuse: { from: ['applied'], to: 'refused' },
  close: { from: ['approved'], to: 'closed' },
} as const

/**
 * Approves, refuses or closes a company. Grants its members the account type of its kind, or ends it, in the same
 * transaction, and notifies them by mail.
 */
export async function decideCompany(
  { db, clock }: Deps,
  { id, decision, by }: { id: string; decision: keyof typeof decisions; by: string },
): Promise<Outcome<null, Refused<'other-state'>>> {
  const at = clock.now()
  const { from, to } = decisions[decision]
  return db.transaction().execute(async (tx) => {
    if (!(await updateState(tx, id, { from, to, by, at }))) return refused('other-state')
    const company = await selectCompany(tx, id)
    if (!company) return refused('other-state')
    const owners = (await selectMembers(tx, id)).filter(({ role }) => role === 'owner')
    if (decision === 'approve') await grantToMembers({ db: tx, clock }, company)
    if (decision === 'close') await endForMembers({ db: tx, clock }, company)
    else
      for (const { accountId, email } of owners)
        if (email !== null)
          await queueMessage(tx, {
            kind: decision === 'approve' ? 'company-approved' : 'company-refused',
            key: `company-decided:${id}:${accountId}:${at.epochMilliseconds}`,
            to: email,
            orderId: null,
            at,
          })
    return ok(null)
  })
}

/** Sets a company's payment terms: days after the invoice and a limit in cents, or null for payment when ordering. */
export async function setTerms(
  { db }: Pick<Deps, 'db'>,
  { id, terms }: { id: string; terms: PaymentTerms },
): Promise<Outcome<null, Refused<'not-approved'> | Refused<'company-not-found'>>> {
  try {
    return (await updateTerms(db, id, terms)) ? ok(null) : refused('company-not-found')
  } catch (error) {
    if (violatedConstraint(error) === 'company_credit_is_approved') return refused('not-approved')
    throw error
  }
}

/** Assigns a mail domain to a company. Refuses domains where anyone can get a mailbox. */
export async function addDomain(
  { db, clock }: Deps,
  { id, domain, role, by }: { id: string; domain: string; role: 'buyer' | 'viewer'; by: string },
): Promise<Outcome<null, Refused<'free-mail'> | Refused<'no-domain'> | Refused<'taken'>>> {
  const name = domain.trim().toLowerCase()
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(name)) return refused('no-domain')
  if (isFreeMail(name)) return refused('free-mail')
  try {
    await insertDomain(db, { companyId: id, domain: name, role, by, at: clock.now() })
    return ok(null)
  } catch (error) {
    if (violatedConstraint(error) === 'company_domain_pkey') return refused('taken')
    throw error
  }
}

/**
 * Restricts a company or an account to these brands, by slug; null allows all. Refuses unknown slugs, changing nothing.
 */
export async function setBrands(
  { db }: Pick<Deps, 'db'>,
  owner: { of: 'company' | 'account'; id: string },
  slugs: readonly string[] | null,
): Promise<Outcome<null, Refused<'brand-not-found', { slugs: string[] }>>> {
  const known = await selectBrandIds(db, slugs ?? [])
  const unknown = (slugs ?? []).filter((slug) => !known.has(slug))
  if (unknown.length > 0) return refused('brand-not-found', { slugs: unknown })
  await db.transaction().execute((tx) => replaceBrands(tx, owner, slugs && [...known.values()]))
  return ok(null)
}
