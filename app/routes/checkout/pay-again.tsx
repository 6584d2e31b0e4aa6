import { data } from 'react-router'
import { readForm } from '#app/forms/form.ts'
import {
  beginCharge,
  cardFieldsOf,
  readCardStatus,
  refuseCard,
  shownAtOf,
} from '#app/routes/checkout/card-charge.server.ts'
import { NothingToPay, PayByLink } from '#app/routes/checkout/pay-by-link.tsx'
import { applicationContext } from '#app/server/context.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { sendAndKeep, unsentStatus } from '#app/ui/send-and-keep.ts'
import { paymentError, paymentUnavailable, processingMessage } from '#content/messages/payments.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import { paths, withQuery } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import { payAgain, readPayAgain, type PayAgainRefusal } from '#domain/ordering/open-charges/open-charges.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { timeText } from '#domain/ordering/orders/orders.ts'
import { chargedTo } from '#domain/payments/charge-words/charge-words.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { formatCents } from '#platform/money.ts'
import type { Application } from '#application'
import type { Route } from './+types/pay-again.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Pay for your order',
    description: 'Pay again after your bank’s authorization ended.',
    path: paths.trackOrder(),
    isIndexed: false,
  })

/** Read-only, because mail programs prefetch links. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const asked = await readPayAgain(app, params.token)
  if (!asked) return data({ kind: 'unknown' as const }, { status: 404 })
  const { order, amountCents, cartId, payUntil } = asked
  const number = orderNumber(order.id)
  const amount = formatCents(amountCents)
  const { isService } = order
  if (asked.isPaid) return { kind: 'paid' as const, number, amount, isService, account: chargedTo(order.payment) }
  if (asked.isOver) return data({ kind: 'over' as const, number }, { status: 410 })
  const { billing } = order
  return {
    kind: 'open' as const,
    number,
    isService,
    rows: [
      ...order.lines.map(({ quantity, description, netCents }, index) => ({
        key: `line-${index}`,
        label: quantity === 1 ? description : `${quantity} × ${description}`,
        detail: '',
        amount: formatCents(netCents),
        kind: 'plain' as const,
      })),
      { key: 'due', label: 'To pay, with fees and tax', detail: '', amount, kind: 'total' as const },
    ],
    total: amount,
    until: timeText(payUntil, order.timeZone),
    status: await readCardStatus(app, { cartId }, amountCents),
    wentBack: url.searchParams.has('canceled'),
    fields: cardFieldsOf(app),
    path: serverPaths.payAgain(params.token),
    returnUrl: app.config.web.origin + serverPaths.payAgainReturn(params.token),
    payer: {
      name: billing.name,
      email: order.email,
      phone: order.phone,
      address: {
        line1: billing.address1,
        line2: billing.address2 ?? '',
        city: billing.city,
        state: billing.state,
        postalCode: billing.zip,
      },
    },
  }
}

/** `open` and `hosted` start a charge; `settle` gives it to the order if the card is authorized. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const app = context.get(applicationContext)
  const asked = await readPayAgain(app, params.token)
  if (!asked) throw data(null, { status: 404 })
  const here = serverPaths.payAgain(params.token)
  const fields = await readForm(request)
  const intent = fields.get('intent')
  if (asked.isPaid || asked.isOver) return seeOther(here)
  switch (intent) {
    case 'settle':
      return settle(app, asked.paymentId, here)
    case 'open':
    case 'hosted':
      return beginCharge(
        context,
        app,
        {
          payer: { cartId: asked.cartId },
          amountCents: asked.amountCents,
          email: asked.order.email,
          shownAt: shownAtOf(fields),
        },
        intent === 'open' ? 'fields' : 'hosted',
        {
          description: `Order ${orderNumber(asked.order.id)}`,
          returnPath: serverPaths.payAgainReturn(params.token),
          cancelPath: withQuery(here, { canceled: 1 }),
        },
      )
    default:
      return refuseCard({ title: null, words: technicalMessages.tryAgain }, 400)
  }
}

async function settle(app: Application, paymentId: string, here: string) {
  const paid = await payAgain(app, paymentId)
  return paid.ok || paid.reason === 'over' ? seeOther(here) : refusal(paid)
}

function refusal(refused: Exclude<PayAgainRefusal, { reason: 'over' }>) {
  if (refused.reason === 'payment-unavailable')
    return refuseCard({ title: paymentError, words: paymentUnavailable }, 503)
  const { isProcessing, failure } = refused.detail
  if (isProcessing) return refuseCard({ title: null, words: processingMessage }, 202)
  return refuseCard(
    { title: paymentError, words: failure ?? 'Your bank isn’t responding. You haven’t been charged. Try again.' },
    402,
  )
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return sendAndKeep(serverAction)
}

/**
 * Skips revalidation after starting a charge, which doesn't change the page. All other actions revalidate, even if
 * refused.
 */
export function shouldRevalidate({ formData, actionStatus }: { formData?: FormData; actionStatus?: number }): boolean {
  return formData?.get('intent') !== 'open' && actionStatus !== unsentStatus
}

export default function PayAgainPage({ loaderData, actionData }: Route.ComponentProps) {
  switch (loaderData.kind) {
    case 'unknown':
      return (
        <NothingToPay title="This link opens no order">
          <p>Open it from the email again, or call us.</p>
        </NothingToPay>
      )
    case 'over':
      return (
        <NothingToPay title="This link is over">
          <p>You weren’t charged for order {loaderData.number}. Call us and we’ll finish it together.</p>
        </NothingToPay>
      )
    case 'paid':
      return (
        <NothingToPay title="Thank you, your order is paid">
          <p role="status">
            Order {loaderData.number} goes on as you placed it. We authorized {loaderData.amount} on{' '}
            {loaderData.account} and charge it {loaderData.isService ? 'right away' : 'when your tires are packed'}.
          </p>
        </NothingToPay>
      )
    case 'open':
      return <Open view={loaderData} problem={actionData?.problem ?? null} />
  }
}

type OpenView = Extract<Route.ComponentProps['loaderData'], { kind: 'open' }>

function Open({
  view,
  problem,
}: {
  view: OpenView
  problem: NonNullable<Route.ComponentProps['actionData']>['problem'] | null
}) {
  return (
    <PayByLink
      title={`Pay for order ${view.number}`}
      view={view}
      problem={problem}
      note={`Your card is charged ${view.isService ? 'right away' : 'when your tires are packed'}.`}
      finish="Finish my order"
      sums={{ title: 'Your order', caption: 'What you pay' }}
    >
      Your bank’s authorization ended before we charged you, so you weren’t charged. Please pay by {view.until}; your
      order, price, and appointment don’t change.
    </PayByLink>
  )
}
