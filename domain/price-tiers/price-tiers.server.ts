/** The terms of an account: reading them, and giving it another type. */
import type { AccountType } from '#domain/pricing/pricing.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import {
  deleteGrantsFrom,
  endGrants,
  forgetPromised,
  insertGrant,
  lockAccount,
  selectGrant,
  selectGrants,
  selectPromised,
  selectPriceTier,
} from './price-tiers.sql.server.ts'
import type { PriceLists } from './price-lists.server.ts'
import { retailPriceTier, type Buyer, type Grant, type GrantWay, type PriceTier } from './price-tiers.ts'

export { importPriceList } from './import-price-list.server.ts'
export { createPriceLists, type PriceLists } from './price-lists.server.ts'

/** The terms an account buys on at `now`, in one statement. An account that is gone buys at retail. */
export async function readPriceTier(db: Database, accountId: string, now: Temporal.Instant): Promise<PriceTier> {
  return (await selectPriceTier(db, accountId, now)) ?? retailPriceTier
}

/** Whoever `findAccount` says is signed in, as a buyer. */
export function createBuyer(
  { db, clock, priceLists }: { db: Database; clock: Clock; priceLists: PriceLists },
  findAccount: () => Promise<string | undefined>,
): Buyer {
  let reading: Promise<PriceTier> | undefined
  const priceTier = () =>
    (reading ??= findAccount().then((accountId) =>
      accountId === undefined ? retailPriceTier : readPriceTier(db, accountId, clock.now()),
    ))
  return {
    accountId: async () => (await findAccount()) ?? null,
    priceTier,
    afresh: () => createBuyer({ db, clock, priceLists }, findAccount),
    async pricing() {
      const { accountType: type, priceListId: id, priceListVersion: version } = await priceTier()
      if (type === 'Retail' || type === 'none') return null
      return {
        type,
        list: id === null || version === null ? null : await priceLists.read({ id, version }, clock.now()),
      }
    },
  }
}

/** How the account came by its type, and until when it has it; undefined for who buys at retail. */
export function findGrant(db: Database, accountId: string, now: Temporal.Instant): Promise<Grant | undefined> {
  return selectGrant(db, accountId, now)
}

/** Every type an account had or has, the first first. */
export function listGrants(db: Database, accountId: string): Promise<Grant[]> {
  return selectGrants(db, accountId)
}

export type NewGrant = {
  readonly accountId: string
  readonly type: AccountType
  readonly how: GrantWay
  /** When it is over; null where it has no end. */
  readonly until: Temporal.Instant | null
  /** From whom, in words: a member of staff, a company, an order. */
  readonly by: string
}

/**
 * Gives an account a type from now on, in place of the one it has. A type that was paid for and is not over comes back
 * when that ends. Hand in a transaction, so that what it follows from commits with it.
 */
export async function grantType(
  { db, clock }: { db: Database; clock: Clock },
  { accountId, type, how, until, by }: NewGrant,
): Promise<void> {
  await lockAccount(db, accountId)
  const now = clock.now()
  await forgetPromised(db, accountId, type)
  await endLiveGrants(db, accountId, now)
  await insertGrant(db, { accountId, type, how, by, since: now, until })
}

/**
 * Takes a type from an account, which then buys by what it has paid for, or at retail. One that has another type by now
 * keeps that.
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
