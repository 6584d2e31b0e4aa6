/** Buyers' reviews of a line. */
import { z } from 'zod'
import type { Caller } from '#api/caller.ts'
import { check } from '#api/check.ts'
import { answer, operation } from '#api/operation.ts'
import { cursor, cursorAt, placeOf } from '#api/paging.ts'
import { problem } from '#api/problem.ts'
import { bodyOf, day, named, slug } from '#api/schemas.ts'
import { cookiesFor } from '#http/visitor.ts'
import { attributes } from '#domain/catalog/catalog/catalog.ts'
import { listLineReviews, voteHelpful, writeReview } from '#domain/aftercare/reviews/reviews.server.ts'
import {
  drivingStyles,
  longestComments,
  longestName,
  longestSummary,
  longestVehicle,
  placesUsed,
  reviewForm,
  reviewSorts,
} from '#domain/aftercare/reviews/reviews.ts'
import { newId } from '#platform/ids.ts'
import type { Application } from '#application'

const stars = z.int().min(1).max(5)
const ofLine = z.strictObject({ brand: slug('kestrel'), line: slug('alltide-as2') })

const review = z
  .strictObject({
    id: z.int(),
    attributes: z.strictObject(Object.fromEntries(attributes.map((name) => [name, z.number().nullable()]))),
    overallHundredths: z.int(),
    summary: z.string(),
    comments: z.string(),
    author: z.string(),
    vehicle: z.string(),
    milesDriven: z.int(),
    drivingStyle: z.string(),
    whereUsed: z.string(),
    buyAgain: z.boolean(),
    isVerified: z.boolean(),
    isSample: z.boolean(),
    helpfulCount: z.int(),
    writtenOn: day,
  })
  .meta({ id: 'Review' })

const example = {
  ratings: { dry: 5, wet: 4 },
  summary: 'Quiet and sure in the rain',
  comments: 'Four months on them, mostly on the highway.',
  name: 'Dana R.',
  email: 'dana@example.com',
  purchasedOn: '07/01/2026',
  vehicle: '2021 Toyota RAV4 XLE',
  milesDriven: '4,000',
  drivingStyle: 'Average',
  whereUsed: 'Highway',
  buyAgain: 'yes',
}

