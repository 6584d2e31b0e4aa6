import { data } from 'react-router'
import { lineViews, moneyView } from '#app/views/checkout.server.ts'
import { readForm } from '#app/forms/form.ts'
import { remember } from '#app/server/account-memory.server.ts'
import { shopContext, visitorContext } from '#app/server/context.ts'
import { OrderSummary } from '#app/ui/order-summary.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { TirePicture } from '#app/ui/tire-picture.tsx'
import { paths } from '#content/paths.ts'
import { findChosenTime } from '#domain/booking/booking.server.ts'
import { countTires, findCart, openCartLink, readCartLink, type LinkRefusal } from '#domain/cart/cart.server.ts'
import { chosenVehicleSchema, encodeChosenVehicle } from '#domain/vehicles/vehicles.ts'
import { judgeCart, quoteCart } from '#domain/checkout/checkout.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { clockText, timeText } from '#platform/time-text.ts'
import type { Shop } from '#shop'
import type { Route } from './+types/open-cart.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'A cart for you',
    description: 'Tires that an assistant put in a cart for you.',
    path: paths.cart(),
    isIndexed: false,
  })

/** Shows what is in the cart and changes nothing: mail and chat programs open links before people do. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const shop = context.get(shopContext)
  const link = await readCartLink(shop, params.token)
  if (!link.ok) return refusalView(link.reason)
  const cart = await findCart(shop, link.value.cartId)
  if (!cart || cart.lines.length === 0) return refusalView('empty')
  const [quote, when, verdict] = await Promise.all([
    quoteCart(shop, cart, null),
    holdView(shop, cart.id),
    judgeCart(shop, cart),
  ])
  const { rows, estimateAt, problems } = moneyView(quote, { fingerprint: null, moves: [] })
  const vehicle = chosenVehicleSchema.safeParse(cart.vehicle)
  const { cartId } = context.get(visitorContext)
  return {
    refusal: null,
    lines: await lineViews(shop, cart, quote.breakdown),
    vehicle: vehicle.success ? vehicle.data.name : null,
    fit:
      verdict?.sets.map(({ itemIds, headline, lines }) => ({
        key: itemIds.join(' '),
        headline,
        lines: [...new Set(lines)],
      })) ?? [],
    rows,
    estimateAt,
    problems,
    hold: when && quote.shop ? { ...when, shop: quote.shop.name } : null,
    otherTires: cartId === undefined ? 0 : await countTires(shop, cartId),
  }
}

async function holdView(shop: Shop, cartId: string): Promise<{ time: string; until: string } | null> {
  const chosen = await findChosenTime(shop, cartId)
  if (chosen?.status !== 'held' || !chosen.booking.holdExpiresAt) return null
  const { start, timeZone, holdExpiresAt } = chosen.booking
  return { time: timeText(start, timeZone), until: clockText(holdExpiresAt, timeZone) }
}

/** Takes the cart over. A visitor whose own cart has tires is asked first. */
export async function action({ context, params, request }: Route.ActionArgs) {
  const shop = context.get(shopContext)
  const { cartId: own } = context.get(visitorContext)
  const mayReplace = (await readForm(request)).get('replace') === '1'
  if (own !== undefined && !mayReplace && (await countTires(shop, own)) > 0)
    return data({ refusal: null, mustAsk: true }, { status: 409 })
  const link = await readCartLink(shop, params.token)
  if (!link.ok) return refusalView(link.reason)
  const cart = await findCart(shop, link.value.cartId)
  if (!cart) return refusalView('empty')
  const opened = await openCartLink(shop, params.token)
  if (!opened.ok) return refusalView(opened.reason)
  const vehicle = chosenVehicleSchema.safeParse(cart.vehicle)
  return seeOther(
    paths.cart(),
    remember(context, {
      cartId: opened.value.cartId,
      ...(cart.zip !== null && { zip: cart.zip }),
      ...(vehicle.success && { vehicle: encodeChosenVehicle(vehicle.data) }),
    }),
  )
}

