import { applicationContext, visitorContext } from '#app/server/context.ts'
import { OrderSummary } from '#app/ui/order-summary.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import { orderMessage } from '#cxml/order-message.ts'
import {
  keepTakenCart,
  problemWords,
  readPunchoutCart,
  type PunchoutCart,
} from '#domain/channels/purchasing/purchasing.server.ts'
import { newId } from '#platform/ids.ts'
import { formatCents } from '#platform/money.ts'
import { timeText } from '#platform/time-text.ts'
import type { Route } from './+types/punchout-return.ts'

/** One form, which works without script. */
export const handle = { script: false }

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Take your cart back',
    description: 'Takes the cart back to your purchasing system.',
    path: serverPaths.punchoutReturn(),
    isIndexed: false,
  })

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const { punchout, clock, config } = app
  if (!punchout) return { isOver: true as const }
  const { cartId } = context.get(visitorContext)
  const cart = await readPunchoutCart(app, cartId)
  if (cart && cartId !== undefined) await keepTakenCart(app, punchout.id, cartId)
  const problems = cart ? cart.problems.map(problemWords) : []
  const message = orderMessage(punchout, problems.length > 0 ? undefined : cart, {
    from: config.purchasing,
    payloadId: `${newId()}@sidewall`,
    at: clock.now(),
  })
  return {
    isOver: false as const,
    company: punchout.system.companyName,
    returnUrl: punchout.returnUrl,
    message: Buffer.from(message).toString('base64'),
    mayOrder: punchout.operation !== 'inspect',
    problems,
    cart: cart ? cartView(cart) : null,
  }
}

function cartView({ items, totalCents, taxCents, taxText, shippingZip, installation }: PunchoutCart) {
  return {
    rows: [
      ...items.map(({ partId, name, quantity, unitCents }) =>
        rowOf(partId, name, `${partId}, ${quantity} at ${formatCents(unitCents)}`, quantity * unitCents),
      ),
      rowOf('total', 'Total without sales tax', '', totalCents),
      rowOf('tax', taxText, 'Added to the order', taxCents),
    ],
    destination: installation
      ? `Installed at ${installation.shopName}, ${timeText(installation.at, installation.timeZone)}`
      : `Shipped to ${shippingZip ?? 'your address'}`,
  }
}

function rowOf(key: string, label: string, detail: string, cents: number) {
  return { key, label, detail, cents, amount: formatCents(cents), kind: 'plain' as const, units: [] }
}

export default function PunchoutReturnPage({ loaderData }: Route.ComponentProps) {
  if (loaderData.isOver)
    return (
      <div className="wrap narrow-page stack">
        <h1>This visit is over</h1>
        <p>Open the store again from your purchasing system. A link opens one visit, once.</p>
        <p>
          <a className="btn" href={paths.home()}>
            Go to the store
          </a>
        </p>
      </div>
    )
  const { company, returnUrl, message, mayOrder, problems, cart } = loaderData
  return (
    <div className="wrap narrow-page stack">
      <h1>{mayOrder ? 'Take your cart back' : 'Tires in your order'}</h1>
      <p>
        You shop for {company}. Your purchasing system gets these lines for approval; nothing is ordered before that.
      </p>
      {problems.map((problem) => (
        <p key={problem} className="notice">
          {problem}
        </p>
      ))}
      {cart && problems.length === 0 ? (
        <div className="panel">
          <p className="strong">{cart.destination}</p>
          <OrderSummary rows={cart.rows} caption="Lines of the order" />
        </div>
      ) : null}
      {cart ? null : <p className="notice">Your cart is empty.</p>}
      <form method="post" action={returnUrl} acceptCharset="utf-8" className="stack">
        <input type="hidden" name="cxml-base64" value={message} />
        <p className="row">
          <button className="btn primary large">
            {cart && problems.length === 0 ? 'Send to your purchasing system' : 'Go back without tires'}
          </button>
          {mayOrder ? (
            <a className="btn quiet" href={cart ? paths.cart() : paths.home()}>
              {cart ? 'Back to the cart' : 'Find tires'}
            </a>
          ) : null}
        </p>
      </form>
      <form method="post" action={serverPaths.punchoutLeave()}>
        <button className="link small">End this visit</button>
      </form>
    </div>
  )
}
