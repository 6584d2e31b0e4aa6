import { csvResponse, inOneBatch } from '#app/server/csv.server.ts'
import { found } from '#app/office/decision.server.ts'
import { dollars } from '#app/office/define-list.server.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { findStockOrder } from '#domain/supply/stock/stock.server.ts'
import { stockOrderNumber } from '#domain/supply/stock/stock.ts'
import type { Route } from './+types/stock-order-file.ts'

const columns = [
  'order',
  'account',
  'ship to',
  'street',
  'city',
  'state',
  'zip',
  'needed by',
  'sku',
  'description',
  'quantity',
  'unit cost in dollars',
  'note',
]

/** Returns a stock order as a CSV file for its supplier, with a row for each tire. */
export async function loader({ context, params: { id } }: Route.LoaderArgs): Promise<Response> {
  const { app } = await requireStaff(context, 'suppliers.read', officePaths.officeStockOrderFile(id))
  const { order, lines } = found(await findStockOrder(app, /^[1-9]\d{0,14}$/.test(id) ? Number(id) : 0))
  const { name, street, city, state, zip } = order.warehouse
  const number = stockOrderNumber(order.id)
  const head = [number, order.supplier.accountNumber, name, street, city, state, zip, order.expectedOn]
  const rows = lines.map(({ sku, name: tire, quantity, unitCostCents }) => [
    ...head,
    sku,
    tire,
    quantity,
    dollars(unitCostCents),
    order.note,
  ])
  return csvResponse(number, columns, inOneBatch(rows))
}
