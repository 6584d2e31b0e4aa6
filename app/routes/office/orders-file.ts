import { csvResponse } from '#app/server/csv.server.ts'
import { requireFresh, requireStaff } from '#app/server/office.server.ts'
import {
  filtersOf,
  orderFileRow,
  orderFileHeader,
  orderQueryOf,
  readOrdersAsked,
} from '#app/views/office-orders.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { exportOfficeOrders } from '#domain/orders/orders.server.ts'
import { parseOrderNumber } from '#domain/orders/orders.ts'
import { seeOther } from '#http/safe-redirect.ts'
import type { Route } from './+types/orders-file.ts'

/** In orders: as many as a page of the list has. */
const mostSelected = 50

/**
 * Answers with the orders that match the filters, or with the selected ones (`order`), as CSV. It holds customers'
 * names and addresses: the reader authenticates again if they have not recently, and the audit log says who exported
 * what.
 */
export async function loader({ context, url }: Route.LoaderArgs): Promise<Response> {
  const path = officePaths.officeOrdersFile() + url.search
  const staff = await requireStaff(context, 'orders.export', path)
  requireFresh(staff, path)
  const { shop, actor } = staff
  const asked = readOrdersAsked(url.searchParams)
  const selected = url.searchParams.getAll('order').slice(0, mostSelected).map(parseOrderNumber)
  const ids = selected.filter((id) => id !== undefined)
  const exported = await exportOfficeOrders(shop, actor, {
    query: await orderQueryOf(shop, asked),
    ids: selected.length > 0 ? ids : null,
    filters: filtersOf(asked),
  })
  if (!exported.ok) throw seeOther(officePaths.officeOrders())
  const now = shop.clock.now()
  return csvResponse(
    'orders',
    orderFileHeader,
    mapBatches(exported.value, (order) => orderFileRow(order, now)),
  )
}

async function* mapBatches<Item, Row>(
  batches: AsyncGenerator<Item[]>,
  row: (item: Item) => Row,
): AsyncGenerator<Row[]> {
  for await (const batch of batches) yield batch.map(row)
}
