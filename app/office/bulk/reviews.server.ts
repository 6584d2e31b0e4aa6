/** Bulk actions for reviews, which publish and refuse them. */
import { officePaths } from '#content/office-paths.ts'
import { contentRules, isRefusalReason, refusalReasons } from '#domain/aftercare/reviews/reviews.ts'
import {
  findForModeration,
  publishReview,
  refuseReview,
  unpublishReview,
} from '#domain/aftercare/reviews/reviews.server.ts'
import type { Application } from '#application'
import {
  counted,
  done,
  readWhole,
  refusedFor,
  revoked,
  type BulkAct,
  type BulkActs,
  type BulkRow,
} from './act.server.ts'

async function reviewRow(app: Application, id: number, can: readonly string[]): Promise<BulkRow | undefined> {
  const [review] = await findForModeration(app, [id])
  return (
    review && {
      id,
      label: `Review ${id}`,
      path: officePaths.officeReviews({ state: review.state }),
      about: `${review.tire}: ${review.summary}`,
      whyNot: can.includes(review.state) ? null : `It is ${review.state === 'waiting' ? 'to read' : review.state}.`,
      was: '',
    }
  )
}

const permission = 'reviews.decide'

const acts: Readonly<Record<string, BulkAct>> = {
  'publish-reviews': {
    permission,
    title: 'Publish reviews',
    label: 'Publish',
    button: counted('Publish', 'review'),
    effect: 'Published. The reviewer gets an email.',
    input: null,
    readRow: ({ app }, id) => reviewRow(app, id, ['waiting']),
    does: async ({ app, actor }, { id }) => {
      const published = await publishReview(app, { reviewId: id, by: actor })
      if (published.ok) return done
      return refusedFor(published.reason === 'not-allowed' ? revoked : 'Another team member already decided on it.')
    },
    undo: {
      words: 'Unpublishes the reviews and returns them to the queue. Emails to reviewers can’t be undone.',
      does: async ({ app, actor }, { id }) => {
        const back = await unpublishReview(app, { reviewId: id, by: actor })
        if (back.ok) return done
        return refusedFor(back.reason === 'not-allowed' ? revoked : 'This review isn’t published.')
      },
    },
  },
  'refuse-reviews': {
    permission,
    title: 'Refuse reviews',
    label: 'Refuse',
    isStop: true,
    button: counted('Refuse', 'review'),
    effect: 'Rejected under the rule you choose. We email the rule to the reviewer.',
    input: () =>
      Promise.resolve({
        kind: 'choice',
        label: 'Rule broken',
        options: refusalReasons.map((reason): [string, string] => [reason, contentRules[reason].told]),
        missing: 'Choose the rule that these reviews break.',
      }),
    readRow: ({ app }, id) => reviewRow(app, id, ['waiting', 'published']),
    does: async ({ app, actor }, { id, given }) => {
      if (!isRefusalReason(given)) return refusedFor('Choose the rule that these reviews break.')
      const refused = await refuseReview(app, { reviewId: id, reason: given, by: actor })
      if (refused.ok) return done
      return refusedFor(refused.reason === 'not-allowed' ? revoked : 'Another team member already decided on it.')
    },
    // Its author already got the email with the reason.
    undo: null,
  },
}

export const reviewActs: BulkActs = { field: 'review', readId: readWhole, acts }
