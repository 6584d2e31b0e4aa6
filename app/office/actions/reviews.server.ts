import {
  defineActions,
  formAction,
  numberedId,
  plainAction,
  type ActionCall,
} from '#app/office/define-actions.server.ts'
import { refusalMessages } from '#content/messages/refusals.ts'
import { findForModeration, publishReview, refuseReview } from '#domain/aftercare/reviews/reviews.server.ts'
import { reviewRefusalForm } from '#domain/aftercare/reviews/reviews.ts'
import { refused } from '#platform/outcome.ts'

/** The review of a call; undefined for an unknown one. */
const reviewOf = async ({ app, id }: ActionCall) => (await findForModeration(app, [numberedId(id)]))[0]

export const reviewActions = defineActions({
  resource: 'reviews',
  noun: 'review',
  permission: 'reviews.decide',
  actions: {
    publish: plainAction({ summary: 'Publish a waiting review', description: 'Emails its writer.' }, async (call) => {
      const review = await reviewOf(call)
      return review ? publishReview(call.app, { reviewId: review.id, by: call.by }) : refused('not-found')
    }),
    refuse: formAction(
      {
        summary: 'Refuse a waiting review, or take down a published one',
        description: 'For a rule about its words, never for its rating. Emails its writer.',
        form: reviewRefusalForm,
      },
      async (call, { reason }) => {
        const review = await reviewOf(call)
        return review ? refuseReview(call.app, { reviewId: review.id, reason, by: call.by }) : refused('not-found')
      },
    ),
  },
  refusals: {
    'not-there': refusalMessages['already-decided']('review'),
    'not-waiting': refusalMessages['already-decided']('review'),
  },
})