export const reviewOperations = [
  operation({
    id: 'listReviews',
    method: 'get',
    path: '/lines/{brand}/{line}/reviews',
    area: 'Reviews',
    summary: 'List a product line’s reviews',
    audience: 'anyone',
    sharedSeconds: 60,
    params: ofLine,
    query: z.strictObject({
      sort: z.enum(reviewSorts).default('helpful'),
      stars: z.coerce.number().int().min(1).max(5).optional(),
      vehicle: z.string().min(1).max(60).optional().meta({ description: 'Make and model, such as Toyota RAV4' }),
      cursor: cursor.optional(),
    }),
    result: z.strictObject({
      line: named,
      found: z.int().meta({ description: 'How many match' }),
      reviews: z.array(review),
      next: z.string().nullable(),
      vehicles: z
        .array(z.strictObject({ model: z.string(), reviews: z.int() }))
        .meta({ description: 'The available filters' }),
    }),
    refuses: ['NotFound'],
    async handle({ app, params, query }) {
      const { cursor: at, ...asked } = query
      const question = { ...params, ...asked }
      const place = at === undefined ? undefined : placeOf(at, question)
      if (place && !place.ok) return place
      const found = await listLineReviews(app.catalog, {
        brandSlug: params.brand,
        lineSlug: params.line,
        query: {
          sort: asked.sort,
          stars: asked.stars ?? null,
          vehicle: asked.vehicle ?? null,
          after: place ? Number(place.value) : null,
        },
      })
      if (!found.ok) return problem('NotFound', 'Product model not found.')
      const { line, page, models } = found.value
      return answer({
        line: { slug: line.slug, name: line.name },
        found: found.value.found,
        reviews: page.reviews.map((each) => ({ ...each, attributes: { ...each.attributes } })),
        next: page.next === null ? null : cursorAt(String(page.next), question),
        vehicles: models.map((model) => ({ ...model })),
      })
    },
  }),
  operation({
    id: 'writeReview',
    method: 'post',
    path: '/lines/{brand}/{line}/reviews',
    area: 'Reviews',
    summary: 'Write a review',
    description:
      'All fields are required, with at least one of the ratings. A person reviews it and emails the writer the outcome; only a verified buyer whose account is a few days old is published at once, unless the text needs a person’s review. The stars play no part in that. With the number of an order that included the tires, the review is verified.',
    audience: 'anyone',
    status: 201,
    once: { isRequired: false, by: 'again' },
    params: ofLine,
    body: bodyOf({
      ratings: z.strictObject(Object.fromEntries(attributes.map((name) => [name, stars.optional()]))),
      summary: z.string().max(longestSummary),
      comments: z.string().max(longestComments),
      name: z.string().max(longestName),
      email: z.string().max(254),
      purchasedOn: z.string().max(20).meta({ description: 'MM/DD/YYYY' }),
      vehicle: z.string().max(longestVehicle),
      milesDriven: z.string().max(20),
      drivingStyle: z.enum(drivingStyles),
      whereUsed: z.enum(placesUsed),
      buyAgain: z.enum(['yes', 'no']),
      orderNumber: z.string().max(24).optional(),
    }).meta({ examples: [example] }),
    result: z.strictObject({ reviewId: z.int(), state: z.enum(['published', 'waiting']), isVerified: z.boolean() }),
    refuses: ['NotFound', 'ReviewExists', 'PurchaseNotFound', 'TooManyAttempts'],
    async handle({ app, caller, params, body }) {
      const { ratings, ssoUid: _, ...fields } = body
      const rated = Object.fromEntries(
        Object.entries(ratings).flatMap(([name, value]) => (typeof value === 'number' ? [[name, String(value)]] : [])),
      )
      const checked = check(reviewForm(app.clock.now()), { ...fields, ...rated })
      if (!checked.ok) return checked
      const { visitorId, networkKey, orderIds } = caller.visitor
      const written = await writeReview(app, {
        brandSlug: params.brand,
        lineSlug: params.line,
        form: checked.value,
        writerId: visitorId ?? caller.cartId ?? newId(),
        accountId: (await caller.signedIn())?.accountId ?? null,
        from: networkKey,
        ownOrderIds: orderIds,
      })
      if (written.ok) return answer(written.value)
      switch (written.reason) {
        case 'line-not-found':
          return problem('NotFound', 'Product model not found.')
        case 'already-written':
          return problem('ReviewExists')
        case 'purchase-not-found':
          return problem('PurchaseNotFound')
        case 'too-many':
          return problem(
            'TooManyAttempts',
            'Too many attempts from your network. Try again after the Retry-After period.',
            {
              headers: { 'retry-after': String(written.detail.retryAfterSeconds) },
            },
          )
      }
    },
  }),
  operation({
    id: 'voteHelpful',
    method: 'put',
    path: '/reviews/{reviewId}/vote',
    area: 'Reviews',
    summary: 'Vote on a review',
    description:
      'One vote per account or, without one, per browser (API clients send a cart key), limited to one per network.',
    audience: 'anyone',
    params: z.strictObject({
      reviewId: z.coerce
        .number()
        .int()
        .min(1)
        .max(2_147_483_647)
        .meta({ examples: [1] }),
    }),
    body: bodyOf({ isHelpful: z.boolean() }),
    result: z.strictObject({ isHelpful: z.boolean() }),
    refuses: ['NotFound', 'VoteExists', 'TooManyAttempts'],
    async handle({ app, caller, params, body }) {
      const { networkKey } = caller.visitor
      const voterId = caller.visitor.visitorId ?? caller.cartId ?? (caller.isBrowser ? newId() : undefined)
      if (voterId === undefined)
        return problem('Unauthorized', 'Send the key of a cart to identify your votes.', {
          headers: { 'www-authenticate': 'Bearer' },
        })
      const accountId = (await caller.signedIn())?.accountId ?? null
      const voter = { visitorId: voterId, accountId, network: networkKey }
      const voted = await voteHelpful(app, { reviewId: params.reviewId, voter, isHelpful: body.isHelpful })
      if (voted.ok) return answer({ isHelpful: body.isHelpful }, keptVoter(app, caller, voterId))
      if (voted.reason === 'too-many')
        return problem('TooManyAttempts', undefined, {
          headers: { 'retry-after': String(voted.detail.retryAfterSeconds) },
        })
      if (voted.reason === 'voted-nearby') return problem('VoteExists')
      return voted.reason === 'own-review'
        ? problem('Forbidden', 'You can’t vote on a review that you wrote.')
        : problem('NotFound')
    },
  }),
]

/** Sets a cookie that identifies the browser from now on. */
function keptVoter(app: Application, { isBrowser, visitor }: Caller, voterId: string): Record<string, string> {
  if (!isBrowser || visitor.visitorId !== undefined) return {}
  return { 'set-cookie': cookiesFor(app.config).visitor(voterId) }
}
