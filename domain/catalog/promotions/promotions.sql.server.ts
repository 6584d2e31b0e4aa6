/** The statements for promotions in the office. */
import { sql, type Selectable } from 'kysely'
import type { DB } from '#db/types.ts'
import type { Database, Tx } from '#platform/db.ts'
import { filterJson, filterLabel } from '#domain/catalog/catalog/catalog.server.ts'
import type { TireFilter } from '#domain/catalog/catalog/catalog.ts'
import type { PromotionChange, PromotionDraft, PromotionState } from './promotions.ts'

/** A promotion or a draft as the office shows it; `startsAt` and `endsAt` are null for a draft. */
export type OfficePromotion = {
  planId: number | null
  promotionId: number | null
  replacesId: number | null
  slug: string | null
  name: string
  headline: string
  kind: PromotionDraft['kind']
  amount: number
  fundedBy: PromotionDraft['fundedBy']
  itemId: number | null
  lineId: number | null
  brandId: number | null
  filterId: number | null
  filter: TireFilter | null
  daily: boolean
  linkToCoverage: boolean
  /** Of a draft; rises with each change. */
  version: number
  /** "Kestrel Alltide AS2", "Kestrel, Winter", or "Every tire". */
  subject: string
  /** What the form reads as this subject. */
  subjectKey: string
  startsAt: Temporal.Instant | null
  endsAt: Temporal.Instant | null
  by: string | null
}

const columns = sql`
  kind, amount, funded_by as "fundedBy", item_id as "itemId", product_line_id as "lineId", brand_id as "brandId",
  daily, link_to_coverage as "linkToCoverage", filter_id as "filterId", ${filterJson(sql`filter_id`)} as filter,
  concat_ws(', ', coalesce(
    (select brand.name || ' ' || line.name || ', ' || item.sku from item join product_line line on line.id = item.product_line_id join brand on brand.id = line.brand_id where item.id = item_id),
    (select brand.name || ' ' || line.name from product_line line join brand on brand.id = line.brand_id where line.id = product_line_id),
    (select name from brand where id = brand_id), case when filter_id is null then 'Every tire' end),
    ${filterLabel(sql`filter_id`, { isForStaff: true })}) as subject,
  coalesce(
    (select lower(sku) from item where id = item_id),
    (select brand.slug || '/' || line.slug from product_line line join brand on brand.id = line.brand_id where line.id = product_line_id),
    (select slug from brand where id = brand_id), '') as "subjectKey"`

const scheduledColumns = sql`
  (select id from promotion_plan where promotion_id = promotion.id) as "planId", promotion.id as "promotionId",
  (select replaces_id from promotion_plan where promotion_id = promotion.id) as "replacesId",
  (select created_by from promotion_plan where promotion_id = promotion.id) as by, 1 as version,
  slug, promotion.name, headline, starts_at as "startsAt", ends_at as "endsAt"`
const draftColumns = sql`
  id as "planId", promotion_id as "promotionId", replaces_id as "replacesId", created_by as by, version, null as slug,
  promotion_plan.name, headline, null as "startsAt", null as "endsAt"`

/** Selects a page of promotions by state at `now`, after `after`, next to end first, ended ones newest first. */
export async function selectPromotionsIn(
  db: Database,
  state: Exclude<PromotionState, 'draft'>,
  { now, after, limit }: { now: Temporal.Instant; after: { at: Temporal.Instant; id: number } | null; limit: number },
): Promise<OfficePromotion[]> {
  const at = now.toString()
  const isIn = {
    running: sql`ends_at > ${at} and starts_at <= ${at}`,
    scheduled: sql`ends_at > ${at} and starts_at > ${at}`,
    ended: sql`ends_at <= ${at}`,
  }[state]
  const isAfter = after
    ? sql`and (ends_at, id) ${state === 'ended' ? sql`<` : sql`>`} (${after.at.toString()}::timestamptz, ${after.id}::integer)`
    : sql``
  const order = state === 'ended' ? sql`ends_at desc, id desc` : sql`ends_at, id`
  const { rows } = await sql<OfficePromotion>`
    select ${scheduledColumns}, ${columns} from promotion where ${isIn} ${isAfter} order by ${order} limit ${limit}`.execute(
    db,
  )
  return rows
}

