/** Queries for adjustments and disputes. */
import { sql } from 'kysely'
import { storeFile, type Attachment } from '#domain/kernel/files/files.server.ts'
import type { Database, Tx } from '#platform/db.ts'

export type Adjustment = {
  id: string
  shopId: number
  jobPayId: string | null
  kind: 'adjustment' | 'chargeback'
  amountCents: number
  reason: string
  state: 'proposed' | 'approved' | 'declined'
  madeAt: Temporal.Instant
  madeBy: string
  decidedBy: string | null
}

const adjustmentColumns = sql`id, shop_id as "shopId", job_pay_id as "jobPayId", kind, amount_cents as "amountCents", reason, state,
  made_at as "madeAt", made_by as "madeBy", decided_by as "decidedBy"`

/** When an approved adjustment counts, and until when its shop can dispute it. */
export type Decided = { at: Temporal.Instant; by: string; day: Temporal.PlainDate; disputeUntil: Temporal.Instant }

/** Inserts an adjustment, approved immediately or proposed; undefined for a duplicate submission. */
export async function insertAdjustment(
  tx: Tx,
  asked: {
    id: string
    shopId: number
    jobPayId: string | null
    kind: Adjustment['kind']
    amountCents: number
    reason: string
    submission: string
    at: Temporal.Instant
    by: string
  },
  decided: Decided | null,
): Promise<Adjustment | undefined> {
  const result = await sql<Adjustment>`
    insert into pay_adjustment (id, shop_id, job_pay_id, kind, amount_cents, reason, is_over_limit, state, submission_key, made_at, made_by,
      decided_at, decided_by, on_day, dispute_until)
    values (${asked.id}, ${asked.shopId}, ${asked.jobPayId}, ${asked.kind}, ${asked.amountCents}, ${asked.reason}, ${decided === null},
      ${decided === null ? 'proposed' : 'approved'}, ${asked.submission}, ${asked.at}, ${asked.by},
      ${decided?.at ?? null}, ${decided?.by ?? null}, ${decided?.day ?? null}::date, ${decided?.disputeUntil ?? null})
    on conflict (submission_key) do nothing returning ${adjustmentColumns}`.execute(tx)
  return result.rows[0]
}

export async function selectAdjustmentBySubmission(db: Database, key: string): Promise<Adjustment | undefined> {
  const result = await sql<Adjustment>`
    select ${adjustmentColumns} from pay_adjustment where submission_key = ${key}::uuid`.execute(db)
  return result.rows[0]
}

/** The adjustment of a shop, locked until the act is over. */
export async function lockAdjustment(
  tx: Tx,
  { id, shopId }: { id: string; shopId: number },
): Promise<Adjustment | undefined> {
  const result = await sql<Adjustment>`
    select ${adjustmentColumns} from pay_adjustment where id = ${id}::uuid and shop_id = ${shopId}::int for update`.execute(
    tx,
  )
  return result.rows[0]
}

export async function updateToApproved(tx: Tx, id: string, decided: Decided): Promise<void> {
  await sql`
    update pay_adjustment set state = 'approved', decided_at = ${decided.at}, decided_by = ${decided.by}, on_day = ${decided.day}::date,
      dispute_until = ${decided.disputeUntil}
    where id = ${id}::uuid`.execute(tx)
}

export async function updateToDeclined(tx: Tx, id: string, { at, by }: Pick<Decided, 'at' | 'by'>): Promise<void> {
  await sql`update pay_adjustment set state = 'declined', decided_at = ${at}, decided_by = ${by} where id = ${id}::uuid`.execute(
    tx,
  )
}

/** What is proposed for a shop, oldest first. */
export async function selectProposals(db: Database, shopId: number): Promise<Adjustment[]> {
  const result = await sql<Adjustment>`
    select ${adjustmentColumns} from pay_adjustment where shop_id = ${shopId}::int and state = 'proposed' order by made_at`.execute(
    db,
  )
  return result.rows
}

/** A job or an adjustment of a shop that could be disputed. */
export async function selectDisputable(
  tx: Tx,
  { shopId, about }: { shopId: number; about: { kind: 'job' | 'adjustment'; id: string } },
): Promise<{ disputeUntil: Temporal.Instant } | undefined> {
  const of =
    about.kind === 'job'
      ? sql`job_pay where id = ${about.id}::uuid and shop_id = ${shopId}::int`
      : sql`pay_adjustment where id = ${about.id}::uuid and shop_id = ${shopId}::int and state = 'approved'`
  const result = await sql<{ disputeUntil: Temporal.Instant }>`
    select dispute_until as "disputeUntil" from ${of}`.execute(tx)
  return result.rows[0]
}

