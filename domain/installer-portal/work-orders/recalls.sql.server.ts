/** Queries for recalls, their ranges, the matching registered tires, and notices. */
import { sql, type RawBuilder } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import type { RecallAnswer, RecallInput, TinRange } from './recall-form.ts'
import { tinKeyOf } from './recall-form.ts'

export type RecallState = 'draft' | 'open' | 'closed'
export type Recall = RecallInput & {
  id: number
  state: RecallState
  draftedAt: Temporal.Instant
  draftedBy: string
  openedAt: Temporal.Instant | null
  closedAt: Temporal.Instant | null
}

const columns = [
  'id',
  'campaign',
  'maker',
  'line',
  'sizes',
  'defect',
  'remedy',
  'state',
  'drafted_at as draftedAt',
  'drafted_by as draftedBy',
  'opened_at as openedAt',
  'closed_at as closedAt',
] as const

/** Selects up to `limit` recalls before an ID, newest first, with the number of notified tires. */
export async function selectRecalls(
  db: Database,
  { before, limit }: { before: number | null; limit: number },
): Promise<(Recall & { told: number })[]> {
  const rows = await db
    .selectFrom('recall')
    .select(columns)
    .select((eb) =>
      eb
        .selectFrom('recall_notice')
        .select(({ fn }) => fn.countAll<number>().as('told'))
        .whereRef('recall_notice.recall_id', '=', 'recall.id')
        .as('told'),
    )
    .$if(before !== null, (query) => query.where('id', '<', before))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, state: row.state as RecallState, told: row.told ?? 0 }))
}

export async function selectRecall(db: Database, campaign: string): Promise<Recall | undefined> {
  const row = await db.selectFrom('recall').select(columns).where('campaign', '=', campaign).executeTakeFirst()
  return row && { ...row, state: row.state as RecallState }
}

/** Locks a recall until the transaction ends. */
export async function lockRecall(tx: Tx, campaign: string): Promise<Recall | undefined> {
  await tx.selectFrom('recall').select('id').where('campaign', '=', campaign).forUpdate().execute()
  return selectRecall(tx, campaign)
}

/** The recalls that are open, oldest first. */
export async function selectOpenCampaigns(db: Database): Promise<string[]> {
  const rows = await db.selectFrom('recall').select('campaign').where('state', '=', 'open').orderBy('id').execute()
  return rows.map(({ campaign }) => campaign)
}

/** The ranges of a recall. */
export function selectRanges(db: Database, recallId: number, limit: number): Promise<TinRange[]> {
  return db
    .selectFrom('recall_range')
    .select(['plant', 'code', 'from_week as fromWeek', 'to_week as toWeek'])
    .where('recall_id', '=', recallId)
    .orderBy('plant')
    .orderBy('code')
    .orderBy('from_week')
    .limit(limit)
    .execute()
}

/** How the catalog writes a maker, its line and the sizes that it does not have; undefined for a maker it has not. */
export async function selectRecalled(
  db: Database,
  { maker, line, sizes }: Pick<RecallInput, 'maker' | 'line' | 'sizes'>,
): Promise<{ maker: string; line: string | null; unknownSizes: string[] } | undefined> {
  const brand = await db
    .selectFrom('brand')
    .select(['id', 'name'])
    .where(sql<boolean>`lower(name) = lower(${maker})`)
    .executeTakeFirst()
  if (!brand) return undefined
  const named =
    line === null
      ? undefined
      : await db
          .selectFrom('product_line')
          .select('name')
          .where('brand_id', '=', brand.id)
          .where(sql<boolean>`lower(name) = lower(${line})`)
          .executeTakeFirst()
  const known =
    sizes.length === 0
      ? []
      : await db.selectFrom('size').select('designation').where('designation', 'in', sizes).execute()
  return {
    maker: brand.name,
    line: named?.name ?? null,
    unknownSizes: sizes.filter((size) => !known.some(({ designation }) => designation === size)),
  }
}

