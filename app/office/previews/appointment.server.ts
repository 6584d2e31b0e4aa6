/** The preview of an appointment, with time, place, customer, vehicle, and whether the tires will arrive in time. */
import { officePaths } from '#content/office-paths.ts'
import { findBooking } from '#domain/scheduling/booking/booking.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { timeText } from '#domain/ordering/orders/orders.ts'
import { readOrder } from '#domain/ordering/orders/orders.server.ts'
import { isId } from '#platform/ids.ts'
import { phoneText } from '#platform/phone-text.ts'
import type { ListReader } from '../define-list.server.ts'
import type { ListPreview } from '../list.ts'
import { readOrderPreview } from './order.server.ts'

/** Reads an appointment's preview; undefined for an unknown one. The customer is shown to roles that see customers. */
export async function readAppointmentPreview(reader: ListReader, id: string): Promise<ListPreview | undefined> {
  const { app, customers } = reader
  const booking = isId(id) ? await findBooking(app.db, id) : undefined
  const orderId = booking?.orderId ?? null
  if (!booking || orderId === null) return undefined
  const [order, ofOrder] = [await readOrder(app.db, orderId), await readOrderPreview(reader, orderId)]
  if (!order || !ofOrder) return undefined
  const isShown = (title: string) => ofOrder.sections.filter((section) => section.title === title)
  return {
    ...ofOrder,
    id,
    title: timeText(booking.start, booking.timeZone),
    note: [orderNumber(orderId), order.shop?.name].filter(Boolean).join(' · '),
    clock: null,
    path: officePaths.officeOrder(orderId),
    sections: [
      ...isShown('Tires'),
      ...isShown('Appointment'),
      {
        title: 'Customer',
        facts: [
          ['Name', customers.show(`${order.firstName} ${order.lastName}`)],
          ['Phone', customers.show(phoneText(order.phone))],
          ...(order.company === null ? [] : [['Company', order.company] as const]),
        ],
      },
      ...(order.shop
        ? [
            {
              title: 'Shop',
              lines: [`${order.shop.street}, ${order.shop.city}, ${order.shop.state} ${order.shop.zip}`],
              facts: [['Phone', phoneText(order.shop.phone)] as const],
            },
          ]
        : []),
    ],
  }
}