const refusals: Readonly<Record<LinkRefusal['reason'], { status: number; title: string; text: string }>> = {
  'not-found': { status: 404, title: 'This link opens no cart', text: 'Ask your assistant for a new link.' },
  expired: { status: 410, title: 'This link has expired', text: 'Ask your assistant for a new link.' },
  opened: {
    status: 410,
    title: 'This link was used',
    text: 'Each link opens once. If you opened it in this browser, your cart has the tires.',
  },
  empty: {
    status: 410,
    title: 'This cart is empty',
    text: 'Its tires were ordered or taken out. If it belongs to your account, sign in and open the link again.',
  },
}

function refusalView(reason: LinkRefusal['reason']) {
  const { status, title, text } = refusals[reason]
  return data({ refusal: { title, text }, mustAsk: false }, { status })
}

type Shown = Extract<Route.ComponentProps['loaderData'], { refusal: null }>

export default function OpenCartPage({ loaderData, actionData }: Route.ComponentProps) {
  const refusal = actionData?.refusal ?? loaderData.refusal
  if (refusal)
    return (
      <div className="wrap narrow-page stack">
        <h1>{refusal.title}</h1>
        <p>{refusal.text}</p>
        <p>
          <a className="btn" href={paths.cart()}>
            Go to your cart
          </a>
        </p>
      </div>
    )
  return loaderData.refusal === null ? <CartForYou shown={loaderData} mustAsk={actionData?.mustAsk ?? false} /> : null
}

function CartForYou({ shown, mustAsk }: { shown: Shown; mustAsk: boolean }) {
  const { lines, vehicle, fit, rows, estimateAt, problems, hold, otherTires } = shown
  return (
    <div className="wrap narrow-page stack">
      <h1>A cart for you</h1>
      <p>
        An assistant filled this cart{vehicle === null ? '' : ` for a ${vehicle}`}. Nothing is ordered: you check it,
        accept the terms and pay.
      </p>
      <ul className="summary-lines">
        {lines.map((line) => (
          <li key={`${line.itemId} ${line.axle}`}>
            <TirePicture picture={{ itemId: line.itemId, key: line.picture }} alt="" size={64} eager />
            <div>
              <p className="strong">
                {line.brand} {line.line}
              </p>
              <p className="small muted tabular">
                {line.size} {line.service}
                {line.axle === 'all' ? '' : `, ${line.axle} axle`}
              </p>
              <p className="small tabular">
                {line.quantity} at {line.unit}
              </p>
            </div>
          </li>
        ))}
      </ul>
      {fit.map(({ key, headline, lines: said }) => (
        <div key={key} className="notice small">
          <p className="strong">{headline}</p>
          {said.map((each) => (
            <p key={each}>{each}</p>
          ))}
        </div>
      ))}
      {hold ? (
        <p className="notice">
          Held at {hold.shop}: {hold.time}, until {hold.until}.
        </p>
      ) : null}
      {problems.map((problem) => (
        <p key={problem} className="notice small">
          {problem}
        </p>
      ))}
      {rows.length === 0 ? null : (
        <div className="panel padded">
          <OrderSummary rows={rows} caption={estimateAt ? `What it costs at ${estimateAt}` : 'What it costs'} />
        </div>
      )}
      <form method="post" className="stack">
        {otherTires > 0 ? (
          <>
            <p className={mustAsk ? 'notice' : 'small muted'}>
              Your own cart has {otherTires} {otherTires === 1 ? 'tire' : 'tires'}. Opening this one replaces it.
            </p>
            <button className="btn primary large wide" name="replace" value="1">
              Replace my cart
            </button>
            <a className="btn quiet wide" href={paths.cart()}>
              Keep my cart
            </a>
          </>
        ) : (
          <button className="btn primary large wide">Open this cart</button>
        )}
      </form>
      <p className="small muted">The link works once. Your assistant does not see what you enter from here on.</p>
    </div>
  )
}
