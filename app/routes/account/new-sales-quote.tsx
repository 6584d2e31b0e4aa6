import { checkForm, formRefusal, readForm, refuseForm, refuseTry, type FormReply } from '#app/forms/form.ts'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import { ErrorSummary, Field, SelectField, TextAreaField } from '#app/ui/field.tsx'
import { OrderSummary } from '#app/ui/order-summary.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { quoteMessages } from '#content/messages/quotes.ts'
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import { sendCart, type SendCartRefusal } from '#domain/ordering/quotes/quotes.server.ts'
import { salesQuoteForm } from '#domain/ordering/quotes/quotes.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { newId } from '#platform/ids.ts'
import { formatCents } from '#platform/money.ts'
import type { Application } from '#application'
import { AccountPage } from './account-page.tsx'
import {
  cartQuoteView,
  cartToQuote,
  problemTexts,
  quoteDepsOf,
  tooManyTires,
  type CartQuoteView,
} from './cart-quote-view.server.ts'
import { requireSalesTool } from './require-sales-tool.server.ts'
import type { Route } from './+types/new-sales-quote.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'New quote',
    description: 'Send your cart to a customer as a quote.',
    path: serverPaths.newSalesQuote(),
    isIndexed: false,
  })

export async function loader({ context, url }: Route.LoaderArgs) {
  const { app } = await requireSalesTool(context, serverPaths.newSalesQuote())
  const cart = await cartQuoteView(app, context.get(visitorContext), url.searchParams.get('place') ?? '')
  return { key: newId(), cart }
}

/** Sends the cart as it is now, at the total that was shown. */
export async function action({ request, context }: Route.ActionArgs) {
  const { app, by } = await requireSalesTool(context, serverPaths.newSalesQuote())
  const fields = await readForm(request)
  const checked = checkForm(salesQuoteForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const { seen, ...quoted } = checked.value
  const cart = await cartToQuote(app, context.get(visitorContext))
  if (!cart) return refuseForm(formRefusal(fields, problemTexts['no-tires']), 409)
  const sent = await sendCart(quoteDepsOf(app), by, { ...quoted, seenCents: seen, cart })
  if (sent.ok) return seeOther(serverPaths.salesQuote(sent.value.id, 'sent'))
  const reply = formRefusal(fields, quoteMessages.notSent, { cart: refusalText(context.get(applicationContext), sent) })
  if (sent.reason === 'too-many') return refuseTry(context, reply, sent.detail)
  return refuseForm(reply, sent.reason === 'not-allowed' ? 403 : 409)
}

function refusalText({ config }: Application, refusal: SendCartRefusal): string {
  switch (refusal.reason) {
    case 'not-allowed':
      return 'Your account is no longer a sales account.'
    case 'too-many':
      return 'You have sent as many as we allow in a day. Try again tomorrow.'
    case 'no-tires':
      return problemTexts['no-tires']
    case 'too-many-tires':
      return tooManyTires
    case 'incomplete':
      return refusal.detail.map((problem) => problemTexts[problem]).join(' ')
    case 'below-floor':
      return `We cannot hold the price of one of these tires. Call ${config.store.phone} and we will look at it.`
    case 'price-changed':
      return `The total is ${formatCents(refusal.detail.totalCents)} now. Look at it below and send it again.`
  }
}

export default function NewSalesQuote({ loaderData: { key, cart }, actionData: reply }: Route.ComponentProps) {
  return (
    <AccountPage title="New quote" at="sales-tool">
      <p>
        <a href={serverPaths.salesTool()}>All your quotes</a>
      </p>
      {cart ? (
        <>
          <CartPanel cart={cart} />
          <SendForm cart={cart} reply={reply} formKey={reply?.values['key'] ?? key} />
        </>
      ) : (
        <>
          {reply ? <ErrorSummary reply={reply} /> : null}
          <p>A quote is made of your cart, and your cart is empty. Put the customer’s tires in it first.</p>
          <p>
            <a className="btn primary" href={paths.find()}>
              Find tires
            </a>
          </p>
        </>
      )}
    </AccountPage>
  )
}

function CartPanel({ cart: { tires, vehicle, place, places, rows, problems, goodThrough } }: { cart: CartQuoteView }) {
  return (
    <section className="panel padded stack" aria-labelledby="cart">
      <h2 id="cart">Your cart for the customer</h2>
      <ul className="tabular">
        {tires.map(({ itemId, name, quantity, fit }) => (
          <li key={itemId}>
            {quantity} × {name}
            {fit ? <small className="muted"> {fit}</small> : null}
          </li>
        ))}
      </ul>
      <p className="small muted">
        {vehicle ? `For a ${vehicle}. ` : ''}
        <a href={paths.cart()}>Change the cart</a>
      </p>
      <form method="get" className="account-form stack">
        <SelectField name="place" label="Where the tires go" value={place}>
          {places.map(({ value, words }) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </SelectField>
        <p>
          <button className="btn">Show the price there</button>
        </p>
      </form>
      {rows.length > 0 ? <OrderSummary rows={rows} caption="What the customer pays" /> : null}
      {problems.map((problem) => (
        <p key={problem} className="notice">
          {problem}
        </p>
      ))}
      {rows.length > 0 ? (
        <p className="small muted">
          Prices are our public prices, not your account’s. The tires stay at them through {goodThrough}, Eastern Time.
          The customer picks the time of the installation with the order.
        </p>
      ) : null}
    </section>
  )
}

/** Renders the form only if the cart can be sent. Preserves the values after a refusal. */
function SendForm({ cart, reply, formKey }: { cart: CartQuoteView; reply: FormReply | undefined; formKey: string }) {
  const canSend = cart.problems.length === 0 && cart.seen > 0
  return (
    <form method="post" className="panel padded stack" noValidate>
      <h2>The customer</h2>
      <ErrorSummary
        reply={reply}
        labels={{ name: 'Name', email: 'Email', phone: 'Phone', note: 'Note', place: 'Where', seen: 'Total' }}
      />
      <input type="hidden" name="key" value={formKey} />
      <input type="hidden" name="place" value={cart.place} />
      <input type="hidden" name="seen" value={cart.seen} />
      <Field name="name" label="Name" reply={reply} maxLength={80} autoComplete="off" required />
      <Field name="email" label="Email" reply={reply} type="email" maxLength={254} autoComplete="off" required />
      <Field name="phone" label="Phone" reply={reply} type="tel" maxLength={30} autoComplete="off" required={false} />
      <TextAreaField
        name="note"
        label="Note to the customer"
        reply={reply}
        rows={3}
        maxLength={1000}
        isRequired={false}
      />
      {canSend ? (
        <p>
          <button className="btn primary">Send the quote, {formatCents(cart.seen)}</button>
        </p>
      ) : (
        <p className="muted">It can be sent once the price above is complete.</p>
      )}
    </form>
  )
}