/** Stores a draft; undefined if there is one with this number. */
export async function insertRecall(
  tx: Tx,
  { ranges, by, at, ...recall }: RecallInput & { ranges: readonly TinRange[]; by: string; at: Temporal.Instant },
): Promise<number | undefined> {
  const made = await tx
    .insertInto('recall')
    .values({ ...recall, drafted_at: at, drafted_by: by })
    .onConflict((conflict) => conflict.column('campaign').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (made) await insertRanges(tx, made.id, ranges)
  return made?.id
}

/** Adds ranges to a recall; returns how many were not there. */
export async function insertRanges(tx: Tx, recallId: number, ranges: readonly TinRange[]): Promise<number> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('recall_range')
    .values(
      ranges.map(({ plant, code, fromWeek, toWeek }) => ({
        recall_id: recallId,
        plant,
        code,
        from_week: fromWeek,
        to_week: toWeek,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows ?? 0)
}

export async function updateRecallState(
  tx: Tx,
  id: number,
  { state, at }: { state: 'open' | 'closed'; at: Temporal.Instant },
): Promise<void> {
  const times = state === 'open' ? { opened_at: at } : { closed_at: at }
  await tx
    .updateTable('recall')
    .set({ state, ...times })
    .where('id', '=', id)
    .execute()
}

export async function deleteRecall(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('recall').where('id', '=', id).execute()
}

/** Registered tires in recall ranges, by plant and week through an index, then by the other criteria. */
export function tiresOfRecalls(which: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select distinct recall.id as recall_id, tire.id, tire.order_id, tire.shop_id, tire.position, tire.tin, tire.brand, tire.line, tire.size, tire.buyer_name, tire.city, tire.us_state, tire.installed_at
    from recall join recall_range span on span.recall_id = recall.id
    join tire_registration tire on tire.plant = span.plant and tire.made_week between span.from_week and span.to_week
    where ${which} and starts_with(tire.tin, span.plant || span.code) and lower(tire.brand) = lower(recall.maker)
      and (recall.line is null or lower(tire.line) = lower(recall.line)) and (recall.sizes = '{}' or tire.size = any(recall.sizes))`
}

/** How many registered tires and buyers a recall has. */
export async function countAffected(db: Database, recallId: number): Promise<{ tires: number; orders: number }> {
  const { rows } = await sql<{ tires: number; orders: number }>`
    select count(*)::int as tires, count(distinct order_id)::int as orders
    from (${tiresOfRecalls(sql`recall.id = ${recallId}`)}) as affected`.execute(db)
  return rows[0] ?? { tires: 0, orders: 0 }
}

/** A recalled tire, with its notice. */
export type AffectedTire = {
  id: number
  orderId: number
  position: string
  tin: string
  tire: string
  buyer: string
  installedAt: Temporal.Instant
  toldAt: Temporal.Instant | null
  messageKey: string | null
  answer: RecallAnswer | null
}

/** Selects up to `limit` tires in a recall with ids above `after`, optionally only for the given orders. */
export async function selectAffected(
  db: Database,
  recallId: number,
  { after, limit, orderIds }: { after: number; limit: number; orderIds: readonly number[] | null },
): Promise<AffectedTire[]> {
  const { rows } = await sql<AffectedTire>`
    select affected.id, affected.order_id as "orderId", affected.position, affected.tin,
      affected.brand || ' ' || affected.line || ' ' || affected.size as tire, affected.buyer_name || ', ' || affected.city || ', ' || affected.us_state as buyer,
      affected.installed_at as "installedAt", notice.told_at as "toldAt", notice.message_key as "messageKey", notice.answer
    from (${tiresOfRecalls(sql`recall.id = ${recallId}`)}) as affected
    left join recall_notice notice on notice.recall_id = affected.recall_id and notice.registration_id = affected.id
    where affected.id > ${after} and (${orderIds === null} or affected.order_id = any(${orderIds ?? []}::bigint[]))
    order by affected.id limit ${limit}`.execute(db)
  return rows
}

/** Selects recalled tires with unnotified buyers, from up to `orders` orders. */
export async function selectUntold(
  tx: Tx,
  recallId: number,
  orders: number,
): Promise<{ id: number; orderId: number; email: string }[]> {
  const { rows } = await sql<{ id: number; orderId: number; email: string }>`
    with untold as (
      select affected.id, affected.order_id from (${tiresOfRecalls(sql`recall.id = ${recallId}`)}) as affected
      where not exists (select from recall_notice notice where notice.recall_id = ${recallId} and notice.registration_id = affected.id))
    select untold.id, untold.order_id as "orderId", bought.email from untold join sales_order bought on bought.id = untold.order_id
    where untold.order_id in (select distinct order_id from untold order by order_id limit ${orders})
    order by untold.order_id, untold.id`.execute(tx)
  return rows
}

/** Records that these tires' buyer was notified. */
export async function insertNotices(
  tx: Tx,
  {
    recallId,
    orderId,
    registrationIds,
    key,
    at,
  }: { recallId: number; orderId: number; registrationIds: readonly number[]; key: string; at: Temporal.Instant },
): Promise<void> {
  await tx
    .insertInto('recall_notice')
    .values(
      registrationIds.map((id) => ({
        recall_id: recallId,
        registration_id: id,
        order_id: orderId,
        message_key: key,
        told_at: at,
      })),
    )
    .execute()
}

/** Selects a recall's notices by order, with email and answer. */
export function selectNoticeKeys(
  db: Database,
  recallId: number,
): Promise<{ orderId: number; messageKey: string; answer: string | null }[]> {
  return db
    .selectFrom('recall_notice')
    .select(['order_id as orderId', 'message_key as messageKey', 'answer'])
    .where('recall_id', '=', recallId)
    .distinct()
    .execute()
}

/** A recall as shown to a tire's buyer. */
export type TireRecall = {
  campaign: string
  maker: string
  defect: string
  remedy: string
  registrationId: number
  position: string
  tin: string
  tire: string
  answer: RecallAnswer | null
}

const toldColumns = sql`recall.campaign, recall.maker, recall.defect, recall.remedy, tire.id as "registrationId", tire.position, tire.tin,
  tire.brand || ' ' || tire.line || ' ' || tire.size as tire, notice.answer`

/** Selects the recalls an order's buyer was notified of. */
export async function selectRecallsOfOrders(db: Database, orderIds: readonly number[]): Promise<TireRecall[]> {
  if (orderIds.length === 0) return []
  const { rows } = await sql<TireRecall>`
    select ${toldColumns} from recall_notice notice join recall on recall.id = notice.recall_id
    join tire_registration tire on tire.id = notice.registration_id
    where notice.order_id = any(${orderIds}::bigint[]) order by recall.id, tire.id`.execute(db)
  return rows
}

/** Returns the recall and tires in one email. */
export async function selectToldBy(
  db: Database,
  recallId: number,
  orderId: number,
  key: string,
): Promise<TireRecall[]> {
  const { rows } = await sql<TireRecall>`
    select ${toldColumns} from recall_notice notice join recall on recall.id = notice.recall_id
    join tire_registration tire on tire.id = notice.registration_id
    where notice.recall_id = ${recallId} and notice.order_id = ${orderId} and notice.message_key = ${key} order by tire.id`.execute(
    db,
  )
  return rows
}

/** Stores a buyer's answer for all their tires in a recall; false if they weren't notified. */
export async function updateAnswer(
  db: Database,
  { recallId, orderId, answer, at }: { recallId: number; orderId: number; answer: RecallAnswer; at: Temporal.Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('recall_notice')
    .set({ answer, answered_at: at })
    .where('recall_id', '=', recallId)
    .where('order_id', '=', orderId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns the open recall for a tire about to be installed, or undefined. */
export async function selectRecallOf(
  db: Database,
  tire: { tin: string; brand: string; line: string; size: string },
): Promise<{ campaign: string; defect: string } | undefined> {
  const { plant, rest, madeWeek } = tinKeyOf(tire.tin)
  const { rows } = await sql<{ campaign: string; defect: string }>`
    select recall.campaign, recall.defect from recall join recall_range span on span.recall_id = recall.id
    where recall.state = 'open' and lower(recall.maker) = lower(${tire.brand}) and span.plant = ${plant}
      and starts_with(${rest}, span.code) and ${madeWeek}::integer between span.from_week and span.to_week
      and (recall.line is null or lower(recall.line) = lower(${tire.line})) and (recall.sizes = '{}' or ${tire.size} = any(recall.sizes))
    order by recall.id limit 1`.execute(db)
  return rows[0]
}
