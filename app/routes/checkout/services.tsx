import { useRef, type FormEvent } from 'react'
import { Form, useSubmit } from 'react-router'
import { readMoney, requireCart, requireCheckout } from '#app/views/checkout.server.ts'
import { readForm } from '#app/forms/form.ts'
import { cartSeen, measure } from '#app/server/measure.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { paths } from '#content/paths.ts'
import { HoldBar } from '#app/routes/checkout/hold-bar.tsx'
import { SideSummary } from '#app/routes/checkout/side-summary.tsx'
import { holdView } from '#app/routes/checkout/shipping-view.server.ts'
import { Icon } from '#app/ui/icon.tsx'
import { NewPage } from '#app/ui/new-page.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { Stepper } from '#app/ui/stepper.tsx'
import { sendAndKeep } from '#app/ui/send-and-keep.ts'
import { isInstallation } from '#domain/supply/delivery/delivery.ts'
import { findChosenTime } from '#domain/scheduling/booking/booking.server.ts'
import { tireCountOf } from '#domain/payments/cart/cart.ts'
import { chooseServices } from '#domain/ordering/checkout/checkout.server.ts'
import { canAddRoadside, chargedPrices, planWords, roadsideBenefits } from '#domain/ordering/checkout/checkout.ts'
import { planOf } from '#domain/payments/cart/cart.ts'
import { coverageCents } from '#domain/catalog/offers/offers.ts'
import { formatCents } from '#platform/money.ts'
import { countOf } from '#platform/count-text.ts'
import type { Route } from './+types/services.ts'

export const handle = { arrival: () => <NewPage /> }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Coverage and roadside',
    description: 'Replacement coverage and roadside assistance for your tires.',
    path: paths.checkoutServices(),
    isIndexed: false,
  })

export async function loader({ context }: Route.LoaderArgs) {
  const { app, cart, checkout } = await requireCheckout(context)
  if (!cart.fulfillment) throw seeOther(paths.checkoutShipping())
  if (cart.services.length > 0) throw seeOther(paths.checkoutPayments())
  const [{ money, contact, quote }, hold] = await Promise.all([
    readMoney(app, cart, checkout),
    findChosenTime(app, cart.id),
  ])
  if (!contact) throw seeOther('/checkout/shipping-confirmation')
  measure(context, () => cartSeen('add_shipping_info', cart))
  const isInstalled = isInstallation(cart.fulfillment)
  const count = tireCountOf(cart)
  const chargedOf = chargedPrices(cart.lines, quote.breakdown, app.businessTerms.current)
  const coverageOf = (line: (typeof cart.lines)[number]) =>
    coverageCents(chargedOf(line).unitCents, app.businessTerms.current)
  const coverageTotal = cart.lines.reduce((sum, line) => sum + coverageOf(line) * line.quantity, 0)
  return {
    coverage: {
      isChosen: cart.lines.some((line) => line.coverage),
      total: formatCents(coverageTotal),
      each: [...new Set(cart.lines.map((line) => formatCents(coverageOf(line))))].join(' and '),
      ...planWords(planOf(cart), app.businessTerms.current),
    },
    roadside: {
      isChosen: cart.roadside,
      months: countOf(app.businessTerms.current['roadside-months'], 'month'),
      price: formatCents(app.businessTerms.current['roadside-cents']),
      terms: roadsideBenefits(app.businessTerms.current),
      allowed: canAddRoadside({ tireCount: count, isInstalled }, app.businessTerms.current),
    },
    money,
    hold: hold && isInstalled ? holdView(hold) : null,
    tab: cart.fulfillment,
    now: app.clock.now().toString(),
  }
}

export async function action({ request, context }: Route.ActionArgs) {
  const { app, cart } = await requireCart(context)
  const fields = await readForm(request)
  await chooseServices(app, cart, {
    coverage: fields.get('coverage') === '1',
    roadside: fields.get('roadside') === '1',
  })
  // Reloads the document because its headers allow payment providers to open a window (http/security.ts).
  return seeOther(paths.checkoutPayments(), [['x-remix-reload-document', 'true']])
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return sendAndKeep(serverAction)
}