/** A page of drafts, newest first, older than `before`. */
export async function selectDrafts(
  db: Database,
  { before, limit }: { before: number | null; limit: number },
): Promise<OfficePromotion[]> {
  const { rows } = await sql<OfficePromotion>`
    select ${draftColumns}, ${columns} from promotion_plan where promotion_id is null ${before === null ? sql`` : sql`and id < ${before}`}
    order by id desc limit ${limit}`.execute(db)
  return rows
}

/** One promotion. */
export async function selectOfficePromotion(db: Database, id: number): Promise<OfficePromotion | undefined> {
  const { rows } = await sql<OfficePromotion>`
    select ${scheduledColumns}, ${columns} from promotion where id = ${id}`.execute(db)
  return rows[0]
}

/** One plan, scheduled or not. */
export async function selectPlan(db: Database, id: number): Promise<OfficePromotion | undefined> {
  const { rows } = await sql<OfficePromotion>`
    select ${draftColumns}, ${columns} from promotion_plan where id = ${id}`.execute(db)
  return rows[0]
}

/** What a draft is on. */
export type Subject = {
  itemId: number | null
  lineId: number | null
  brandId: number | null
  filterId: number | null
}

/** Replaces the terms of a draft, and increments its version. */
export async function updateDraft(
  tx: Tx,
  id: number,
  { name, headline, kind, amount, fundedBy, daily, linkToCoverage, version, ...on }: PromotionChange & Subject,
): Promise<void> {
  await tx
    .updateTable('promotion_plan')
    .set({
      name,
      headline,
      kind,
      amount,
      ...subjectColumns(on),
      funded_by: fundedBy,
      daily,
      link_to_coverage: linkToCoverage,
      version: version + 1,
    })
    .where('id', '=', id)
    .execute()
}

function subjectColumns({ itemId, lineId, brandId, filterId }: Subject) {
  return { brand_id: brandId, product_line_id: lineId, item_id: itemId, filter_id: filterId }
}

/** Adds a draft, and returns its id; undefined if this form already made one. */
export async function insertDraft(
  tx: Tx,
  draft: PromotionDraft & Subject & { by: string; at: Temporal.Instant },
): Promise<number | undefined> {
  const row = await tx
    .insertInto('promotion_plan')
    .values({
      form_key: draft.formKey,
      name: draft.name,
      headline: draft.headline,
      kind: draft.kind,
      amount: draft.amount,
      ...subjectColumns(draft),
      daily: draft.daily,
      link_to_coverage: draft.linkToCoverage,
      funded_by: draft.fundedBy,
      replaces_id: draft.replaces,
      created_by: draft.by,
      created_at: draft.at,
    })
    .onConflict((conflict) => conflict.column('form_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Returns the draft created by a form; undefined if it doesn't exist. */
export async function selectDraftOfForm(tx: Tx, formKey: string): Promise<number | undefined> {
  return (await tx.selectFrom('promotion_plan').select('id').where('form_key', '=', formKey).executeTakeFirst())?.id
}

/** Locks a plan, and returns it. */
export async function lockPlan(tx: Tx, id: number): Promise<Selectable<DB['promotion_plan']> | undefined> {
  return tx.selectFrom('promotion_plan').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** The plan that a promotion was scheduled from, locked. */
export async function lockPlanOf(tx: Tx, promotionId: number): Promise<number | undefined> {
  const row = await tx
    .selectFrom('promotion_plan')
    .select('id')
    .where('promotion_id', '=', promotionId)
    .forUpdate()
    .executeTakeFirst()
  return row?.id
}

/** Notes the promotion that a plan became; null makes it a draft again. */
export async function updatePlanPromotion(
  tx: Tx,
  { id, promotionId }: { id: number; promotionId: number | null },
): Promise<void> {
  await tx.updateTable('promotion_plan').set({ promotion_id: promotionId }).where('id', '=', id).execute()
}

/** Removes a draft. */
export async function deleteDraft(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('promotion_plan').where('id', '=', id).where('promotion_id', 'is', null).execute()
}

/**
 * Returns whether any plan is a new version of the promotion. The caller has locked the promotion, which blocks new
 * ones.
 */
export async function isReplaced(tx: Tx, promotionId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('promotion_plan')
    .select('id')
    .where('replaces_id', '=', promotionId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Runs imports of one kind one at a time, so that a file sent twice is drafted once. */
export async function lockDraftImport(tx: Tx, noun: 'coupon' | 'rebate'): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${noun}-import`}, 0))`.execute(tx)
}
