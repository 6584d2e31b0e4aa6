/** The statements behind the terms of accounts. */
import type { AccountType } from '#domain/pricing/pricing.ts'
import type { Database } from '#platform/db.ts'
import { newTimedId } from '#platform/ids.ts'
import type { Grant, GrantWay, Terms } from './terms.ts'

/** The type of the grant that is live, with the price list of the type. The schema's checks stand behind the narrower types given to its texts here. */
export async function selectTerms(db: Database, accountId: string, now: Temporal.Instant): Promise<Terms | undefined> {
  const row = await liveGrant(db, accountId, now)
    .leftJoin('price_list', 'price_list.account_type', 'account_grant.type')
    .select(['account_grant.type', 'price_list.id as price_list_id', 'price_list.version'])
    .executeTakeFirst()
  return (
    row && {
      accountType: row.type as AccountType,
      priceListId: row.price_list_id,
      priceListVersion: row.version,
      companyId: null,
      brandIds: null,
    }
  )
}

export async function selectGrant(db: Database, accountId: string, now: Temporal.Instant): Promise<Grant | undefined> {
  const row = await liveGrant(db, accountId, now).select(grantColumns).executeTakeFirst()
  return row && toGrant(row)
}

/** Every type the account had or has, the first first. */
export async function selectGrants(db: Database, accountId: string): Promise<Grant[]> {
  const rows = await db.selectFrom('account_grant').select(grantColumns).where('account_id', '=', accountId).orderBy('starts_at').execute()
  return rows.map(toGrant)
}

const grantColumns = ['type', 'how', 'granted_by', 'starts_at', 'ends_at'] as const

type GrantRow = { type: string; how: string; granted_by: string; starts_at: Temporal.Instant; ends_at: Temporal.Instant | null }

function toGrant(row: GrantRow): Grant {
  return { type: row.type as AccountType, how: row.how as GrantWay, by: row.granted_by, since: row.starts_at, until: row.ends_at }
}

/** Two who give an account a type come one after the other. */
export async function lockAccount(db: Database, accountId: string): Promise<void> {
  await db.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().executeTakeFirstOrThrow()
}

/** Grants of this very moment, which would otherwise have no time at all. */
export async function deleteGrantsFrom(db: Database, accountId: string, now: Temporal.Instant): Promise<void> {
  await db.deleteFrom('account_grant').where('account_id', '=', accountId).where('starts_at', '>=', now).execute()
}

export async function endGrants(db: Database, accountId: string, now: Temporal.Instant): Promise<void> {
  await db
    .updateTable('account_grant')
    .set({ ends_at: now })
    .where('account_id', '=', accountId)
    .where(({ or, eb }) => or([eb('ends_at', 'is', null), eb('ends_at', '>', now)]))
    .execute()
}

export async function insertGrant(db: Database, { accountId, type, how, by, since, until }: Grant & { accountId: string }): Promise<void> {
  await db
    .insertInto('account_grant')
    .values({ id: newTimedId(), account_id: accountId, type, how, granted_by: by, starts_at: since, ends_at: until })
    .execute()
}

function liveGrant(db: Database, accountId: string, now: Temporal.Instant) {
  return db
    .selectFrom('account_grant')
    .where('account_id', '=', accountId)
    .where('starts_at', '<=', now)
    .where(({ or, eb }) => or([eb('ends_at', 'is', null), eb('ends_at', '>', now)]))
}
