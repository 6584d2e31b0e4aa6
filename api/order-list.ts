/** An order in the list of an account or a company. */
import { z } from 'zod'
import { cents, day, instant } from '#api/schemas.ts'
import { orderNumber } from '#domain/orders/orders.ts'
import type { OrderInList } from '#domain/orders/orders.server.ts'

export const orderState = z.enum(['needs-confirmation', 'confirmed', 'cancelled', 'returned'])
export const shipmentState = z.enum(['processed', 'pending-pickup', 'in-transit', 'delivered', 'cancelled', 'returned'])

export const orderInList = z.strictObject({
  orderId: z.int(),
  orderNumber: z.string(),
  state: orderState,
  placedAt: instant,
  cancelUntil: instant,
  totalCents: cents,
  tires: z.array(z.string()),
  shipments: z.array(z.strictObject({ state: shipmentState, promisedOn: day })),
  shop: z.strictObject({ name: z.string(), timeZone: z.string() }).nullable(),
  appointment: z.strictObject({ start: instant, state: z.string() }).nullable(),
})

export function orderInListView(order: OrderInList): z.input<typeof orderInList> {
  return {
    orderId: order.id,
    orderNumber: orderNumber(order.id),
    state: order.state,
    placedAt: order.placedAt.toString(),
    cancelUntil: order.cancelUntil.toString(),
    totalCents: order.totalCents,
    tires: order.tires,
    shipments: order.shipments,
    shop: order.shop,
    appointment: order.booking && { start: order.booking.start.toString(), state: order.booking.state },
  }
}
