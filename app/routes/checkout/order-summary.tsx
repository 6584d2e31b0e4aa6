import { data, Form, useNavigation } from 'react-router'
import { termsRefusalMessages } from '#content/messages/invoices.ts'
import {
  lineViews,
  readMoney,
  requireCart,
  setVerdictViews,
  type LineView,
  type MoneyView,
} from '#app/views/checkout.server.ts'
import { shopContext, visitorContext } from '#app/server/context.ts'
import { readForm } from '#app/forms/form.ts'
import { cartSeen, measure } from '#app/server/measure.ts'
import { fitTones } from '#app/views/orders.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { cookiesFor } from '#http/visitor.ts'
import { paths } from '#content/paths.ts'
import { HoldBar } from '#app/routes/checkout/hold-bar.tsx'
import { refusePlacing, type Remedy, type PlacingReply } from '#content/messages/placing.ts'
import { SideSummary } from '#app/routes/checkout/side-summary.tsx'
import { holdView } from '#app/routes/checkout/shipping-view.server.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { Stepper } from '#app/ui/stepper.tsx'
import { FitLine } from '#app/ui/tire-facts.tsx'
import { TirePicture } from '#app/ui/tire-picture.tsx'
import { sendAndKeep, unsentStatus } from '#app/ui/send-and-keep.ts'
import { isInstallation } from '#domain/delivery/delivery.ts'
import { findChosenTime } from '#domain/booking/booking.server.ts'
import type { Cart } from '#domain/cart/cart.ts'
import { readCart } from '#domain/cart/cart.server.ts'
import { judgeCart, placeOrder, readCreditLine, readDetails } from '#domain/checkout/checkout.server.ts'
import { dueDay, grantInvoice, invoiceText, type CreditLine } from '#domain/invoices/invoices.ts'
import { cancelMinutes, cityLine, holdText } from '#domain/orders/orders.ts'
import { refreshPayment } from '#domain/payments/payments.server.ts'
import { phoneText } from '#platform/phone-text.ts'
import { formatCents } from '#platform/money.ts'
import { storeDay } from '#platform/store-zone.ts'
import type { Shop } from '#shop'
import type { Route } from './+types/order-summary.ts'
import { isInstallationRefused } from '#domain/fitment/fitment.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Review your order',
    description: 'Check your order before you place it.',
    path: paths.orderSummary(),
    isIndexed: false,
  })

export async function loader({ context }: Route.LoaderArgs) {
  const { cartId, orderIds } = context.get(visitorContext)
  const ordered = cartId ? await readCart(context.get(shopContext), cartId) : undefined
  // Back from the confirmation, or the answer to the button never came: the order is there, and whoever holds the
  // cart's key placed it.
  if (ordered?.orderId) throw showConfirmation(context.get(shopContext), orderIds, ordered.orderId)

  const { shop, cart } = await requireCart(context)
  const [{ quote, contact, money }, { billing }, payment] = await Promise.all([
    readMoney(shop, cart),
    readDetails(shop, cart.id),
    readPaying(shop, cart),
  ])
  if (!cart.fulfillment || quote.basis !== 'chosen')
    throw seeOther(paths.checkoutShipping(cart.fulfillment ?? undefined))
  if (!contact) throw seeOther(paths.shippingConfirmation())
  if (!billing) throw seeOther(paths.checkoutPayments())
  if (payment.by === 'nothing') throw seeOther(paths.checkoutPayment('card'))

  measure(context, () => cartSeen('add_payment_info', cart))
  const isInstalled = isInstallation(cart.fulfillment)
  const [hold, verdict, lines] = await Promise.all([
    isInstalled ? findChosenTime(shop, cart.id) : undefined,
    judgeCart(shop, cart),
    lineViews(shop, cart, quote.breakdown),
  ])
  const now = shop.clock.now()
  return {
    lines,
    verdict: verdict && {
      level: verdict.verdict,
      tone: fitTones[verdict.verdict],
      sets: setVerdictViews(verdict, lines),
    },
    vehicle: verdict?.vehicleName ?? contact.vehicleNote,
    where: quote.shop
      ? {
          title: quote.shop.name,
          line:
            quote.shop.kind === 'van'
              ? `The van comes to ${contact.address1}, ${cityLine(contact)}`
              : `${quote.shop.street}, ${cityLine(quote.shop)}`,
        }
      : quote.carrierLocation
        ? {
            title: quote.carrierLocation.name,
            line: `${quote.carrierLocation.street}, ${cityLine(quote.carrierLocation)}`,
          }
        : {
            title: 'Shipped to you',
            line: [contact.address1, contact.address2, cityLine(contact)].filter(Boolean).join(', '),
          },
    time: hold ? holdText(hold.booking) : null,
    who: {
      name: `${contact.firstName} ${contact.lastName}`,
      reach: `${contact.email}, ${phoneText(contact.phone.digits)}`,
      instructions: contact.instructions,
    },
    pay: {
      with: payText(payment, money, storeDay(now)),
      after:
        payment.by === 'invoice'
          ? 'Then it is packed, and your company pays by the day it is due.'
          : 'Your card is charged after that.',
      billing: [billing.name, billing.address1, cityLine(billing)].join(', '),
      poNumber: billing.poNumber,
    },
    remedy: remedyFor({
      money,
      isRefused: isInstalled && isInstallationRefused(verdict),
      payment,
      isTimeMissing: isInstalled && (!hold || hold.status === 'lost'),
      stock: quote.problems.some(({ kind }) => kind === 'out-of-stock'),
    }),
    money,
    hold: hold ? holdView(hold, now) : null,
    tab: cart.fulfillment,
    now: now.toString(),
  }
}

