import { z } from 'zod'
import { orderNotFoundMessage } from '#content/messages/orders.ts'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import { checkForm, formRefusal, readForm, refuseForm, refuseTry } from '#app/forms/form.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { paths } from '#content/paths.ts'
import { ErrorSummary, Field } from '#app/ui/field.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { zipCode } from '#domain/kernel/contact-fields/contact-fields.ts'
import { parseOrderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { trackingToken, lookUpOrder } from '#domain/ordering/orders/orders.server.ts'
import type { Route } from './+types/track.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Track your order',
    description: 'Track your tires with your order number and delivery ZIP code.',
    path: paths.trackOrder(),
  })

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=60' }
}

const noMatch = orderNotFoundMessage
const tooMany =
  'That was one attempt too many for this order. Wait 15 minutes, or open the link in the email we sent you.'

const lookUpForm = z.object({
  order: z.string(noMatch).transform((text, issue) => {
    const id = parseOrderNumber(text)
    if (id !== undefined) return id
    issue.addIssue({ code: 'custom', message: noMatch })
    return z.NEVER
  }),
  zip: zipCode,
})

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(applicationContext)
  const fields = await readForm(request)
  const checked = checkForm(lookUpForm, fields)
  // Shows one message. Without an order ID, no order matches.
  if (!checked.ok) return refuseForm(checked.reply.errors['order'] ? formRefusal(fields, noMatch) : checked.reply)
  const { order: orderId, zip } = checked.value
  const found = await lookUpOrder(app, { orderId, zip, from: context.get(visitorContext).networkKey })
  if (!found.ok)
    return found.reason === 'no-match'
      ? refuseForm(formRefusal(fields, noMatch))
      : refuseTry(context, formRefusal(fields, tooMany), found.detail)
  return seeOther(
    paths.trackResult(orderId, { look: trackingToken(app.config.session.secret, orderId, app.clock.now()) }),
  )
}

export function loader({ url }: Route.LoaderArgs) {
  const { searchParams } = url
  return {
    isReceiptExpired: searchParams.get('receipt') === 'expired',
    isLocked: searchParams.get('order') === 'locked',
  }
}

export default function TrackYourOrder({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <div className="wrap narrow-page">
      <h1>Track your order</h1>
      {loaderData.isReceiptExpired ? (
        <p className="notice">
          That link to the receipt has expired. Track the order here and request a code by email to open the receipt
          again.
        </p>
      ) : null}
      {loaderData.isLocked ? (
        <p className="notice" role="status">
          That page opens from the link in our email, in the browser you ordered with, or in your account. To see your
          order here, enter its ID and ZIP code, or <a href={paths.signIn()}>sign in</a>.
        </p>
      ) : null}
      <p className="muted">
        The order ID is in the email we sent you, like S-104001. The ZIP is the one the tires ship to, or your own.
      </p>
      <form method="post" className="panel padded stack" noValidate>
        <ErrorSummary reply={actionData} />
        <Field name="order" label="Order ID" reply={actionData} autoComplete="off" maxLength={24} required />
        <Field
          name="zip"
          label="ZIP code"
          reply={actionData}
          inputMode="numeric"
          autoComplete="postal-code"
          maxLength={10}
          required
        />
        <button className="btn primary large" type="submit">
          Track order
        </button>
      </form>
      <p className="small muted">
        Use the link in our email to see your appointment and receipt, or to cancel if you still can. You can also use a
        code that we email to you on the next page.
      </p>
    </div>
  )
}
