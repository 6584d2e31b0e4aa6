import { data } from 'react-router'
import { visitorContext } from '#app/server/context.ts'
import { readForm, type FormReply } from '#app/forms/form.ts'
import { cancelLinesFromPage, cancelLinesView } from '#app/views/cancel-lines.server.ts'
import { openWithCode, sendCode } from '#app/views/order-codes.server.ts'
import { ReturnsPanel } from '#app/ui/returns-panel.tsx'
import { orderReturnsView } from '#app/views/returns.server.ts'
import { serviceSteps, shipmentViews } from '#app/views/order-progress.server.ts'
import { cancelFromPage, orderIdOf, openOrderPage, ownOrderView } from '#app/views/orders.server.ts'
import { paths } from '#content/paths.ts'
import { CancelLinesPanel } from '#app/ui/cancel-lines.tsx'
import { CodePanel } from '#app/ui/code-panel.tsx'
import { ConfirmOrder } from '#app/ui/order-head.tsx'
import {
  AppointmentPanel,
  CancelPanel,
  MoneyPanel,
  ServiceProgressPanel,
  ShipmentPanel,
  TiresPanel,
} from '#app/ui/order-panels.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import {
  codeAccessMinutes,
  orderCodeLife,
  orderProgress,
  progressWords,
  timeText,
} from '#domain/ordering/orders/orders.ts'
import { readCodeAddress } from '#domain/ordering/orders/orders.server.ts'
import type { Route } from './+types/result.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData
    ? pageHead(matches, {
        title: `Where order ${loaderData.number} is`,
        description: 'How far your order is.',
        path: paths.trackOrder(),
        isIndexed: false,
      })
    : []

export async function loader({ context, url }: Route.LoaderArgs) {
  const { app, order, access, key } = await openOrderPage(
    context,
    orderIdOf(url.searchParams.get('order')),
    url.searchParams,
  )
  return {
    number: orderNumber(order.id),
    state: order.state,
    // Before release and after completion, the status line shows the state instead.
    progress: order.state === 'confirmed' && order.releasedAt ? progressWords[orderProgress(order)] : null,
    placed: timeText(order.placedAt, order.timeZone),
    shipments: shipmentViews(order, access),
    serviceSteps: serviceSteps(order, access),
    own: access === 'status' ? null : await ownOrderView(app, { order, access, key }),
    cancelLines: access === 'own' ? await cancelLinesView(app, order) : null,
    returns: access === 'status' ? null : await orderReturnsView(app, { order, access, key }),
    code:
      access === 'status'
        ? {
            sentTo: await readCodeAddress(app, {
              orderId: order.id,
              browserId: context.get(visitorContext).orderCodeId,
            }),
            minutes: orderCodeLife.minutes,
            accessMinutes: codeAccessMinutes,
          }
        : null,
  }
}

/** Errors from the page's forms. The order can no longer be canceled, lines are invalid, or a code is wrong. */
type Reply = { problem?: string; code?: FormReply; lines?: FormReply }

export async function action({ context, request, url }: Route.ActionArgs) {
  const fields = await readForm(request)
  switch (fields.get('intent')) {
    case 'send-code':
      return sendCode(context, url, fields)
    case 'open-with-code':
      return openWithCode(context, url, fields)
    case 'cancel-lines': {
      const answer = await cancelLinesFromPage(context, url, fields)
      if (answer instanceof Response) return answer
      const isRefused = answer.formError !== undefined || Object.keys(answer.errors).length > 0
      return data<Reply>({ lines: answer }, { status: isRefused ? 422 : 200 })
    }
    default: {
      const answer = await cancelFromPage(context, url)
      return answer instanceof Response ? answer : data<Reply>({ problem: answer.reason }, { status: 409 })
    }
  }
}

export default function TrackResult({ loaderData, actionData }: Route.ComponentProps) {
  const { number, placed, own, returns, state, progress, code } = loaderData
  const reply: Reply = actionData ?? {}
  return (
    <div className="wrap order-page">
      <header className="order-head">
        <h1>
          Order <span className="tabular">{number}</span>
        </h1>
        <p className="muted tabular">
          {progress === null ? null : `${progress}. `}
          {state === 'canceled' && own?.service ? 'This order was canceled.' : stateLines[state]} Placed {placed}.
        </p>
      </header>
      {own?.confirm ? <ConfirmOrder confirm={own.confirm} /> : null}
      <div className={own ? 'checkout-columns' : 'stack order-status'}>
        <div className="stack">
          <Progress page={loaderData} />
          {own?.appointment ? <AppointmentPanel appointment={own.appointment} /> : null}
          {own ? <TiresPanel own={own} /> : null}
          {returns ? <ReturnsPanel returns={returns} /> : null}
          <Canceling page={loaderData} reply={reply} />
          {code ? <CodePanel code={code} reply={reply.code} /> : null}
        </div>
        {own ? (
          <MoneyPanel own={own} />
        ) : (
          <p className="small muted">
            This page shows your order’s progress. The link in our email also opens the appointment and the receipt.{' '}
            <a href={paths.trackOrder()}>Track another order</a>
          </p>
        )}
      </div>
    </div>
  )
}

/** Renders the packages of an order, or the steps of a service. */
function Progress({ page: { shipments, serviceSteps: steps } }: { page: Route.ComponentProps['loaderData'] }) {
  if (steps) return <ServiceProgressPanel steps={steps} />
  return shipments.map((shipment) => <ShipmentPanel key={shipment.id} shipment={shipment} />)
}

/** Renders the cancellation of the whole order during its window, and later of unshipped lines. */
function Canceling({ page, reply }: { page: Route.ComponentProps['loaderData']; reply: Reply }) {
  const { own, cancelLines, number } = page
  if (cancelLines && (cancelLines.lines.length > 0 || reply.lines))
    return <CancelLinesPanel view={cancelLines} reply={reply.lines} />
  return own ? <CancelPanel cancel={own.cancel} number={number} problem={reply.problem} /> : null
}

const stateLines = {
  confirmed: 'Confirmed, no further action.',
  'needs-confirmation': 'Please confirm your order. It’s incomplete until you do.',
  canceled: 'This order was canceled and won’t ship.',
  returned: 'This order was returned.',
} as const