/** What stands for the money so far. `unavailable`: the provider does not answer; `nothing`: no card was authorized. */
type Paying =
  | { by: 'invoice'; line: CreditLine | null }
  | { by: 'card'; authorizedCents: number }
  | { by: 'unavailable' }
  | { by: 'nothing' }

async function readPaying(shop: Shop, cart: Pick<Cart, 'id' | 'paymentMethod'>): Promise<Paying> {
  if (cart.paymentMethod === 'net-terms') return { by: 'invoice', line: await readCreditLine(shop) }
  const charge = await refreshPayment(shop, { cartId: cart.id })
  if (!charge.ok) return { by: 'unavailable' }
  return charge.value?.payment.state === 'authorized'
    ? { by: 'card', authorizedCents: charge.value.payment.amountCents }
    : { by: 'nothing' }
}

function payText(payment: Paying, { totalCents }: MoneyView, today: Temporal.PlainDate): string {
  switch (payment.by) {
    case 'card':
      return `Card, ${formatCents(payment.authorizedCents)} authorized`
    case 'invoice': {
      if (payment.line === null) return 'Net terms'
      const { netDays } = payment.line
      return invoiceText({ netDays, amountCents: totalCents, dueOn: dueDay(today, netDays).toString(), state: 'open' })
    }
    case 'unavailable':
    case 'nothing':
      return 'Card'
  }
}

/**
 * What keeps the order from being placed as it stands, with the step that fixes it; null when the button may be
 * pressed.
 */
function remedyFor({
  money,
  isRefused,
  payment,
  isTimeMissing,
  stock,
}: {
  money: MoneyView
  isRefused: boolean
  payment: Paying
  isTimeMissing: boolean
  stock: boolean
}): (Remedy & { words: string }) | null {
  if (money.problems.length > 0)
    return {
      words: money.problems.join(' '),
      ...(stock
        ? { label: 'Go to your cart', href: paths.cart() }
        : { label: 'Choose again', href: paths.checkoutShipping() }),
    }
  if (isRefused)
    return {
      words: 'We do not install tires that do not fit. Pick other tires, or change the vehicle.',
      label: 'Go to your cart',
      href: paths.cart(),
    }
  if (isTimeMissing)
    return {
      words: 'No time is held for you any more. Pick one; your cart is unchanged.',
      label: 'Pick a time',
      href: paths.checkoutShipping(),
    }
  if (payment.by === 'invoice') {
    const granted = grantInvoice(payment.line, money.totalCents)
    return granted.ok
      ? null
      : { words: termsRefusalMessages(granted), label: 'Choose how to pay', href: paths.checkoutPayments() }
  }
  if (payment.by === 'card' && payment.authorizedCents !== money.totalCents)
    return {
      words: `Your card is authorized for ${formatCents(payment.authorizedCents)}, and the total is ${money.total} now.`,
      label: `Authorize ${money.total}`,
      href: paths.checkoutPayment('card'),
    }
  return null
}

