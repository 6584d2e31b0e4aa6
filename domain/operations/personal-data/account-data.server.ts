/** Exporting and deleting everything kept about an account. */
import {
  deleteAccountRow,
  selectAccount,
  selectEverySession,
  selectIdentities,
  listApps,
  listAddresses,
  listGarage,
  selectPersonalization,
  selectSearches,
} from '#domain/customers/accounts/accounts.server.ts'
import { exportRotations } from '#domain/aftercare/tire-log/tire-log.server.ts'
import { exportAgentSessions } from '#domain/channels/agents/agents.server.ts'
import { exportApprovals, withdrawRequestsOf } from '#domain/channels/approvals/approvals.server.ts'
import { exportRatings } from '#domain/installer-portal/appointments/appointments.server.ts'
import { lockOpenCarts } from '#domain/payments/cart/cart.server.ts'
import { exportCarts, forgetDetailsOf } from '#domain/ordering/checkout/checkout.server.ts'
import {
  exportInvitations,
  findMembership,
  forgetInvitationsTo,
  listAccountBrands,
} from '#domain/customers/companies/companies.server.ts'
import {
  deletePastOrders,
  forgetUnusedCustomer,
  selectPastOrders,
} from '#domain/customers/customers/customers.server.ts'
import { exportCredit } from '#domain/payments/ledger/ledger.server.ts'
import { exportVerification } from '#domain/pricing/military/military.server.ts'
import { exportMails, forgetMailsTo } from '#domain/messaging/messages/messages.server.ts'
import { exportOrders, listAccountOrders } from '#domain/ordering/orders/orders.server.ts'
import {
  exportApplications,
  exportRenewals,
  findLinkCode,
  listTerms,
  readReferralBoard,
} from '#domain/customers/programs/programs.server.ts'
import { listGrants } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { exportReturns } from '#domain/ordering/returns/returns.server.ts'
import { exportRegistrations, exportSignatures } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { exportReviews } from '#domain/aftercare/reviews/reviews.server.ts'
import { exportCards, forgetCustomerSoon } from '#domain/payments/saved-cards/saved-cards.server.ts'
import { exportStaffGrants } from '#domain/kernel/staff/staff.server.ts'
import { exportClaims } from '#domain/aftercare/coverage-claims/coverage-claims.server.ts'
import { exportGuaranteeRequests } from '#domain/aftercare/price-guarantee/price-guarantee.server.ts'
import { exportQuotes, exportSentQuotes, forgetAuthor } from '#domain/ordering/quotes/quotes.server.ts'
import { exportShopApplications } from '#domain/installer-portal/shop-applications/shop-applications.server.ts'
import { exportShopMemberships } from '#domain/scheduling/installers/installers.server.ts'
import { exportQuestions } from '#domain/messaging/support/support.server.ts'
import { exportCreditGrants } from '#domain/payments/store-credit/store-credit.server.ts'
import { exportTexts } from '#domain/messaging/texts/texts.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'

type Deps = { db: Database }

/** More orders than any person placed in another store. */
const maxPastOrders = 5_000

/** Data that other modules store about an account's owner, in their own format. */
type KeptElsewhere = Record<
  | 'carts'
  | 'agentCheckouts'
  | 'ordersInFull'
  | 'pastOrders'
  | 'credit'
  | 'invitations'
  | 'mails'
  | 'questions'
  | 'priceGuarantees'
  | 'coverageClaims'
  | 'quotes'
  | 'sentQuotes'
  | 'returns'
  | 'tireRegistrations'
  | 'tireRotations'
  | 'signatures'
  | 'shopRatings'
  | 'reviews'
  | 'helpfulVotes'
  | 'militaryVerification'
  | 'partnerApplications'
  | 'shopApplications'
  | 'shops'
  | 'staffRoles'
  | 'savedCards'
  | 'membershipRenewals'
  | 'orderApprovals',
  object[]
> & { brands: string[] | null; referralLink: string | null }

/** The parts of the export; each is plain data for JSON. */
export type AccountData = KeptElsewhere &
  Record<
    | 'signInServices'
    | 'sessions'
    | 'apps'
    | 'accountTypes'
    | 'searches'
    | 'vehicles'
    | 'addresses'
    | 'orders'
    | 'texts'
    | 'memberships',
    object[]
  > & {
    account: Record<string, string | null>
    company: Record<string, string> | null
    zip: string | null
    analyticsId: string | null
    comparedTires: string[]
    referrals: { friends: object[]; creditCents: number }
  }

/**
 * Returns all stored data about an account and its owner, as plain data for JSON. Sessions are identified by their last
 * use; keys for sessions, carts or orders are excluded. Data recorded under an email is included if the account has
 * verified it.
 */
