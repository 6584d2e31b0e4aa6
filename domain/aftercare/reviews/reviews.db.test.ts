/**
 * Reviews, from submission to votes and lists. Over 400 lines: a single lifecycle with steps that share a few fixtures.
 */
import { noRateLimits } from '#domain/kernel/rate-limits/rate-limits.testing.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { accountDeps, dana, signInAs } from '#domain/customers/accounts/accounts.testing.ts'
import { keepCart } from '#domain/payments/cart/cart.server.ts'
import { createCatalog } from '#domain/catalog/catalog/catalog.server.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { violatedConstraint, type Database } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { refused } from '#platform/outcome.ts'
import { createTestDatabase, smallDataMadeAt } from '#tests/support/database.ts'
import { verify } from '#tests/support/invariants.ts'
import { plainReviewQuery, rankingMean, reviewForm, reviewSorts, type ReviewQuery } from './reviews.ts'
import {
  listBestLines,
  listLineReviews,
  listScopeReviews,
  listStoreReviews,
  listVotes,
  listWaitingReviews,
  publishReview,
  refuseReview,
  reviewMessageValues,
  voteHelpful,
  writeReview,
} from './reviews.server.ts'

const form = reviewForm(smallDataMadeAt)
const typed = {
  dry: '5',
  wet: '4',
  summary: 'Calm in heavy rain',
  comments: 'Held the lane in a downpour.',
  name: 'Dana R.',
  email: 'dana@example.com',
  purchasedOn: '03/14/2026',
  vehicle: 'a 2021 toyota rav4, XLE',
  milesDriven: '12,400',
  drivingStyle: 'Average',
  whereUsed: 'Mixed',
  buyAgain: 'yes',
}

function storeOn(db: Database) {
  const clock = fixedClock(smallDataMadeAt)
  return { db, clock, catalog: createCatalog({ db, clock }), rateLimits: noRateLimits }
}

/** The most reviewed line. */
async function busyLine(db: Database): Promise<{ id: number; brandSlug: string; lineSlug: string }> {
  return db
    .selectFrom('line_rating as rating')
    .innerJoin('product_line as line', 'line.id', 'rating.product_line_id')
    .innerJoin('brand', 'brand.id', 'line.brand_id')
    .select(['line.id', 'brand.slug as brandSlug', 'line.slug as lineSlug'])
    .orderBy('review_count', 'desc')
    .orderBy('line.id')
    .executeTakeFirstOrThrow()
}

async function lineOf(db: Database, orderId: number): Promise<{ id: number; brandSlug: string; lineSlug: string }> {
  return db
    .selectFrom('order_line')
    .innerJoin('item', 'item.id', 'order_line.item_id')
    .innerJoin('product_line as line', 'line.id', 'item.product_line_id')
    .innerJoin('brand', 'brand.id', 'line.brand_id')
    .select(['line.id', 'brand.slug as brandSlug', 'line.slug as lineSlug'])
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
}

/** An order, delivered or not, that has not proven a review yet. */
async function orderThat(db: Database, isDelivered: boolean): Promise<{ id: number; email: string }> {
  return db
    .selectFrom('sales_order as o')
    .innerJoin('shipment', 'shipment.order_id', 'o.id')
    .select(['o.id', 'o.email'])
    .where('shipment.state', isDelivered ? '=' : '<>', 'delivered')
    .where('shipment.delivered_at', isDelivered ? 'is not' : 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('review').select('review.id').whereRef('verified_order_id', '=', 'o.id'))),
    )
    .orderBy('o.id')
    .executeTakeFirstOrThrow()
}

type Store = ReturnType<typeof storeOn>
type Change = Partial<Record<keyof typeof typed | 'orderNumber', string>>

