/** Account price tiers, with reading them and granting types. */
import { findVerification } from '#domain/pricing/military/military.server.ts'
import type { AccountType, SalesChannel } from '#domain/pricing/pricing/pricing.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import {
  deleteGrantsFrom,
  endGrants,
  forgetPromised,
  insertGrant,
  lockAccount,
  lockAccountIfAny,
  selectGrant,
  selectCompanyTier,
  selectGrants,
  selectPromised,
  selectPriceTier,
} from './price-tiers.sql.server.ts'
import type { PriceLists } from './price-lists.server.ts'
import {
  retailPriceTier,
  type AccountPricing,
  type Buyer,
  type Grant,
  type GrantWay,
  type PriceTier,
} from './price-tiers.ts'

export { importPriceList } from './import-price-list.server.ts'
export {
  assignPriceList,
  discardPriceList,
  findPriceListId,
  findPriceListSlug,
  listCompaniesOfList,
  endPriceList,
  findPriceList,
  findPriceListVersion,
  findPriceListRequest,
  listPriceListEntries,
  listPriceLists,
  makePriceList,
  previewPriceList,
  pricingsOf,
  schedulePriceList,
  uploadPriceList,
  type OfficePriceList,
  type PriceListEntry,
  type Preview,
  type StatedVersion,
} from './office-price-lists.server.ts'
export { createPriceLists, type PriceLists } from './price-lists.server.ts'

/** Returns an account's price tier at `now`, in one statement. A deleted account buys at retail. */
export async function readPriceTier(db: Database, accountId: string, now: Temporal.Instant): Promise<PriceTier> {
  return (await selectPriceTier(db, accountId, now)) ?? retailPriceTier
}

/** Creates the buyer for the account `findAccount` reports as signed in. */
export function createBuyer(
  { db, clock, priceLists }: { db: Database; clock: Clock; priceLists: PriceLists },
  findAccount: () => Promise<string | undefined>,
): Buyer {
  let reading: Promise<PriceTier> | undefined
  let verifying: Promise<boolean> | undefined
  const priceTier = () =>
    (reading ??= findAccount().then((accountId) =>
      accountId === undefined ? retailPriceTier : readPriceTier(db, accountId, clock.now()),
    ))
  return {
    accountId: async () => (await findAccount()) ?? null,
    priceTier,
    afresh: () => createBuyer({ db, clock, priceLists }, findAccount),
    isMilitary: () =>
      (verifying ??= findAccount().then(
        async (accountId) =>
          accountId !== undefined && (await findVerification({ db, clock }, accountId)) !== undefined,
      )),
    pricing: async () => pricingOf(await priceTier(), { priceLists, clock }),
  }
}

async function pricingOf(
  { accountType: type, priceListId: id, priceListVersion: version }: PriceTier,
  { priceLists, clock }: { priceLists: PriceLists; clock: Clock },
): Promise<AccountPricing | null> {
  if (type === 'Retail' || type === 'none') return null
  return {
    type,
    list: id === null || version === null ? null : await priceLists.read({ id, version }, clock.now()),
  }
}

/**
 * Creates the buyer for a company's purchasing system, with the company's prices and brands and without an account. A
 * company that is no longer approved has no brands, so it can't buy.
 */
export function createCompanyBuyer(
  deps: { db: Database; clock: Clock; priceLists: PriceLists },
  company: { id: string; accountType: AccountType; channel: SalesChannel | null },
): Buyer {
  let reading: Promise<PriceTier> | undefined
  const priceTier = () => (reading ??= readCompanyTier(deps.db, company))
  return {
    companyId: company.id,
    accountId: async () => null,
    priceTier,
    isMilitary: async () => false,
    afresh: () => createCompanyBuyer(deps, company),
    pricing: async () => pricingOf(await priceTier(), deps),
  }
}

async function readCompanyTier(
  db: Database,
  { id, accountType, channel }: { id: string; accountType: AccountType; channel: SalesChannel | null },
): Promise<PriceTier> {
  const type = channel === 'military-exchange' ? 'Retail' : accountType
  const tier = await selectCompanyTier(db, id, type)
  return { ...(tier ?? { ...retailPriceTier, brandIds: [] }), ...(channel && { channel }) }
}

/** Finds how the account got its type, and until when; undefined at retail. */
export function findGrant(db: Database, accountId: string, now: Temporal.Instant): Promise<Grant | undefined> {
  return selectGrant(db, accountId, now)
}

/**
 * Returns an account's type and locks it until the transaction ends, which blocks grants. A deleted account counts as
 * retail.
 */
export async function lockAccountType(tx: Tx, accountId: string, now: Temporal.Instant): Promise<AccountType> {
  const isThere = await lockAccountIfAny(tx, accountId)
  return (isThere ? await selectGrant(tx, accountId, now) : undefined)?.type ?? 'Retail'
}

/** Lists every type an account had or has, oldest first. */
export function listGrants(db: Database, accountId: string): Promise<Grant[]> {
  return selectGrants(db, accountId)
}

export type NewGrant = {
  readonly accountId: string
  readonly type: AccountType
  readonly how: GrantWay
  /** When it ends; null if unlimited. */
  readonly until: Temporal.Instant | null
  /** The grantor's display name. It names a staff member, a company, or an order. */
  readonly by: string
  /** Why staff set it. */
  readonly reason?: string
}

/**
 * Grants an account a type from now on, replacing its current one. A paid type that has not ended returns when that
 * ends. Pass a transaction, so that it commits with its cause.
 */
export async function grantType(
  { db, clock }: { db: Database; clock: Clock },
  { accountId, type, how, until, by, reason }: NewGrant,
): Promise<void> {
  await lockAccount(db, accountId)
  const now = clock.now()
  await forgetPromised(db, accountId, type)
  await endLiveGrants(db, accountId, now)
  await insertGrant(db, { accountId, type, how, by, since: now, until, ...(reason !== undefined && { reason }) })
}

/**
 * Ends an account's type. It falls back to a type it has paid for, or to retail. No effect if the account has a
 * different type now.
 */
export async function endGrant(
  { db, clock }: { db: Database; clock: Clock },
  { accountId, type }: Pick<NewGrant, 'accountId' | 'type'>,
): Promise<void> {
  await lockAccount(db, accountId)
  const now = clock.now()
  await forgetPromised(db, accountId, type)
  if ((await selectGrant(db, accountId, now))?.type !== type) return
  await endLiveGrants(db, accountId, now)
  const paidFor = await selectPromised(db, accountId, now)
  if (paidFor) await insertGrant(db, { accountId, ...paidFor })
}

async function endLiveGrants(db: Database, accountId: string, now: Temporal.Instant): Promise<void> {
  await deleteGrantsFrom(db, accountId, now)
  await endGrants(db, accountId, now)
}
