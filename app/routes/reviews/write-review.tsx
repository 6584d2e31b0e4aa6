import { applicationContext, signedInContext, visitorContext } from '#app/server/context.ts'
import { checkForm, formRefusal, readForm, refuseForm, refuseTry } from '#app/forms/form.ts'
import { pictureOf } from '#app/views/review-view.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { cookiesFor, type Visitor } from '#http/visitor.ts'
import { paths } from '#content/paths.ts'
import { Crumbs } from '#app/ui/crumbs.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { TirePicture } from '#app/ui/tire-picture.tsx'
import { attributes } from '#domain/catalog/catalog/catalog.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { opensOrder } from '#domain/ordering/orders/orders.server.ts'
import {
  attributeNames,
  contentRules,
  drivingStyles,
  longestComments,
  longestSummary,
  placesUsed,
  refusalReasons,
  reviewForm,
} from '#domain/aftercare/reviews/reviews.ts'
import { findProof, findReviewedLine, writeReview } from '#domain/aftercare/reviews/reviews.server.ts'
import { decodeChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import { newId } from '#platform/ids.ts'
import type { Application } from '#application'
import { movedTo, notFound } from './answers.ts'
import { ReviewForm } from './review-form.tsx'
import type { Route } from './+types/write-review.ts'

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  if (!loaderData) return [{ title: 'Write a review' }]
  const { name, path } = loaderData
  return pageHead(matches, {
    title: `Write a review of the ${name}`,
    description: `Drive on the ${name}? Say how it grips, rides, sounds and wears.`,
    path,
    isIndexed: false,
  })
}

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=60' }
}

const endings = ['published', 'waiting'] as const

/**
 * The review form. `?order=` with its `key` from our email makes the review verified; `?written=` is the page after
 * submitting.
 */
export async function loader({ params, url, context }: Route.LoaderArgs) {
  const [app, visitor] = [context.get(applicationContext), context.get(visitorContext)]
  const [brandSlug, lineSlug] = [params.brand.toLowerCase(), params.productLine.toLowerCase()]
  const found = await findReviewedLine(app.catalog, brandSlug, lineSlug)
  if (!found) throw notFound()
  const path = paths.writeReview(brandSlug, lineSlug)
  if (url.pathname !== path) throw movedTo(path, url)
  const { line, item } = found
  const accountId = (await context.get(signedInContext)())?.accountId ?? null
  const proof = await findProof(app, { lineId: line.id, ownOrderIds: ownOrderIds(app, visitor, url), accountId })
  return {
    name: `${line.brand.name} ${line.name}`,
    path,
    crumbs: [
      { label: line.brand.name, path: paths.brand(brandSlug) },
      { label: line.name, path: paths.line(brandSlug, lineSlug) },
      { label: 'Reviews', path: paths.lineReviews(brandSlug, lineSlug) },
    ],
    picture: pictureOf(item),
    written: endings.find((ending) => ending === url.searchParams.get('written')) ?? null,
    provenBy: proof === undefined ? null : orderNumber(proof),
    vehicle: (visitor.vehicle === undefined ? undefined : decodeChosenVehicle(visitor.vehicle))?.name ?? null,
    reviews: paths.lineReviews(brandSlug, lineSlug, { sort: 'newest' }),
    ratings: attributes.map((name) => ({ name, label: attributeNames[name] })),
    drivingStyles,
    placesUsed,
    longestSummary,
    longestComments,
    rules: refusalReasons.map((reason) => contentRules[reason].rule),
  }
}

