import { useState, type ReactNode } from 'react'
import { shopContext, signedInContext, visitorContext } from '#app/server/context.ts'
import { checkForm, formRefusal, readForm, refuseForm, refuseTry, type FormReply } from '#app/forms/form.ts'
import { pictureOf } from '#app/views/review-view.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { cookiesFor, type Visitor } from '#http/visitor.ts'
import { paths } from '#content/paths.ts'
import { Crumbs } from '#app/ui/crumbs.tsx'
import { ErrorSummary, Field, SelectField } from '#app/ui/field.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { TirePicture } from '#app/ui/tire-picture.tsx'
import { attributes } from '#domain/catalog/catalog.ts'
import { orderNumber } from '#domain/orders/orders.ts'
import { opensOrder } from '#domain/orders/orders.server.ts'
import {
  attributeNames,
  contentRules,
  drivingStyles,
  longestComments,
  longestSummary,
  placesUsed,
  refusalReasons,
  reviewForm,
} from '#domain/reviews/reviews.ts'
import { findProof, findReviewedLine, writeReview } from '#domain/reviews/reviews.server.ts'
import { decodeChosenVehicle } from '#domain/vehicles/vehicles.ts'
import { newId } from '#platform/ids.ts'
import type { Shop } from '#shop'
import { movedTo, notFound } from './answers.ts'
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
 * The form of a review. `?order=` with its `key` from our mail makes it a verified one; `?written=` is where a sent one
 * ends.
 */
export async function loader({ params, url, context }: Route.LoaderArgs) {
  const [shop, visitor] = [context.get(shopContext), context.get(visitorContext)]
  const [brandSlug, lineSlug] = [params.brand.toLowerCase(), params.productLine.toLowerCase()]
  const found = await findReviewedLine(shop.catalog, brandSlug, lineSlug)
  if (!found) throw notFound()
  const path = paths.writeReview(brandSlug, lineSlug)
  if (url.pathname !== path) throw movedTo(path, url)
  const { line, item } = found
  const accountId = (await context.get(signedInContext)())?.accountId ?? null
  const proof = await findProof(shop, { lineId: line.id, ownOrderIds: ownOrderIds(shop, visitor, url), accountId })
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
  const [shop, visitor] = [context.get(shopContext), context.get(visitorContext)]
  const [brandSlug, lineSlug] = [params.brand.toLowerCase(), params.productLine.toLowerCase()]
  const fields = await readForm(request)
  // A field that people do not see; programs fill it in.
  if (fields.get('website')) return seeOther(paths.writeReview(brandSlug, lineSlug, { written: 'waiting' }))
  const checked = checkForm(reviewForm(shop.clock.now()), fields)
  if (!checked.ok) return refuseForm(checked.reply)

  const writerId = visitor.visitorId ?? newId()
  const from = visitor.networkKey
  const accountId = (await context.get(signedInContext)())?.accountId ?? null
  const ownOrders = ownOrderIds(shop, visitor, url)
  const written = await writeReview(shop, {
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
  const cookies = cookiesFor(shop.config)
  return seeOther(
    paths.writeReview(brandSlug, lineSlug, { written: written.value.state }),
    visitor.visitorId === undefined ? [['set-cookie', cookies.visitor(writerId)]] : [],
  )
}

const tooMany =
  'That were many tries from your network. What you wrote is still here: wait an hour, then send it again.'

const refusals = {
  'already-written': {
    status: 409,
    field: 'email',
    text: 'You have reviewed this tire already, under this email. One review per person keeps the numbers fair.',
  },
  'purchase-not-found': {
    status: 422,
    field: 'orderNumber',
    text: 'We find no delivered order with this number and your email that has this tire and is not reviewed yet. Check both, or leave the number empty.',
  },
} as const

/** Orders that the visitor has shown to be theirs: placed in this browser, or opened by the link in our mail. */
function ownOrderIds({ config, clock }: Pick<Shop, 'config' | 'clock'>, visitor: Visitor, url: URL): number[] {
  const asked = /^[1-9]\d{0,14}$/.exec(url.searchParams.get('order') ?? '')
  const isOpened =
    asked && opensOrder(config.session.secret, url.searchParams.get('key'), Number(asked[0]), clock.now())
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
              Good or bad: what you say is shown once somebody has read that it keeps{' '}
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
          ? 'Others see it within a minute. A mail with a link to it is on its way to you.'
          : 'Somebody on our team reads it before it is shown. Your stars play no part in that. We email you either way.'}
      </p>
      <p>
        <a className="btn primary" href={reviews}>
          Read the reviews
        </a>
      </p>
    </section>
  )
}

type FormView = Pick<
  Route.ComponentProps['loaderData'],
  'ratings' | 'drivingStyles' | 'placesUsed' | 'longestSummary' | 'longestComments' | 'vehicle' | 'provenBy'
>

