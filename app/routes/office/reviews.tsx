import { ListPage } from '#app/office/list-page.tsx'
import { reviews } from '#app/office/lists/reviews.server.ts'
import { readList } from '#app/office/read-list.server.ts'
import { checkForm, formRefusal, readForm, refuseForm } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Notice } from '#app/ui/office/office-parts.tsx'
import { technicalMessages } from '#content/messages/technical.ts'
import { officePaths } from '#content/office-paths.ts'
import { contentRules, moderationForm, refusalReasons } from '#domain/reviews/reviews.ts'
import { publishReview, refuseReview } from '#domain/reviews/reviews.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import type { Route } from './+types/reviews.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Reviews', officePaths.officeReviews())

export async function loader(args: Route.LoaderArgs) {
  return { data: await readList(args, reviews), done: args.url.searchParams.get('done') }
}

/** `publish` a waiting review, or `refuse` one for a written rule; both email its writer. */
export async function action({ request, context }: Route.ActionArgs) {
  const { shop, actor } = await requireStaff(context, 'reviews.decide', officePaths.officeReviews())
  const fields = await readForm(request)
  const checked = checkForm(moderationForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const { review: reviewId, intent, reason } = checked.value
  if (intent === 'refuse' && !reason)
    return refuseForm(formRefusal(fields, `Choose the rule that review ${reviewId} breaks.`))
  const decided =
    intent === 'refuse' && reason
      ? await refuseReview(shop, { reviewId, reason, by: actor })
      : await publishReview(shop, { reviewId, by: actor })
  if (decided.ok) return seeOther(officePaths.officeReviews({ done: intent === 'refuse' ? 'refused' : 'published' }))
  return decided.reason === 'not-allowed'
    ? refuseForm(formRefusal(fields, technicalMessages.tryAgain), 403)
    : refuseForm(formRefusal(fields, `Review ${reviewId} was decided in the meantime. Nothing was changed.`), 409)
}

export default function ReviewsPage({ loaderData: { data, done }, actionData: reply }: Route.ComponentProps) {
  return (
    <ListPage
      data={data}
      before={
        <>
          {reply ? <Notice tone="stop" title={reply.formError ?? 'Nothing was changed.'} isNews /> : null}
          {!reply && (done === 'published' || done === 'refused') ? (
            <Notice
              tone="go"
              title={done === 'published' ? 'Review published.' : 'Review refused. We emailed the writer the rule.'}
              isNews
            />
          ) : null}
        </>
      }
      after={
        <p className="office-note">
          A review is refused only for a rule about its words, never for its rating (16 CFR 465.7).
        </p>
      }
      render={{
        act: ({ id, cells: { act: state } }) =>
          state === 'refused' ? null : <Decide id={id} isWaiting={state === 'waiting'} />,
      }}
    />
  )
}

function Decide({ id, isWaiting }: { id: string; isWaiting: boolean }) {
  const refusal = isWaiting ? 'Refuse' : 'Take down'
  return (
    <form method="post" className="stack">
      <input type="hidden" name="review" value={id} />
      {isWaiting ? (
        <button className="btn" name="intent" value="publish" aria-label={`Publish review ${id}`}>
          Publish
        </button>
      ) : null}
      <select className="input" name="reason" defaultValue="" aria-label={`Rule that review ${id} breaks`}>
        <option value="">Rule it breaks</option>
        {refusalReasons.map((reason) => (
          <option key={reason} value={reason}>
            {contentRules[reason].told}
          </option>
        ))}
      </select>
      <button className="btn stop" name="intent" value="refuse" aria-label={`${refusal} review ${id}`}>
        {refusal}
      </button>
    </form>
  )
}
