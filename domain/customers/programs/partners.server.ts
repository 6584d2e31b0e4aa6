/**
 * The partner program. A business applies, staff decide, and its people enter its code. And the employee program, which
 * verifies a work email.
 */
import { paths } from '#content/paths.ts'
import { randomInt } from 'node:crypto'
import { isFreeMail } from '#domain/customers/companies/companies.ts'
import { keyParts, type MessageValues } from '#domain/messaging/messages/messages.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import type { AccountType } from '#domain/pricing/pricing/pricing.ts'
import type { AffiliateAsked, PartnerAsked } from './partner-form.ts'
import {
  countApplications,
  deleteEmployer,
  insertApplication,
  insertEmployer,
  insertPartner,
  lockApplication,
  lockPricedAccount,
  selectAppliedPartner,
  selectEmployer,
  selectEmployers,
  selectPartner,
  selectApplication,
  selectWaitingApplications,
  updateDecision,
  type Application,
  type ApplicationKind,
} from './partners.sql.server.ts'
import { giveWidget } from './widgets.server.ts'
import { findGrant, grantType } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { announceJoin, recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import { violatedConstraint, type Database, type Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock }

/** How long people of a partner keep their prices before they must enter the code again. */
export const partnerDays = 365
/**
 * How long employee prices last before the work email must be verified again, so that they end for people who leave the
 * employer.
 */
export const employeeDays = 90
/** Applications per network and hour. */
export const applicationsPerHour = 5

/**
 * Stores an application, and queues its confirmation email. Applying again while one is pending returns the same
 * application.
 */
export function applyAsPartner(
  deps: Deps,
  asked: PartnerAsked & { networkKey: string },
): Promise<Outcome<null, Refused<'too-many-requests'>>> {
  return takeApplication(deps, { ...asked, kind: 'partner' })
}

/** The same for an affiliate. */
export function applyAsAffiliate(
  deps: Deps,
  asked: AffiliateAsked & { networkKey: string },
): Promise<Outcome<null, Refused<'too-many-requests'>>> {
  return takeApplication(deps, { ...asked, kind: 'affiliate' })
}

async function takeApplication(
  { db, clock }: Deps,
  {
    networkKey,
    ...asked
  }: ((PartnerAsked & { kind: 'partner' }) | (AffiliateAsked & { kind: 'affiliate' })) & { networkKey: string },
): Promise<Outcome<null, Refused<'too-many-requests'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const asking = await countApplications(tx, { networkKey, since: at.subtract({ hours: 1 }) })
    if (asking >= applicationsPerHour) return refused('too-many-requests')
    const applicationId = await insertApplication(tx, { ...asked, network_key: networkKey, received_at: at })
    const kind = `${asked.kind}-applied` as const
    if (applicationId !== undefined)
      await queueMessage(tx, { kind, key: `${kind}:${applicationId}`, to: asked.email, orderId: null, at })
    return ok(null)
  })
}

/** Lists undecided applications, longest waiting first. */
export function listApplications({ db }: Pick<Deps, 'db'>): Promise<Application[]> {
  return selectWaitingApplications(db)
}

/** Returns an application, decided or not. Undefined if it doesn't exist. */
export function findApplication({ db }: Pick<Deps, 'db'>, id: number): Promise<Application | undefined> {
  return selectApplication(db, id)
}

type DecisionRefusal = Refused<'not-waiting'> | Refused<'not-found'> | Refused<'not-allowed'>

/**
 * Makes the business a partner, and emails it its code; affiliates have no code. An applicant with a site gets a
 * widget. Refuses with `not-waiting` if the application is decided, and `not-found` if it is unknown.
 */
export function approvePartner(
  deps: Deps,
  asked: { id: number; by: Actor },
): Promise<Outcome<{ code: string | null }, DecisionRefusal>> {
  return decide(deps, { ...asked, state: 'approved' }, async (tx, { kind, business, email, site, at }) => {
    const code = kind === 'partner' ? newCode() : null
    const { id: partnerId } = await insertPartner(tx, { name: business, code, since: at })
    if (site !== null) await giveWidget(tx, { partnerId, email, site, at })
    return { partnerId, value: { code } }
  })
}

