/** An order's position in the list its reader came from, with the link back, and the previous and next orders. */
import { listAddress, readListAsk, viewText } from '#app/office/list-address.ts'
import { orders } from '#app/office/lists/orders.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { findNeighbors, type OrderView } from '#domain/ordering/orders/orders.server.ts'
import { officeTabNames, officeTabs } from '#domain/ordering/orders/orders.ts'
import type { Application } from '#application'
import { orderQueryOf } from './orders.server.ts'

/** In characters; the query of a list is far shorter. */
const longestView = 1_000

/**
 * Reads an order's position in a list. `view` is the query string of the list's URL; null or an invalid value means the
 * list of all orders.
 */
export async function readPlace(
  app: Application,
  { id, placedAt }: Pick<OrderView, 'id' | 'placedAt'>,
  view: string | null,
  { byCustomer }: { byCustomer: boolean },
) {
  const ask = readListAsk(orders, new URLSearchParams((view ?? '').slice(0, longestView)))
  const { newer, older } = await findNeighbors(app, await orderQueryOf(app, ask.filters, { byCustomer }), {
    id,
    placedAt,
  })
  const query = viewText(ask)
  const tab = officeTabs.find((each) => each === ask.filters['state']) ?? 'all'
  const pathOf = (orderId: number | null) =>
    orderId === null ? null : officePaths.officeOrder(orderId, { view: query || undefined })
  return {
    crumbs: [
      { label: 'Orders', path: officePaths.officeOrders() },
      ...(query === '' ? [] : [{ label: officeTabNames[tab], path: listAddress(orders, ask) }]),
    ],
    neighbors: { newer: pathOf(newer), older: pathOf(older) },
  }
}
