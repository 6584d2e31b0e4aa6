/** Writes reviews, their moderation, and helpful votes. */
import { sql } from 'kysely'
import { attributes } from '#domain/catalog/catalog/catalog.ts'
import { violatedConstraint, type Database, type Tx } from '#platform/db.ts'
import { statesBefore } from '#platform/transitions.ts'
import { reviewLife, type HoldReason, type RefusalReason, type ReviewState } from './content-rules.ts'
import type { ReviewForm } from './review-form.ts'

/**
 * Orders that may verify a purchase (the visitor's verified orders, the account's, and one submitted with its email).
 */
export type Claim = {
  readonly ownOrderIds: readonly number[]
  readonly accountId: string | null
  readonly named: { readonly orderId: number; readonly email: string } | null
}

/**
 * Returns the latest of these orders that delivered the model's tires and hasn't verified another review of it;
 * undefined if there isn't one.
 */
export async function selectProof(
  db: Database,
  lineId: number,
  { ownOrderIds, accountId, named }: Claim,
): Promise<number | undefined> {
  if (ownOrderIds.length === 0 && accountId === null && named === null) return undefined
  const { rows } = await sql<{ id: number }>`
    select id from sales_order o
    where (o.id = any (${[...ownOrderIds]}::bigint[]) or o.cart_id in (select id from cart where account_id = ${accountId}::uuid) or (o.id = ${named?.orderId ?? null}::bigint and o.email = ${named?.email ?? null}))
      and order_brought_line(o.id, ${lineId})
      and not exists (select from review where verified_order_id = o.id and product_line_id = ${lineId} and state <> 'refused')
    order by id desc limit 1`.execute(db)
  return rows[0]?.id
}

export type NewReview = {
  readonly lineId: number
  readonly form: ReviewForm
  readonly vehicleModel: string | null
  readonly writerId: string
  readonly verifiedOrderId: number | null
  readonly heldFor: readonly HoldReason[]
  readonly at: Temporal.Instant
}

