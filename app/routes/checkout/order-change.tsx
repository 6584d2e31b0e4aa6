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
import { OrderSummary, type SummaryRow } from '#app/ui/order-summary.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { sendAndKeep, unsentStatus } from '#app/ui/send-and-keep.ts'
import { paymentError, paymentUnavailable, processingMessage } from '#content/messages/payments.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import { paths, withQuery } from '#content/paths.ts'
import { changeRows, isPayable } from '#domain/ordering/order-changes/order-changes.ts'
import {
  changePlaceText,
  payForChange,
  readChange,
  type OrderChange,
  type PayRefusal,
} from '#domain/ordering/order-changes/order-changes.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { timeText } from '#domain/ordering/orders/orders.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { formatCents } from '#platform/money.ts'
import type { Application } from '#application'
import type { Route } from './+types/order-change.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Change your order',
    description: 'The change you asked for, and what it costs.',
    path: paths.trackOrder(),
    isIndexed: false,
  })

/** Read-only, because mail programs prefetch links. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const found = await readChange(app, params.token)
  if (!found) return data({ kind: 'unknown' as const }, { status: 404 })
  const { change, order } = found
  const now = app.clock.now()
  const shown = {
    number: orderNumber(order.id),
    place: await changePlaceText(app, change),
    rows: rowsOf(change),
  }
  if (change.state === 'done') return { kind: 'done' as const, ...shown }
  if (!isPayable(change, now)) return data({ kind: 'over' as const, ...shown }, { status: 410 })
  const differenceCents = change.afterCents - change.beforeCents
  const { billing } = order
  return {
    kind: 'open' as const,
    ...shown,
    total: formatCents(differenceCents),
    until: change.expiresAt ? timeText(change.expiresAt, order.timeZone) : '',
    status: await readCardStatus(app, { changeId: change.id }, differenceCents),
    wentBack: url.searchParams.has('canceled'),
    fields: cardFieldsOf(app),
    path: paths.orderChange(params.token),
    returnUrl: app.config.web.origin + paths.orderChangeReturn(params.token),
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

/** The rows of the new price, each with what it was, and the difference. */
function rowsOf(change: OrderChange): SummaryRow[] {
  const rows = changeRows(change.before, change.after).map(({ key, label, beforeCents, afterCents }): SummaryRow => ({
    key,
    label,
    detail: beforeCents === afterCents ? '' : beforeCents === null ? 'New' : `Was ${formatCents(beforeCents)}`,
    amount: formatCents(afterCents ?? 0),
    kind: key === 'total' ? 'total' : 'plain',
  }))
  const amount = formatCents(change.afterCents - change.beforeCents)
  return [...rows, { key: 'difference', label: 'Difference', detail: '', amount, kind: 'total' }]
}

/** `open` and `hosted` start a charge; `settle` makes the change if the card is authorized. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const app = context.get(applicationContext)
  const found = await readChange(app, params.token)
  if (!found) throw data(null, { status: 404 })
  const { change, order } = found
  const here = paths.orderChange(params.token)
  const fields = await readForm(request)
  const intent = fields.get('intent')
  switch (intent) {
    case 'settle':
      return settle(app, change.id, here)
    case 'open':
    case 'hosted':
      if (!isPayable(change, app.clock.now())) return seeOther(here)
      return beginCharge(
        context,
        app,
        {
          payer: { changeId: change.id },
          amountCents: change.afterCents - change.beforeCents,
          email: order.email,
          shownAt: shownAtOf(fields),
        },
        intent === 'open' ? 'fields' : 'hosted',
        {
          description: `Change of order ${orderNumber(order.id)}`,
          returnPath: paths.orderChangeReturn(params.token),
          cancelPath: withQuery(here, { canceled: 1 }),
        },
      )
    default:
      return refuseCard({ title: null, words: technicalMessages.tryAgain }, 400)
  }
}

async function settle(app: Application, id: string, here: string) {
  const paid = await payForChange(app, id)
  return paid.ok || paid.reason === 'over' ? seeOther(here) : refusal(paid)
}

function refusal(refused: Exclude<PayRefusal, { reason: 'over' }>) {
  switch (refused.reason) {
    case 'payment-unavailable':
      return refuseCard({ title: paymentError, words: paymentUnavailable }, 503)
    case 'busy':
      return refuseCard({ title: null, words: 'We are working on your order. Try again in a minute.' }, 409)
    case 'not-paid':
      if (refused.detail.isProcessing) return refuseCard({ title: null, words: processingMessage }, 202)
      return refuseCard(
        {
          title: paymentError,
          words: refused.detail.failure ?? 'Your bank isn’t responding. You haven’t been charged. Try again.',
        },
        402,
      )
  }
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

export default function OrderChangePage({ loaderData, actionData }: Route.ComponentProps) {
  switch (loaderData.kind) {
    case 'unknown':
      return (
        <NothingToPay title="This link opens no change">
          <p>Open it from the email again, or call us.</p>
        </NothingToPay>
      )
    case 'over':
      return (
        <NothingToPay title="This change is over">
          <p>Order {loaderData.number} hasn’t changed, and you weren’t charged. To start a new change, call us.</p>
        </NothingToPay>
      )
    case 'done':
      return (
        <NothingToPay title="Your order is changed">
          <p role="status">
            Order {loaderData.number}: the difference is paid. {loaderData.place}
          </p>
          <div className="panel padded">
            <OrderSummary rows={loaderData.rows} caption="What you pay" />
          </div>
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
      title={`Change order ${view.number}`}
      view={view}
      problem={problem}
      note="Your card is charged with your order, or right away if we charged your order before."
      finish="Change my order"
      sums={{ title: 'What changes', caption: 'What you pay, and what it was' }}
    >
      {view.place} We hold it until {view.until}. If you don’t pay by then, your order doesn’t change.
    </PayByLink>
  )
}
