/** The statements for companies and their members. */
import { sql, type RawBuilder } from 'kysely'
import type {
  Application,
  CompanyKind,
  CompanyRole,
  CompanyState,
  LimitRule,
  PaymentTerms,
  PoRule,
  RoleLimits,
  Spender,
} from './companies.ts'
import { hasPart, hasWords, phoneEnds, readTypos, type SearchText } from '#platform/search-text.ts'
import { startPattern } from '#platform/start-pattern.ts'
import type { Database } from '#platform/db.ts'
import { newTimedId } from '#platform/ids.ts'

export type Company = {
  id: string
  kind: CompanyKind
  name: string
  state: CompanyState
  phone: string
  vehicles: number
  about: string
  appliedAt: Temporal.Instant
  /** The PO number rule for its orders; with fleet work orders, a number is always required. */
  po: PoRule
  /** Whether its orders need a fleet packet. */
  hasFleetPackets: boolean
  terms: PaymentTerms
  /** Its customer ID at Resolve; null if it does not buy on net terms there. */
  resolveCustomerId: string | null
  /** Spending limits by role. */
  limits: RoleLimits
}

/** A company with one account's role in it. */
export type Membership = { company: Company } & Spender

const columns = [
  'company.id',
  'company.kind',
  'company.name',
  'company.state',
  'company.phone',
  'company.vehicles',
  'company.about',
  'company.applied_at',
  'company.po_rule',
  'company.po_mask',
  'company.fleet_packet',
  'company.net_days',
  'company.credit_limit_cents',
  'company.resolve_customer_id',
  'company.owner_order_limit_cents',
  'company.buyer_order_limit_cents',
] as const

function companies(db: Database) {
  return db.selectFrom('company').select(columns)
}
type Row = Awaited<ReturnType<ReturnType<typeof companies>['executeTakeFirstOrThrow']>>

/** The schema's checks justify the narrower string types used here. */
function toCompany(row: Row): Company {
  return {
    id: row.id,
    kind: row.kind as CompanyKind,
    name: row.name,
    state: row.state as CompanyState,
    phone: row.phone,
    vehicles: row.vehicles,
    about: row.about,
    appliedAt: row.applied_at,
    po: { rule: row.fleet_packet ? 'required' : (row.po_rule as PoRule['rule']), mask: row.po_mask },
    hasFleetPackets: row.fleet_packet,
    terms:
      row.net_days === null || row.credit_limit_cents === null
        ? null
        : { netDays: row.net_days, creditLimitCents: row.credit_limit_cents },
    resolveCustomerId: row.resolve_customer_id,
    limits: { owner: row.owner_order_limit_cents, buyer: row.buyer_order_limit_cents },
  }
}

/** The columns of a member that say what they order and approve. */
export const spenderColumns = [
  'company_member.role',
  'company_member.order_limit',
  'company_member.order_limit_cents',
  'company_member.approves',
] as const

/** The schema's checks justify the narrower string types used here. */
export function toSpender(row: {
  role: string
  order_limit: string
  order_limit_cents: number | null
  approves: boolean
}): Spender {
  const limit: LimitRule =
    row.order_limit_cents === null
      ? { by: row.order_limit === 'none' ? 'none' : 'role' }
      : { by: 'own', cents: row.order_limit_cents }
  return { role: row.role as CompanyRole, limit, approves: row.approves }
}

export async function selectMembership(db: Database, accountId: string): Promise<Membership | undefined> {
  const row = await companies(db)
    .innerJoin('company_member', 'company_member.company_id', 'company.id')
    .select(spenderColumns)
    .where('company_member.account_id', '=', accountId)
    .executeTakeFirst()
  return row && { company: toCompany(row), ...toSpender(row) }
}

/** Selects these accounts' companies and roles. */
export async function selectMemberships(
  db: Database,
  accountIds: readonly string[],
): Promise<(Membership & { accountId: string })[]> {
  if (accountIds.length === 0) return []
  const rows = await companies(db)
    .innerJoin('company_member', 'company_member.company_id', 'company.id')
    .select(spenderColumns)
    .select('company_member.account_id as accountId')
    .where('company_member.account_id', 'in', accountIds)
    .execute()
  return rows.map((row) => ({ company: toCompany(row), ...toSpender(row), accountId: row.accountId }))
}

export async function selectCompany(db: Database, id: string): Promise<Company | undefined> {
  const row = await companies(db).where('id', '=', id).executeTakeFirst()
  return row && toCompany(row)
}