function write(
  store: Store,
  at: { brandSlug: string; lineSlug: string },
  change: Change = {},
  as: { writerId?: string; ownOrderIds?: number[]; accountId?: string } = {},
) {
  return writeReview(store, {
    ...at,
    form: form.parse({ ...typed, ...change }),
    writerId: as.writerId ?? newId(),
    from: '203.0.113.7',
    accountId: as.accountId ?? null,
    ownOrderIds: as.ownOrderIds ?? [],
  })
}

async function written(
  store: Store,
  at: { brandSlug: string; lineSlug: string },
  change: Change = {},
  as: { writerId?: string } = {},
) {
  const done = await write(store, at, change, as)
  if (!done.ok) throw new Error(done.reason)
  return done.value
}

/** A review published by a moderator. */
async function published(
  store: Store,
  at: { brandSlug: string; lineSlug: string },
  change: Change = {},
  as: { writerId?: string } = {},
) {
  const { reviewId } = await written(store, at, change, as)
  await publishReview(store, { reviewId, by: desk })
  return reviewId
}

/** Signs up a person with an account this many days old. */
async function signUp({ db, clock }: Store, email: string, days = 0): Promise<string> {
  const deps = { ...accountDeps(db), clock: fixedClock(clock.now().subtract({ hours: 24 * days })) }
  deps.identity.person = { ...dana, subject: email, email }
  return (await signInAs(deps)).accountId
}

const heldFor = async ({ db }: Store, reviewId: number) =>
  (await db.selectFrom('review').select('held_for').where('id', '=', reviewId).executeTakeFirstOrThrow()).held_for

const mailsTo = (db: Database, email: string) =>
  db
    .selectFrom('message')
    .select(['kind', 'key'])
    .where('to_address', '=', email)
    .orderBy('created_at')
    .orderBy('kind')
    .execute()
    .then((mails) => mails.map(({ kind }) => kind))

test('a review is moderated, counts once published, and emails its writer twice', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const store = storeOn(database.db)
  const line = await busyLine(store.db)
  const ratingOf = () =>
    store.db.selectFrom('line_rating').selectAll().where('product_line_id', '=', line.id).executeTakeFirstOrThrow()
  const before = await ratingOf()
  const { reviewId, state, isVerified } = await written(store, line)
  expect({ state, isVerified }).toEqual({ state: 'waiting', isVerified: false })
  expect(await heldFor(store, reviewId)).toEqual(['unverified', 'unknown-account'])
  expect(await mailsTo(store.db, typed.email)).toEqual(['review-received'])
  expect(await ratingOf()).toEqual(before)
  const newest = async () => {
    const listed = await listLineReviews(store.catalog, { ...line, query: { ...plainReviewQuery, sort: 'newest' } })
    return listed.ok ? listed.value.page.reviews[0] : undefined
  }
  expect((await newest())?.id).not.toBe(reviewId)

  store.clock.set(store.clock.now().add({ minutes: 1 }))
  await publishReview(store, { reviewId, by: desk })
  expect(await newest()).toMatchObject({
    id: reviewId,
    overallHundredths: 450,
    isVerified: false,
    isSample: false,
    attributes: { dry: 5, winter: null },
  })
  expect((await ratingOf()).review_count).toBe(before.review_count + 1)
  const row = await store.db
    .selectFrom('review')
    .select('vehicle_model')
    .where('id', '=', reviewId)
    .executeTakeFirstOrThrow()
  expect(row.vehicle_model).toBe('Toyota RAV4')
  const events = await store.db
    .selectFrom('review_event')
    .select(['from_state', 'to_state', 'actor'])
    .where('review_id', '=', reviewId)
    .orderBy('id')
    .execute()
  expect(events).toEqual([
    { from_state: null, to_state: 'waiting', actor: 'shopper' },
    { from_state: 'waiting', to_state: 'published', actor: 'desk' },
  ])
  expect(await mailsTo(store.db, typed.email)).toEqual(['review-received', 'review-published'])
})

