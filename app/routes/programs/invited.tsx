import { data } from 'react-router'
import { applicationContext, signedInContext, visitorContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { findCart } from '#domain/payments/cart/cart.server.ts'
import { referralLinkDays } from '#domain/customers/programs/programs.ts'
import { findReferralLink, noteReferral } from '#domain/customers/programs/programs.server.ts'
import { cookiesFor } from '#http/visitor.ts'
import { formatRate } from '#platform/money.ts'
import { countOf } from '#platform/count-text.ts'
import type { Route } from './+types/invited.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  loaderData
    ? pageHead(matches, {
        title: 'A friend sent you',
        description: 'Less to pay for your first tires.',
        path: paths.invite(),
        isIndexed: false,
      })
    : []

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders
}

/** Handles a referral link. Discounts this browser's carts from now on, including the current one. */
export async function loader({ context, params }: Route.LoaderArgs) {
  // Read aloud or written by hand, a code may come in capitals.
  const code = params.code.toLowerCase()
  const app = context.get(applicationContext)
  const visitor = context.get(visitorContext)
  const [link, signedIn] = await Promise.all([findReferralLink(app, code), context.get(signedInContext)()])
  if (!link) throw new Response(null, { status: 404 })
  const view = { from: link.name, percent: formatRate(link.ratePpm) }
  if (signedIn?.accountId === link.accountId || visitor.ownReferral === code) return data({ ...view, isOwn: true })
  const referral = { code, openedAt: app.clock.now() }
  const cart = await findCart(app, visitor.cartId)
  if (cart) await noteReferral(app, cart.id, referral)
  return data({ ...view, isOwn: false }, { headers: { 'Set-Cookie': cookiesFor(app.config).referral(referral) } })
}

export default function Invited({ loaderData: { from, percent, isOwn } }: Route.ComponentProps) {
  if (isOwn) {
    return (
      <div className="wrap program-page">
        <header className="program-head">
          <h1>This is your own link.</h1>
          <p className="lead">It works for your friends. Opened here it changes no price.</p>
        </header>
        <p className="row wrap-row">
          <a className="btn primary large" href={paths.invite()}>
            Send it on
          </a>
          <a className="btn large" href={paths.advocateDashboard()}>
            What you earned
          </a>
        </p>
      </div>
    )
  }
  return (
    <div className="wrap program-page">
      <header className="program-head">
        <h1>
          {from ?? 'A friend'} sends you {percent} off.
        </h1>
        <p className="lead">
          Off the tires in your first order. Pick a tire and a shop. The price in your cart already includes it.
        </p>
      </header>
      <p className="row wrap-row">
        <a className="btn primary large" href={paths.find()}>
          Find your tires
        </a>
        <a className="btn large" href={paths.cart()}>
          See your cart
        </a>
      </p>
      <ul className="program-rules small">
        <li>This browser remembers it for {countOf(referralLinkDays, 'day')}. Nothing to type.</li>
        <li>
          On tires not already on a deal. It does not combine with another discount program. The cart applies the one
          that saves you more.
        </li>
        <li>For a first order, once per household.</li>
      </ul>
    </div>
  )
}