/** Refuses an application, by email. */
export function refusePartner(deps: Deps, asked: { id: number; by: Actor }): Promise<Outcome<null, DecisionRefusal>> {
  return decide(deps, { ...asked, state: 'refused' }, async () => ({ partnerId: null, value: null }))
}

/** Decides an application once and emails the business. `settle` makes what the decision calls for. */
async function decide<Value>(
  { db, clock }: Deps,
  { id, by, state }: { id: number; by: Actor; state: 'approved' | 'refused' },
  settle: (
    tx: Tx,
    waiting: { kind: ApplicationKind; business: string; email: string; site: string | null; at: Temporal.Instant },
  ) => Promise<{ partnerId: number | null; value: Value }>,
): Promise<Outcome<Value, DecisionRefusal>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'partners.decide', at)
    if (!permitted.ok) return permitted
    const application = await lockApplication(tx, id)
    if (!application) return refused('not-found')
    if (!application.isWaiting) return refused('not-waiting')
    const { business, email } = application
    const { partnerId, value } = await settle(tx, { ...application, at })
    await updateDecision(tx, id, { state, partnerId, by: by.name, at })
    await recordAct(tx, {
      by,
      act: `partner.${state}`,
      subject: email,
      after: { business, kind: application.kind },
      at,
    })
    const kind = `${application.kind}-${state}` as const
    await queueMessage(tx, { kind, key: `${kind}:${id}`, to: email, orderId: null, at })
    return ok(value)
  })
}

const codeLetters = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'

function newCode(): string {
  return Array.from({ length: 8 }, () => codeLetters[randomInt(codeLetters.length)]).join('')
}

export type NotGranted = Refused<'has-other-prices', { type: AccountType }>

/**
 * Grants an account the prices of the partner with the entered code, for a year. The first time is audited, and mailed
 * to the account's verified email.
 */
export async function joinPartner(
  { db, clock }: Deps,
  { accountId, code }: { accountId: string; code: string },
): Promise<Outcome<{ partner: string }, Refused<'code-not-found'> | NotGranted>> {
  return db.transaction().execute(async (tx) => {
    const partner = await selectPartner(tx, code.trim().toUpperCase())
    if (partner === undefined) return refused('code-not-found')
    const account = await lockPricedAccount(tx, accountId)
    const before = await findGrant(tx, accountId, clock.now())
    const granted = await grantProgram(
      { db: tx, clock },
      { accountId, type: 'Partner Program', how: 'invitation', days: partnerDays, by: partner },
    )
    if (!granted.ok) return granted
    if (before?.type !== 'Partner Program')
      await recordPartnerJoin(tx, { accountId, account, partner, at: clock.now() })
    return ok({ partner })
  })
}

async function recordPartnerJoin(
  tx: Tx,
  {
    accountId,
    account,
    partner,
    at,
  }: {
    accountId: string
    account: Awaited<ReturnType<typeof lockPricedAccount>>
    partner: string
    at: Temporal.Instant
  },
): Promise<void> {
  const email = account?.email ?? null
  if (email !== null && account?.isVerified)
    await announceJoin(tx, { access: 'partner-prices', email, details: [{ partner }], at })
  else {
    const name = email ?? `account ${accountId}`
    await recordAct(tx, {
      by: { via: 'sign-in', name },
      act: 'partner-program.joined',
      subject: name,
      after: { partner },
      at,
    })
  }
}

/** Returns the employer for a verified email address, or undefined. */
export async function findEmployer(
  { db }: Pick<Deps, 'db'>,
  { email, isEmailVerified }: { email: string | null; isEmailVerified: boolean },
): Promise<string | undefined> {
  if (email === null || !isEmailVerified) return undefined
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  return selectEmployer(db, domain)
}

