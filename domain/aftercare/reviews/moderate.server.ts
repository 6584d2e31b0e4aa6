/** Publishes or refuses reviews, notifies the author, and records both. */
import { paths } from '#content/paths.ts'
import { keyParts, type MessageValues } from '#domain/messaging/messages/messages.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { contentRules, isRefusalReason, type RefusalReason, type ReviewState } from './content-rules.ts'
import {
  moveReview,
  selectByState,
  selectForMail,
  selectStates,
  selectWaiting,
  type ReviewPlace,
  type WaitingReview,
} from './write.sql.server.ts'

type Deps = { readonly db: Database; readonly clock: Clock }

/** Lists up to `count` reviews awaiting a moderator, oldest first. */
export function listWaitingReviews({ db }: Pick<Deps, 'db'>, count: number): Promise<WaitingReview[]> {
  return selectWaiting(db, count)
}

const reviewsPerOfficePage = 25

/**
 * Lists a page of reviews by state for moderators, held ones oldest first, the others newest first. `next` is the
 * cursor of the following page, or null on the last one.
 */
export async function listForModeration(
  { db }: Pick<Deps, 'db'>,
  { state, after }: { state: ReviewState; after: ReviewPlace | null },
) {
  const found = await selectByState(db, { state, after, count: reviewsPerOfficePage + 1 })
  const reviews = found.slice(0, reviewsPerOfficePage)
  const last = reviews.at(-1)
  return { reviews, next: found.length > reviews.length && last ? { writtenAt: last.writtenAt, id: last.id } : null }
}

/** Publishes a waiting review. */
export function publishReview(
  { db, clock }: Deps,
  { reviewId, by }: { reviewId: number; by: Actor },
): Promise<Outcome<null, Refused<'not-waiting'> | Refused<'not-allowed'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'reviews.decide', at)
    if (!permitted.ok) return permitted
    const published = await publish(tx, { reviewId, actor: by.name, at })
    if (published.ok) await recordAct(tx, { by, act: 'review.published', subject: `review ${reviewId}`, at })
    return published
  })
}

/** Returns a published review to the moderation queue. Its author, who was already emailed, isn't emailed again. */
export function unpublishReview(
  { db, clock }: Deps,
  { reviewId, by }: { reviewId: number; by: Actor },
): Promise<Outcome<null, Refused<'not-there'> | Refused<'not-allowed'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'reviews.decide', at)
    if (!permitted.ok) return permitted
    if (!(await moveReview(tx, reviewId, 'waiting', { at, actor: by.name }))) return refused('not-there')
    await recordAct(tx, { by, act: 'review.unpublished', subject: `review ${reviewId}`, at })
    return ok(null)
  })
}

/** Finds reviews by id, in any state, for moderators. */
export function findForModeration({ db }: Pick<Deps, 'db'>, ids: readonly number[]) {
  return selectStates(db, ids)
}

/** Refuses a waiting review, or takes down a published one, for one of the content rules. */
export function refuseReview(
  { db, clock }: Deps,
  { reviewId, reason, by }: { reviewId: number; reason: RefusalReason; by: Actor },
): Promise<Outcome<null, Refused<'not-there'> | Refused<'not-allowed'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'reviews.decide', at)
    if (!permitted.ok) return permitted
    const moved = await moveReview(tx, reviewId, 'refused', { at, actor: by.name, refusedFor: reason })
    if (!moved) return refused('not-there')
    await recordAct(tx, { by, act: 'review.refused', subject: `review ${reviewId}`, reason, at })
    await tell(tx, { kind: 'review-refused', reviewId, to: moved.email, at })
    return ok(null)
  })
}

/** The same within the caller's transaction. */
export async function publish(
  tx: Tx,
  { reviewId, actor, at }: { reviewId: number; actor: string; at: Temporal.Instant },
): Promise<Outcome<null, Refused<'not-waiting'>>> {
  const moved = await moveReview(tx, reviewId, 'published', { at, actor })
  if (!moved) return refused('not-waiting')
  await tell(tx, { kind: 'review-published', reviewId, to: moved.email, at })
  return ok(null)
}

/** Enqueues a mail about a review; sample reviews have no recipient. */
export async function tell(
  tx: Tx,
  {
    kind,
    reviewId,
    to,
    at,
  }: {
    kind: 'review-received' | 'review-published' | 'review-refused'
    reviewId: number
    to: string | null
    at: Temporal.Instant
  },
): Promise<void> {
  if (to !== null) await queueMessage(tx, { kind, key: `${kind}:${reviewId}`, to, orderId: null, at })
}

/** Returns the values of a review mail, read at the time of sending. */
export async function reviewMessageValues(
  { db, config }: { db: Database; config: Pick<Config, 'web' | 'store'> },
  { key }: { key: string },
): Promise<MessageValues> {
  const [id = ''] = keyParts(key)
  const review = await selectForMail(db, Number(id))
  if (!review) throw new Error(`Review ${id} of a promised mail is not there.`)
  const { origin } = config.web
  return {
    name: review.name,
    tire: `${review.brandName} ${review.lineName}`,
    summary: review.summary,
    reason:
      review.refusedFor !== null && isRefusalReason(review.refusedFor) ? contentRules[review.refusedFor].told : '',
    reviewsUrl: origin + paths.lineReviews(review.brandSlug, review.lineSlug, { sort: 'newest' }),
    againUrl: origin + paths.writeReview(review.brandSlug, review.lineSlug),
    rulesUrl: origin + paths.tireReviews('rules'),
    phone: config.store.phone,
  }
}