/**
 * Places the order of this visitor's cart; pressed again, by reload or from the back button, it leads to the same
 * order.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const shop = context.get(shopContext)
  const { cartId, orderIds } = context.get(visitorContext)
  if (!cartId) return seeOther(paths.cart())
  const fields = await readForm(request)
  const placed = await placeOrder(shop, {
    cartId,
    agreedPrice: fields.get('agreed') ?? '',
    termsAccepted: fields.get('terms') === '1',
    conditionsAccepted: fields.get('conditions') === '1',
  })
  if (placed.ok) return showConfirmation(shop, orderIds, placed.value.orderId)
  const { status, ...reply } = refusePlacing(placed)
  const ticked: PlacingReply = {
    ...reply,
    terms: fields.get('terms') === '1',
    conditions: fields.get('conditions') === '1',
  }
  return data(ticked, { status })
}

/**
 * On to the confirmation, which this browser may open from now on. The cart's cookie stays: it names a closed cart, so
 * the next tire begins a new one, and it is what leads a second press to the first order.
 */
function showConfirmation(shop: Shop, orderIds: readonly number[], orderId: number): Response {
  const keep = cookiesFor(shop.config)
  return seeOther(paths.orderConfirmation(orderId), [['Set-Cookie', keep.orders([...new Set([...orderIds, orderId])])]])
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return sendAndKeep(serverAction)
}

/** A refusal means that something moved: the page must show how it is now. What never arrived moved nothing. */
export function shouldRevalidate({ actionStatus }: { actionStatus?: number }): boolean {
  return actionStatus !== unsentStatus
}

export default function OrderSummaryPage({ loaderData, actionData }: Route.ComponentProps) {
  const { lines, verdict, vehicle, where, time, who, pay, money, hold, remedy, tab } = loaderData
  return (
    <div className="wrap">
      <Stepper at={3} />
      <div className="checkout-head">
        <h1>Review your order</h1>
        <p className="muted">Check it once more before you place it.</p>
      </div>
      <div className="checkout-columns">
        <div className="stack">
          {actionData ? <PlacingRefusal reply={actionData} /> : null}
          {hold ? <HoldBar hold={hold} now={loaderData.now} tab={tab} form="page" /> : null}
          <section className="panel padded order-review">
            <h2>Tires</h2>
            <ul className="order-review-lines">
              {lines.map((line) => (
                <ReviewLine key={`${line.itemId} ${line.axle}`} line={line} />
              ))}
            </ul>
            {money.moved.map((price) => (
              <p key={price.name} className="notice small">
                {price.name}: was {price.from} when you added it, now {price.to}.
              </p>
            ))}
            {verdict ? (
              <div className={`verdict-panel ${verdict.level}`}>
                {verdict.sets.map((set) => (
                  <div key={set.key}>
                    {set.tires ? <p className="small muted">{set.tires}</p> : null}
                    <FitLine tone={verdict.tone}>{set.headline}</FitLine>
                    <ul className="order-review-conditions small">
                      {set.reasons.map((words) => (
                        <li key={words}>{words}</li>
                      ))}
                    </ul>
                  </div>
                ))}
                {verdict.level === 'fits_with_conditions' ? (
                  <Tick
                    form="place-order"
                    name="conditions"
                    isTicked={actionData?.conditions ?? false}
                    error={actionData?.errors['conditions']}
                  >
                    I have read what the fit depends on
                  </Tick>
                ) : null}
              </div>
            ) : null}
            <Change href={paths.cart()} what="tires" />
          </section>
          <section className="panel padded order-review">
            <h2>{time || tab === 'shop' || tab === 'mobile' ? 'Where and when' : 'Where'}</h2>
            {time ? <p className="order-time tabular">{time}</p> : null}
            <p>
              <b>{where.title}</b>
              <br />
              <span className="muted">{where.line}</span>
            </p>
            {money.arrivesBy ? <p className="small muted tabular">Tires there by {money.arrivesBy}</p> : null}
            {vehicle ? <p className="small">For your {vehicle}</p> : null}
            <Change href={paths.checkoutShipping(tab)} what="shop and time" />
          </section>
          <section className="panel padded order-review">
            <h2>Who</h2>
            <p>
              <b>{who.name}</b>
              <br />
              <span className="muted">{who.reach}</span>
            </p>
            {who.instructions ? <p className="small">{who.instructions}</p> : null}
            <Change href={paths.shippingConfirmation()} what="your details" />
          </section>
          <section className="panel padded order-review">
            <h2>Pay with</h2>
            <p>
              <b className="tabular">{pay.with}</b>
              <br />
              <span className="muted">{pay.billing}</span>
            </p>
            {pay.poNumber ? <p className="small">PO number {pay.poNumber}</p> : null}
            <Change href={paths.checkoutPayments()} what="how you pay" />
          </section>
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
            <PlaceOrder fingerprint={money.fingerprint ?? ''} after={pay.after} reply={actionData} />
          )}
        </SideSummary>
      </div>
    </div>
  )
}

