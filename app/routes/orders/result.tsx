import { data } from 'react-router'
import { visitorContext } from '#app/server/context.ts'
import { readForm, type FormReply } from '#app/forms/form.ts'
import { openWithCode, sendCode } from '#app/views/order-codes.server.ts'
import { cancelFromPage, orderIdOf, ownOrderView, requireOrder, shipmentViews } from '#app/views/orders.server.ts'
import { paths } from '#content/paths.ts'
import { CodePanel } from '#app/ui/code-panel.tsx'
import { AppointmentPanel, CancelPanel, MoneyPanel, ShipmentPanel, TiresPanel } from '#app/ui/order-panels.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { codeAccessMinutes, orderCodeLife, orderNumber, timeText } from '#domain/orders/orders.ts'
import { readCodeAddress } from '#domain/orders/orders.server.ts'
import type { Route } from './+types/result.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData
    ? pageHead(matches, {
        title: `Where order ${loaderData.number} is`,
        description: 'Your order, from our warehouse to you.',
        path: paths.trackOrder(),
        isIndexed: false,
      })
    : []

export async function loader({ context, url }: Route.LoaderArgs) {
  const { shop, order, access, key } = await requireOrder(
    context,
    orderIdOf(url.searchParams.get('order')),
    url.searchParams,
  )
  return {
    number: orderNumber(order.id),
    state: order.state,
    placed: timeText(order.placedAt, order.timeZone),
    shipments: shipmentViews(order, access),
    own: access === 'status' ? null : await ownOrderView(shop, { order, access, key }),
    code:
      access === 'status'
        ? {
            sentTo: await readCodeAddress(shop, {
              orderId: order.id,
              browserId: context.get(visitorContext).orderCodeId,
            }),
            minutes: orderCodeLife.minutes,
            accessMinutes: codeAccessMinutes,
          }
        : null,
  }
}

/** What a form of the page is answered: why the order can no longer be canceled, or what was wrong with a code. */
type Reply = { problem?: string; code?: FormReply }

export async function action({ context, request, url }: Route.ActionArgs) {
  const fields = await readForm(request)
  switch (fields.get('intent')) {
    case 'send-code':
      return sendCode(context, url, fields)
    case 'open-with-code':
      return openWithCode(context, url, fields)
    default: {
      const answer = await cancelFromPage(context, url)
      return answer instanceof Response ? answer : data<Reply>({ problem: answer.reason }, { status: 409 })
    }
  }
}

export default function TrackResult({ loaderData, actionData }: Route.ComponentProps) {
  const { number, placed, shipments, own, state, code } = loaderData
  const reply: Reply = actionData ?? {}
  return (
    <div className="wrap order-page">
      <header className="order-head">
        <h1>
          Order <span className="tabular">{number}</span>
        </h1>
        <p className="muted tabular">
          {stateLines[state]} Placed {placed}.
        </p>
      </header>
      <div className={own ? 'checkout-columns' : 'stack order-status'}>
        <div className="stack">
          {shipments.map((shipment) => (
            <ShipmentPanel key={shipment.id} shipment={shipment} />
          ))}
          {own?.appointment ? <AppointmentPanel appointment={own.appointment} /> : null}
          {own ? <TiresPanel own={own} /> : null}
          {own ? <CancelPanel cancel={own.cancel} number={number} problem={reply.problem} /> : null}
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

const stateLines = {
  confirmed: 'Confirmed, no further action.',
  'needs-confirmation': 'Please confirm your order: something is still missing.',
  canceled: 'This order is canceled. Nothing is shipped or charged.',
  returned: 'This order was returned.',
} as const
