/** Reviews: lists, writing and helpful votes. Moderation has its own file. */
import type { RateLimits } from '#domain/kernel/rate-limits/rate-limits.port.ts'
import { parseOrderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import type { Catalog, Review, TopReview } from '#domain/catalog/catalog/catalog.server.ts'
import type { Item, Line } from '#domain/catalog/catalog/catalog.ts'
import { findModelIn } from '#domain/catalog/vehicles/vehicles.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import {
  countReviewsOfLine,
  selectBestLines,
  selectModelsOfLine,
  selectReviewsOfLine,
  selectReviewsOfScope,
  selectReviewsOfStore,
  selectReviewSums,
  type Page,
  type ReviewScope,
  type ReviewSums,
} from './lists.sql.server.ts'
import { publish, tell } from './moderate.server.ts'
import type { ReviewForm } from './review-form.ts'
import type { ReviewQuery } from './review-query.ts'
import { knownAccountDays, type HoldReason } from './content-rules.ts'
import { screenReview } from './screening.ts'
import {
  brokenRule,
  deleteVote,
  insertReview,
  insertVote,
  isAccountSince,
  selectIsOwn,
  selectProof,
  selectVotes,
  type Voter,
} from './write.sql.server.ts'

export { exportReviews } from './export.sql.server.ts'
export { inviteReviews } from './invite.server.ts'
export {
  findForModeration,
  listForModeration,
  listWaitingReviews,
  publishReview,
  refuseReview,
  reviewMessageValues,
  unpublishReview,
} from './moderate.server.ts'
export type { Page, ReviewScope, ReviewSum, ReviewSums } from './lists.sql.server.ts'

const reviewsPerPage = 10
const modelsOffered = 40

export type LineReviews = {
  readonly line: Line
  readonly item: Item
  readonly page: Page<Review>
  /** How many match the query. */
  readonly found: number
  readonly models: readonly { model: string; reviews: number }[]
}

/** Returns the model for a URL with an item for its image; undefined if it has no item for sale. */
export async function findReviewedLine(
  catalog: Catalog,
  brandSlug: string,
  lineSlug: string,
): Promise<{ line: Line; item: Item } | undefined> {
  const items = await catalog.cache.itemsOfLine(brandSlug, lineSlug)
  const item = items.toSorted((a, b) => a.retailCents - b.retailCents || a.id - b.id)[0]
  return item && { line: item.line, item }
}

/** Lists a page of a line's reviews. */
export async function listLineReviews(
  catalog: Catalog,
  { brandSlug, lineSlug, query }: { brandSlug: string; lineSlug: string; query: ReviewQuery },
): Promise<Outcome<LineReviews, Refused<'line-not-found'>>> {
  const found = await findReviewedLine(catalog, brandSlug, lineSlug)
  if (!found) return refused('line-not-found')
  const { db, cache } = catalog
  const { line } = found
  const isFiltered = query.stars !== null || query.vehicle !== null
  const [page, models, matching] = await Promise.all([
    selectReviewsOfLine(db, line.id, query, reviewsPerPage),
    cache.keep(`models of reviews ${line.id}`, () => selectModelsOfLine(db, line.id, modelsOffered)),
    isFiltered ? countReviewsOfLine(db, line.id, query) : (line.rating?.count ?? 0),
  ])
  return ok({ ...found, page, models, found: matching })
}

/** Lists a page of all reviews of the store. */
export function listStoreReviews(
  { db, range }: Pick<Catalog, 'db' | 'range'>,
  query: Pick<ReviewQuery, 'sort' | 'after'>,
): Promise<Page<TopReview>> {
  return selectReviewsOfStore(db, range, query, reviewsPerPage)
}

/** Lists the first reviews of an existing part of the store. */
export function listScopeReviews(
  { db, cache, range }: Catalog,
  scope: ReviewScope,
  sort: 'newest' | 'helpful',
  count: number,
): Promise<readonly TopReview[]> {
  return cache.keep(`reviews ${JSON.stringify(scope)} ${sort} ${count}`, async () =>
    scope.brand === undefined && scope.type === undefined && scope.category === undefined
      ? (await selectReviewsOfStore(db, range, { sort, after: null }, count)).reviews
      : selectReviewsOfScope(db, range, scope, sort, count),
  )
}

/**
 * Lists the best lines of an existing part of the store, each by its cheapest article, best first: see `rankingMean`.
 */
export async function listBestLines(
  { db, cache, range }: Catalog,
  scope: ReviewScope,
  count: number,
): Promise<readonly Item[]> {
  const ids = await cache.keep(`best lines ${JSON.stringify(scope)} ${count}`, () =>
    selectBestLines(db, range, scope, count),
  )
  if (ids.length === 0) return []
  const items = new Map((await cache.itemsByNumber(ids)).map((item) => [item.id, item]))
  return ids.flatMap((id) => items.get(id) ?? [])
}

/** Returns rating totals by brand, type and category. At most a few minutes old. */
export function sumReviews({ db, cache, range }: Catalog): Promise<ReviewSums> {
  return cache.keep('review sums', () => selectReviewSums(db, range), { life: { minutes: 5 } })
}

