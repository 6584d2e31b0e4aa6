import { data } from 'react-router'
import { applicationContext, signedInContext, visitorContext } from '#app/server/context.ts'
import { readForm, sayWait } from '#app/forms/form.ts'
import { pictureOf, reviewsStructuredData, reviewSumsView, reviewView } from '#app/views/review-view.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { cookiesFor } from '#http/visitor.ts'
import { paths } from '#content/paths.ts'
import { countOf, countOrNone, countText } from '#platform/count-text.ts'
import { Crumbs } from '#app/ui/crumbs.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { ReviewArticle, ReviewSums } from '#app/ui/reviews.tsx'
import { TirePicture } from '#app/ui/tire-picture.tsx'
import {
  parseReviewQuery,
  plainReviewQuery,
  reviewParameters,
  reviewSorts,
  type ReviewQuery,
  type ReviewSort,
} from '#domain/aftercare/reviews/reviews.ts'
import { listLineReviews, listVotes, voteHelpful } from '#domain/aftercare/reviews/reviews.server.ts'
import { newId } from '#platform/ids.ts'
import { movedTo, notFound } from './answers.ts'
import { ReviewPager } from './review-pager.tsx'
import type { Route } from './+types/line-reviews.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  if (!loaderData) return [{ title: 'Tire reviews' }]
  const { name, sums, structuredData, path, isPlain } = loaderData
  return pageHead(matches, {
    title: `${name} reviews`,
    description: sums
      ? `${countOf(sums.count, 'review')} of the ${name}: ${sums.mean} of 5, ${sums.buyAgainPercent}% would buy again. Grip, snow, comfort, noise and wear, by vehicle.`
      : `No reviews yet for the ${name}. Driving on it? Share how it handles, rides, sounds, and wears.`,
    path,
    // A page without reviews is no use in search results.
    isIndexed: isPlain && sums !== null,
    structuredData: structuredData && isPlain ? [structuredData] : [],
  })
}

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=60' }
}

/** The reviews of a line, filtered and sorted by `?stars=`, `?vehicle=`, `?sort=` and `?after=`. */
export async function loader({ params, url, context }: Route.LoaderArgs) {
  const [app, visitor] = [context.get(applicationContext), context.get(visitorContext)]
  const asked = { brandSlug: params.brand.toLowerCase(), lineSlug: params.productLine.toLowerCase() }
  const query = parseReviewQuery(url.searchParams)
  const listed = await listLineReviews(app.catalog, { ...asked, query })
  if (!listed.ok) throw notFound()
  const path = paths.lineReviews(asked.brandSlug, asked.lineSlug)
  if (url.pathname !== path) throw movedTo(path, url)

  const { line, item, page, found, models } = listed.value
  const ids = page.reviews.map(({ id }) => id)
  const accountId = (await context.get(signedInContext)())?.accountId ?? null
  const isKnown = visitor.visitorId !== undefined || accountId !== null
  const mine = isKnown
    ? await listVotes(app, { visitorId: visitor.visitorId ?? newId(), accountId }, ids)
    : new Set<number>()
  const pathOf = (change: Partial<ReviewQuery>) =>
    paths.lineReviews(asked.brandSlug, asked.lineSlug, reviewParameters({ ...query, after: null, ...change }))
  const name = `${line.brand.name} ${line.name}`
  return {
    name,
    brand: line.brand.name,
    line: line.name,
    path,
    isPlain: url.search === '',
    crumbs: [
      { label: 'Brands', path: paths.brands() },
      { label: line.brand.name, path: paths.brand(line.brand.slug) },
      { label: line.name, path: paths.line(line.brand.slug, line.slug) },
    ],
    picture: pictureOf(item),
    sums:
      line.rating && reviewSumsView(line.rating, (stars) => pathOf({ stars: query.stars === stars ? null : stars })),
    query,
    chosen: chosenOf(query, pathOf),
    models,
    found,
    reviews: page.reviews.map((review) => ({ ...reviewView(review), isMine: mine.has(review.id) })),
    next: page.next === null ? null : pathOf({ after: page.next }),
    first: query.after === null ? null : pathOf({}),
    all: paths.lineReviews(
      asked.brandSlug,
      asked.lineSlug,
      reviewParameters({ ...plainReviewQuery, sort: query.sort }),
    ),
    tire: paths.line(line.brand.slug, line.slug),
    write: paths.writeReview(line.brand.slug, line.slug),
    structuredData:
      url.search === '' ? reviewsStructuredData(line, page.reviews, `${app.config.web.origin}${path}`) : null,
  }
}

