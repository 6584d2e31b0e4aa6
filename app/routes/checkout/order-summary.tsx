import { data, isRouteErrorResponse } from 'react-router'
import { lineViews, readMoney, requireCheckout, serviceView } from '#app/views/checkout.server.ts'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import { readForm } from '#app/forms/form.ts'
import { cartSeen, measure } from '#app/server/measure.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { cookiesFor } from '#http/visitor.ts'
import { noApprover } from '#content/messages/approvals.ts'
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import { tabOf } from '#app/routes/checkout/fulfillment-tabs.ts'
import { HoldBar } from '#app/routes/checkout/hold-bar.tsx'
import { refusePlacing, type PlacingReply } from '#content/messages/placing.ts'
import {
  destinationView,
  isAskedFor,
  payView,
  readPaying,
  receiverView,
  remedyFor,
  verdictView,
} from '#app/routes/checkout/order-review.server.ts'
import { DestinationReview, PayReview, ReceiverReview, TiresReview } from '#app/routes/checkout/order-review.tsx'
import { PlaceOrder, PlacingRefusal } from '#app/routes/checkout/place-order.tsx'
import { OtherTimes } from '#app/routes/checkout/other-times.tsx'
import { otherTimesView, timesInstead, type OtherTimesView } from '#app/routes/checkout/other-times-view.server.ts'
import { SideSummary } from '#app/routes/checkout/side-summary.tsx'
import { holdView } from '#app/routes/checkout/shipping-view.server.ts'
import { NewPage } from '#app/ui/new-page.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { serviceSteps, Stepper } from '#app/ui/stepper.tsx'
import { sendAndKeep, unsentStatus } from '#app/ui/send-and-keep.ts'
import { submitForApproval } from '#domain/channels/approvals/approvals.server.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import { isInstallation } from '#domain/supply/delivery/delivery.ts'
import { findChosenTime } from '#domain/scheduling/booking/booking.server.ts'
import { noticeText, type ChosenTime } from '#domain/scheduling/booking/booking.ts'
import { readCart } from '#domain/payments/cart/cart.server.ts'
import {
  agreementKey,
  findOtherTimes,
  judgeCart,
  placeOrder,
  type PlaceOrderInput,
} from '#domain/ordering/checkout/checkout.server.ts'
import { holdText } from '#domain/ordering/orders/orders.ts'
import { storeDay } from '#platform/store-zone.ts'
import { pageTypeOf } from '#domain/payments/payments/payments.ts'
import type { Application } from '#application'
import { countOf } from '#platform/count-text.ts'
import type { Route } from './+types/order-summary.ts'

export const handle = { arrival: () => <NewPage /> }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Review your order',
    description: 'Check your order before you place it.',
    path: paths.orderSummary(),
    isIndexed: false,
  })

function payPath({ paymentMethod }: Pick<Cart, 'paymentMethod'>): string {
  return paths.checkoutPayment(paymentMethod === 'net-terms' ? 'card' : pageTypeOf(paymentMethod))
}

export async function loader({ context }: Route.LoaderArgs) {
  const { cartId, orderIds } = context.get(visitorContext)
  const ordered = cartId ? await readCart(context.get(applicationContext), cartId) : undefined
  // The shopper went back from the confirmation, or the response was lost. The cart's key proves that they placed the
  // order.
  if (ordered?.orderId) throw showConfirmation(context.get(applicationContext), orderIds, ordered.orderId)

  const { app, cart, checkout } = await requireCheckout(context)
  const { billing } = checkout
  const [{ quote, contact, money }, payment] = await Promise.all([
    readMoney(app, cart, checkout, cart.paymentMethod),
    readPaying(app, cart),
  ])
  if (!cart.fulfillment || quote.basis !== 'chosen')
    throw seeOther(paths.checkoutShipping(cart.fulfillment ? tabOf(cart.fulfillment) : undefined))
  if (!contact) throw seeOther(paths.shippingConfirmation())
  if (!billing) throw seeOther(paths.checkoutPayments(), [['x-remix-reload-document', 'true']])
  if (payment.by === 'nothing') throw seeOther(payPath(cart), [['x-remix-reload-document', 'true']])

  measure(context, () => cartSeen('add_payment_info', cart))
  const isInstalled = isInstallation(cart.fulfillment)
  const [hold, verdict, lines, service] = await Promise.all([
    isInstalled ? findChosenTime(app, cart.id) : undefined,
    judgeCart(app, cart),
    lineViews(app, cart, quote.breakdown),
    serviceView(app, cart),
  ])
  const now = app.clock.now()
  const cancelWindow = countOf(app.businessTerms.current['cancel-minutes'], 'minute')
  return {
    lines,
    service,
    verdict: verdictView(verdict, lines),
    vehicle: verdict?.vehicleName ?? contact.vehicleNote,
    where: destinationView(quote, contact),
    who: receiverView(contact),
    pay: payView(payment, billing, money, { today: storeDay(now), cancelWindow }),
    remedy: remedyFor({ money, quote, verdict, hold, payment, isInstalled }),
    money,
    ...timeViews(hold, cart),
    instead: await timesInstead(app, cart, hold),
    tab: cart.fulfillment,
    now: now.toString(),
    cancelWords: cancelWords(cancelWindow, service ? hold : null),
    agreed: agreementKey({ cart, contact, breakdown: quote.breakdown, time: hold?.booking }),
    isAskedFor: await isAskedFor(app, payment, quote),
  }
}

/** Returns the selected time and the hold bar for the review. */
function timeViews(hold: ChosenTime | undefined, cart: Cart) {
  return hold ? { time: holdText(hold.booking), hold: holdView(hold, cart) } : { time: null, hold: null }
}

