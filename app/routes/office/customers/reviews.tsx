import { reviewActions } from '#app/office/actions/reviews.server.ts'
import { decideActions } from '#app/office/decision.server.ts'
import { button, RowForm } from '#app/office/form.tsx'
import { ListPage } from '#app/office/list-page.tsx'
import { reviews } from '#app/office/lists/reviews.server.ts'
import { readList } from '#app/office/read-list.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import { contentRules, refusalReasons } from '#domain/aftercare/reviews/reviews.ts'
import type { Route } from './+types/reviews.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Reviews', officePaths.officeReviews())

export const loader = (args: Route.LoaderArgs) => readList(args, reviews)

/** `publish` a waiting review, or `refuse` one for a written rule; both email its writer. */
export const action = (args: Route.ActionArgs) =>
  decideActions(
    args,
    {
      id: (fields) => fields.get('review') ?? '',
      path: (done) => officePaths.officeReviews({ done }),
      done: { publish: 'published', refuse: 'refused' },
    },
    reviewActions,
  )

const rules = refusalReasons.map((reason): [string, string] => [reason, contentRules[reason].told])

export default function ReviewsPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  return (
    <ListPage
      data={loaderData}
      reply={reply}
      after={
        <p className="office-note">
          A review is refused only for a rule about its words, never for its rating (16 CFR 465.7).
        </p>
      }
      render={{
        act: ({ id, cells: { act: state } }) => {
          if (state === 'refused') return null
          const refusal = state === 'waiting' ? 'Refuse' : 'Take down'
          return (
            <RowForm
              about={{ review: id }}
              reply={reply}
              fields={{
                reason: { label: `Rule that review ${id} breaks`, options: [['', 'Rule it breaks'], ...rules] },
              }}
              buttons={[
                ...(state === 'waiting'
                  ? [button('publish', 'Publish', undefined, { name: `Publish review ${id}` })]
                  : []),
                button('refuse', refusal, 'stop', { name: `${refusal} review ${id}` }),
              ]}
            />
          )
        },
      }}
    />
  )
}