test('a trusted verified buyer’s unflagged review is published immediately, and others wait', async () => {
  const ends: Record<string, string> = {}
  for (const without of ['nothing', 'the order', 'the account', 'its days', 'clean words', 'most stars']) {
    await using database = await createTestDatabase({ from: 'small' })
    const store = storeOn(database.db)
    const order = await orderThat(store.db, true)
    const line = await lineOf(store.db, order.id)
    const accountId = await signUp(store, 'regular@example.com', without === 'its days' ? 6 : 7)
    const { cart_id: cartId } = await store.db
      .selectFrom('sales_order')
      .select('cart_id')
      .where('id', '=', order.id)
      .executeTakeFirstOrThrow()
    if (without !== 'the order') await keepCart(store.db, cartId, accountId)
    const change = {
      ...(without === 'clean words' && { summary: 'Buy at tires-for-less.com' }),
      ...(without === 'most stars' && { dry: '1', wet: '1', buyAgain: 'no' }),
    }
    const as = without === 'the account' ? { ownOrderIds: [order.id] } : { accountId }
    const answer = await write(store, line, change, as)
    if (!answer.ok) throw new Error(answer.reason)
    ends[without] = `${answer.value.state} ${(await heldFor(store, answer.value.reviewId)).join()}`
  }
  expect(ends).toEqual({
    nothing: 'published ',
    'the order': 'waiting unverified',
    'the account': 'waiting unknown-account',
    'its days': 'waiting unknown-account',
    'clean words': 'waiting link',
    'most stars': 'published ',
  })
})

test('flagged text is moderated, regardless of rating', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const store = storeOn(database.db)
  const line = await busyLine(store.db)
  const held = { comments: 'Best price at tires-for-less.com' }
  const [low, high] = [
    await written(store, line, { ...held, dry: '1', wet: '1', buyAgain: 'no', email: 'low@example.com' }),
    await written(store, line, { ...held, dry: '5', wet: '5', email: 'high@example.com' }),
  ]
  expect(low.state).toBe('waiting')
  expect(high.state).toBe('waiting')
  const waiting = (await listWaitingReviews(store, 100)).filter(({ id }) => id === low.reviewId || id === high.reviewId)
  expect(waiting.map((review) => review.heldFor)).toEqual(
    [low, high].map(() => ['link', 'unverified', 'unknown-account']),
  )
  expect(Object.keys(waiting[0] ?? {})).not.toContain('overallHundredths')
  const shown = async () => {
    const { reviews } = await listStoreReviews(store.catalog, { sort: 'newest', after: null })
    return reviews.filter(({ id }) => id === low.reviewId || id === high.reviewId).map(({ id }) => id)
  }
  expect(await shown()).toEqual([])

  expect(await publishReview(store, { reviewId: low.reviewId, by: desk })).toEqual({ ok: true, value: null })
  expect(await publishReview(store, { reviewId: low.reviewId, by: desk })).toMatchObject({
    ok: false,
    reason: 'not-waiting',
  })
  expect(await refuseReview(store, { reviewId: high.reviewId, reason: 'advertising', by: desk })).toEqual({
    ok: true,
    value: null,
  })
  expect(await shown()).toEqual([low.reviewId])
  expect(await mailsTo(store.db, 'high@example.com')).toEqual(['review-received', 'review-refused'])
  const config = { web: { origin: 'https://store.test' }, store: { phone: '(800) 555-0142' } } as Parameters<
    typeof reviewMessageValues
  >[0]['config']
  expect(await reviewMessageValues({ db: store.db, config }, { key: `review-refused:${high.reviewId}` })).toMatchObject(
    {
      reason: 'It advertises something or leads to another site.',
      againUrl: `https://store.test/brands/${line.brandSlug}/${line.lineSlug}/write-a-review`,
    },
  )
  // A refused writer may write again; a published review may be taken down.
  expect((await write(store, line, { email: 'high@example.com' })).ok).toBe(true)
  expect((await refuseReview(store, { reviewId: low.reviewId, reason: 'not-genuine', by: desk })).ok).toBe(true)
})