/** Until when the order can be canceled; `hold` for a service without tires. */
function cancelWords(cancelWindow: string, hold: ChosenTime | null | undefined): string {
  if (!hold) return `You can cancel it yourself for ${cancelWindow}.`
  return `You can cancel it for a full refund until ${noticeText(hold.booking.noticeMinutes)} before the appointment.`
}

/**
 * Places the order of this visitor's cart; submitting again, by reloading or after going back, leads to the same order.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(applicationContext)
  const { cartId, orderIds } = context.get(visitorContext)
  if (!cartId) return seeOther(paths.cart())
  const fields = await readForm(request)
  const placed = await submitted(app, fields.get('ask') === '1', {
    cartId,
    agreedPrice: fields.get('agreed') ?? '',
    termsAccepted: fields.get('terms') === '1',
    conditionsAccepted: fields.get('conditions') === '1',
  })
  if (placed.ok)
    return 'orderId' in placed.value
      ? showConfirmation(app, orderIds, placed.value.orderId)
      : seeOther(serverPaths.companyApproval(placed.value.requestId), [['x-remix-reload-document', 'true']])
  const { status, ...reply } =
    placed.reason === 'no-approver' ? nobodyApproves : refusePlacing(placed, app.config.store)
  // The charge is gone, so that this page would lead back to payment.
  if (placed.reason === 'refused-online' || placed.reason === 'store-closed') throw data(reply.words, { status })
  const ticked: PlacingReply & { instead: OtherTimesView | null } = {
    ...reply,
    instead: placed.reason === 'slot-lost' ? await insteadOf(app, cartId) : null,
    terms: fields.get('terms') === '1',
    conditions: fields.get('conditions') === '1',
  }
  return data(ticked, { status })
}

/** Submits an approval request above the buyer's limit if the page offered it. Otherwise places the order. */
function submitted(app: Application, mayAsk: boolean, input: PlaceOrderInput): ReturnType<typeof submitForApproval> {
  return mayAsk ? submitForApproval(app, input) : placeOrder(app, input)
}

const nobodyApproves = { status: 403, title: null, words: noApprover, errors: {}, remedy: null }

/** Returns alternative times after the order's slot was lost. */
async function insteadOf(app: Application, cartId: string): Promise<OtherTimesView | null> {
  const cart = await readCart(app, cartId)
  const shopId = (await findChosenTime(app, cartId))?.booking.shopId ?? cart?.shopId ?? null
  return cart && shopId !== null ? otherTimesView(app, cart, await findOtherTimes(app, cart, { shopId })) : null
}

/**
 * Redirects to the confirmation, which this browser may now open. Retains the cart cookie. It points to a closed cart,
 * so the next tire creates a new cart, and a repeated submission leads to the first order.
 */
function showConfirmation(app: Application, orderIds: readonly number[], orderId: number): Response {
  const keep = cookiesFor(app.config)
  return seeOther(paths.orderConfirmation(orderId), [['Set-Cookie', keep.orders([...new Set([...orderIds, orderId])])]])
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return sendAndKeep(serverAction)
}

/**
 * Revalidates after a refusal because the page must show the current state. Skips it if there was no response, because
 * the state is unchanged.
 */
export function shouldRevalidate({ actionStatus }: { actionStatus?: number }): boolean {
  return actionStatus !== unsentStatus
}

export default function OrderSummaryPage({ loaderData, actionData }: Route.ComponentProps) {
  const { lines, service, verdict, vehicle, where, time, who, pay, money, hold, remedy, tab } = loaderData
  const instead = actionData?.instead ?? loaderData.instead
  return (
    <div className="wrap">
      <Stepper at={3} steps={money.isService ? serviceSteps : undefined} />
      <div className="checkout-head">
        <h1>Review your order</h1>
        <p className="muted">Check it once more before you place it.</p>
      </div>
      <div className="checkout-columns">
        <div className="stack">
          {actionData ? <PlacingRefusal reply={actionData} /> : null}
          {hold ? <HoldBar hold={hold} now={loaderData.now} tab={tab} form="page" /> : null}
          {instead ? <OtherTimes times={instead} back={paths.orderSummary()} /> : null}
          <TiresReview lines={lines} moved={money.moved} verdict={verdict} service={service} reply={actionData} />
          <DestinationReview where={where} time={time} arrivesBy={money.arrivesBy} vehicle={vehicle} tab={tab} />
          <ReceiverReview who={who} />
          <PayReview pay={pay} />
        </div>
        <SideSummary money={money}>
          {remedy ? (
            <div className="stack">
              {money.problems.length > 0 ? null : <p className="notice small">{remedy.words}</p>}
              <a className="btn primary large wide" href={remedy.href}>
                {remedy.label}
              </a>
            </div>
          ) : (
            <PlaceOrder
              agreed={loaderData.agreed}
              cancelWords={loaderData.cancelWords}
              isService={service !== null}
              after={pay.after}
              isAskedFor={loaderData.isAskedFor}
              reply={actionData}
            />
          )}
        </SideSummary>
      </div>
    </div>
  )
}

/** Renders the alternative for an order that can't be placed online, with a link to the unchanged cart. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (!isRouteErrorResponse(error) || error.status !== 403 || typeof error.data !== 'string') throw error
  return (
    <div className="wrap stack">
      <h1>Your order was not placed</h1>
      <p className="notice" role="alert">
        {error.data}
      </p>
      <p>You haven’t been charged, and your cart hasn’t changed.</p>
      <p>
        <a className="btn" href={paths.cart()}>
          Go to your cart
        </a>
      </p>
    </div>
  )
}