export type Dispute = {
  id: string
  jobPayId: string | null
  adjustmentId: string | null
  orderId: number | null
  amountCents: number
  reason: string | null
  words: string
  hasPhoto: boolean
  openedAt: Temporal.Instant
  state: 'open' | 'granted' | 'declined'
  answer: string | null
  answeredAt: Temporal.Instant | null
}

/** Writes a dispute; returns false if its job or adjustment has one already. */
export async function insertDispute(
  tx: Tx,
  dispute: {
    id: string
    shopId: number
    about: { kind: 'job' | 'adjustment'; id: string }
    words: string
    photo: Attachment | null
    at: Temporal.Instant
    memberId: string
  },
): Promise<boolean> {
  const { about, photo } = dispute
  const result = await sql<{ id: string }>`
    insert into pay_dispute (id, shop_id, job_pay_id, adjustment_id, words, opened_at, opened_by, state)
    values (${dispute.id}, ${dispute.shopId}, ${about.kind === 'job' ? about.id : null}, ${about.kind === 'adjustment' ? about.id : null},
      ${dispute.words}, ${dispute.at}, ${dispute.memberId}, 'open')
    on conflict do nothing returning id`.execute(tx)
  if (result.rows.length === 0) return false
  if (photo) {
    const key = await storeFile(tx, photo, dispute.at)
    await sql`update pay_dispute set file_key = ${key}::uuid where id = ${dispute.id}::uuid`.execute(tx)
  }
  return true
}

/** Returns the storage key of a dispute's photo. */
export async function selectDisputePhotoKey(
  db: Database,
  { shopId, id }: { shopId: number; id: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ key: string | null }>`
    select file_key as key from pay_dispute where id = ${id}::uuid and shop_id = ${shopId}::int`.execute(db)
  return rows[0]?.key ?? undefined
}

/** Deletes photos with disputes answered before an instant. Returns how many. */
export async function forgetOldDisputePhotos(db: Database, before: Temporal.Instant): Promise<number> {
  const { numAffectedRows } = await sql`
    update pay_dispute set file_key = null where file_key is not null and answered_at < ${before}`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** The latest disputes of a shop, those without an answer first. */
export async function selectDisputes(db: Database, shopId: number, limit = 50): Promise<Dispute[]> {
  const result = await sql<Dispute>`
    select dispute.id, dispute.job_pay_id as "jobPayId", adjustment_id as "adjustmentId", pay.order_id as "orderId",
      coalesce(adjustment.amount_cents, pay.amount_cents) as "amountCents", adjustment.reason, words,
      dispute.file_key is not null as "hasPhoto", opened_at as "openedAt", dispute.state, answer, answered_at as "answeredAt"
    from pay_dispute dispute
    left join pay_adjustment adjustment on adjustment.id = dispute.adjustment_id
    left join job_pay pay on pay.id = coalesce(dispute.job_pay_id, adjustment.job_pay_id)
    where dispute.shop_id = ${shopId}::int order by dispute.state = 'open' desc, opened_at desc limit ${limit}`.execute(
    db,
  )
  return result.rows
}

export async function lockDispute(
  tx: Tx,
  { id, shopId }: { id: string; shopId: number },
): Promise<{ state: Dispute['state']; jobPayId: string | null } | undefined> {
  const result = await sql<{ state: Dispute['state']; jobPayId: string | null }>`
    select dispute.state, coalesce(dispute.job_pay_id, adjustment.job_pay_id) as "jobPayId"
    from pay_dispute dispute left join pay_adjustment adjustment on adjustment.id = dispute.adjustment_id
    where dispute.id = ${id}::uuid and dispute.shop_id = ${shopId}::int for update of dispute`.execute(tx)
  return result.rows[0]
}

export async function updateToAnswered(
  tx: Tx,
  answered: { id: string; state: 'granted' | 'declined'; answer: string; at: Temporal.Instant; by: string },
): Promise<void> {
  await sql`
    update pay_dispute set state = ${answered.state}, answer = ${answered.answer}, answered_at = ${answered.at}, answered_by = ${answered.by}
    where id = ${answered.id}::uuid`.execute(tx)
}
