/** Companies, including applications, owner management, and staff decisions. */
import {
  companyCan,
  isFreeMail,
  type Application,
  type CompanyState,
  type PaymentTerms,
  type PoRule,
} from './companies.ts'
import {
  deleteRefused,
  insertCompany,
  insertDomain,
  replaceBrands,
  selectBrandIds,
  selectBrandNames,
  selectCompanies,
  selectCompaniesCalled,
  selectCompaniesMatching,
  selectCompaniesPage,
  selectCompany,
  selectMembership,
  updatePoRule,
  updateResolveCustomer,
  updateState,
  updateTerms,
  type Company,
  type CompanyPlace,
  type Membership,
} from './companies.sql.server.ts'
import { endForMembers, grantToMembers } from './members.server.ts'
import { insertMember, selectMembers } from './members.sql.server.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import { violatedConstraint, type Database } from '#platform/db.ts'
import { isId } from '#platform/ids.ts'
import { readSearchText } from '#platform/search-text.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

export { lockCompany } from './members.sql.server.ts'

export { selectMemberships, type Company, type CompanyPlace, type Membership } from './companies.sql.server.ts'
export { findCompanyPriceList, setCompanyPriceList } from './company-prices.server.ts'
export { setFleetPackets } from './fleet-packets.server.ts'
export { setMemberLimit, setRoleLimits, type LimitSetter } from './order-limits.server.ts'
export { companyApplicationValues, companyDecisionValues, companyInvitationValues } from './company-messages.server.ts'
export {
  decideExemption,
  findCertificate,
  findExemption,
  listExemptionsByState,
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
  invitationKey,
  inviteMember,
  joinByMail,
  leaveCompany,
  listMembers,
  removeMember,
  takeBackInvitation,
} from './members.server.ts'
export {
  exportInvitations,
  forgetInvitationsTo,
  lockSpender,
  type Invitation,
  type Member,
} from './members.sql.server.ts'

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

/** Applies for a company account, with the applicant as owner. A refused company may apply again. */
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

// Staff decisions.

/** Lists companies in a state, longest waiting first, with the applicant's email. */
export function listCompanies(
  { db }: Pick<Deps, 'db'>,
  state: CompanyState,
): Promise<(Company & { applicant: string | null })[]> {
  return selectCompanies(db, state)
}

const companiesPerPage = 50

/** Lists a page of the companies in a state, newest application first; `next` is null for the last page. */
export async function listCompaniesPage(
  { db }: Pick<Deps, 'db'>,
  { state, after }: { state: CompanyState; after: CompanyPlace | null },
): Promise<{ companies: Company[]; next: CompanyPlace | null }> {
  const found = await selectCompaniesPage(db, { state, after, count: companiesPerPage + 1 })
  const listed = found.slice(0, companiesPerPage)
  const last = listed.at(-1)
  return {
    companies: listed,
    next: found.length > listed.length && last ? { appliedAt: last.appliedAt, id: last.id } : null,
  }
}

/** Finds a company by id, or by name if it is unique. */
export async function findCompany({ db }: Pick<Deps, 'db'>, idOrName: string): Promise<Company | undefined> {
  if (isId(idOrName)) return selectCompany(db, idOrName)
  const called = await selectCompaniesCalled(db, idOrName)
  return called.length === 1 ? called[0] : undefined
}

/** Lists up to `limit` companies with a name that contains `text`, or a phone that ends with its digits. */
export function findCompanies({ db }: Pick<Deps, 'db'>, text: string, limit: number): Promise<Company[]> {
  return selectCompaniesMatching(db, readSearchText(text), limit)
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
  { id, decision, by }: { id: string; decision: keyof typeof decisions; by: Actor },
): Promise<Outcome<null, Refused<'other-state'> | Refused<'not-allowed'>>> {
  const at = clock.now()
  const { from, to } = decisions[decision]
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'companies.decide', at)
    if (!permitted.ok) return permitted
    if (!(await updateState(tx, id, { from, to, by: by.name, at }))) return refused('other-state')
    const company = await selectCompany(tx, id)
    if (!company) return refused('other-state')
    await recordAct(tx, { by, act: `company.${to}`, subject: company.name, at })
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