test('one person reviews a line once, however often it is submitted', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const store = storeOn(database.db)
  const line = await busyLine(store.db)
  const answers = await Promise.all(Array.from({ length: 5 }, () => write(store, line)))
  expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
  expect(answers.flatMap((answer) => (answer.ok ? [] : [answer.reason]))).toEqual(
    Array.from({ length: 4 }, () => 'already-written'),
  )
  expect(await mailsTo(store.db, typed.email)).toHaveLength(1)
})

test('simultaneously published reviews of one line are all counted', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const store = storeOn(database.db)
  const line = await busyLine(store.db)
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) => write(store, line, { email: `dana${index}@example.com` })),
  )
  const ids = answers.flatMap((answer) => (answer.ok ? [answer.value.reviewId] : []))
  expect(ids).toHaveLength(8)
  await Promise.all(ids.map((reviewId) => publishReview(store, { reviewId, by: desk })))
  const { kept, counted } = await store.db
    .selectFrom('line_rating')
    .select((eb) => [
      'review_count as kept',
      eb
        .selectFrom('review')
        .select((review) => review.fn.countAll<number>().as('count'))
        .where('product_line_id', '=', line.id)
        .where('state', '=', 'published')
        .as('counted'),
    ])
    .where('product_line_id', '=', line.id)
    .executeTakeFirstOrThrow()
  expect(kept).toBe(counted)
})

test('the mark needs a delivered order of the line, by number and email or as its owner', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const store = storeOn(database.db)
  const order = await orderThat(store.db, true)
  const line = await lineOf(store.db, order.id)
  const number = { orderNumber: `s-${order.id}` }
  expect(await write(store, line, number)).toMatchObject({ ok: false, reason: 'purchase-not-found' })
  expect(await write(store, line, { ...number, orderNumber: '1', email: order.email })).toMatchObject({
    ok: false,
    reason: 'purchase-not-found',
  })
  expect(await write(store, line, { ...number, email: order.email })).toMatchObject({
    ok: true,
    value: { isVerified: true },
  })
  // It proves one review; its owner's next one has no mark.
  expect(await write(store, line, { email: 'other@example.com' }, { ownOrderIds: [order.id] })).toMatchObject({
    ok: true,
    value: { isVerified: false },
  })

  const second = await orderThat(store.db, true)
  expect(
    await write(store, await lineOf(store.db, second.id), { email: 'own@example.com' }, { ownOrderIds: [second.id] }),
  ).toMatchObject({
    value: { isVerified: true },
  })
  const underway = await orderThat(store.db, false)
  const elsewhere = await lineOf(store.db, underway.id)
  expect(await write(store, elsewhere, { email: underway.email, orderNumber: String(underway.id) })).toMatchObject({
    ok: false,
    reason: 'purchase-not-found',
  })
})

test('the database refuses a mark without a delivered order', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const { db } = database
  const [order, underway] = [await orderThat(db, true), await orderThat(db, false)]
  const line = await lineOf(db, order.id)
  const mark = async (lineId: number, orderId: number) => {
    const review = await db
      .selectFrom('review')
      .select('id')
      .where('product_line_id', '=', lineId)
      .where('verified_order_id', 'is', null)
      .orderBy('id')
      .executeTakeFirstOrThrow()
    try {
      await db.updateTable('review').set({ verified_order_id: orderId }).where('id', '=', review.id).execute()
      return 'marked'
    } catch (error) {
      return violatedConstraint(error)
    }
  }
  const other = await db
    .selectFrom('line_rating')
    .select('product_line_id as id')
    .where('product_line_id', '<>', line.id)
    .executeTakeFirstOrThrow()
  expect(await mark(other.id, order.id)).toBe('review_mark_is_proven')
  expect(await mark((await lineOf(db, underway.id)).id, underway.id)).toBe('review_mark_is_proven')
})