export async function action({ params, request, url, context }: Route.ActionArgs) {
  const [app, visitor] = [context.get(applicationContext), context.get(visitorContext)]
  const [brandSlug, lineSlug] = [params.brand.toLowerCase(), params.productLine.toLowerCase()]
  const fields = await readForm(request)
  // The honeypot field.
  if (fields.get('website')) return seeOther(paths.writeReview(brandSlug, lineSlug, { written: 'waiting' }))
  const checked = checkForm(reviewForm(app.clock.now()), fields)
  if (!checked.ok) return refuseForm(checked.reply)

  const writerId = visitor.visitorId ?? newId()
  const from = visitor.networkKey
  const accountId = (await context.get(signedInContext)())?.accountId ?? null
  const ownOrders = ownOrderIds(app, visitor, url)
  const written = await writeReview(app, {
    brandSlug,
    lineSlug,
    form: checked.value,
    writerId,
    accountId,
    from,
    ownOrderIds: ownOrders,
  })
  if (!written.ok) {
    if (written.reason === 'line-not-found') throw notFound()
    if (written.reason === 'too-many') return refuseTry(context, formRefusal(fields, tooMany), written.detail)
    const { status, text, field } = refusals[written.reason]
    return refuseForm({ values: Object.fromEntries(fields), errors: { [field]: text } }, status)
  }
  const cookies = cookiesFor(app.config)
  return seeOther(
    paths.writeReview(brandSlug, lineSlug, { written: written.value.state }),
    visitor.visitorId === undefined ? [['set-cookie', cookies.visitor(writerId)]] : [],
  )
}

const tooMany = 'Too many attempts from your network. Your review is saved here. Try again in an hour.'

const refusals = {
  'already-written': {
    status: 409,
    field: 'email',
    text: 'You have already reviewed this tire under this email. We allow one review per person to keep ratings fair.',
  },
  'purchase-not-found': {
    status: 422,
    field: 'orderNumber',
    text: 'We find no delivered order with this number and your email that has this tire and is not reviewed yet. Check both, or leave the number empty.',
  },
} as const

/** Returns the visitor's orders that were placed in this browser, or opened by a link or code from our email. */
function ownOrderIds({ config, clock }: Pick<Application, 'config' | 'clock'>, visitor: Visitor, url: URL): number[] {
  const asked = /^[1-9]\d{0,14}$/.exec(url.searchParams.get('order') ?? '')
  const isOpened =
    asked &&
    [url.searchParams.get('key'), ...visitor.orderKeys].some((key) =>
      opensOrder(config.session.secret, key, Number(asked[0]), clock.now()),
    )
  return isOpened ? [...visitor.orderIds, Number(asked[0])] : visitor.orderIds
}

export default function WriteReview({ loaderData: view, actionData: reply }: Route.ComponentProps) {
  return (
    <div className="wrap reviews-page write-review">
      <Crumbs crumbs={view.crumbs} here="Write a review" />
      <header className="reviews-head">
        <TirePicture picture={view.picture} alt="" size={112} eager />
        <div>
          <h1>Write a review of the {view.name}</h1>
          {view.written === null ? (
            <p className="muted">
              We publish good and bad reviews once a moderator has checked that they follow{' '}
              <a href={paths.tireReviews('rules')}>our rules</a>. Stars play no part in that.
            </p>
          ) : null}
        </div>
      </header>
      <div className="write-columns">
        {view.written === null ? (
          <ReviewForm view={view} reply={reply} />
        ) : (
          <Written state={view.written} reviews={view.reviews} />
        )}
        {view.written === null ? (
          <aside aria-labelledby="rules" className="small">
            <h2 id="rules">A review is shown when</h2>
            <ul>
              {view.rules.map((rule) => (
                <li key={rule}>{rule}</li>
              ))}
            </ul>
          </aside>
        ) : null}
      </div>
    </div>
  )
}

function Written({ state, reviews }: { state: 'published' | 'waiting'; reviews: string }) {
  return (
    <section className="panel padded stack" aria-labelledby="written">
      <h2 id="written">
        {state === 'published' ? 'Thank you. Your review is published.' : 'Thank you. We have your review.'}
      </h2>
      <p>
        {state === 'published'
          ? 'Others see it within a minute. An email with a link to it is on its way to you.'
          : 'Someone on our team reads it before it is shown. Your stars play no part in that. We email you either way.'}
      </p>
      <p>
        <a className="btn primary" href={reviews}>
          Read the reviews
        </a>
      </p>
    </section>
  )
}