/** Grants an account employee prices by its work email, for `employeeDays`. */
export async function joinEmployees(
  { db, clock }: Deps,
  signedIn: { accountId: string; email: string | null; isEmailVerified: boolean },
): Promise<Outcome<{ employer: string }, Refused<'no-work-email'> | NotGranted>> {
  return db.transaction().execute(async (tx) => {
    const employer = await findEmployer({ db: tx }, signedIn)
    if (employer === undefined || signedIn.email === null) return refused('no-work-email')
    const before = await findGrant(tx, signedIn.accountId, clock.now())
    const granted = await grantProgram(
      { db: tx, clock },
      { accountId: signedIn.accountId, type: 'EPP', how: 'company-domain', days: employeeDays, by: employer },
    )
    if (!granted.ok) return granted
    if (before?.type !== 'EPP')
      await announceJoin(tx, { access: 'employee', email: signedIn.email, details: [{ employer }], at: clock.now() })
    return ok({ employer })
  })
}

/**
 * Grants a type only to accounts at retail, or renews the same type; paid memberships and company agreements are not
 * replaced in passing.
 */
async function grantProgram(
  { db, clock }: { db: Tx; clock: Clock },
  {
    accountId,
    type,
    how,
    days,
    by,
  }: {
    accountId: string
    type: 'EPP' | 'Partner Program'
    how: 'invitation' | 'company-domain'
    days: number
    by: string
  },
): Promise<Outcome<null, NotGranted>> {
  await lockPricedAccount(db, accountId)
  const now = clock.now()
  const grant = await findGrant(db, accountId, now)
  if (grant && grant.type !== 'Retail' && grant.type !== type) return refused('has-other-prices', { type: grant.type })
  await grantType({ db, clock }, { accountId, type, how, until: now.add({ hours: 24 * days }), by })
  return ok(null)
}

/**
 * Grants people of a domain employee prices. Refuses `known` for an existing domain, and `free-mail` where anyone can
 * get a mailbox.
 */
export async function addEmployer(
  { db, clock }: Deps,
  { domain, employer, by }: { domain: string; employer: string; by: Actor },
): Promise<Outcome<null, Refused<'known'> | Refused<'free-mail'> | Refused<'not-allowed'>>> {
  if (isFreeMail(domain.toLowerCase())) return refused('free-mail')
  const at = clock.now()
  try {
    return await db.transaction().execute(async (tx) => {
      const permitted = await requirePermission(tx, by, 'partners.decide', at)
      if (!permitted.ok) return permitted
      await insertEmployer(tx, { domain: domain.toLowerCase(), employer }, at)
      await recordAct(tx, { by, act: 'employer.added', subject: domain.toLowerCase(), after: { employer }, at })
      return ok(null)
    })
  } catch (error) {
    if (violatedConstraint(error) === 'employer_domain_pkey') return refused('known')
    throw error
  }
}

/** Lists employers with employee prices, by domain. */
export function listEmployers({ db }: Pick<Deps, 'db'>) {
  return selectEmployers(db)
}

/** Removes a domain. New grants stop; existing ones expire. */
export function removeEmployer(
  { db, clock }: Deps,
  { domain, by }: { domain: string; by: Actor },
): Promise<Outcome<null, Refused<'not-found'> | Refused<'not-allowed'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'partners.decide', at)
    if (!permitted.ok) return permitted
    if (!(await deleteEmployer(tx, domain.toLowerCase()))) return refused('not-found')
    await recordAct(tx, { by, act: 'employer.removed', subject: domain.toLowerCase(), at })
    return ok(null)
  })
}

/** Returns the values of mails to partners and affiliates. */
export async function partnerMessageValues(
  { db, config }: Pick<Deps, 'db'> & { config: Pick<Config, 'web' | 'store'> },
  { key }: { key: string },
): Promise<MessageValues> {
  const [id = ''] = keyParts(key)
  const row = await selectAppliedPartner(db, Number(id))
  return {
    business: row?.business ?? 'your business',
    code: row?.code ?? '',
    store: config.store.name,
    partnerUrl: config.web.origin + paths.partnerProgram(),
    affiliatesUrl: config.web.origin + paths.written('affiliates'),
    phone: config.store.phone,
  }
}
