/** The statements for price tiers. */
import { sql } from 'kysely'
import type { AccountType } from '#domain/pricing/pricing/pricing.ts'
import type { Database, Tx } from '#platform/db.ts'
import { newTimedId } from '#platform/ids.ts'
import type { Grant, GrantWay, PriceTier } from './price-tiers.ts'

/**
 * Returns the type of the current grant with its price list, or the company's own in its place, the approved company the account buys for, and the brands
 * either is restricted to. Undefined for a deleted account. The schema's checks justify the narrower string types used
 * here.
 */
export async function selectPriceTier(
  db: Database,
  accountId: string,
  now: Temporal.Instant,
): Promise<PriceTier | undefined> {
  const { rows } = await sql<PriceTier>`
    select coalesce(account_grant.type, 'Retail') as "accountType", price_list.id as "priceListId", price_list.version as "priceListVersion", company.id as "companyId",
      case when company.id is not null then company_member.role end as "companyRole",
      case when company.id is null or company_member.order_limit = 'none' then null
        when company_member.order_limit = 'own' then company_member.order_limit_cents
        when company_member.role = 'owner' then company.owner_order_limit_cents
        when company_member.role = 'buyer' then company.buyer_order_limit_cents end as "orderLimitCents",
      case when account.brands_restricted or coalesce(company.brands_restricted, false) then array(
        select brand.id from brand
        where (not account.brands_restricted or exists (select from account_brand where account_id = account.id and brand_id = brand.id))
          and (not coalesce(company.brands_restricted, false) or exists (select from company_brand where company_id = company.id and brand_id = brand.id))
        order by brand.id) end as "brandIds"
    from account
    left join account_grant on account_grant.account_id = account.id and starts_at <= ${now}::timestamptz and (ends_at is null or ends_at > ${now}::timestamptz)
    left join company_member on company_member.account_id = account.id
    left join company on company.id = company_member.company_id and company.state = 'approved'
    left join price_list typed on typed.account_type = account_grant.type
    left join price_list on price_list.id = coalesce(company.price_list_id, typed.id)
    where account.id = ${accountId}::uuid`.execute(db)
  return rows[0]
}

/** Returns an approved company's prices and brands, using an account type's list if it has no custom price list. */
export async function selectCompanyTier(
  db: Database,
  companyId: string,
  accountType: PriceTier['accountType'],
): Promise<PriceTier | undefined> {
  const { rows } = await sql<PriceTier>`
    select ${accountType} as "accountType", price_list.id as "priceListId", price_list.version as "priceListVersion", company.id as "companyId", 'buyer' as "companyRole", null::int as "orderLimitCents",
      case when company.brands_restricted then array(select brand_id from company_brand where company_id = company.id order by brand_id) end as "brandIds"
    from company
    left join price_list typed on typed.account_type = ${accountType}
    left join price_list on price_list.id = coalesce(company.price_list_id, typed.id)
    where company.id = ${companyId}::uuid and company.state = 'approved'`.execute(db)
  return rows[0]
}

export async function selectGrant(db: Database, accountId: string, now: Temporal.Instant): Promise<Grant | undefined> {
  const row = await liveGrant(db, accountId, now).select(grantColumns).executeTakeFirst()
  return row && toGrant(row)
}

/** Every type the account had or has, oldest first. */
export async function selectGrants(db: Database, accountId: string): Promise<Grant[]> {
  const rows = await db
    .selectFrom('account_grant')
    .select(grantColumns)
    .where('account_id', '=', accountId)
    .orderBy('starts_at')
    .execute()
  return rows.map(toGrant)
}

const grantColumns = ['type', 'how', 'granted_by', 'starts_at', 'ends_at', 'reason'] as const

type GrantRow = {
  type: string
  how: string
  granted_by: string
  starts_at: Temporal.Instant
  ends_at: Temporal.Instant | null
  reason: string | null
}

function toGrant(row: GrantRow): Grant {
  return {
    type: row.type as AccountType,
    how: row.how as GrantWay,
    by: row.granted_by,
    since: row.starts_at,
    until: row.ends_at,
    reason: row.reason,
  }
}

/** Serializes grants to an account. */
export async function lockAccount(db: Database, accountId: string): Promise<void> {
  await db.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().executeTakeFirstOrThrow()
}

/** Locks an account against grants; false for a deleted one. */
export async function lockAccountIfAny(tx: Tx, accountId: string): Promise<boolean> {
  const account = await tx
    .selectFrom('account')
    .select('id')
    .where('id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return account !== undefined
}

/** Deletes grants from this very moment, which would otherwise have no duration. */
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

export async function insertGrant(
  db: Database,
  { accountId, type, how, by, since, until, reason = null }: Grant & { accountId: string },
): Promise<void> {
  await db
    .insertInto('account_grant')
    .values({
      id: newTimedId(),
      account_id: accountId,
      type,
      how,
      granted_by: by,
      starts_at: since,
      ends_at: until,
      promised_until: how === 'purchase' ? until : null,
      reason,
    })
    .execute()
}

/** The paid grant that ends last and has not ended; another may have replaced it. */
export async function selectPromised(
  db: Database,
  accountId: string,
  now: Temporal.Instant,
): Promise<Grant | undefined> {
  const row = await db
    .selectFrom('account_grant')
    .select([...grantColumns, 'promised_until'])
    .where('account_id', '=', accountId)
    .where('promised_until', '>', now)
    .orderBy('promised_until', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && toGrant({ ...row, starts_at: now, ends_at: row.promised_until })
}

/** Settles the paid grants of a type: renewed, or refunded. */
export async function forgetPromised(db: Database, accountId: string, type: AccountType): Promise<void> {
  await db
    .updateTable('account_grant')
    .set({ promised_until: null })
    .where('account_id', '=', accountId)
    .where('type', '=', type)
    .execute()
}

function liveGrant(db: Database, accountId: string, now: Temporal.Instant) {
  return db
    .selectFrom('account_grant')
    .where('account_id', '=', accountId)
    .where('starts_at', '<=', now)
    .where(({ or, eb }) => or([eb('ends_at', 'is', null), eb('ends_at', '>', now)]))
}
