import { data } from 'react-router'
import { readForm } from '#app/forms/form.ts'
import { holdAndShow } from '#app/forms/hold-slot.server.ts'
import { remember } from '#app/server/account-memory.server.ts'
import { applicationContext, signedInContext, visitorContext } from '#app/server/context.ts'
import { OrderSummary, summaryRows } from '#app/ui/order-summary.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { SummaryTires, type SummaryTire } from '#app/ui/summary-tires.tsx'
import { giveContact } from '#app/views/quote-contact.server.ts'
import { paths } from '#content/paths.ts'
import { countTires, findCart } from '#domain/payments/cart/cart.server.ts'
import { findChosenTime } from '#domain/scheduling/booking/booking.server.ts'
import {
  openQuote,
  priceQuote,
  readPickupText,
  readQuote,
  readTimeText,
  type OpenRefusal,
  type Quote,
} from '#domain/ordering/quotes/quotes.server.ts'
import { readPlaceAgain } from '#domain/supply/pickup-places/pickup-places.server.ts'
import { findItem } from '#domain/catalog/catalog/catalog.server.ts'
import { serviceOf } from '#domain/catalog/catalog/catalog.ts'
import {
  openableStates,
  quotedTires,
  quoteNumber,
  quoteStateNames,
  vehicleTitle,
} from '#domain/ordering/quotes/quotes.ts'
import { encodeChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import { seeOther } from '#http/safe-redirect.ts'
import type { Visitor } from '#http/visitor.ts'
import { itemPictureKey } from '#pictures/pictures.ts'
import { dateText } from '#platform/day-text.ts'
import { countOf } from '#platform/count-text.ts'
import { formatCents } from '#platform/money.ts'
import type { Application } from '#application'
import type { Route } from './+types/quote.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Your quote',
    description: 'Tires at the prices we quoted you.',
    path: paths.cart(),
    isIndexed: false,
  })

/** Read-only, because mail programs prefetch links. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const { cartId } = context.get(visitorContext)
  const accountId = (await context.get(signedInContext)())?.accountId ?? null
  const found = await readQuote(app, { token: params.token, accountId })
  if (!found.ok) return refusalView(found.reason, params.token)
  const { main, vehicles } = found.value
  const { id, name, note } = main
  const open = vehicles.flatMap(({ quote, isOpen }) => (isOpen ? [quote] : []))
  const totalCents = open.reduce((sum, quote) => sum + (quote.totalCents ?? 0), 0)
  return {
    refusal: null,
    number: quoteNumber(id),
    name,
    note,
    pickup: await readPickupText(app, main),
    vehicles: await Promise.all(vehicles.map((vehicle) => vehicleView(app, vehicle))),
    total: `${formatCents(totalCents)} for ${countOf(open.length, 'vehicle')}`,
    goodThrough: dateText((open[0] ?? main).goodThrough.toString()),
    otherTires: cartId === undefined ? 0 : await countTires(app, cartId),
  }
}

/** A vehicle with its tires, fitment, and price. */
async function vehicleView(app: Application, { quote, isOpen }: { quote: Quote; isOpen: boolean }) {
  const { breakdown, position, state } = quote
  const { lines } = quote.vehicle === null ? { lines: [] } : await priceQuote(app, quote)
  return {
    position,
    time: isOpen ? await readTimeText(app, quote) : null,
    title: vehicleTitle(quote),
    status: isOpen ? null : quoteStateNames[openableStates.some((open) => open === state) ? 'expired' : state],
    fits: [...new Set(lines.flatMap(({ fit }) => fit?.text ?? []))],
    tires: breakdown ? await Promise.all(quotedTires(breakdown).map((tire) => summaryTire(app, tire))) : [],
    rows: summaryRows(breakdown?.explain ?? []),
  }
}

type VehicleView = Awaited<ReturnType<typeof vehicleView>>