test('a browser votes once, can withdraw, and cannot vote for its own review', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const store = storeOn(database.db)
  const line = await busyLine(store.db)
  const [writerId, visitorId] = [newId(), newId()]
  const reviewId = await published(store, line, {}, { writerId })
  const voterIn = (network: string, by = newId()) => ({ visitorId: by, accountId: null, network })
  const vote = (voter: Parameters<typeof voteHelpful>[1]['voter'], isHelpful = true) =>
    voteHelpful(store, { reviewId, voter, isHelpful })
  const count = async () =>
    (await store.db.selectFrom('review').select('helpful_count').where('id', '=', reviewId).executeTakeFirstOrThrow())
      .helpful_count

  const me = voterIn('home', visitorId)
  await Promise.all([
    ...Array.from({ length: 6 }, () => vote(me)),
    ...['office', 'cafe', 'campus', 'library', 'phone'].map((network) => vote(voterIn(network))),
  ])
  expect(await count()).toBe(6)
  expect(await listVotes(store, me, [reviewId, 1])).toEqual(new Set([reviewId]))
  await Promise.all([vote(me, false), vote(me, false)])
  expect(await count()).toBe(5)
  expect(await vote(voterIn('attic', writerId))).toMatchObject({ ok: false, reason: 'own-review' })
  const [waiting] = await listWaitingReviews(store, 1)
  expect(await voteHelpful(store, { reviewId: waiting?.id ?? 0, voter: me, isHelpful: true })).toMatchObject({
    ok: false,
    reason: 'review-not-found',
  })
  const bound = { ...noRateLimits, take: async () => refused('too-many', { retryAfterSeconds: 60 }) }
  expect(await voteHelpful({ ...store, rateLimits: bound }, { reviewId, voter: me, isHelpful: true })).toMatchObject({
    reason: 'too-many',
  })
})

test('losing or changing the cookie gives no second vote; an account votes once across browsers', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const store = storeOn(database.db)
  const reviewId = await published(store, await busyLine(store.db), { email: 'writer@example.com' })
  const vote = (network: string, { visitorId = newId(), accountId = null as string | null } = {}) =>
    voteHelpful(store, { reviewId, voter: { visitorId, accountId, network }, isHelpful: true })
  const count = async () =>
    (await store.db.selectFrom('review').select('helpful_count').where('id', '=', reviewId).executeTakeFirstOrThrow())
      .helpful_count

  const eight = await Promise.all(Array.from({ length: 8 }, () => vote('home')))
  expect(await count()).toBe(1)
  expect(eight.filter(({ ok }) => ok)).toHaveLength(1)
  expect(eight.find(({ ok }) => !ok)).toMatchObject({ reason: 'voted-nearby' })

  const accountId = await signUp(store, 'ann@example.com')
  expect(await vote('home', { accountId })).toMatchObject({ ok: true })
  for (const network of ['office', 'home']) expect(await vote(network, { accountId })).toMatchObject({ ok: true })
  expect(await count()).toBe(2)
  expect(await listVotes(store, { visitorId: newId(), accountId }, [reviewId])).toEqual(new Set([reviewId]))
  const second = await signUp(store, 'ben@example.com')
  expect(await vote('cafe', { accountId: second })).toMatchObject({ ok: true })
  // Signed out, the same person has no second vote.
  expect(await vote('cafe')).toMatchObject({ reason: 'voted-nearby' })
  expect(await count()).toBe(3)
  const writer = await signUp(store, 'writer@example.com')
  expect(await vote('elsewhere', { accountId: writer })).toMatchObject({ reason: 'own-review' })
  expect((await verify(store.db, store.clock.now())).filter(({ severity }) => severity === 'error')).toEqual([])
})