const refusals = {
  'own-review': { status: 409, text: 'You wrote this review, so your own vote for it does not count.' },
  'voted-nearby': {
    status: 409,
    text: 'Someone on your network already found this review helpful. Sign in, and your vote counts as your own.',
  },
  'too-many': { status: 429, text: 'You voted many times in a short time. Wait ten minutes, then continue.' },
  'review-not-found': { status: 404, text: 'This review is no longer shown.' },
} as const

/** A vote: `review`, and whether it is `helpful` or no longer. */
export async function action({ request, url, context }: Route.ActionArgs) {
  const [app, visitor] = [context.get(applicationContext), context.get(visitorContext)]
  const fields = await readForm(request)
  const id = /^[1-9]\d{0,8}$/.exec(fields.get('review') ?? '')
  if (!id) throw new Response(null, { status: 400 })
  const [reviewId, visitorId] = [Number(id[0]), visitor.visitorId ?? newId()]
  const accountId = (await context.get(signedInContext)())?.accountId ?? null
  const voted = await voteHelpful(app, {
    reviewId,
    voter: { visitorId, accountId, network: visitor.networkKey },
    isHelpful: fields.get('helpful') !== 'no',
  })
  if (!voted.ok && voted.reason === 'too-many') sayWait(context, voted.detail.retryAfterSeconds)
  if (!voted.ok) return data({ problem: refusals[voted.reason].text }, { status: refusals[voted.reason].status })
  const cookies = cookiesFor(app.config)
  const isNew = visitor.visitorId === undefined
  return seeOther(
    `${url.pathname}${url.search}#review-${reviewId}`,
    isNew ? [['set-cookie', cookies.visitor(visitorId)]] : [],
  )
}

const sortNames: Record<ReviewSort, string> = {
  helpful: 'Most helpful',
  newest: 'Newest',
  highest: 'Highest rated',
  lowest: 'Lowest rated',
}