async function summaryTire(
  { catalog }: Application,
  { itemId, name, quantity }: ReturnType<typeof quotedTires>[number],
): Promise<SummaryTire> {
  const item = await findItem(catalog, itemId)
  return {
    key: String(itemId),
    picture: { itemId, key: item ? itemPictureKey(item) : 'none' },
    ...(item
      ? {
          name: `${item.line.brand.name} ${item.line.name}`,
          size: [item.size.designation, serviceOf(item)].filter(Boolean).join(' '),
        }
      : { name, size: '' }),
    quantity,
  }
}

/** Opens the cart of a vehicle in this browser, the first by default. */
export async function action({ context, params, request }: Route.ActionArgs) {
  const app = context.get(applicationContext)
  const accountId = (await context.get(signedInContext)())?.accountId ?? null
  const visitor = context.get(visitorContext)
  const chosen = (await readForm(request)).get('vehicle') ?? '1'
  const position = /^\d{1,2}$/.test(chosen) ? Number(chosen) : 0
  const browserCartId = visitor.cartId
  const opened = await openQuote(app, { token: params.token, accountId, browserCartId, position })
  if (!opened.ok) return refusalView(opened.reason, params.token)
  const { cartId, isTakenOver, isFirst, quote } = opened.value
  const hasContact = quote.address !== null && (await giveContact(app, cartId, quote, { isFirst, browserCartId }))
  const hasChosen = (await findChosenTime(app, cartId)) !== undefined
  // Shows the time that staff held, also after the hold ended.
  const hasTime = isTakenOver && hasChosen
  const suggested = hasChosen ? null : await holdSuggested(app, visitor, { cartId, quote })
  const next = await nextPath(app, quote, { hasContact, hasTime })
  return seeOther(
    suggested ?? next,
    remember(context, {
      cartId,
      ...(quote.zip !== null && { zip: quote.zip }),
      ...(quote.vehicle && { vehicle: encodeChosenVehicle(quote.vehicle) }),
    }),
  )
}

/** The page after opening a cart. */
async function nextPath(
  app: Application,
  quote: Quote,
  { hasContact, hasTime }: { hasContact: boolean; hasTime: boolean },
): Promise<string> {
  if (hasContact && !hasTime && (await hasPlace(app, quote))) return paths.checkoutPayments()
  return hasContact || hasTime ? paths.checkoutShipping() : paths.cart()
}

/** Holds a quote's suggested time for its cart, and returns the page that shows it; null without a suggestion. */
async function holdSuggested(
  app: Application,
  visitor: Visitor,
  { cartId, quote: { fulfillment, shopId, suggestion } }: { cartId: string; quote: Quote },
): Promise<string | null> {
  if (fulfillment !== 'shop' || shopId === null || suggestion === null) return null
  const cart = await findCart(app, cartId)
  return cart ? holdAndShow(app, visitor, cart, new URLSearchParams({ shop: String(shopId), slot: suggestion })) : null
}

/** Returns whether the delivery is fully chosen. A carrier location may have stopped accepting packages. */
async function hasPlace(app: Application, { fulfillment, zip, carrierLocationId }: Quote): Promise<boolean> {
  if (fulfillment !== 'carrier-pickup') return fulfillment !== 'shop'
  if (zip === null || carrierLocationId === null) return false
  return (await readPlaceAgain(app, { zip, id: carrierLocationId })).ok
}

const refusals: Readonly<Record<OpenRefusal['reason'], { status: number; title: string; text: string }>> = {
  'not-found': { status: 404, title: 'This link opens no quote', text: 'Open it from the email again, or call us.' },
  expired: { status: 410, title: 'This quote has expired', text: 'Its prices have ended. Call us for a new one.' },
  withdrawn: { status: 410, title: 'This quote was withdrawn', text: 'Call us if you have questions about it.' },
  replaced: { status: 410, title: 'There is a newer version of this quote', text: 'Open it from our latest email.' },
  ordered: { status: 410, title: 'This quote is ordered', text: 'Each quote can be ordered once.' },
  account: { status: 403, title: 'Sign in to open this quote', text: 'It is at the prices of an account.' },
}

