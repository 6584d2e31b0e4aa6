import { deliveryTimeText } from '#app/content/constants.server.ts'
import { orderIdOf, ownOrderView, openOwnOrderPage, requireOwnOrder } from '#app/views/orders.server.ts'
import { OrderHead } from '#app/ui/order-head.tsx'
import { MoneyPanel, TiresPanel } from '#app/ui/order-panels.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { paths } from '#content/paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { confirmOrder } from '#domain/ordering/orders/orders.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import type { Route } from './+types/confirm-order.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData
    ? pageHead(matches, {
        title: `Confirm order ${loaderData.number}`,
        description: 'Check your order and confirm it.',
        path: paths.trackOrder(),
        isIndexed: false,
      })
    : []

/** The page from the email. Read-only, because mail programs prefetch links. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { app, order, access, key } = await openOwnOrderPage(context, orderIdOf(params.orderId), url.searchParams)
  return {
    number: orderNumber(order.id),
    state: order.state,
    own: await ownOrderView(app, { order, access, key }),
    deliveryTime: deliveryTimeText(),
    confirmation: paths.orderConfirmation(order.id, key),
  }
}

/**
 * Confirms the order and redirects to it. The order page shows the result, including an earlier confirmation or an
 * expired one.
 */
export async function action({ context, params, url }: Route.ActionArgs): Promise<Response> {
  const { app, order, access, key } = await requireOwnOrder(context, orderIdOf(params.orderId), url.searchParams)
  if (access === 'read') throw new Response(null, { status: 403 })
  await confirmOrder(app, { orderId: order.id, actor: 'shopper' })
  return seeOther(paths.orderConfirmation(order.id, key))
}

export default function ConfirmOrderPage({ loaderData }: Route.ComponentProps) {
  const { number, state, own, confirmation } = loaderData
  return (
    <div className="wrap order-page">
      <OrderHead number={number} state={state} own={own} deliveryTime={loaderData.deliveryTime} />
      <div className="checkout-columns">
        <div className="stack">
          <TiresPanel own={own} />
        </div>
        <MoneyPanel own={own}>
          <a className="btn quiet wide" href={confirmation}>
            {state === 'needs-confirmation' ? 'See or cancel this order' : 'See this order'}
          </a>
        </MoneyPanel>
      </div>
    </div>
  )
}
