import { Form, useNavigation } from 'react-router'
import { setsToneOf } from '#app/ui/fit-tone.ts'
import { lineViews, readMoney, setVerdictViews, type LineView, type MoneyView } from '#app/views/checkout.server.ts'
import { cartRefusalContext, applicationContext, visitorContext } from '#app/server/context.ts'
import { checkForm, readForm, refuseForm, refuseTry } from '#app/forms/form.ts'
import { cartChanged, cartSeen, measure, measuredContext } from '#app/server/measure.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import { ExpressButtons, type ExpressView } from '#app/ui/express-buttons.tsx'
import { OrderSummary } from '#app/ui/order-summary.tsx'
import { readExpress } from '#app/views/express.server.ts'
import { NewPage } from '#app/ui/new-page.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { TirePicture } from '#app/ui/tire-picture.tsx'
import { sendAndKeep } from '#app/ui/send-and-keep.ts'
import { atLatestZip, cartIntent, tireCountOf, type Axle } from '#domain/payments/cart/cart.ts'
import { acceptPrices, findCart, setQuantity } from '#domain/payments/cart/cart.server.ts'
import { isInstallation } from '#domain/supply/delivery/delivery.ts'
import { judgeCart, payBy, settleHold } from '#domain/ordering/checkout/checkout.server.ts'
import { countOf } from '#platform/count-text.ts'
import { cartPartsView, changePart, wrongQuantity } from './cart-parts.server.ts'
import { CartParts } from './cart-parts.tsx'
import { changeSavings } from './coupon-form.server.ts'
import { EmptyCart } from './empty-cart.tsx'
import { Dropped } from './side-summary.tsx'
import { readSavings } from './savings.server.ts'
import { Savings } from './savings.tsx'
import { removeServiceOf, serviceCartView } from './service-cart.server.ts'
import { ServiceCart } from './service-cart.tsx'
import { refusalView } from './shipping-view.server.ts'
import { UnfitNotice } from './unfit-notice.tsx'
import type { Route } from './+types/cart.ts'

export const handle = { arrival: () => <NewPage /> }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Your cart',
    description: 'The tires in your cart and what they cost.',
    path: paths.cart(),
    isIndexed: false,
  })

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const visitor = context.get(visitorContext)
  const cart = await findCart(app, visitor.cartId)
  const service = cart ? await serviceCartView(app, cart) : null
  if (service) return { isEmpty: false as const, service }
  if (!cart || cart.lines.length === 0) return { isEmpty: true as const }
  measure(context, () => cartSeen('view_cart', cart))
  const priced = atLatestZip(cart, visitor)
  const [{ money, quote }, verdict] = await Promise.all([readMoney(app, priced), judgeCart(app, cart)])
  const lines = await lineViews(app, cart, quote.breakdown)
  return {
    isEmpty: false as const,
    service: null,
    count: tireCountOf(cart),
    lines,
    parts: await cartPartsView(app, cart),
    money,
    zip: priced.zip,
    savings: await readSavings(app, cart, quote, 'cart'),
    takeBack: app.punchout ? serverPaths.punchoutReturn() : null,
    express: !app.punchout && money.problems.length === 0 ? await readExpress(app, money.totalCents) : null,
    refusal: isInstallation(cart.fulfillment ?? 'shop') ? refusalView(verdict ?? null, cart.vehicle) : null,
    verdict: verdict && {
      name: verdict.vehicleName,
      tone: setsToneOf(verdict),
      sets: setVerdictViews(verdict, lines),
    },
  }
}

/** Changes the cart, or returns why the posted tires weren't added (app/server/cart-posts.ts). */
export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(applicationContext)
  const visitor = context.get(visitorContext)
  const refused = context.get(cartRefusalContext)
  if (refused)
    return refused.status === 429
      ? refuseTry(context, refused.reply, refused)
      : refuseForm(refused.reply, refused.status)
  const fields = await readForm(request)

  const checked = checkForm(cartIntent, fields)
  if (!checked.ok) return refuseForm({ ...checked.reply, formError: wrongQuantity(fields) })
  if (visitor.cartId) {
    const { value } = checked
    switch (value.intent) {
      case 'accept-prices':
        await acceptPrices(app, visitor.cartId)
        break
      case 'set-part': {
        const problem = await changePart(app, visitor.cartId, value)
        if (problem !== null) return refuseForm({ values: {}, errors: {}, formError: problem })
        break
      }
      case 'remove-service':
        await removeServiceOf(app, visitor.cartId)
        break
      case 'enter-coupon':
      case 'remove-coupon': {
        const changed = await changeSavings(context, { cartId: visitor.cartId, next: paths.cart() }, fields)
        if (changed) return changed
        break
      }
      case 'express': {
        if (!app.paymentMethods.has(value.wallet)) break
        await payBy(app, { id: visitor.cartId }, value.wallet)
        // Reloads the document so that the payment page's headers apply. The payment page redirects to missing details
        // first.
        return seeOther(paths.checkoutPayment(value.wallet), [['x-remix-reload-document', 'true']])
      }
      default:
        await changeLine(context, visitor.cartId, {
          itemId: value.item,
          axle: value.axle,
          quantity: value.intent === 'remove' ? 0 : value.quantity,
        })
    }
  }
  return seeOther(paths.cart())
}