/** Stores a waiting review. */
export async function insertReview(
  tx: Tx,
  { lineId, form, vehicleModel, writerId, verifiedOrderId, heldFor, at }: NewReview,
): Promise<number> {
  const given = attributes.flatMap((attribute) => form[attribute] ?? [])
  const { id } = await tx
    .insertInto('review')
    .values({
      product_line_id: lineId,
      ...Object.fromEntries(attributes.map((attribute) => [attribute, form[attribute]])),
      overall_hundredths: Math.round((given.reduce((sum, stars) => sum + stars, 0) / given.length) * 100),
      summary: form.summary,
      comments: form.comments,
      author_name: form.name,
      email: form.email,
      purchased_on: form.purchasedOn,
      vehicle: form.vehicle,
      vehicle_model: vehicleModel,
      miles_driven: form.milesDriven,
      driving_style: form.drivingStyle,
      where_used: form.whereUsed,
      buy_again: form.buyAgain,
      verified_order_id: verifiedOrderId,
      held_for: [...heldFor],
      writer_id: writerId,
      state: 'waiting',
      written_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('review_event')
    .values({ review_id: id, at, from_state: null, to_state: 'waiting', actor: 'shopper' })
    .execute()
  return id
}

/** Returns the violated constraint. The person already reviewed the model, or the order already has a review of it. */
export function brokenRule(error: unknown): 'once-per-email' | 'once-per-order' | undefined {
  const name = violatedConstraint(error)
  return name === 'review_once_per_email'
    ? 'once-per-email'
    : name === 'review_once_per_order'
      ? 'once-per-order'
      : undefined
}

/**
 * Changes a review's state, recording who did. Returns its earlier state and whom to notify; undefined if the
 * transition is not allowed.
 */
export async function moveReview(
  tx: Tx,
  id: number,
  to: ReviewState,
  { at, actor, refusedFor = null }: { at: Temporal.Instant; actor: string; refusedFor?: RefusalReason | null },
): Promise<{ email: string | null } | undefined> {
  const { rows } = await sql<{ email: string | null }>`
    with before as (select id, state from review where id = ${id} for update),
    moved as (
      update review set state = ${to}, refused_for = ${refusedFor} from before
      where review.id = before.id and before.state = any (${statesBefore(reviewLife, to)}::text[])
      returning review.id, review.email, before.state as was),
    told as (
      insert into review_event (review_id, at, from_state, to_state, actor, note)
      select id, ${at.toString()}::timestamptz, was, ${to}, ${actor}, ${refusedFor} from moved)
    select email from moved`.execute(tx)
  return rows[0]
}

/** Selects the reviews with these ids, each with its state and excerpt. */
export async function selectStates(
  db: Database,
  ids: readonly number[],
): Promise<{ id: number; state: ReviewState; tire: string; summary: string; writtenAt: Temporal.Instant }[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{
    id: number
    state: ReviewState
    tire: string
    summary: string
    writtenAt: Temporal.Instant
  }>`
    select review.id, review.state, brand.name || ' ' || line.name as tire, review.summary, review.written_at as "writtenAt"
    from review join product_line line on line.id = review.product_line_id join brand on brand.id = line.brand_id
    where review.id = any(${ids}::int[])`.execute(db)
  return rows
}

/** Whether the account has existed since then. */
export async function isAccountSince(db: Database, accountId: string, since: Temporal.Instant): Promise<boolean> {
  return (
    (await db
      .selectFrom('account')
      .select('id')
      .where('id', '=', accountId)
      .where('created_at', '<=', since)
      .executeTakeFirst()) !== undefined
  )
}

/** A voter. It is an account, or else a browser on its network. `visitorId` identifies the browser. */
export type Voter = { readonly visitorId: string; readonly accountId: string | null; readonly network: string }

/** Returns whether this voter wrote a published review; undefined if the review doesn't exist. */
export async function selectIsOwn(
  db: Database,
  reviewId: number,
  { visitorId, accountId }: Voter,
): Promise<boolean | undefined> {
  const { rows } = await sql<{ isOwn: boolean }>`
    select coalesce(writer_id = ${visitorId}::uuid, false)
      or coalesce(email = (select email from account where id = ${accountId}::uuid and email_verified_at is not null), false) as "isOwn"
    from review where id = ${reviewId} and state = 'published'`.execute(db)
  return rows[0]?.isOwn
}

/**
 * Records a vote, unless this voter already has one. False if another browser on the network has voted, as enforced by
 * the index `review_vote_once_per_network`.
 */
export async function insertVote(
  db: Database,
  { reviewId, voter, at }: { reviewId: number; voter: Voter; at: Temporal.Instant },
): Promise<boolean> {
  const { visitorId, accountId, network } = voter
  await sql`
    insert into review_vote (review_id, visitor_id, account_id, network, at)
    select ${reviewId}, ${visitorId}::uuid, ${accountId}::uuid, ${network}, ${at.toString()}::timestamptz
    where ${accountId}::uuid is not null or not exists (select from review_vote where review_id = ${reviewId} and network = ${network})
    on conflict do nothing`.execute(db)
  return (await selectVotes(db, voter, [reviewId])).length === 1
}

export async function deleteVote(db: Database, { reviewId, voter }: { reviewId: number; voter: Voter }): Promise<void> {
  await db.deleteFrom('review_vote').where('review_id', '=', reviewId).where(isBy(voter)).execute()
}

/** Which of these reviews a voter found helpful. */
export async function selectVotes(
  db: Database,
  voter: Pick<Voter, 'visitorId' | 'accountId'>,
  reviewIds: readonly number[],
): Promise<number[]> {
  const rows = await db
    .selectFrom('review_vote')
    .select('review_id')
    .distinct()
    .where(isBy(voter))
    .where('review_id', '=', sql<number>`any (${[...reviewIds]}::int[])`)
    .execute()
  return rows.map((row) => row.review_id)
}

/**
 * A browser's own votes, including those from before signing in, and the account's from any browser; not those another
 * account left in this one.
 */
function isBy({ visitorId, accountId }: Pick<Voter, 'visitorId' | 'accountId'>) {
  return sql<boolean>`(account_id = ${accountId}::uuid or account_id is null and visitor_id = ${visitorId}::uuid)`
}

export type WaitingReview = {
  readonly id: number
  readonly brandName: string
  readonly lineName: string
  readonly summary: string
  readonly comments: string
  readonly author: string
  readonly heldFor: readonly string[]
  readonly writtenAt: Temporal.Instant
}

/** Held reviews, oldest first. Omits the stars because moderators don't see them. */
/** The start of a page, after this review. */
export type ReviewPlace = { writtenAt: Temporal.Instant; id: number }

/** Selects up to `count` reviews by state after `after`, held ones oldest first, the others newest first. */
export async function selectByState(
  db: Database,
  { state, after, count }: { state: ReviewState; after: ReviewPlace | null; count: number },
): Promise<(WaitingReview & { refusedFor: string | null; stars: number })[]> {
  const direction = state === 'waiting' ? 'asc' : 'desc'
  return db
    .selectFrom('review')
    .innerJoin('product_line as line', 'line.id', 'review.product_line_id')
    .innerJoin('brand', 'brand.id', 'line.brand_id')
    .select([
      'review.id',
      'brand.name as brandName',
      'line.name as lineName',
      'review.summary',
      'review.comments',
      'review.author_name as author',
      'review.held_for as heldFor',
      'review.written_at as writtenAt',
      'review.refused_for as refusedFor',
      sql<number>`review.overall_hundredths / 100.0::float8`.as('stars'),
    ])
    .where('review.state', '=', state)
    .$if(after !== null, (select) =>
      select.where(
        sql<boolean>`(review.written_at, review.id) ${sql.raw(state === 'waiting' ? '>' : '<')} (${after?.writtenAt.toString()}::timestamptz, ${after?.id}::bigint)`,
      ),
    )
    .orderBy('review.written_at', direction)
    .orderBy('review.id', direction)
    .limit(count)
    .execute()
}

export async function selectWaiting(db: Database, count: number): Promise<WaitingReview[]> {
  return db
    .selectFrom('review')
    .innerJoin('product_line as line', 'line.id', 'review.product_line_id')
    .innerJoin('brand', 'brand.id', 'line.brand_id')
    .select([
      'review.id',
      'brand.name as brandName',
      'line.name as lineName',
      'review.summary',
      'review.comments',
      'review.author_name as author',
      'review.held_for as heldFor',
      'review.written_at as writtenAt',
    ])
    .where('review.state', '=', 'waiting')
    .orderBy('review.written_at')
    .orderBy('review.id')
    .limit(count)
    .execute()
}

export type ReviewMail = {
  readonly name: string
  readonly summary: string
  readonly refusedFor: string | null
  readonly brandSlug: string
  readonly brandName: string
  readonly lineSlug: string
  readonly lineName: string
}

/** The contents of a mail about a review. */
export async function selectForMail(db: Database, reviewId: number): Promise<ReviewMail | undefined> {
  return db
    .selectFrom('review')
    .innerJoin('product_line as line', 'line.id', 'review.product_line_id')
    .innerJoin('brand', 'brand.id', 'line.brand_id')
    .select([
      'review.author_name as name',
      'review.summary',
      'review.refused_for as refusedFor',
      'brand.slug as brandSlug',
      'brand.name as brandName',
      'line.slug as lineSlug',
      'line.name as lineName',
    ])
    .where('review.id', '=', reviewId)
    .executeTakeFirst()
}

/** Whether an order verifies a review already. */
export async function hasReviewOf(db: Database, orderId: number): Promise<boolean> {
  const found = await db
    .selectFrom('review')
    .select('id')
    .where('verified_order_id', '=', orderId)
    // As the index has it.
    .where(sql<boolean>`state <> 'refused'`)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