test.for(reviewSorts)("a line's pages, %s first, show every review once and in order", async (sort) => {
  await using database = await createTestDatabase({ from: 'small' })
  const store = storeOn(database.db)
  const line = await busyLine(store.db)
  // Many equal values, so that pages start between ties.
  await sql`update review set helpful_count = id % 3 where product_line_id = ${line.id}`.execute(store.db)
  const seen: { id: number; key: number | string }[] = []
  let after: ReviewQuery['after'] = null
  do {
    const listed = await listLineReviews(store.catalog, { ...line, query: { sort, after, stars: null, vehicle: null } })
    if (!listed.ok) throw new Error(listed.reason)
    const { reviews, next } = listed.value.page
    for (const review of reviews)
      seen.push({
        id: review.id,
        key: sort === 'helpful' ? review.helpfulCount : sort === 'newest' ? review.writtenOn : review.overallHundredths,
      })
    after = next
  } while (after !== null)
  const { count } = await store.db
    .selectFrom('review')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('product_line_id', '=', line.id)
    .where('state', '=', 'published')
    .executeTakeFirstOrThrow()
  expect(seen.length).toBe(count)
  expect(new Set(seen.map(({ id }) => id)).size).toBe(count)
  const keys = seen.map(({ key }) => key)
  const sorted = keys.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  expect(keys).toEqual(sort === 'lowest' ? sorted : sorted.toReversed())
})

test('stars and vehicle filter the list, and the histogram has the counts', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const store = storeOn(database.db)
  const line = await busyLine(store.db)
  const ask = async (change: Partial<ReviewQuery>) => {
    const listed = await listLineReviews(store.catalog, { ...line, query: { ...plainReviewQuery, ...change } })
    if (!listed.ok) throw new Error(listed.reason)
    return listed.value
  }
  const all = await ask({})
  const byStars = await Promise.all([1, 2, 3, 4, 5].map(async (stars) => (await ask({ stars })).found))
  expect(byStars).toEqual(all.line.rating?.histogram)
  for (const { overallHundredths } of (await ask({ stars: 4 })).page.reviews)
    expect(Math.round(overallHundredths / 100)).toBe(4)
  const [model] = all.models
  const ofModel = await ask({ vehicle: model?.model ?? '' })
  expect(ofModel.found).toBe(model?.reviews)
  for (const { vehicle } of ofModel.page.reviews) expect(vehicle).toContain(model?.model)
  expect(await ask({ vehicle: "Robert'); drop table review" })).toMatchObject({
    found: 0,
    page: { reviews: [], next: null },
  })
})

test('lines are ranked by the documented mean, and a part of the store shows only its own reviews', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const { catalog } = storeOn(database.db)
  const best = await listBestLines(catalog, {}, 20)
  const means = best.map(({ line: { rating } }) => rankingMean(rating?.count ?? 0, rating?.overallHundredths ?? 0))
  expect(means).toEqual(means.toSorted((a, b) => b - a))
  expect(means).toHaveLength(20)
  // The database calculates the same mean for its index, in ten-thousandths.
  const kept = await database.db
    .selectFrom('line_rating')
    .select(['review_count', 'overall_hundredths', 'ranking'])
    .execute()
  for (const rating of kept)
    expect(rating.ranking).toBe(Math.floor(rankingMean(rating.review_count, rating.overall_hundredths) * 100 + 1e-6))
  const winter = await listBestLines(catalog, { type: 'winter' }, 20)
  expect(new Set(winter.map(({ line }) => line.type.slug))).toEqual(new Set(['winter']))
  const brand = best[0]?.line.brand.slug ?? ''
  const reviews = await listScopeReviews(catalog, { brand }, 'newest', 5)
  expect(reviews.map(({ brandSlug }) => brandSlug)).toEqual(Array.from({ length: 5 }, () => brand))
  expect(reviews.map(({ writtenOn }) => writtenOn)).toEqual(
    reviews
      .map(({ writtenOn }) => writtenOn)
      .toSorted()
      .toReversed(),
  )
})