/** Sets a line's quantity. Records the change if analytics are on. */
async function changeLine(
  context: Route.ActionArgs['context'],
  cartId: string,
  { itemId, axle, quantity }: { itemId: number; axle: Axle; quantity: number },
): Promise<void> {
  const app = context.get(applicationContext)
  const before = context.get(measuredContext) && (await findCart(app, cartId))
  const changed = await setQuantity(app, cartId, { itemId, axle, quantity })
  const line = changed.ok ? before?.lines.find((line) => line.itemId === itemId && line.axle === axle) : undefined
  if (changed.ok) await settleHold(app, { cartId, heldBy: context.get(visitorContext).networkKey })
  const more = quantity - (line?.quantity ?? quantity)
  if (line && more !== 0)
    measure(context, () =>
      cartChanged(more > 0 ? 'add_to_cart' : 'remove_from_cart', [{ ...line, quantity: Math.abs(more) }]),
    )
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return sendAndKeep(serverAction)
}

function ShippingCostLink() {
  return (
    <p className="small">
      <a href="/shipping-cost" data-interaction="modal">
        What shipping costs
      </a>
    </p>
  )
}

export default function CartPage({ loaderData, actionData }: Route.ComponentProps) {
  if (loaderData.isEmpty) return <EmptyCart problem={actionData?.formError} />
  if (loaderData.service) return <ServiceCart {...loaderData.service} />
  const { lines, parts, money, verdict, refusal, count, savings, express, takeBack } = loaderData
  return (
    <div className="wrap cart-page">
      <h1>Your cart</h1>
      <p className="muted">
        {countOf(count, 'tire')}
        {money.arrivesBy ? `, there by ${money.arrivesBy}` : ''}
      </p>
      {actionData?.formError ? (
        <div className="error-summary" role="alert">
          {actionData.formError}
        </div>
      ) : null}
      <Dropped notes={money.dropped} />
      <MovedPrices money={money} />
      <div className="cart-columns">
        <section aria-label="Tires in your cart" className="cart-lines">
          {lines.map((line) => (
            <CartLineRow key={`${line.itemId} ${line.axle}`} line={line} />
          ))}
          <CartParts {...parts} />
          {verdict ? (
            <div className={`panel verdict-panel ${verdict.tone}`}>
              {verdict.sets.map((set) => (
                <div key={set.key}>
                  {set.tires ? <p className="small muted">{set.tires}</p> : null}
                  <p className="strong">{set.headline}</p>
                  {set.reasons.map((reason) => (
                    <p key={reason} className="small">
                      {reason}
                    </p>
                  ))}
                </div>
              ))}
            </div>
          ) : (
            <p className="small muted">
              Not sure they fit? <a href={paths.vehicles()}>Tell us your vehicle</a> and we check size, load and speed
              for each axle.
            </p>
          )}
        </section>
        <aside className="panel cart-side" aria-label="Order summary">
          {refusal ? (
            <>
              <h2>Next step</h2>
              <UnfitNotice refusal={refusal} />
            </>
          ) : (
            <WhatYouPay money={money} />
          )}
          <Savings savings={savings} reply={actionData ?? undefined} />
          <Onward takeBack={takeBack} canInstall={refusal === null} />
          {express && !refusal ? <PayNow express={express} /> : null}
          {refusal ? null : (
            <p className="small muted">
              You can also choose home delivery on the next page. You won’t be charged until you place the order.
            </p>
          )}
        </aside>
      </div>
    </div>
  )
}