/** Sets a company's payment terms (days after the invoice, and a limit in cents), or null for payment at checkout. */
export async function setTerms(
  { db, clock }: Deps,
  { id, terms, by }: { id: string; terms: PaymentTerms; by: Actor },
): Promise<Outcome<null, Refused<'not-approved'> | Refused<'company-not-found'> | Refused<'not-allowed'>>> {
  const at = clock.now()
  try {
    return await db.transaction().execute(async (tx) => {
      const permitted = await requirePermission(tx, by, 'companies.terms', at)
      if (!permitted.ok) return permitted
      const company = await selectCompany(tx, id)
      if (!company || !(await updateTerms(tx, id, terms))) return refused('company-not-found')
      await recordAct(tx, {
        by,
        act: 'company.terms-set',
        subject: company.name,
        before: recordedTerms(company.terms),
        after: recordedTerms(terms),
        at,
      })
      return ok(null)
    })
  } catch (error) {
    if (violatedConstraint(error) === 'company_credit_is_approved') return refused('not-approved')
    throw error
  }
}

/** Links an approved company to its customer at Resolve, or takes the link away. */
export async function setResolveCustomer(
  { db, clock }: Deps,
  { id, customerId, by }: { id: string; customerId: string | null; by: Actor },
): Promise<
  Outcome<
    null,
    Refused<'not-approved'> | Refused<'company-not-found'> | Refused<'not-allowed'> | Refused<'linked-elsewhere'>
  >
> {
  const at = clock.now()
  try {
    return await db.transaction().execute(async (tx) => {
      const permitted = await requirePermission(tx, by, 'companies.terms', at)
      if (!permitted.ok) return permitted
      const company = await selectCompany(tx, id)
      if (!company) return refused('company-not-found')
      if (customerId !== null && company.state !== 'approved') return refused('not-approved')
      await updateResolveCustomer(tx, id, customerId)
      await recordAct(tx, {
        by,
        act: 'company.resolve-customer-set',
        subject: company.name,
        before: { customerId: company.resolveCustomerId },
        after: { customerId },
        at,
      })
      return ok(null)
    })
  } catch (error) {
    if (violatedConstraint(error) === 'company_resolve_customer_unique') return refused('linked-elsewhere')
    throw error
  }
}

/** A company's customer ID at Resolve; null without. */
export async function findResolveCustomer({ db }: Pick<Deps, 'db'>, companyId: string): Promise<string | null> {
  return (await selectCompany(db, companyId))?.resolveCustomerId ?? null
}

/** Terms as recorded in the audit log. */
function recordedTerms(terms: PaymentTerms) {
  return { netDays: terms?.netDays ?? null, creditLimitCents: terms?.creditLimitCents ?? null }
}

/** Assigns a mail domain to a company. Refuses domains where anyone can get a mailbox. */
export async function addDomain(
  { db, clock }: Deps,
  { id, domain, role, by }: { id: string; domain: string; role: 'buyer' | 'viewer'; by: Actor },
): Promise<Outcome<null, Refused<'free-mail'> | Refused<'no-domain'> | Refused<'taken'> | Refused<'not-allowed'>>> {
  const name = domain.trim().toLowerCase()
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(name)) return refused('no-domain')
  if (isFreeMail(name)) return refused('free-mail')
  const at = clock.now()
  try {
    return await db.transaction().execute(async (tx) => {
      const permitted = await requirePermission(tx, by, 'companies.decide', at)
      if (!permitted.ok) return permitted
      await insertDomain(tx, { companyId: id, domain: name, role, by: by.name, at })
      await recordAct(tx, { by, act: 'company.domain-added', subject: name, after: { companyId: id, role }, at })
      return ok(null)
    })
  } catch (error) {
    if (violatedConstraint(error) === 'company_domain_pkey') return refused('taken')
    throw error
  }
}

/**
 * Restricts a company or an account to these brands, by slug; null allows all. Refuses unknown slugs without changes.
 */
export async function setBrands(
  { db, clock }: Deps,
  owner: { of: 'company' | 'account'; id: string },
  { slugs, by }: { slugs: readonly string[] | null; by: Actor },
): Promise<Outcome<null, Refused<'brand-not-found', { slugs: string[] }> | Refused<'not-allowed'>>> {
  const known = await selectBrandIds(db, slugs ?? [])
  const unknown = (slugs ?? []).filter((slug) => !known.has(slug))
  if (unknown.length > 0) return refused('brand-not-found', { slugs: unknown })
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'companies.decide', at)
    if (!permitted.ok) return permitted
    await replaceBrands(tx, owner, slugs && [...known.values()])
    const after = { brands: slugs === null ? 'all' : slugs.join(',').slice(0, 500) }
    await recordAct(tx, { by, act: 'company.brands-set', subject: `${owner.of} ${owner.id}`, after, at })
    return ok(null)
  })
}
