import { data } from 'react-router'
import { remember } from '#app/server/account-memory.server.ts'
import { shopContext, visitorContext } from '#app/server/context.ts'
import { OrderSummary, summaryRows } from '#app/ui/order-summary.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { paths } from '#content/paths.ts'
import { readHandover, takeOver, type HandoverRefusal } from '#domain/agents/agents.server.ts'
import { articleName } from '#domain/cart/cart.ts'
import { countTires, findCart } from '#domain/cart/cart.server.ts'
import { quoteCart, readDetails } from '#domain/checkout/checkout.server.ts'
import { chosenVehicleSchema, encodeChosenVehicle } from '#domain/vehicles/vehicles.ts'
import { seeOther } from '#http/safe-redirect.ts'
import type { Route } from './+types/agent-checkout.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Your checkout',
    description: 'Finish what your assistant prepared.',
    path: paths.cart(),
    isIndexed: false,
  })

/** Shows the checkout and changes nothing: assistants and mail programs open links before people do. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const shop = context.get(shopContext)
  const { cartId } = context.get(visitorContext)
  const found = await readHandover(shop, { secret: shop.config.session.secret, token: params.token })
  const cart = found.ok ? await findCart(shop, found.value.cartId) : undefined
  if (!found.ok || !cart) return refusalView(found.ok ? 'over' : found.reason)
  const quote = await quoteCart(shop, cart, (await readDetails(shop, cart.id)).contact)
  return {
    refusal: null,
    platform: new URL(found.value.platform).hostname,
    tires: cart.lines.map((line) => `${line.quantity} × ${articleName(line.article)}`),
    rows: summaryRows(quote.breakdown?.explain ?? []),
    otherTires: cartId === undefined || cartId === cart.id ? 0 : await countTires(shop, cartId),
  }
}

/** Opens the cart in this browser; the link opens nothing afterward. */
export async function action({ context, params }: Route.ActionArgs) {
  const shop = context.get(shopContext)
  const taken = await takeOver(shop, { secret: shop.config.session.secret, token: params.token })
  const cart = taken.ok ? await findCart(shop, taken.value.cartId) : undefined
  if (!taken.ok || !cart) return refusalView(taken.ok ? 'over' : taken.reason)
  const vehicle = chosenVehicleSchema.safeParse(cart.vehicle)
  return seeOther(
    cart.fulfillment === null ? paths.cart() : paths.checkoutShipping(),
    remember(context, {
      cartId: cart.id,
      ...(cart.zip !== null && { zip: cart.zip }),
      ...(vehicle.success && { vehicle: encodeChosenVehicle(vehicle.data) }),
    }),
  )
}

const refusals: Readonly<Record<HandoverRefusal['reason'], { status: number; title: string; text: string }>> = {
  'not-found': { status: 404, title: 'This link opens no checkout', text: 'Ask your assistant for the link again.' },
  over: {
    status: 410,
    title: 'This link was used or has expired',
    text: 'Each link opens its checkout once, within the hour. Ask your assistant for a new one.',
  },
}

function refusalView(reason: HandoverRefusal['reason']) {
  const { status, title, text } = refusals[reason]
  return data({ refusal: { title, text } }, { status })
}

export default function AgentCheckoutPage({ loaderData, actionData }: Route.ComponentProps) {
  const refusal = actionData?.refusal ?? loaderData.refusal
  if (refusal)
    return (
      <div className="wrap narrow-page stack">
        <h1>{refusal.title}</h1>
        <p>{refusal.text}</p>
        <p>
          <a className="btn" href={paths.cart()}>
            Open my cart
          </a>
        </p>
      </div>
    )
  if (loaderData.refusal !== null) return null
  const { platform, tires, rows, otherTires } = loaderData
  return (
    <div className="wrap narrow-page stack">
      <h1>Finish your checkout</h1>
      <p>
        An assistant at {platform} prepared this for you. You read the terms and pay here; the assistant sees what the
        order contains, not your payment.
      </p>
      <ul>
        {tires.map((tire) => (
          <li key={tire}>{tire}</li>
        ))}
      </ul>
      {rows.length > 0 ? (
        <div className="panel padded">
          <OrderSummary rows={rows} caption="What you pay" />
        </div>
      ) : null}
      <form method="post">
        <button className="btn primary large wide">Continue</button>
      </form>
      {otherTires > 0 ? (
        <p className="small muted">
          It opens as a cart of its own. The {otherTires} {otherTires === 1 ? 'tire' : 'tires'} in your cart now will
          not be in it.
        </p>
      ) : null}
    </div>
  )
}