/** Companies with this name, in any case. */
export async function selectCompaniesCalled(db: Database, name: string): Promise<Company[]> {
  return (
    await companies(db)
      .where(sql`lower(name)`, '=', name.toLowerCase())
      .execute()
  ).map(toCompany)
}

/** Up to `limit` companies by a part of the name or the last digits of the phone; names that begin with the text first. */
export async function selectCompaniesMatching(
  db: Database,
  { text, phone }: SearchText,
  limit: number,
): Promise<Company[]> {
  const found = await selectCompaniesWhere(
    db,
    sql<boolean>`(${hasPart(sql`lower(name)`, text)} ${phone === undefined ? sql`` : sql`or ${phoneEnds(sql`phone`, phone)}`})`,
    { text, limit },
  )
  const spellings = found.length === 0 ? readTypos(text) : null
  return spellings
    ? selectCompaniesWhere(db, hasWords(sql`string_to_array(lower(name), ' ')`, spellings), { text, limit })
    : found
}

async function selectCompaniesWhere(
  db: Database,
  condition: RawBuilder<boolean>,
  { text, limit }: { text: string; limit: number },
): Promise<Company[]> {
  const rows = await companies(db)
    .where(condition)
    .orderBy(sql`lower(name) like ${startPattern(text)}`, 'desc')
    .orderBy(sql`lower(name)`)
    .limit(limit)
    .execute()
  return rows.map(toCompany)
}

/** The start of a page, after this company. */
export type CompanyPlace = { appliedAt: Temporal.Instant; id: string }

/** Up to `count` companies in a state, newest application first, after `after`. */
export async function selectCompaniesPage(
  db: Database,
  { state, after, count }: { state: CompanyState; after: CompanyPlace | null; count: number },
): Promise<Company[]> {
  const rows = await companies(db)
    .where('state', '=', state)
    .$if(after !== null, (select) =>
      select.where(sql<boolean>`(applied_at, id) < (${after?.appliedAt.toString()}::timestamptz, ${after?.id}::uuid)`),
    )
    .orderBy('applied_at', 'desc')
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
  return rows.map(toCompany)
}

export async function selectCompanies(
  db: Database,
  state: CompanyState,
): Promise<(Company & { applicant: string | null })[]> {
  const rows = await companies(db)
    .select(
      sql<string | null>`(
        select account.email from company_member member join account on account.id = member.account_id
        where member.company_id = company.id and member.role = 'owner' order by member.joined_at limit 1)`.as(
        'applicant',
      ),
    )
    .where('state', '=', state)
    .orderBy('applied_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...toCompany(row), applicant: row.applicant }))
}

export async function insertCompany(
  db: Database,
  { kind, name, phone, vehicles, about }: Application,
  at: Temporal.Instant,
): Promise<string> {
  const id = newTimedId()
  await db.insertInto('company').values({ id, kind, name, phone, vehicles, about, applied_at: at }).execute()
  return id
}

/** Deletes a refused company, so that the same account can apply again. */
export async function deleteRefused(db: Database, accountId: string): Promise<void> {
  await db
    .deleteFrom('company')
    .where('state', '=', 'refused')
    .where('id', 'in', (eb) => eb.selectFrom('company_member').select('company_id').where('account_id', '=', accountId))
    .execute()
}

/** Deletes an application without remaining members, who would otherwise be notified. */
export async function deleteAbandoned(db: Database, id: string): Promise<void> {
  await db
    .deleteFrom('company')
    .where('id', '=', id)
    .where('state', 'in', ['applied', 'refused'])
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('company_member').select('account_id').where('company_id', '=', id))),
    )
    .execute()
}

/** The price list of a company's own, if it has one. */
export async function selectListOf(db: Database, id: string): Promise<number | null> {
  const row = await db.selectFrom('company').select('price_list_id').where('id', '=', id).executeTakeFirst()
  return row?.price_list_id ?? null
}

export async function updateList(db: Database, id: string, listId: number | null): Promise<void> {
  await db.updateTable('company').set({ price_list_id: listId }).where('id', '=', id).execute()
}

