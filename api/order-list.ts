/** An order in an account's or a company's list. */
import { z } from 'zod'
import { cents, day, instant } from '#api/schemas.ts'
import { dropOffWindow } from '#api/times.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { installationState, installationStates } from '#domain/ordering/orders/orders.ts'
import type { OrderInList } from '#domain/ordering/orders/orders.server.ts'

export const orderState = z.enum(['needs-confirmation', 'confirmed', 'canceled', 'returned'])
export const shipmentState = z.enum(['processed', 'pending-pickup', 'in-transit', 'delivered', 'canceled', 'returned'])

export const orderTimeZone = z.string().meta({
  description: 'IANA time zone for the order’s times. The shop’s time zone, or the time zone of the ship-to ZIP',
})

export const installation = z.enum(installationStates).meta({
  description:
    '`none`: nothing is to be installed, or no longer. `booked`: `appointment` is agreed. `unbooked`: its time was released, and another one can be picked. `missed`: the shop reported a no-show. `done`',
})

/** The installation's time and kind. `installation` is the status of that appointment. */
export const appointment = z.strictObject({
  kind: z.enum(['wait', 'drop-off', 'mobile']),
  state: z.string(),
  start: instant,
  end: instant,
  window: dropOffWindow.nullable(),
  code: z.string().nullable(),
})

export function appointmentView(booking: NonNullable<OrderInList['booking']>): z.input<typeof appointment> {
  return {
    kind: booking.kind,
    state: booking.state,
    start: booking.start.toString(),
    end: booking.end.toString(),
    window: booking.dropOffWindow,
    code: booking.dropOffCode,
  }
}

/** Returns the order's installation status, with the time for callers who can read it. */
export function appointmentFields(
  order: Pick<OrderInList, 'state' | 'shop' | 'booking'>,
  isOwn: boolean,
): { installation: z.input<typeof installation>; appointment: z.input<typeof appointment> | null } {
  const { booking } = order
  return { installation: installationState(order), appointment: isOwn && booking ? appointmentView(booking) : null }
}

export const orderInList = z.strictObject({
  orderId: z.int(),
  orderNumber: z.string(),
  state: orderState,
  placedAt: instant,
  cancelUntil: instant,
  timeZone: orderTimeZone,
  totalCents: cents,
  tires: z.array(z.string()),
  shipments: z.array(z.strictObject({ state: shipmentState, promisedOn: day })),
  shop: z.strictObject({ name: z.string(), timeZone: z.string() }).nullable(),
  installation,
  appointment: appointment.nullable(),
})

export function orderInListView(order: OrderInList): z.input<typeof orderInList> {
  return {
    orderId: order.id,
    orderNumber: orderNumber(order.id),
    state: order.state,
    placedAt: order.placedAt.toString(),
    cancelUntil: order.cancelUntil.toString(),
    timeZone: order.timeZone,
    totalCents: order.totalCents,
    tires: order.tires,
    shipments: order.shipments,
    shop: order.shop && { ...order.shop, timeZone: order.timeZone },
    ...appointmentFields(order, true),
  }
}
