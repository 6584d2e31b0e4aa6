/** The statements for coupons in the office. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import { filterJson, filterLabel } from '#domain/catalog/catalog/catalog.server.ts'
import type { TireFilter } from '#domain/catalog/catalog/catalog.ts'
import type { Subject } from '#domain/catalog/promotions/promotions.server.ts'
import type { CouponChange, CouponDraft, CouponState, CouponTerms, FreeService } from './coupons.ts'

/** A coupon or a draft as the office shows it; `startsAt` and `endsAt` are null for a draft. */
export type OfficeCoupon = CouponTerms & {
  id: number
  replacesId: number | null
  name: string
  usesMost: number
  personMost: number
  /** Whether this coupon is suggested to a shopper with an invalid code. */
  advertised: boolean
  /** How often it was used, without canceled orders. */
  uses: number
  /** "Kestrel Alltide AS2", "Kestrel Winter", "installation", or "Every tire". */
  subject: string
  /** What the form reads as this subject. */
  subjectKey: string
  filterId: number | null
  filter: TireFilter | null
  /** Rises with each change of a draft. */
  version: number
  startsAt: Temporal.Instant | null
  endsAt: Temporal.Instant | null
  by: string
}

/** The columns of a coupon that is read for these tires. */
const columnsFor = (itemIds: readonly number[]) => sql`
  coupon.version, filter_id as "filterId", ${filterJson(sql`coupon.filter_id`)} as filter,
  case when filter_id is not null then array(select item_id from tires_of_filter(filter_id) where item_id = any (${[...itemIds]}::int[])) end as "filteredItemIds",
  coupon.id, code, coupon.name, kind, amount, service, item_id as "itemId", product_line_id as "lineId", coupon.brand_id as "brandId",
  funded_by as "fundedBy", stacks, minimum_cents as "minimumCents", advertised, coupon.uses_most as "usesMost", person_most as "personMost", replaces_id as "replacesId",
  coalesce((select uses from coupon_tally where coupon_id = coupon.id), 0) as uses,
  starts_at as "startsAt", ends_at as "endsAt", created_by as by,
  coalesce(service, nullif(concat_ws(' ',
    (select brand.name || ' ' || line.name || ', ' || item.sku from item join product_line line on line.id = item.product_line_id join brand on brand.id = line.brand_id where item.id = coupon.item_id),
    (select brand.name || ' ' || line.name from product_line line join brand on brand.id = line.brand_id where line.id = coupon.product_line_id),
    (select brand.name from brand where brand.id = coupon.brand_id), ${filterLabel(sql`coupon.filter_id`, { isForStaff: false })}), ''), 'Every tire') as subject,
  coalesce(service,
    (select lower(sku) from item where item.id = coupon.item_id),
    (select brand.slug || '/' || line.slug from product_line line join brand on brand.id = line.brand_id where line.id = coupon.product_line_id),
    (select brand.slug from brand where brand.id = coupon.brand_id), '') as "subjectKey"`
const columns = columnsFor([])

/**
 * Selects a page of coupons by state at `now`, after `after`, with the next to end first; ended ones and drafts are
 * newest first.
 */
export async function selectCouponsIn(
  db: Database,
  state: CouponState,
  { now, after, limit }: { now: Temporal.Instant; after: { at: Temporal.Instant; id: number } | null; limit: number },
): Promise<OfficeCoupon[]> {
  const at = sql`${now.toString()}::timestamptz`
  const isIn = {
    draft: sql`ends_at is null`,
    running: sql`ends_at > ${at} and starts_at <= ${at}`,
    scheduled: sql`ends_at > ${at} and starts_at > ${at}`,
    ended: sql`ends_at <= ${at}`,
  }[state]
  const isNewestFirst = state === 'ended' || state === 'draft'
  const place = after && sql`(${after.at.toString()}::timestamptz, ${after.id}::integer)`
  const isAfter = !after
    ? sql``
    : state === 'draft'
      ? sql`and coupon.id < ${after.id}::integer`
      : sql`and (ends_at, coupon.id) ${isNewestFirst ? sql`<` : sql`>`} ${place}`
  const order =
    state === 'draft'
      ? sql`coupon.id desc`
      : isNewestFirst
        ? sql`ends_at desc, coupon.id desc`
        : sql`ends_at, coupon.id`
  const { rows } = await sql<OfficeCoupon>`
    select ${columns} from coupon where ${isIn} ${isAfter} order by ${order} limit ${limit}`.execute(db)
  return rows
}

/** One coupon, read for these tires. Without them, one with a filter applies to no tire. */
export async function selectCoupon(
  db: Database,
  id: number,
  itemIds: readonly number[] = [],
): Promise<OfficeCoupon | undefined> {
  return (await sql<OfficeCoupon>`select ${columnsFor(itemIds)} from coupon where coupon.id = ${id}`.execute(db))
    .rows[0]
}

/** Returns the running coupon with a code at `now`, or undefined. */
export async function selectRunningCoupon(
  db: Database,
  code: string,
  now: Temporal.Instant,
): Promise<OfficeCoupon | undefined> {
  const at = sql`${now.toString()}::timestamptz`
  const { rows } = await sql<OfficeCoupon>`
    select ${columns} from coupon where code = ${code} and tstzrange(starts_at, ends_at) @> ${at} and starts_at is not null`.execute(
    db,
  )
  return rows[0]
}