/** Changes the state of a company in one of `from`; false if it is in another state. */
export async function updateState(
  db: Database,
  id: string,
  { from, to, by, at }: { from: readonly CompanyState[]; to: CompanyState; by: string; at: Temporal.Instant },
): Promise<boolean> {
  const result = await db
    .updateTable('company')
    .set({ state: to, decided_at: at, decided_by: by })
    .where('id', '=', id)
    .where('state', 'in', from)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function updatePoRule(db: Database, id: string, { rule, mask }: PoRule): Promise<void> {
  await db.updateTable('company').set({ po_rule: rule, po_mask: mask }).where('id', '=', id).execute()
}

export async function updateRoleLimits(db: Database, id: string, { owner, buyer }: RoleLimits): Promise<void> {
  await db
    .updateTable('company')
    .set({ owner_order_limit_cents: owner, buyer_order_limit_cents: buyer })
    .where('id', '=', id)
    .execute()
}

export async function updateFleetPackets(db: Database, id: string, hasFleetPackets: boolean): Promise<void> {
  await db.updateTable('company').set({ fleet_packet: hasFleetPackets }).where('id', '=', id).execute()
}

/** Throws on `company_credit_is_approved` for a company that is not approved. */
export async function updateResolveCustomer(db: Database, id: string, customerId: string | null): Promise<void> {
  await db.updateTable('company').set({ resolve_customer_id: customerId }).where('id', '=', id).execute()
}

export async function updateTerms(db: Database, id: string, terms: PaymentTerms): Promise<boolean> {
  const result = await db
    .updateTable('company')
    .set({ net_days: terms?.netDays ?? null, credit_limit_cents: terms?.creditLimitCents ?? null })
    .where('id', '=', id)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** The brand list's owner. It is a company (for all members) or an account. */
type BrandOwner = { of: 'company' | 'account'; id: string }

const brandTables = { company: 'company_brand', account: 'account_brand' } as const

/** Null allows all brands. */
export async function replaceBrands(
  db: Database,
  { of, id }: BrandOwner,
  brandIds: readonly number[] | null,
): Promise<void> {
  const owner = sql.ref(`${of}_id`)
  const table = sql.table(brandTables[of])
  await sql`update ${sql.table(of)} set brands_restricted = ${brandIds !== null} where id = ${id}::uuid`.execute(db)
  await sql`delete from ${table} where ${owner} = ${id}::uuid`.execute(db)
  await sql`insert into ${table} (${owner}, brand_id) select ${id}::uuid, id from brand where id = any (${[...(brandIds ?? [])]}::int[])`.execute(
    db,
  )
}

export async function selectBrandIds(db: Database, slugs: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('brand')
    .select(['slug', 'id'])
    .where('slug', '=', sql<string>`any (${[...slugs]}::text[])`)
    .execute()
  return new Map(rows.map(({ slug, id }) => [slug, id]))
}

/** The brands a company or account may buy, by name; null for all. */
export async function selectBrandNames(db: Database, { of, id }: BrandOwner): Promise<string[] | null> {
  const [owner, tied] = [sql.table(of), sql.table(brandTables[of])]
  const { rows } = await sql<{ restricted: boolean; names: string[] }>`
    select brands_restricted as restricted,
      array(select brand.name from ${tied} join brand on brand.id = brand_id where ${sql.ref(`${of}_id`)} = ${owner}.id order by brand.name) as names
    from ${owner} where id = ${id}::uuid`.execute(db)
  return rows[0]?.restricted ? rows[0].names : null
}

export async function insertDomain(
  db: Database,
  domain: { companyId: string; domain: string; role: 'buyer' | 'viewer'; by: string; at: Temporal.Instant },
): Promise<void> {
  await db
    .insertInto('company_domain')
    .values({
      company_id: domain.companyId,
      domain: domain.domain,
      role: domain.role,
      approved_by: domain.by,
      approved_at: domain.at,
    })
    .execute()
}

/** A company without an owner can't be joined. */
export const hasOwner = sql<boolean>`exists (select from company_member owner where owner.company_id = company.id and owner.role = 'owner')`

/** The approved company with this domain. */
export async function selectCompanyOfDomain(
  db: Database,
  domain: string,
): Promise<{ id: string; name: string; kind: CompanyKind; role: CompanyRole } | undefined> {
  const row = await db
    .selectFrom('company_domain')
    .innerJoin('company', 'company.id', 'company_domain.company_id')
    .select(['company.id', 'company.name', 'company.kind', 'company_domain.role'])
    .where('domain', '=', domain)
    .where('company.state', '=', 'approved')
    .where(hasOwner)
    .executeTakeFirst()
  return row && { id: row.id, name: row.name, kind: row.kind as CompanyKind, role: row.role as CompanyRole }
}
