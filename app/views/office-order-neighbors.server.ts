/** Where an order stands in the list that its reader came from: the way back, and the orders before and after it. */
import { officePaths } from '#content/office-paths.ts'
import { findNeighbors, type OrderView } from '#domain/orders/orders.server.ts'
import { officeTabNames } from '#domain/orders/orders.ts'
import type { Shop } from '#shop'
import { filtersOf, orderQueryOf, readOrdersAsked } from './office-orders.server.ts'

/** In characters; the query of a list is far shorter. */
const longestView = 1_000

/**
 * Reads the place of an order in a list. `view` is the query of the list's address; null, or anything else, is the list of
 * all orders.
 */
export async function readPlace(shop: Shop, { id, placedAt }: Pick<OrderView, 'id' | 'placedAt'>, view: string | null) {
  const asked = readOrdersAsked(new URLSearchParams((view ?? '').slice(0, longestView)))
  const { newer, older } = await findNeighbors(shop, await orderQueryOf(shop, asked), { id, placedAt })
  const filters = filtersOf(asked)
  const query = new URLSearchParams(
    Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  ).toString()
  const pathOf = (orderId: number | null) =>
    orderId === null ? null : officePaths.officeOrder(orderId, { view: query || undefined })
  return {
    crumbs: [
      { label: 'Orders', path: officePaths.officeOrders() },
      ...(query === '' ? [] : [{ label: officeTabNames[asked.tab], path: officePaths.officeOrders(filters) }]),
    ],
    neighbors: { newer: pathOf(newer), older: pathOf(older) },
  }
}
