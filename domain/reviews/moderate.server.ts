/** Publishing or refusing reviews: notifies the writer, and records both. */
import type { MessageKind, MessageValues } from '#domain/messages/messages.ts'
import { queueMessage } from '#domain/messages/messages.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { contentRules, isRefusalReason, type RefusalReason } from './content-rules.ts'
import { moveReview, selectForMail, selectWaiting, type WaitingReview } from './write.sql.server.ts'

type Deps = { readonly db: Database; readonly clock: Clock }

/** Lists up to `count` reviews awaiting a moderator, oldest first. */
export function listWaitingReviews({ db }: Pick<Deps, 'db'>, count: number): Promise<WaitingReview[]> {
  return selectWaiting(db, count)
}

/** Publishes a waiting review. */
export function publishReview(
  { db, clock }: Deps,
  input: { reviewId: number; actor: string },
): Promise<Outcome<null, Refused<'not-waiting'>>> {
  return db.transaction().execute((tx) => publish(tx, { ...input, at: clock.now() }))
}

/** Refuses a waiting review, or takes down a published one, for one of the content rules. */
export function refuseReview(
  { db, clock }: Deps,
  { reviewId, reason, actor }: { reviewId: number; reason: RefusalReason; actor: string },
): Promise<Outcome<null, Refused<'not-there'>>> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const moved = await moveReview(tx, reviewId, 'refused', { at, actor, refusedFor: reason })
    if (!moved) return refused('not-there')
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

/** Returns the values of a review mail, read at the time of sending; undefined for another one. */
export async function reviewMessageValues(
  { db, config }: { db: Database; config: Pick<Config, 'web' | 'store'> },
  message: { kind: MessageKind; key: string },
): Promise<MessageValues | undefined> {
  const id = /^review-(?:received|published|refused):(\d+)$/.exec(message.key)?.[1]
  if (id === undefined) return undefined
  const review = await selectForMail(db, Number(id))
  if (!review) throw new Error(`Review ${id} of a promised mail is not there.`)
  const line = `${config.web.origin}/brands/${review.brandSlug}/${review.lineSlug}`
  return {
    name: review.name,
    tire: `${review.brandName} ${review.lineName}`,
    summary: review.summary,
    reason:
      review.refusedFor !== null && isRefusalReason(review.refusedFor) ? contentRules[review.refusedFor].told : '',
    reviewsUrl: `${line}/reviews?sort=newest`,
    againUrl: `${line}/write-a-review`,
    rulesUrl: `${config.web.origin}/tire-reviews/rules`,
    phone: config.store.phone,
  }
}
