import { data } from 'react-router'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import { movedTo, notFound } from './listing.server.ts'
import { Crumbs } from '#app/ui/crumbs.tsx'
import { OrderSummary } from '#app/ui/order-summary.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { TireCard } from '#app/ui/tire-card.tsx'
import { comparingBar } from '#app/ui/comparing.tsx'
import { readDealPage, type DealPageView } from './deal-page.server.ts'
import { DealRows } from './deal-groups.tsx'
import type { Route } from './+types/deal.ts'

export const handle = { script: false, bar: comparingBar }
export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  loaderData
    ? pageHead(matches, {
        title: loaderData.title,
        description: `${loaderData.heading}. ${loaderData.when} Terms in plain words, and the tires it is on.`,
        path: loaderData.path,
        isIndexed: loaderData.state === 'running',
      })
    : []

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=60' }
}

/** One deal or rebate. An expired one answers 410 and shows current ones. */
export async function loader({ params, context, url }: Route.LoaderArgs) {
  const slug = params.deal.toLowerCase()
  const view = await readDealPage(context.get(applicationContext), slug, context.get(visitorContext).zip)
  if (!view) throw notFound()
  if (slug !== params.deal) throw movedTo(paths.deal(slug), url)
  return data(view, { status: view.state === 'ended' ? 410 : 200 })
}

export default function DealRoute({ loaderData: view }: Route.ComponentProps) {
  const { state, terms, steps, cart, alternatives } = view
  return (
    <div className="wrap directory deals-page">
      <Crumbs crumbs={[{ label: 'Deals', path: paths.deals() }]} here={view.title} />
      <DealHead deal={view} />
      {alternatives.length > 0 ? (
        <section>
          <h2>Current deals instead</h2>
          <DealRows rows={alternatives} />
          <p>
            <a className="btn quiet" href={paths.deals()}>
              All deals
            </a>
          </p>
        </section>
      ) : null}
      <div className={cart || steps.length > 0 ? 'deal-facts' : undefined}>
        <section>
          <h2>{state === 'ended' ? 'What it was' : 'The terms'}</h2>
          <Terms terms={terms} />
        </section>
        {cart ? <DealInCart cart={cart} /> : null}
        {steps.length > 0 ? <RebateSteps steps={steps} /> : null}
      </div>
      {view.cards.length > 0 ? <DealTires deal={view} /> : null}
    </div>
  )
}

function DealHead({ deal: { heading, lead, state, when, isRebate } }: { deal: DealPageView }) {
  const isOver = state === 'ended'
  return (
    <div className="directory-head">
      <p className={isRebate ? 'tag' : 'tag tone-deal'}>{isRebate ? 'Rebate after purchase' : stateWords[state]}</p>
      <h1>{isOver ? `Over: ${heading}` : heading}</h1>
      <p className="deal-lead">{isOver ? `This ${isRebate ? 'rebate' : 'deal'} has ended. ${when}` : lead}</p>
      {isOver ? null : <p className="strong tabular">{when}</p>}
    </div>
  )
}

/** What four of its tires cost in the cart with the deal. */
function DealInCart({ cart }: { cart: NonNullable<DealPageView['cart']> }) {
  return (
    <section className="panel deal-cart" aria-labelledby="deal-cart">
      <h2 id="deal-cart">In your cart</h2>
      <p className="small muted">Four {cart.tire}, before installation, fees and tax:</p>
      <OrderSummary
        rows={[...cart.rows, { key: 'sum', label: 'Your four tires', detail: '', amount: cart.sum, kind: 'total' }]}
        caption="How the deal shows in your cart"
      />
      {cart.other ? (
        <p className="small">A better deal is on this tire right now, so that one counts: {cart.other}.</p>
      ) : null}
    </section>
  )
}

function RebateSteps({ steps }: Pick<DealPageView, 'steps'>) {
  return (
    <section className="panel deal-cart" aria-labelledby="rebate-steps">
      <h2 id="rebate-steps">How to get it</h2>
      <ol className="deal-steps">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </section>
  )
}

function DealTires({ deal: { cards, all, store } }: { deal: DealPageView }) {
  return (
    <section>
      <h2>The tires it is on</h2>
      <div className="card-grid">
        {cards.map((card, index) => (
          <TireCard key={card.key} card={card} isFirst={false} isEager={index < 3} store={store} />
        ))}
      </div>
      {all ? (
        <p>
          <a className="btn quiet" href={all.path}>
            {all.label}
          </a>
        </p>
      ) : null}
    </section>
  )
}

const stateWords: Record<DealPageView['state'], string> = {
  coming: 'Soon',
  running: 'On now',
  claimable: 'On now',
  ended: 'Over',
}

function Terms({ terms }: { terms: DealPageView['terms'] }) {
  return (
    <dl className="deal-terms">
      {terms.map(({ term, text, link }) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>
            {text}
            {link ? (
              <>
                {' '}
                <a href={link.path} {...(link.isOutside ? { rel: 'external nofollow' } : {})}>
                  {link.label}
                </a>
              </>
            ) : null}
          </dd>
        </div>
      ))}
    </dl>
  )
}