/** Returns the latest coupon with this code that ended by `now`, or undefined. */
export async function selectEndedCoupon(
  db: Database,
  code: string,
  now: Temporal.Instant,
): Promise<OfficeCoupon | undefined> {
  const { rows } = await sql<OfficeCoupon>`
    select ${columns} from coupon where code = ${code} and ends_at <= ${now.toString()}::timestamptz order by ends_at desc limit 1`.execute(
    db,
  )
  return rows[0]
}

/** Selects the coupons advertised at `now`, next to end first, read for these tires. */
export async function selectAdvertised(
  db: Database,
  now: Temporal.Instant,
  itemIds: readonly number[],
): Promise<OfficeCoupon[]> {
  const at = sql`${now.toString()}::timestamptz`
  const { rows } = await sql<OfficeCoupon>`
    select ${columnsFor(itemIds)} from coupon where advertised and starts_at <= ${at} and ends_at > ${at} order by ends_at, coupon.id limit 10`.execute(
    db,
  )
  return rows
}

/** Locks a coupon, and returns it. */
export async function lockCoupon(tx: Tx, id: number): Promise<OfficeCoupon | undefined> {
  await sql`select from coupon where id = ${id} for update`.execute(tx)
  return selectCoupon(tx, id)
}

/** The id of the newest draft with a code. */
export async function selectDraftOf(tx: Tx, code: string): Promise<number | undefined> {
  const draft = await tx
    .selectFrom('coupon')
    .select('id')
    .where('code', '=', code)
    .where('ends_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return draft?.id
}

type CouponSubject = Subject & { service: FreeService | null }

/** Replaces the terms of a draft, and increments its version. */
export async function updateCoupon(tx: Tx, id: number, change: CouponChange & CouponSubject): Promise<void> {
  await tx
    .updateTable('coupon')
    .set({ ...columnsOf(change), version: change.version + 1 })
    .where('id', '=', id)
    .execute()
}

function columnsOf(draft: Omit<CouponChange, 'version'> & CouponSubject) {
  return {
    code: draft.code,
    name: draft.name,
    kind: draft.kind,
    amount: draft.amount,
    brand_id: draft.brandId,
    product_line_id: draft.lineId,
    item_id: draft.itemId,
    filter_id: draft.filterId,
    service: draft.service,
    funded_by: draft.fundedBy,
    stacks: draft.stacks,
    minimum_cents: draft.minimum,
    advertised: draft.advertised,
    uses_most: draft.usesMost,
    person_most: draft.personMost,
  }
}

/** Adds a draft, and returns its id; of a form that made one already, that one. */
export async function insertCoupon(
  tx: Tx,
  draft: CouponDraft & CouponSubject & { by: string; at: Temporal.Instant },
): Promise<{ id: number; isNew: boolean }> {
  const made = await tx
    .insertInto('coupon')
    .values({
      form_key: draft.formKey,
      ...columnsOf(draft),
      replaces_id: draft.replaces,
      created_by: draft.by,
      created_at: draft.at,
    })
    .onConflict((conflict) => conflict.column('form_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (made) return { id: made.id, isNew: true }
  const earlier = await tx
    .selectFrom('coupon')
    .select('id')
    .where('form_key', '=', draft.formKey)
    .executeTakeFirstOrThrow()
  return { id: earlier.id, isNew: false }
}

/** Schedules a draft, and initializes its usage count. */
export async function updateSchedule(
  tx: Tx,
  { id, usesMost }: Pick<OfficeCoupon, 'id' | 'usesMost'>,
  times: { startsAt: Temporal.Instant; endsAt: Temporal.Instant },
): Promise<void> {
  await tx
    .updateTable('coupon')
    .set({ starts_at: times.startsAt, ends_at: times.endsAt })
    .where('id', '=', id)
    .execute()
  await tx.insertInto('coupon_tally').values({ coupon_id: id, uses_most: usesMost }).execute()
}

/** Ends a coupon at `at`, which must be after its start and before its end. */
export async function updateCouponEnd(tx: Tx, id: number, at: Temporal.Instant): Promise<void> {
  await tx.updateTable('coupon').set({ ends_at: at }).where('id', '=', id).execute()
}

/** Makes a scheduled coupon that has not started a draft again. */
export async function withdrawSchedule(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('coupon_tally').where('coupon_id', '=', id).execute()
  await tx.updateTable('coupon').set({ starts_at: null, ends_at: null }).where('id', '=', id).execute()
}

/** Removes a draft. */
export async function deleteCoupon(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('coupon').where('id', '=', id).where('starts_at', 'is', null).execute()
}

/** Whether a draft or coupon is a new version of this one, which the caller has locked. */
export async function hasVersion(tx: Tx, id: number): Promise<boolean> {
  return (
    (await tx.selectFrom('coupon').select('id').where('replaces_id', '=', id).limit(1).executeTakeFirst()) !== undefined
  )
}