/** The price with installation at the nearest shop. */
function WhatYouPay({ money }: { money: MoneyView }) {
  return (
    <>
      <h2>{money.estimateAt ? `Out the door at ${money.estimateAt}` : 'What you pay'}</h2>
      {money.estimateAt ? (
        <p className="small muted">The nearest shop that installs them. You pick shop and time next.</p>
      ) : null}
      {money.problems.map((problem) => (
        <p key={problem} className="notice small">
          {problem}
        </p>
      ))}
      {money.rows.length > 0 ? (
        <>
          <OrderSummary rows={money.rows} caption="What you pay" />
          <ShippingCostLink />
        </>
      ) : (
        <a className="btn quiet wide" href="/zip?back=/cart">
          Set your ZIP
        </a>
      )}
      {money.besides.map((note) => (
        <p key={note} className="notice small">
          {note}
        </p>
      ))}
    </>
  )
}

/** To the choice of a shop; on a visit from a purchasing system, first of all back there. */
function Onward({ takeBack, canInstall }: { takeBack: string | null; canInstall: boolean }) {
  return (
    <>
      {takeBack === null ? null : (
        <a className="btn primary wide large" href={takeBack}>
          Send to your purchasing system
        </a>
      )}
      {canInstall ? (
        <a className={takeBack === null ? 'btn primary wide large' : 'btn quiet wide'} href={paths.checkoutShipping()}>
          Choose shop and time
        </a>
      ) : null}
    </>
  )
}

/** Renders the device's wallets. The visitor first enters missing details, then pays. */
function PayNow({ express }: { express: ExpressView }) {
  return (
    <form method="post">
      <input type="hidden" name="intent" value="express" />
      <ExpressButtons {...express} />
    </form>
  )
}

function CartLineRow({ line }: { line: LineView }) {
  const isBusy = useNavigation().state !== 'idle'
  const name = `${line.brand} ${line.line} ${line.size}`
  return (
    <article className="panel cart-line">
      <TirePicture picture={{ itemId: line.itemId, key: line.picture }} alt="" size={112} eager />
      <div className="cart-line-words">
        <h2 className="card-t">
          <small>{line.brand}</small>
          <a href={line.href}>{line.line}</a>
        </h2>
        <p className="small muted tabular">
          {line.size} {line.service}
          {line.axle === 'all' ? '' : `, ${line.axle} axle`}
        </p>
        <p className="tabular">
          <span className="strong">{line.unit}</span> <span className="small muted">each</span>{' '}
          {line.label ? (
            <a className="small" href={line.label.path} data-interaction="modal">
              {line.label.label}
            </a>
          ) : null}
        </p>
        {line.excise ? <p className="small muted tabular">plus {line.excise} federal excise tax each</p> : null}
        {line.shortage ? <p className="field-error">{line.shortage}</p> : null}
      </div>
      <div className="cart-line-actions">
        <Form method="post" className="quantity-form" preventScrollReset>
          <input type="hidden" name="intent" value="set-quantity" />
          <input type="hidden" name="item" value={line.itemId} />
          <input type="hidden" name="axle" value={line.axle} />
          <label className="small strong" htmlFor={`quantity-${line.itemId}-${line.axle}`}>
            Quantity
          </label>
          <select
            className="input"
            id={`quantity-${line.itemId}-${line.axle}`}
            name="quantity"
            aria-label={`Quantity of ${name}`}
            defaultValue={line.quantity}
            key={line.quantity}
            onChange={(event) => event.currentTarget.form?.requestSubmit()}
          >
            {quantities(line.quantity).map((quantity) => (
              <option key={quantity}>{quantity}</option>
            ))}
          </select>
          <button className="btn small quiet" type="submit" disabled={isBusy}>
            Update
          </button>
        </Form>
        <Form method="post" preventScrollReset>
          <input type="hidden" name="intent" value="remove" />
          <input type="hidden" name="item" value={line.itemId} />
          <input type="hidden" name="axle" value={line.axle} />
          <button className="link small" type="submit" disabled={isBusy} aria-label={`Remove ${name}`}>
            Remove
          </button>
        </Form>
      </div>
    </article>
  )
}

function MovedPrices({ money }: { money: MoneyView }) {
  if (money.moved.length === 0) return null
  return (
    <div className="notice" role="status">
      <p className="strong">Prices changed since you added these to your cart</p>
      <ul>
        {money.moved.map((price) => (
          <li key={price.name} className="small">
            {price.name}: was {price.from}, now {price.to}
          </li>
        ))}
      </ul>
      <Form method="post">
        <input type="hidden" name="intent" value="accept-prices" />
        <button className="btn small" type="submit">
          Got it
        </button>
      </Form>
    </div>
  )
}

/** 1 to 8, plus the current quantity if it is larger. */
function quantities(current: number): number[] {
  const usual = [1, 2, 3, 4, 5, 6, 7, 8]
  return usual.includes(current) ? usual : [...usual, current]
}