function refusalView(reason: OpenRefusal['reason'], token: string) {
  const { status, title, text } = refusals[reason]
  return data(
    { refusal: { title, text, signIn: reason === 'account' ? paths.signIn(paths.quote(token)) : null } },
    { status },
  )
}

export default function QuotePage({ loaderData, actionData }: Route.ComponentProps) {
  const refusal = actionData?.refusal ?? loaderData.refusal
  if (refusal) return <Refusal refusal={refusal} />
  if (loaderData.refusal !== null) return null
  const { number, name, note, pickup, vehicles, total, goodThrough, otherTires } = loaderData
  const [first] = vehicles
  const isOne = vehicles.length === 1
  return (
    <div className="wrap narrow-page stack">
      <h1>Quote {number}</h1>
      {isOne && first ? (
        <>
          <SummaryTires tires={first.tires} />
          <Fits fits={first.fits} />
        </>
      ) : (
        <p className="strong">{total}, in separate orders. Each vehicle gets an appointment.</p>
      )}
      <p>
        For {name}. The tires stay at these prices through {goodThrough}, Eastern Time; taxes, fees and the shop’s rates
        are calculated on the day you order.
      </p>
      {pickup ? <p>Pick up at {pickup}.</p> : null}
      {isOne && first ? <SuggestedTime time={first.time} opens="your quote" /> : null}
      {note ? <p className="panel padded">{note}</p> : null}
      <Offers vehicles={vehicles} />
      <p className="small muted">
        {isOne ? 'It opens' : 'Each vehicle opens'} as a separate cart.{' '}
        {otherTires > 0 ? `The ${countOf(otherTires, 'tire')} in your cart now will not be in it.` : ''}
      </p>
    </div>
  )
}

/** The price with the button that opens the cart, per vehicle if there are several. */
function Offers({ vehicles }: { vehicles: readonly VehicleView[] }) {
  const [first] = vehicles
  if (vehicles.length > 1 || !first)
    return vehicles.map((vehicle) => <VehiclePart key={vehicle.position} vehicle={vehicle} />)
  return (
    <>
      <div className="panel padded">
        <OrderSummary rows={first.rows} caption="What you pay" />
      </div>
      <form method="post">
        <button className="btn primary large wide">Open my quote</button>
      </form>
    </>
  )
}

/** The suggested time of a vehicle. `opens` names the page that reserves it. */
function SuggestedTime({ time, opens }: { time: string | null; opens: string }) {
  return time === null ? null : (
    <p>{`Suggested time: ${time}. We reserve it when you open ${opens}, if it’s still available.`}</p>
  )
}

function Fits({ fits }: { fits: readonly string[] }) {
  return fits.map((text) => (
    <p key={text} className="small">
      {text}
    </p>
  ))
}

/** One of several vehicles, with the button that opens its cart. */
function VehiclePart({ vehicle: { position, time, title, status, fits, tires, rows } }: { vehicle: VehicleView }) {
  return (
    <section className="panel padded stack" aria-labelledby={`vehicle-${position}`}>
      <h2 id={`vehicle-${position}`}>{title}</h2>
      <SummaryTires tires={tires} />
      <Fits fits={fits} />
      <OrderSummary rows={rows} caption={`What you pay for ${title}`} />
      <SuggestedTime time={time} opens="this vehicle’s order" />
      {status ? (
        <p>
          <span className="tag">{status}</span>
        </p>
      ) : (
        <form method="post">
          <button className="btn primary large wide" name="vehicle" value={position}>
            Order for {title}
          </button>
        </form>
      )}
    </section>
  )
}

function Refusal({
  refusal: { title, text, signIn },
}: {
  refusal: { title: string; text: string; signIn: string | null }
}) {
  return (
    <div className="wrap narrow-page stack">
      <h1>{title}</h1>
      <p>{text}</p>
      <p>
        {signIn ? (
          <a className="btn primary" href={signIn}>
            Sign in
          </a>
        ) : (
          <a className="btn" href={paths.contact()}>
            Contact us
          </a>
        )}
      </p>
    </div>
  )
}
