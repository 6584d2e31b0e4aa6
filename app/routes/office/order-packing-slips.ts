import { found } from '#app/office/decision.server.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { pdfAnswer } from '#app/server/pdf-answer.ts'
import { readSlips } from '#app/views/office-parcel.server.ts'
import { orderIdOf } from '#app/views/orders.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { readOrder } from '#domain/ordering/orders/orders.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import type { Route } from './+types/order-packing-slips.ts'

/** Returns the packing slips of an order's packages as one PDF. */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const orderId = orderIdOf(params.orderId)
  const { app, session } = await requireStaff(context, 'parcels.read', officePaths.officeOrder(orderId))
  const order = found(await readOrder(app.db, orderId))
  const slips = found(await readSlips(app, order, session.roles))
  return pdfAnswer(await app.packingSlipsPdf(slips), `Packing_Slips_${orderNumber(order.id)}`)
}
