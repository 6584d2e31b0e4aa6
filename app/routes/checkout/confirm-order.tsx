import { orderIdOf, requireOwnOrder } from '#app/views/orders.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { paths } from '#content/paths.ts'
import type { Route } from './+types/confirm-order.ts'

/** The address of an order in older emails: redirects to its confirmation, with the same access rules. */
export async function loader({ context, params, url }: Route.LoaderArgs): Promise<Response> {
  const { order, key } = await requireOwnOrder(context, orderIdOf(params.orderId), url.searchParams)
  return seeOther(paths.orderConfirmation(order.id, key))
}