export default function Services({ loaderData }: Route.ComponentProps) {
  const { coverage, roadside, money, hold } = loaderData
  const submit = useSubmit()
  const form = useRef<HTMLFormElement>(null)
  const offer = useRef<HTMLDialogElement>(null)

  /** Confirms once that the shopper wants no coverage. Without JavaScript there is no second confirmation. */
  function askOnce(event: FormEvent<HTMLFormElement>) {
    if (new FormData(event.currentTarget).has('coverage') || offer.current?.returnValue) return
    event.preventDefault()
    offer.current?.showModal()
  }

  function answer(withCoverage: boolean) {
    offer.current?.close(withCoverage ? 'yes' : 'no')
    if (!form.current) return
    const fields = new FormData(form.current)
    if (withCoverage) fields.set('coverage', '1')
    void submit(fields, { method: 'post' })
  }

  return (
    <div className="wrap">
      <Stepper at={2} />
      <div className="checkout-head">
        <h1>Protect your tires?</h1>
        <p className="muted">Both are optional. You can continue without either.</p>
      </div>
      <div className="checkout-columns">
        <div className="stack">
          {hold ? <HoldBar hold={hold} now={loaderData.now} tab={loaderData.tab} form="page" /> : null}
          <Form method="post" className="stack" ref={form} onSubmit={askOnce}>
            <ServiceChoice
              name="coverage"
              icon="shield"
              title={coverage.name}
              price={`${coverage.total} for all`}
              detail={`${coverage.each} a tire`}
              terms={coverage.terms}
              isChosen={coverage.isChosen}
            />
            <ServiceChoice
              name="roadside"
              icon="truck"
              title="Roadside assistance"
              price={roadside.price}
              detail={`once, for ${roadside.months}`}
              terms={roadside.terms}
              isChosen={roadside.isChosen}
              refusal={roadside.allowed.can ? null : roadside.allowed.reason}
            />
            <button className="btn primary large" type="submit">
              Continue to payment
            </button>
          </Form>
        </div>
        <SideSummary money={money} />
      </div>
      <dialog className="modal" ref={offer} aria-labelledby="offer-title">
        <div className="stack">
          <h2 id="offer-title">Continue without coverage?</h2>
          <p>
            A nail or a pothole can ruin a new tire. For <b className="tabular">{coverage.total}</b> all of yours are
            covered:
          </p>
          <p className="service-terms small">
            {coverage.terms.map((term) => (
              <span key={term}>
                <Icon name="check" size="tiny" /> {term}
              </span>
            ))}
          </p>
          <button className="btn primary" type="button" onClick={() => answer(true)}>
            Add coverage
          </button>
          <button className="btn quiet" type="button" onClick={() => answer(false)}>
            No, continue without
          </button>
        </div>
      </dialog>
    </div>
  )
}

function ServiceChoice({
  name,
  icon,
  title,
  price,
  detail,
  terms,
  isChosen,
  refusal = null,
}: {
  name: string
  icon: 'shield' | 'truck'
  title: string
  price: string
  detail: string
  terms: readonly string[]
  isChosen: boolean
  refusal?: string | null
}) {
  return (
    <label className={refusal ? 'panel service-choice is-off' : 'panel service-choice'}>
      <input
        type="checkbox"
        name={name}
        value="1"
        defaultChecked={isChosen}
        disabled={refusal !== null}
        aria-describedby={`${name}-terms`}
      />
      <span className="service-words">
        <span className="row between top">
          <b className="row">
            <Icon name={icon} /> {title}
          </b>
          <span className="tabular service-price">
            <b>{price}</b>
            <small className="muted"> {detail}</small>
          </span>
        </span>
        <span id={`${name}-terms`} className="service-terms small">
          {terms.map((term) => (
            <span key={term}>
              <Icon name="check" size="tiny" /> {term}
            </span>
          ))}
          {refusal ? <span className="muted">{refusal}</span> : null}
        </span>
      </span>
    </label>
  )
}