function PlaceOrder({
  fingerprint,
  after,
  reply,
}: {
  fingerprint: string
  after: string
  reply: PlacingReply | undefined
}) {
  const isBusy = useNavigation().state !== 'idle'
  return (
    <Form method="post" id="place-order" className="place-order">
      <input type="hidden" name="agreed" value={fingerprint} />
      <Tick name="terms" isTicked={reply?.terms ?? false} error={reply?.errors['terms']}>
        I accept the <a href={paths.termsOfSale()}>terms of sale</a>. These tires are for my own use, not for resale,
        and not shipped to a dealership.
      </Tick>
      <button className="btn primary large wide" type="submit" disabled={isBusy}>
        {isBusy ? 'Placing your order…' : 'Place order'}
      </button>
      <p className="tiny muted">
        You can cancel it yourself for {cancelMinutes} minutes. {after}
      </p>
    </Form>
  )
}

function Tick({
  name,
  form,
  isTicked,
  error,
  children,
}: {
  name: string
  form?: string
  isTicked: boolean
  error: string | undefined
  children: React.ReactNode
}) {
  return (
    <div>
      <label className="check small">
        <input
          type="checkbox"
          id={name}
          name={name}
          value="1"
          form={form}
          defaultChecked={isTicked}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${name}-error` : undefined}
        />
        <span>{children}</span>
      </label>
      {error ? (
        <p className="field-error" id={`${name}-error`}>
          {error}
        </p>
      ) : null}
    </div>
  )
}

function PlacingRefusal({ reply }: { reply: PlacingReply }) {
  const errors = Object.entries(reply.errors)
  return (
    <div className="error-summary" role="alert" tabIndex={-1} ref={(box) => box?.focus()}>
      {reply.title ? <p className="strong">{reply.title}</p> : null}
      {reply.words ? <p>{reply.words}</p> : null}
      {errors.map(([name, message]) => (
        <p key={name}>
          <a href={`#${name}`}>{message}</a>
        </p>
      ))}
      {reply.remedy ? (
        <p>
          <a href={reply.remedy.href}>{reply.remedy.label}</a>
        </p>
      ) : null}
    </div>
  )
}

function ReviewLine({ line }: { line: LineView }) {
  return (
    <li>
      <TirePicture picture={{ itemId: line.itemId, key: line.picture }} alt="" size={64} eager />
      <div>
        <p className="strong">
          {line.brand} {line.line}
        </p>
        <p className="small muted tabular">
          {line.size} {line.service}
          {line.axle === 'all' ? '' : `, ${line.axle} axle`}
        </p>
        {line.coverage ? <p className="small">With replacement coverage</p> : null}
      </div>
      <p className="tabular">
        {line.quantity} at {line.unit}
        {line.label ? <small className="muted"> {line.label.label}</small> : null}
      </p>
    </li>
  )
}

function Change({ href, what }: { href: string; what: string }) {
  return (
    <a className="order-review-change small" href={href}>
      Change<span className="visually-hidden"> {what}</span>
    </a>
  )
}
