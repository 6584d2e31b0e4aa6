/** The statements for price lists in the office. */
import { sql } from 'kysely'
import type { AccountType } from '#domain/pricing/pricing/pricing.ts'
import type { Database, Tx } from '#platform/db.ts'
import type { Target } from './import-price-list.sql.server.ts'
import type { PriceRule } from './price-list.ts'
import { formulaOf, scopeOf } from './price-lists.sql.server.ts'

export type OfficePriceList = {
  id: number
  slug: string
  name: string
  /** The account type that uses it, or null. */
  accountType: AccountType | null
  /** How many rules it has, past and future ones included. */
  rules: number
}

/** A version of a list; `startsAt` is null for a draft, `endsAt` for one that runs until the next. */
export type PriceListVersion = {
  id: number
  listId: number
  name: string
  entries: number
  startsAt: Temporal.Instant | null
  endsAt: Temporal.Instant | null
  by: string
}

/** A rule of a version as the office shows and exports it. */
export type PriceListEntry = {
  line: number
  scope: 'every-tire' | 'brand' | 'line' | 'size' | 'item'
  target: string
  kind: 'percent-off' | 'fixed' | 'cost-plus'
  ratePpm: number | null
  amountCents: number | null
  startsAt: Temporal.Instant
  endsAt: Temporal.Instant | null
}

const listColumns = sql`
  id, slug, name, account_type as "accountType", (select count(*)::int from price_rule where price_list_id = price_list.id) as rules`

/** A page of lists, by id, after the list `after`. */
export async function selectLists(db: Database, after: number, limit: number): Promise<OfficePriceList[]> {
  const { rows } = await sql<OfficePriceList>`
    select ${listColumns} from price_list where id > ${after} order by id limit ${limit}`.execute(db)
  return rows
}

export async function selectList(db: Database, slug: string): Promise<OfficePriceList | undefined> {
  return (await sql<OfficePriceList>`select ${listColumns} from price_list where slug = ${slug}`.execute(db)).rows[0]
}

export async function selectSlug(db: Database, id: number): Promise<string | undefined> {
  return (await db.selectFrom('price_list').select('slug').where('id', '=', id).executeTakeFirst())?.slug
}

/** Selects companies with this custom price list, by name. */
export function selectCompaniesOf(
  db: Database,
  listId: number,
  limit: number,
): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom('company')
    .select(['id', 'name'])
    .where('price_list_id', '=', listId)
    .orderBy('name')
    .limit(limit)
    .execute()
}

