/** An order as a row of a bulk action's preview. */
import { customerFieldsFor } from '#app/views/customer-fields.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { readOrder, type OrderView } from '#domain/ordering/orders/orders.server.ts'
import type { BulkRow, RowReader } from './act.server.ts'

/** Reads an order's row; undefined if it doesn't exist. `change` describes the effect on this order. */
export async function readOrderRow(
  { app, session }: RowReader,
  id: number,
  change: (order: OrderView) => Promise<Partial<BulkRow> & Pick<BulkRow, 'whyNot'>>,
): Promise<BulkRow | undefined> {
  const order = await readOrder(app.db, id)
  return (
    order && {
      id,
      label: orderNumber(id),
      path: officePaths.officeOrder(id),
      about: customerFieldsFor(session.roles).show(`${order.firstName} ${order.lastName}`),
      was: '',
      ...(await change(order)),
    }
  )
}