/** Lists which of these reviews a visitor found helpful, in this browser or with the account in any. */
export async function listVotes(
  { db }: { db: Database },
  voter: Pick<Voter, 'visitorId' | 'accountId'>,
  reviewIds: readonly number[],
): Promise<ReadonlySet<number>> {
  return new Set(reviewIds.length === 0 ? [] : await selectVotes(db, voter, reviewIds))
}

/** Finds the order that would verify a review of the line, among the visitor's proven orders. */
export function findProof(
  { db }: { db: Database },
  { lineId, ownOrderIds, accountId }: { lineId: number; ownOrderIds: readonly number[]; accountId: string | null },
): Promise<number | undefined> {
  return selectProof(db, lineId, { ownOrderIds, accountId, named: null })
}

export type WriteRefusal =
  | Refused<'line-not-found'>
  | Refused<'too-many', { retryAfterSeconds: number }>
  /** This email already has a review of the line. */
  | Refused<'already-written'>
  /** No delivered order with that number and email contains this tire, or it already proved a review of it. */
  | Refused<'purchase-not-found'>

/**
 * Writes a review and holds it for a moderator. Publishes it immediately only if one of our orders delivered the tires,
 * the account is several days old, and the text isn't flagged. The star rating isn't considered. `ownOrderIds` are
 * orders verified for the visitor, `accountId` is the signed-in customer, and `from` is the network address.
 */
export async function writeReview(
  deps: { db: Database; clock: Clock; catalog: Catalog; rateLimits: RateLimits },
  input: {
    brandSlug: string
    lineSlug: string
    form: ReviewForm
    writerId: string
    accountId: string | null
    from: string
    ownOrderIds: readonly number[]
  },
): Promise<Outcome<{ reviewId: number; state: 'published' | 'waiting'; isVerified: boolean }, WriteRefusal>> {
  const found = await findReviewedLine(deps.catalog, input.brandSlug, input.lineSlug)
  if (!found) return refused('line-not-found')
  const taken = await deps.rateLimits.take('review', { network: input.from })
  if (!taken.ok) return taken
  const { form, writerId, accountId } = input
  const named =
    form.orderNumber === null ? null : { orderId: parseOrderNumber(form.orderNumber) ?? 0, email: form.email }
  // Guessing number and email must be limited, so each attempt counts as an order lookup.
  const isCounted = named && (await deps.rateLimits.take('order-lookup', { order: named.orderId, network: input.from }))
  if (isCounted && !isCounted.ok) return isCounted

  const { id: lineId } = found.line
  const vehicleModel = await findModelIn(deps.db, form.vehicle)
  const screened = screenReview(form)
  const at = deps.clock.now()
  const isKnown =
    accountId !== null && (await isAccountSince(deps.db, accountId, at.subtract({ hours: 24 * knownAccountDays })))
  try {
    const written = await deps.db.transaction().execute(async (tx) => {
      const proof = await selectProof(tx, lineId, { ownOrderIds: input.ownOrderIds, accountId, named })
      if (named && proof === undefined) return refused('purchase-not-found')
      const heldFor: HoldReason[] = [
        ...screened,
        ...(proof === undefined ? ['unverified' as const] : []),
        ...(isKnown ? [] : ['unknown-account' as const]),
      ]
      const reviewId = await insertReview(tx, {
        lineId,
        form,
        vehicleModel,
        writerId,
        verifiedOrderId: proof ?? null,
        heldFor,
        at,
      })
      if (heldFor.length === 0) await publish(tx, { reviewId, actor: 'screening', at })
      else await tell(tx, { kind: 'review-received', reviewId, to: form.email, at })
      return ok({
        reviewId,
        state: heldFor.length === 0 ? ('published' as const) : ('waiting' as const),
        isVerified: proof !== undefined,
      })
    })
    if (written.ok && named)
      await deps.rateLimits.giveBack('order-lookup', { order: named.orderId, network: input.from })
    return written
  } catch (error) {
    const rule = brokenRule(error)
    if (rule === undefined) throw error
    return refused(rule === 'once-per-email' ? 'already-written' : 'purchase-not-found')
  }
}

/**
 * Records whether a visitor finds a published review helpful. Idempotent. One vote per account, or per browser without
 * an account. Refuses with `voted-nearby` if another visitor on the same network has voted.
 */
export async function voteHelpful(
  deps: { db: Database; clock: Clock; rateLimits: RateLimits },
  { reviewId, voter, isHelpful }: { reviewId: number; voter: Voter; isHelpful: boolean },
): Promise<
  Outcome<
    null,
    | Refused<'review-not-found'>
    | Refused<'own-review'>
    | Refused<'voted-nearby'>
    | Refused<'too-many', { retryAfterSeconds: number }>
  >
> {
  const taken = await deps.rateLimits.take('review-vote', { network: voter.network })
  if (!taken.ok) return taken
  const isOwn = await selectIsOwn(deps.db, reviewId, voter)
  if (isOwn === undefined) return refused('review-not-found')
  if (isOwn) return refused('own-review')
  if (!isHelpful) await deleteVote(deps.db, { reviewId, voter })
  else if (!(await insertVote(deps.db, { reviewId, voter, at: deps.clock.now() }))) return refused('voted-nearby')
  return ok(null)
}