export async function readAccountData({ db }: Deps, accountId: string): Promise<AccountData> {
  const account = await selectAccount(db, accountId)
  const identities = await selectIdentities(db, accountId)
  const sessions = await selectEverySession(db, accountId)
  const orders = await allOrders({ db }, accountId)
  const { zip, compared, gaClientId } = await selectPersonalization(db, accountId)
  return {
    account: {
      name: account.name,
      email: account.email,
      emailVerifiedAt: account.emailVerifiedAt?.toString() ?? null,
      createdAt: account.createdAt.toString(),
    },
    signInServices: identities.map((identity) => ({
      issuer: identity.issuer,
      subject: identity.subject,
      since: identity.createdAt.toString(),
    })),
    sessions: sessions.map((session) => ({
      browser: session.browser,
      since: session.createdAt.toString(),
      lastSeen: session.lastSeenAt.toString(),
      ended: session.revokedAt?.toString() ?? null,
    })),
    apps: (await listApps({ db }, accountId)).map(({ name, scopes, firstUsedAt, lastUsedAt, revokedAt }) => ({
      name,
      scopes,
      since: firstUsedAt.toString(),
      lastUsed: lastUsedAt.toString(),
      revoked: revokedAt?.toString() ?? null,
    })),
    accountTypes: (await listGrants(db, accountId)).map(({ since, until, ...grant }) => ({
      ...grant,
      since: since.toString(),
      until: until?.toString() ?? null,
    })),
    company: await companyOf({ db }, accountId),
    zip,
    analyticsId: gaClientId,
    comparedTires: compared,
    searches: (await selectSearches(db, accountId)).map((search) => ({
      ...search,
      searchedAt: search.searchedAt.toString(),
    })),
    vehicles: (await listGarage({ db }, accountId)).map(({ next, ...vehicle }) => ({
      ...vehicle,
      nextRotation: next?.on.toString() ?? null,
    })),
    addresses: await listAddresses({ db }, accountId),
    orders,
    texts: await exportTexts(db, { accountId, orderIds: orders.map(({ id }) => id) }),
    memberships: (await listTerms({ db }, accountId)).map(({ boughtAt, endsAt, ...term }) => ({
      ...term,
      boughtAt: boughtAt?.toString() ?? null,
      endsAt: endsAt?.toString() ?? null,
    })),
    referrals: await referralsOf({ db }, accountId),
    ...(await readKeptElsewhere(
      db,
      { accountId, orderIds: orders.map(({ id }) => id) },
      account.emailVerifiedAt === null ? null : account.email,
    )),
  }
}

/** By account, or by its email if verified. Excludes keys that open something. */
async function readKeptElsewhere(
  db: Database,
  { accountId, orderIds }: { accountId: string; orderIds: readonly number[] },
  email: string | null,
): Promise<KeptElsewhere> {
  return {
    brands: await listAccountBrands({ db }, accountId),
    carts: await exportCarts(db, accountId),
    agentCheckouts: await exportAgentSessions(db, accountId),
    ordersInFull: await exportOrders(db, accountId),
    pastOrders: email === null ? [] : await selectPastOrders(db, [email], maxPastOrders),
    credit: [...(await exportCredit(db, accountId)), ...(await exportCreditGrants(db, accountId))],
    referralLink: (await findLinkCode(db, accountId)) ?? null,
    invitations: await exportInvitations(db, email),
    mails: await exportMails(db, email),
    questions: await exportQuestions(db, email),
    priceGuarantees: await exportGuaranteeRequests(db, email),
    coverageClaims: await exportClaims(db, email),
    quotes: await exportQuotes(db, { accountId, email }),
    sentQuotes: await exportSentQuotes(db, accountId),
    returns: await exportReturns(db, { accountId, email }),
    tireRegistrations: await exportRegistrations(db, orderIds),
    signatures: await exportSignatures(db, orderIds),
    tireRotations: await exportRotations(db, accountId),
    shopRatings: await exportRatings(db, orderIds),
    ...(await exportReviews(db, { accountId, email })),
    militaryVerification: await exportVerification(db, accountId),
    partnerApplications: await exportApplications(db, email),
    shopApplications: await exportShopApplications(db, email),
    shops: await exportShopMemberships(db, email),
    staffRoles: await exportStaffGrants(db, email),
    savedCards: await exportCards(db, accountId),
    membershipRenewals: await exportRenewals(db, accountId),
    orderApprovals: await exportApprovals(db, accountId),
  }
}

/**
 * Deletes an account with everything that belongs only to it. Orders and payments stay, as sales records must, without
 * an account; so do quotes it sent, support requests and published reviews, which do not depend on an account. An open
 * cart retains its tires without personal data.
 */
export async function deleteAccount({ db, clock }: Deps & { clock: Clock }, accountId: string): Promise<void> {
  await db.transaction().execute((tx) => deleteAccountWithin(tx, accountId, clock.now()))
}

/** The same in the caller's transaction. */
export async function deleteAccountWithin(tx: Tx, accountId: string, at: Temporal.Instant): Promise<void> {
  // A cart being ordered is waited for, and is an order by then.
  await withdrawRequestsOf(tx, accountId, at)
  await lockOpenCarts(tx, accountId)
  await forgetDetailsOf(tx, accountId)
  await forgetInvitationsTo(tx, accountId)
  await forgetMailsTo(tx, accountId)
  await forgetCustomerSoon(tx, accountId)
  await forgetAuthor(tx, accountId)
  const email = await deleteAccountRow(tx, accountId)
  if (email === null) return
  await deletePastOrders(tx, { emails: [email], phones: [] })
  await forgetUnusedCustomer(tx, email)
}

async function referralsOf({ db }: Deps, accountId: string): Promise<AccountData['referrals']> {
  const { referrals, creditCents } = await readReferralBoard({ db }, accountId)
  const friends = referrals.map(({ who, invitedAt, state, dueAt }) => ({
    who,
    invitedAt: invitedAt?.toString() ?? null,
    state,
    dueAt: dueAt?.toString() ?? null,
  }))
  return { friends, creditCents }
}

async function companyOf({ db }: Deps, accountId: string): Promise<AccountData['company']> {
  const membership = await findMembership({ db }, accountId)
  return membership ? { name: membership.company.name, state: membership.company.state, role: membership.role } : null
}

async function allOrders({ db }: Deps, accountId: string): Promise<(object & { id: number })[]> {
  const all: (object & { id: number })[] = []
  for (let before: number | undefined; ;) {
    const { orders, hasMore } = await listAccountOrders({ db }, accountId, before)
    all.push(...orders.map((order) => ({ ...order, placedAt: order.placedAt.toString() })))
    before = orders.at(-1)?.id
    if (!hasMore) return all
  }
}
