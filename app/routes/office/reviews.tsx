import { checkForm, formRefusal, readForm, refuseForm } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { BulkActs } from '#app/ui/office/list-acts.tsx'
import { ListFoot, ListTabs } from '#app/ui/office/list-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Notice, Panel, PanelBody, Tag } from '#app/ui/office/office-parts.tsx'
import { readViewTabs } from '#app/views/office-views.server.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import { officePaths } from '#content/office-paths.ts'
import {
  contentRules,
  moderationForm,
  refusalReasons,
  reviewStates,
  screeningReasons,
  type ReviewState,
} from '#domain/reviews/reviews.ts'
import { listForModeration, publishReview, refuseReview } from '#domain/reviews/reviews.server.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import { placeText, readPlace } from './list-place.ts'
import type { Route } from './+types/reviews.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Reviews', officePaths.officeReviews())

const tabs = { waiting: 'To read', published: 'Published', refused: 'Refused' } as const satisfies Record<
  ReviewState,
  string
>

const heldWords: Readonly<Record<string, string>> = {
  link: 'Has a link',
  'contact-details': 'Has contact details',
  profanity: 'May have swear words',
  shouting: 'Mostly capitals',
  unverified: 'No order of ours',
  'unknown-account': 'No account, or a new one',
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const staff = await requireStaff(context, 'reviews.read', officePaths.officeReviews() + url.search)
  const { shop, session } = staff
  const state = reviewStates.find((each) => each === url.searchParams.get('state')) ?? 'waiting'
  const place = readPlace(url.searchParams.get('after'))
  const [{ reviews, next }, views] = await Promise.all([
    listForModeration(shop, { state, after: place && { writtenAt: place.at, id: Number(place.id) } }),
    readViewTabs(staff, 'reviews', url.searchParams),
  ])
  return {
    state,
    views,
    mayDecide: staffCan(session.roles, 'reviews.decide'),
    done: url.searchParams.get('done'),
    reviews: reviews.map(({ writtenAt, heldFor, refusedFor, stars, ...review }) => ({
      ...review,
      stars: stars.toFixed(1),
      written: timeText(writtenAt, storeZone),
      held: heldFor.map((reason) => ({
        words: heldWords[reason] ?? reason,
        isFlag: (screeningReasons as readonly string[]).includes(reason),
      })),
      refusal: refusalReasons.find((reason) => reason === refusedFor) ?? null,
    })),
    next: next && officePaths.officeReviews({ state, after: placeText(next.writtenAt, next.id) }),
  }
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

export default function ReviewsPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { state, views, mayDecide, done, reviews, next } = loaderData
  return (
    <OfficePage title="Reviews">
      {reply ? <Notice tone="stop" title={reply.formError ?? 'Nothing was changed.'} isNews /> : null}
      {!reply && (done === 'published' || done === 'refused') ? (
        <Notice
          tone="go"
          title={done === 'published' ? 'Published.' : 'Refused. The writer is told which rule.'}
          isNews
        />
      ) : null}
      <ListTabs
        label="Reviews by state"
        tabs={reviewStates.map((each) => ({
          label: tabs[each],
          path: officePaths.officeReviews({ state: each }),
          isOn: each === state,
        }))}
        views={views}
      />
      {reviews.length === 0 ? <p className="office-none">No reviews here.</p> : null}
      {reviews.map((review) => (
        <ReviewPanel key={review.id} review={review} state={state} mayDecide={mayDecide} />
      ))}
      {mayDecide && state !== 'refused' && reviews.length > 0 ? (
        <form className="office-list" id="selected" method="get">
          <BulkActs
            acts={[
              ...(state === 'waiting' ? [{ label: 'Publish', action: officePaths.officeBulk('publish-reviews') }] : []),
              { label: 'Refuse', action: officePaths.officeBulk('refuse-reviews'), isStop: true },
            ]}
            note="The reviews selected above. What will happen is shown first."
            isDisabled={false}
          />
        </form>
      ) : null}
      <ListFoot label="Pages of reviews" older={next} file={views.file} />
      <p className="office-note">
        A review is refused only for a rule about its words, never for its rating (16 CFR 465.7).
      </p>
    </OfficePage>
  )
}

type Review = Route.ComponentProps['loaderData']['reviews'][number]

function ReviewPanel({ review, state, mayDecide }: { review: Review; state: ReviewState; mayDecide: boolean }) {
  const { id, brandName, lineName, summary, comments, author, stars, written, held, refusal } = review
  return (
    <Panel
      id={`review-${id}`}
      title={`Review ${id}: ${brandName} ${lineName}`}
      note={`${stars} of 5 · ${author} · ${written}`}
      end={
        <>
          {held.map(({ words, isFlag }) => (
            <Tag key={words} tone={isFlag ? 'stop' : 'plain'}>
              {words}
            </Tag>
          ))}
          {mayDecide && state !== 'refused' ? (
            <label className="office-pick">
              <input type="checkbox" form="selected" name="review" value={id} aria-label={`Select review ${id}`} />
              Select
            </label>
          ) : null}
        </>
      }
    >
      <PanelBody>
        <p className="strong">{summary}</p>
        <p className="pre-line">{comments}</p>
        {refusal ? <p className="office-note">Refused: {contentRules[refusal].told}</p> : null}
      </PanelBody>
      {mayDecide && state !== 'refused' ? (
        <PanelBody>
          <form method="post" className="office-decide">
            <input type="hidden" name="review" value={id} />
            {state === 'waiting' ? (
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
            <button
              className="btn stop"
              name="intent"
              value="refuse"
              aria-label={`${state === 'waiting' ? 'Refuse' : 'Take down'} review ${id}`}
            >
              {state === 'waiting' ? 'Refuse' : 'Take down'}
            </button>
          </form>
        </PanelBody>
      ) : null}
    </Panel>
  )
}