/** Adds a list without rules; false if another has its name in addresses. */
export async function insertList(tx: Tx, { slug, name }: { slug: string; name: string }): Promise<boolean> {
  const made = await tx
    .insertInto('price_list')
    .values({ slug, name })
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .executeTakeFirst()
  return (made.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Locks a list against orders that are placed and against other versions of it. */
export async function lockList(tx: Tx, id: number): Promise<void> {
  await sql`select from price_list where id = ${id} for update`.execute(tx)
}

const versionColumns = sql`
  id, price_list_id as "listId", name, (select count(*)::int from price_list_entry where version_id = price_list_version.id) as entries,
  starts_at as "startsAt", ends_at as "endsAt", created_by as by`

/** The newest versions of a list. */
export async function selectVersions(db: Database, listId: number, limit: number): Promise<PriceListVersion[]> {
  const { rows } = await sql<PriceListVersion>`
    select ${versionColumns} from price_list_version where price_list_id = ${listId} order by id desc limit ${limit}`.execute(
    db,
  )
  return rows
}

export async function selectVersion(db: Database, id: number): Promise<PriceListVersion | undefined> {
  const { rows } =
    await sql<PriceListVersion>`select ${versionColumns} from price_list_version where id = ${id}`.execute(db)
  return rows[0]
}

/** Returns the start of the following version; null if there isn't one. */
export async function selectNextStart(
  db: Database,
  { listId, startsAt }: PriceListVersion,
): Promise<Temporal.Instant | null> {
  const row = await db
    .selectFrom('price_list_version')
    .select('starts_at')
    .where('price_list_id', '=', listId)
    .where('starts_at', '>', startsAt)
    .orderBy('starts_at')
    .limit(1)
    .executeTakeFirst()
  return row?.starts_at ?? null
}

/** Adds a draft, and returns its id; of a form that made one already, that one. */
export async function insertVersion(
  tx: Tx,
  draft: { listId: number; formKey: string; name: string; by: string; at: Temporal.Instant },
): Promise<{ id: number; isNew: boolean }> {
  const made = await tx
    .insertInto('price_list_version')
    .values({
      price_list_id: draft.listId,
      form_key: draft.formKey,
      name: draft.name,
      created_by: draft.by,
      created_at: draft.at,
    })
    .onConflict((conflict) => conflict.column('form_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (made) return { id: made.id, isNew: true }
  const earlier = await tx
    .selectFrom('price_list_version')
    .select('id')
    .where('form_key', '=', draft.formKey)
    .executeTakeFirstOrThrow()
  return { id: earlier.id, isNew: false }
}

/** Adds the entries of a draft. */
export async function insertEntries(
  tx: Tx,
  versionId: number,
  entries: readonly (Target & {
    line: number
    kind: string
    rate_ppm: number | null
    amount_cents: number | null
    starts_at: Temporal.Instant
    ends_at: Temporal.Instant | null
  })[],
): Promise<void> {
  for (let from = 0; from < entries.length; from += 1_000)
    await tx
      .insertInto('price_list_entry')
      .values(entries.slice(from, from + 1_000).map((entry) => ({ version_id: versionId, ...entry })))
      .execute()
}

/**
 * Stores a list's original rules as a version before its first office version, from their first day. No effect if a
 * version already has a start.
 */
export async function keepEarlierRules(tx: Tx, listId: number, by: string, at: Temporal.Instant): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    insert into price_list_version (price_list_id, form_key, name, created_by, created_at)
    select ${listId}, gen_random_uuid(), 'Unchanged', ${by}, ${at.toString()}::timestamptz
    where exists (select from price_rule where price_list_id = ${listId})
      and not exists (select from price_list_version where price_list_id = ${listId} and starts_at is not null) returning id`.execute(
    tx,
  )
  const id = rows[0]?.id
  if (id === undefined) return
  await sql`
    insert into price_list_entry (version_id, line, brand_id, product_line_id, size_id, item_id, kind, rate_ppm, amount_cents, starts_at, ends_at)
    select ${id}, row_number() over (order by id) + 1, brand_id, product_line_id, size_id, item_id, kind, rate_ppm, amount_cents, starts_at, ends_at
    from price_rule where price_list_id = ${listId}`.execute(tx)
  await sql`
    update price_list_version set starts_at = (select min(starts_at) from price_rule where price_list_id = ${listId}) where id = ${id}`.execute(
    tx,
  )
}

/** Sets or removes (null) the start of a version. */
export async function updateVersionStart(tx: Tx, id: number, startsAt: Temporal.Instant | null): Promise<void> {
  await tx.updateTable('price_list_version').set({ starts_at: startsAt, ends_at: null }).where('id', '=', id).execute()
}

export async function updateVersionEnd(tx: Tx, id: number, at: Temporal.Instant): Promise<void> {
  await tx.updateTable('price_list_version').set({ ends_at: at }).where('id', '=', id).execute()
}

/** Removes a draft with its entries. */
export async function deleteVersion(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('price_list_version').where('id', '=', id).where('starts_at', 'is', null).execute()
}

/**
 * The effective rules of a list's versions, where each applies from its start until its end or the next one's start.
 */
const rulesOfVersions = sql`
  select w.price_list_id, e.brand_id, e.product_line_id, e.size_id, e.item_id, e.kind, e.rate_ppm, e.amount_cents,
    greatest(e.starts_at, w.starts_at) as starts_at, nullif(least(coalesce(e.ends_at, 'infinity'), w.until), 'infinity') as ends_at
  from (
    select id, price_list_id, starts_at,
      least(coalesce(ends_at, 'infinity'), coalesce(lead(starts_at) over (partition by price_list_id order by starts_at), 'infinity')) as until
    from price_list_version where starts_at is not null) w
  join price_list_entry e on e.version_id = w.id
  where greatest(e.starts_at, w.starts_at) < least(coalesce(e.ends_at, 'infinity'), w.until)`

/** Writes the rules of a list again from its versions. */
export async function rebuildRules(tx: Tx, listId: number): Promise<void> {
  await tx.deleteFrom('price_rule').where('price_list_id', '=', listId).execute()
  await sql`
    insert into price_rule (price_list_id, brand_id, product_line_id, size_id, item_id, kind, rate_ppm, amount_cents, starts_at, ends_at)
    select * from (${rulesOfVersions}) rules where price_list_id = ${listId}`.execute(tx)
}

const entryColumns = sql`
  e.line, case when item_id is not null then 'item' when e.product_line_id is not null then 'line' when e.size_id is not null then 'size' when e.brand_id is not null then 'brand' else 'every-tire' end as scope,
  coalesce((select sku from item where id = e.item_id), (select brand.slug || '/' || line.slug from product_line line join brand on brand.id = line.brand_id where line.id = e.product_line_id),
    (select designation from size where id = e.size_id), (select slug from brand where id = e.brand_id), '') as target,
  e.kind, e.rate_ppm as "ratePpm", e.amount_cents as "amountCents", e.starts_at as "startsAt", e.ends_at as "endsAt"`

/** A page of the entries of a version, by line, after the line `after`. */
export async function selectEntries(
  db: Database,
  versionId: number,
  after: number,
  limit: number,
): Promise<PriceListEntry[]> {
  const { rows } = await sql<PriceListEntry>`
    select ${entryColumns} from price_list_entry e where version_id = ${versionId} and line > ${after} order by line limit ${limit}`.execute(
    db,
  )
  return rows
}

export type PriceListChange = { scope: string; target: string; was: string | null; is: string | null }

/** Compares a version with the rules in effect at `at`, as counts by scope with the first differences. */
export async function selectDifference(
  db: Database,
  { id, listId }: Pick<PriceListVersion, 'id' | 'listId'>,
  at: Temporal.Instant,
): Promise<{ counts: { how: string; count: number }[]; examples: PriceListChange[] }> {
  const words = (row: string) =>
    sql`concat_ws(' ', ${sql.raw(row)}.kind, round(${sql.raw(row)}.rate_ppm / 10000.0, 2) || '%', '$' || round(${sql.raw(row)}.amount_cents / 100.0, 2))`
  const current = sql`
    with was as (
      select *, row(brand_id, product_line_id, size_id, item_id) as place from price_rule
      where price_list_id = ${listId} and starts_at <= ${at.toString()}::timestamptz and (ends_at is null or ends_at > ${at.toString()}::timestamptz)),
    upcoming as (
      select distinct on (brand_id, product_line_id, size_id, item_id) *, row(brand_id, product_line_id, size_id, item_id) as place
      from price_list_entry where version_id = ${id} and (ends_at is null or ends_at > ${at.toString()}::timestamptz)
      order by brand_id, product_line_id, size_id, item_id, starts_at),
    e as (
      select coalesce(upcoming.line, 0) as line, coalesce(upcoming.brand_id, was.brand_id) as brand_id, coalesce(upcoming.product_line_id, was.product_line_id) as product_line_id,
        coalesce(upcoming.size_id, was.size_id) as size_id, coalesce(upcoming.item_id, was.item_id) as item_id,
        coalesce(upcoming.kind, was.kind) as kind, null::int as rate_ppm, null::int as amount_cents, null::timestamptz as starts_at, null::timestamptz as ends_at,
        case when was.id is null then null else ${words('was')} end as was, case when upcoming.line is null then null else ${words('upcoming')} end as is_now,
        case when was.id is null then 'added' when upcoming.line is null then 'removed'
          when (was.kind, was.rate_ppm, was.amount_cents) is distinct from (upcoming.kind, upcoming.rate_ppm, upcoming.amount_cents) then 'changed' else 'same' end as how
      from was full join upcoming on hashtext(was.place::text) = hashtext(upcoming.place::text) and was.place is not distinct from upcoming.place)`
  const [counts, examples] = await Promise.all([
    sql<{ how: string; count: number }>`${current} select how, count(*)::int as count from e group by how`.execute(db),
    sql<PriceListChange>`
      ${current} select scope, target, was, is_now as "is" from (select ${entryColumns}, was, is_now from e where how <> 'same' order by how, e.line limit 50) shown`.execute(
      db,
    ),
  ])
  return { counts: counts.rows, examples: examples.rows }
}

export type BelowFloor = { sku: string; priceCents: number; mapCents: number | null; costCents: number | null }

/** The tires that a version sells below their minimum advertised price or our cost at `at`, at most `limit`. */
export async function selectBelowFloors(
  db: Database,
  versionId: number,
  at: Temporal.Instant,
  limit: number,
): Promise<BelowFloor[]> {
  const { rows } = await sql<BelowFloor>`
    select sku, least(price, retail_cents)::int as "priceCents", map_cents as "mapCents", cost_cents as "costCents"
    from ${pricesOf(versionId, at)} priced
    where least(price, retail_cents) < greatest(map_cents, cost_cents) order by sku limit ${limit}`.execute(db)
  return rows
}

/** The tires that a version has a price for at `at`, each with that price. */
function pricesOf(versionId: number, at: Temporal.Instant) {
  return sql`(
    select item.sku, item.retail_cents, item.map_cents, item.cost_cents, greatest(1, case e.kind when 'fixed' then e.amount_cents
      when 'percent-off' then round(item.retail_cents * (1000000 - e.rate_ppm)::numeric / 1000000)
      else round(item.cost_cents * (1000000 + coalesce(e.rate_ppm, 0))::numeric / 1000000) + coalesce(e.amount_cents, 0) end) as price
    from item join product_line line on line.id = item.product_line_id cross join lateral (
      select * from price_list_entry e where version_id = ${versionId} and starts_at <= ${at.toString()}::timestamptz and (ends_at is null or ends_at > ${at.toString()}::timestamptz)
        and (e.item_id is null or e.item_id = item.id) and (e.product_line_id is null or e.product_line_id = line.id)
        and (e.size_id is null or e.size_id = item.size_id) and (e.brand_id is null or e.brand_id = line.brand_id)
      order by e.item_id nulls last, e.product_line_id nulls last, e.size_id nulls last, e.brand_id nulls last limit 1) e
    where item.active)`
}

/**
 * Returns the largest discount from retail and the smallest margin of a version's prices at `at`, in parts per million;
 * null if it prices no tire that is sold. The margin is null if no tire has a known cost.
 */
export async function selectDeepestCutOf(
  db: Database,
  versionId: number,
  at: Temporal.Instant,
): Promise<{ discountPpm: number; marginPpm: number | null } | null> {
  const { rows } = await sql<{ discountPpm: number | null; marginPpm: number | null }>`
    select max(round((retail_cents - price) * 1000000 / retail_cents))::int as "discountPpm",
      min(greatest(-1000000, floor((price - cost_cents) * 1000000 / price))) filter (where cost_cents is not null)::int as "marginPpm"
    from (select retail_cents, cost_cents, least(price, retail_cents)::numeric as price from ${pricesOf(versionId, at)} listed where price is not null) priced`.execute(
    db,
  )
  const cut = rows[0]
  return cut && cut.discountPpm !== null ? { discountPpm: cut.discountPpm, marginPpm: cut.marginPpm } : null
}

/** The rules of a version, as pricing takes them. */
export async function selectVersionRules(db: Database, versionId: number): Promise<PriceRule[]> {
  const rows = await db
    .selectFrom('price_list_entry as entry')
    .leftJoin('size', 'size.id', 'entry.size_id')
    .select([
      'line as id',
      'item_id',
      'product_line_id',
      'brand_id',
      'size.slug as size_slug',
      'entry.kind',
      'rate_ppm',
      'amount_cents',
      'starts_at',
      'ends_at',
    ])
    .where('version_id', '=', versionId)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    scope: scopeOf(row),
    formula: formulaOf(row),
    since: row.starts_at,
    until: row.ends_at,
  }))
}

/** Assigns a list to an account type, replacing that type's previous list; null unassigns it. */
export async function updateAccountType(tx: Tx, id: number, type: AccountType | null): Promise<void> {
  if (type !== null)
    await tx
      .updateTable('price_list')
      .set({ account_type: null })
      .where('account_type', '=', type)
      .where('id', '!=', id)
      .execute()
  await tx.updateTable('price_list').set({ account_type: type }).where('id', '=', id).execute()
}