export default function LineReviews({ loaderData: view, actionData }: Route.ComponentProps) {
  const { sums, query, chosen, reviews, found } = view
  return (
    <div className="wrap reviews-page">
      <Crumbs crumbs={view.crumbs} here="Reviews" />
      <header className="reviews-head">
        <TirePicture picture={view.picture} alt="" size={112} eager />
        <div>
          <h1 className="capitals">
            <small>{view.brand}</small> {view.line} reviews
          </h1>
          <p className="row review-links">
            <a className="btn primary" href={view.write}>
              Write a review
            </a>
            <a className="btn quiet" href={view.tire}>
              See the tire
            </a>
          </p>
        </div>
      </header>
      {sums ? (
        <div className="review-columns">
          <section aria-labelledby="sums-title">
            <h2 id="sums-title" className="visually-hidden">
              Summary
            </h2>
            <ReviewSums sums={sums} chosen={query.stars} />
            <p className="small review-note">
              All reviews that keep <a href={paths.tireReviews('rules')}>our rules</a> are shown, whatever their stars.
            </p>
          </section>
          <section aria-labelledby="list-title">
            <h2 id="list-title" className="visually-hidden">
              Reviews
            </h2>
            <ReviewChoices view={view} />
            <p className="small muted tabular" role="status">
              {countOrNone(found, 'review')}
              {chosen.length > 0 ? ` of ${countText(sums.count)}` : ''}
            </p>
            {actionData ? (
              <p className="error-summary" role="alert">
                {actionData.problem}
              </p>
            ) : null}
            {chosen.length > 0 ? (
              <ul className="row chosen-filters" aria-label="Chosen">
                {chosen.map(({ label, without }) => (
                  <li key={label}>
                    <a className="chip is-on" href={without}>
                      {label}
                      <Icon name="cross" size="tiny" />
                      <span className="visually-hidden">, remove</span>
                    </a>
                  </li>
                ))}
              </ul>
            ) : null}
            {reviews.map((review) => (
              <ReviewArticle key={review.id} review={review}>
                <HelpfulVote id={review.id} count={review.helpful} isMine={review.isMine} summary={review.summary} />
              </ReviewArticle>
            ))}
            {reviews.length === 0 ? (
              <p className="review-none">
                {query.after === null ? 'No review matches.' : 'That was the last one.'}{' '}
                <a href={view.all}>All {countOf(sums.count, 'review')}</a>
              </p>
            ) : null}
            <ReviewPager next={view.next} first={view.first} />
          </section>
        </div>
      ) : (
        <p className="review-none">No one has reviewed the {view.name} yet. Drive it? Yours would be the first.</p>
      )}
    </div>
  )
}

/** Sort order, stars and vehicle; submitted by the button, with or without script. */
function ReviewChoices({ view: { path, query, models } }: { view: Awaited<ReturnType<typeof loader>> }) {
  return (
    <form method="get" action={path} className="review-choices" role="search" aria-label="Choose reviews">
      <label className="field">
        Order
        <select className="input" name="sort" defaultValue={query.sort}>
          {reviewSorts.map((sort) => (
            <option key={sort} value={sort}>
              {sortNames[sort]}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        Rating
        <select className="input" name="stars" defaultValue={query.stars ?? ''}>
          <option value="">All</option>
          {[5, 4, 3, 2, 1].map((stars) => (
            <option key={stars} value={stars}>
              {starsText(stars)}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        Vehicle
        <select className="input" name="vehicle" defaultValue={query.vehicle ?? ''}>
          <option value="">All vehicles</option>
          {query.vehicle !== null && !models.some(({ model }) => model === query.vehicle) ? (
            <option value={query.vehicle}>{query.vehicle}</option>
          ) : null}
          {models.map(({ model, reviews }) => (
            <option key={model} value={model}>
              {model} ({reviews})
            </option>
          ))}
        </select>
      </label>
      <button className="btn" type="submit">
        Show
      </button>
    </form>
  )
}

function HelpfulVote({ id, count, isMine, summary }: { id: number; count: number; isMine: boolean; summary: string }) {
  return (
    <form method="post" className="row review-vote small">
      <input type="hidden" name="review" value={id} />
      <button
        className="btn quiet small tabular"
        type="submit"
        name="helpful"
        value={isMine ? 'no' : 'yes'}
        aria-pressed={isMine}
      >
        {isMine ? <Icon name="check" size="s" /> : null}
        Helpful{count > 0 ? ` (${countText(count)})` : ''}
        <span className="visually-hidden">: {summary}</span>
      </button>
      {isMine ? <span className="muted">You found this helpful. Click again to undo.</span> : null}
    </form>
  )
}

function chosenOf(
  query: ReviewQuery,
  pathOf: (change: Partial<ReviewQuery>) => string,
): { label: string; without: string }[] {
  return [
    ...(query.stars === null ? [] : [{ label: starsText(query.stars), without: pathOf({ stars: null }) }]),
    ...(query.vehicle === null ? [] : [{ label: query.vehicle, without: pathOf({ vehicle: null }) }]),
  ]
}

function starsText(stars: number): string {
  return countOf(stars, 'star')
}
