import { orderIdOf, requireOwnOrder } from '#app/views/orders.server.ts'
import { calendarFile } from '#domain/scheduling/booking/booking.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { orderAppointment } from '#domain/ordering/orders/orders.server.ts'
import type { Route } from './+types/calendar.ts'

/** Returns an order's appointment as an iCalendar file. Responds with 404 if there's no appointment. */
export async function loader({ context, url }: Route.LoaderArgs): Promise<Response> {
  const { app, order } = await requireOwnOrder(context, orderIdOf(url.searchParams.get('order')), url.searchParams)
  const appointment = orderAppointment(app, order)
  if (!appointment) throw new Response('This order has no appointment.', { status: 404 })
  return new Response(calendarFile({ ...appointment, now: app.clock.now() }), {
    headers: {
      'Content-Type': 'text/calendar; charset=utf-8',
      'Content-Disposition': `attachment; filename="installation-${orderNumber(order.id)}.ics"`,
    },
  })
}
