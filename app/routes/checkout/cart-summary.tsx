import { lineViews, moneyView } from '#app/views/checkout.server.ts'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { paths } from '#content/paths.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { TireLine } from '#app/ui/tire-line.tsx'
import { atLatestZip, tireCountOf } from '#domain/payments/cart/cart.ts'
import { quoteCart, readCheckout } from '#domain/ordering/checkout/checkout.server.ts'
import { countOf } from '#platform/count-text.ts'
import { EmptyCart } from './empty-cart.tsx'
import type { Route } from './+types/cart-summary.ts'

export const handle = { script: false }

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Your cart at a glance',
    description: 'Your cart and its total.',
    path: paths.cartSummary(),
    isIndexed: false,
  })

/** The cart preview that opens from the header, with the way to checkout. Its price is not recorded as shown. */
export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const visitor = context.get(visitorContext)
  const checkout = await readCheckout(app, visitor.cartId)
  if (checkout && checkout.cart.services.length > 0) throw seeOther(paths.cart())
  if (!checkout || checkout.cart.lines.length === 0) return null
  const { cart, contact } = checkout
  const quote = await quoteCart(app, atLatestZip(cart, visitor), contact, { shop: checkout.shop })
  const lines = await lineViews(app, cart, quote.breakdown)
  const { total, estimateAt, shopName, problems } = moneyView(quote, { moves: [], notes: [] })
  return {
    count: tireCountOf(cart),
    lines,
    total: quote.breakdown ? total : null,
    at: estimateAt ?? shopName,
    problems,
  }
}

export default function CartSummary({ loaderData: summary }: Route.ComponentProps) {
  if (!summary) return <EmptyCart />
  const { count, lines, total, at, problems } = summary
  return (
    <div className="wrap narrow-page">
      <h1>{countOf(count, 'tire')} in your cart</h1>
      <ul className="summary-lines">
        {lines.map((line) => (
          <TireLine key={`${line.itemId} ${line.axle}`} line={line}>
            <p className="small tabular">
              {line.quantity} at {line.unit}
              {line.label ? `, ${line.label.label.toLowerCase()}` : ''}
              {line.excise ? `, and ${line.excise} federal excise tax each` : ''}
            </p>
          </TireLine>
        ))}
      </ul>
      {problems.map((problem) => (
        <p key={problem} className="notice small">
          {problem}
        </p>
      ))}
      {total ? (
        <p className="row between tabular summary-total">
          <span>{at ? `Out the door at ${at}` : 'Total'}</span>
          <b>{total}</b>
        </p>
      ) : null}
      <a className="btn primary wide large" href={paths.checkoutShipping()}>
        Choose shop and time
      </a>
      <a className="btn quiet wide" href={paths.cart()}>
        Change the cart
      </a>
    </div>
  )
}
