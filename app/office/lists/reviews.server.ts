/** The list of reviews by state, oldest first. Its page shows each in full. */
import { numberedId } from '#app/office/define-actions.server.ts'
import { reviewActs } from '#app/office/bulk/reviews.server.ts'
import { defineList, stateOf, statesView, time } from '#app/office/define-list.server.ts'
import { placeText, readRowPlace } from '#app/office/list-place.ts'
import { officePaths } from '#content/office-paths.ts'
import { findForModeration, listForModeration } from '#domain/aftercare/reviews/reviews.server.ts'
import { contentRules, isRefusalReason, reviewStates } from '#domain/aftercare/reviews/reviews.ts'

const heldWords: Readonly<Record<string, string>> = {
  link: 'Has a link',
  'contact-details': 'Has contact details',
  profanity: 'May have swear words',
  shouting: 'Mostly capitals',
  unverified: 'Not one of our orders',
  'unknown-account': 'No account, or a new one',
}

export const reviews = defineList({
  news: { published: 'Review published.', refused: 'Review refused. We emailed the rule to the reviewer.' },
  name: 'reviews',
  title: 'Reviews',
  path: officePaths.officeReviews(),
  permission: 'reviews.read',
  caption: 'Reviews',
  nouns: ['review', 'reviews'],
  view: statesView(reviewStates, { waiting: 'To read', published: 'Published', refused: 'Refused' }),
  columns: [
    { key: 'review', label: 'Review', isFixed: true },
    { key: 'tire', label: 'Tire', isFixed: true },
    { key: 'author', label: 'Author' },
    { key: 'summary', label: 'Summary' },
    { key: 'text', label: 'Text', isFileOnly: true },
    { key: 'flags', label: 'Flags', isPageOnly: true },
    { key: 'held', label: 'Held for', isFileOnly: true },
    { key: 'refused', label: 'Refused for', isFileOnly: true },
    { key: 'written', label: 'Written', kind: 'time' },
    { key: 'act', label: 'Decision', isPageOnly: true, permission: 'reviews.decide' },
  ],
  bulk: reviewActs,
  rowAt: async ({ app }, id) => {
    const number = numberedId(id, 2_147_483_646)
    const [review] = await findForModeration(app, [number])
    if (!review) return undefined
    // The oldest waiting review is first, and the newest of the others.
    const before = review.state === 'waiting' ? number - 1 : number + 1
    return { filters: { state: review.state }, after: placeText(review.writtenAt, before) }
  },
  read: async ({ app }, query) => {
    const state = stateOf(reviewStates, query)
    const place = readRowPlace(query.after ?? query.before)
    const after = place && { writtenAt: place.at, id: place.id }
    const { reviews: found, next } = await listForModeration(app, { state, after })
    return {
      rows: found.map((review) => ({
        id: String(review.id),
        label: `Review ${review.id}`,
        path: null,
        cells: {
          review: { text: `Review ${review.id}`, file: review.id },
          tire: { text: `${review.brandName} ${review.lineName}`, note: `${review.stars.toFixed(1)} of 5` },
          author: review.author,
          summary: { text: review.summary, note: review.comments },
          text: review.comments,
          flags: [
            ...review.heldFor.map((reason) => heldWords[reason] ?? reason),
            ...(review.refusedFor !== null && isRefusalReason(review.refusedFor)
              ? [contentRules[review.refusedFor].told]
              : []),
          ].join(', '),
          held: review.heldFor.join('; '),
          refused: review.refusedFor,
          written: time(review.writtenAt),
          act: state,
        },
      })),
      next: next && placeText(next.writtenAt, next.id),
    }
  },
})