function ReviewForm({ view, reply }: { view: FormView; reply: FormReply | undefined }) {
  return (
    <form method="post" className="panel padded stack" noValidate>
      <ErrorSummary reply={reply} labels={{ ratings: 'Ratings' }} />
      <p className="small muted">All fields must be completed; of the ratings, at least one.</p>
      <Choice name="ratings" legend="Rate what you know: 1 poor, 5 excellent" reply={reply}>
        <div className="rates">
          {view.ratings.map(({ name, label }) => (
            <Rate key={name} name={name} label={label} given={reply?.values[name] ?? ''} />
          ))}
        </div>
      </Choice>
      <Summary longest={view.longestSummary} reply={reply} />
      <div className="field-row">
        <label className="field" htmlFor="comments">
          What is it like to drive on?
        </label>
        <textarea
          className="input"
          id="comments"
          name="comments"
          rows={6}
          maxLength={view.longestComments}
          defaultValue={reply?.values['comments'] ?? ''}
          aria-required
          {...messageOf('comments', reply)}
        />
        <Message name="comments" reply={reply} />
      </div>
      <div className="field-pair">
        <Field
          name="vehicle"
          label="Vehicle"
          reply={reply}
          value={view.vehicle}
          hint="Like 2021 Toyota RAV4 XLE"
          maxLength={80}
          required
        />
        <Field
          name="milesDriven"
          label="Miles driven on them"
          reply={reply}
          inputMode="numeric"
          maxLength={9}
          autoComplete="off"
          required
        />
        <Field
          name="purchasedOn"
          label="Purchase date"
          reply={reply}
          hint="MM/DD/YYYY"
          inputMode="numeric"
          maxLength={10}
          autoComplete="off"
          required
        />
        <SelectField name="drivingStyle" label="Driving style" reply={reply}>
          <option value="">Choose</option>
          {view.drivingStyles.map((style) => (
            <option key={style}>{style}</option>
          ))}
        </SelectField>
        <SelectField name="whereUsed" label="Where used" reply={reply}>
          <option value="">Choose</option>
          {view.placesUsed.map((place) => (
            <option key={place}>{place}</option>
          ))}
        </SelectField>
        <Choice name="buyAgain" legend="Would you buy them again?" reply={reply}>
          <div className="row check-row">
            {['yes', 'no'].map((answer) => (
              <label key={answer} className="check">
                <input
                  type="radio"
                  name="buyAgain"
                  value={answer}
                  defaultChecked={reply?.values['buyAgain'] === answer}
                />
                {answer === 'yes' ? 'Yes' : 'No'}
              </label>
            ))}
          </div>
        </Choice>
        <Field
          name="name"
          label="Name"
          reply={reply}
          hint="Shown beside your review; a first name will do"
          autoComplete="given-name"
          maxLength={25}
          required
        />
        <Field
          name="email"
          label="Email"
          reply={reply}
          type="email"
          hint="Not shown"
          autoComplete="email"
          maxLength={254}
          required
        />
      </div>
      {view.provenBy ? (
        <p className="fit yes">
          <Icon name="check-circle" size="s" />
          <span>Your review will carry the verified mark: order {view.provenBy} brought you these tires.</span>
        </p>
      ) : (
        <Field
          name="orderNumber"
          label="Order number"
          reply={reply}
          hint="Bought here? With the number and the email of a delivered order your review carries the verified mark."
          autoComplete="off"
          maxLength={24}
          required={false}
        />
      )}
      <div className="not-for-people" aria-hidden="true">
        <label htmlFor="website">Leave this empty</label>
        <input id="website" name="website" tabIndex={-1} autoComplete="off" />
      </div>
      <button className="btn primary large" type="submit">
        Send review
      </button>
    </form>
  )
}

/** Six answers: not rated, or one to five. */
function Rate({ name, label, given }: { name: string; label: string; given: string }) {
  return (
    <fieldset className="rate" id={name}>
      <legend>{label}</legend>
      <div className="rate-steps tabular">
        {['', '1', '2', '3', '4', '5'].map((value) => (
          <label key={value}>
            <input type="radio" name={name} value={value} defaultChecked={given === value} />
            <span>{value === '' ? <span aria-hidden="true">–</span> : value}</span>
            {value === '' ? <span className="visually-hidden">Not rated</span> : null}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** Without script the field itself stops at its length; with it the page says how much is left. */
function Summary({ longest, reply }: { longest: number; reply: FormReply | undefined }) {
  const before = reply?.values['summary'] ?? ''
  const [used, setUsed] = useState(before.length)
  const [first, ...others] = ['summary-count', ...(reply?.errors['summary'] ? ['summary-error'] : [])]
  return (
    <div className="field-row">
      <label className="field" htmlFor="summary">
        Summary
      </label>
      <input
        className="input"
        id="summary"
        name="summary"
        defaultValue={before}
        maxLength={longest}
        autoComplete="off"
        onInput={(event) => setUsed(event.currentTarget.value.length)}
        aria-required
        aria-describedby={[...others, first].join(' ')}
        {...(reply?.errors['summary'] ? { 'aria-invalid': true as const } : {})}
      />
      <Message name="summary" reply={reply} />
      <p className="field-hint tabular" id="summary-count">
        {used} of {longest} characters
      </p>
    </div>
  )
}

function Choice({
  name,
  legend,
  reply,
  children,
}: {
  name: string
  legend: string
  reply: FormReply | undefined
  children: ReactNode
}) {
  return (
    <fieldset
      className="field-row"
      id={name}
      tabIndex={-1}
      aria-describedby={reply?.errors[name] ? `${name}-error` : undefined}
    >
      <legend className="field">{legend}</legend>
      {children}
      <Message name={name} reply={reply} />
    </fieldset>
  )
}

function Message({ name, reply }: { name: string; reply: FormReply | undefined }) {
  const error = reply?.errors[name]
  return error ? (
    <p className="field-error" id={`${name}-error`}>
      {error}
    </p>
  ) : null
}

function messageOf(name: string, reply: FormReply | undefined) {
  return reply?.errors[name] ? { 'aria-describedby': `${name}-error`, 'aria-invalid': true as const } : {}
}
