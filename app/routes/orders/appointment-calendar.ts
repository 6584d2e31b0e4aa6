import { applicationContext } from '#app/server/context.ts'
import { openAppointment } from '#app/views/appointments.server.ts'
import { calendarFile } from '#domain/scheduling/booking/booking.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { orderAppointment } from '#domain/ordering/orders/orders.server.ts'
import type { Route } from './+types/appointment-calendar.ts'

/** The appointment of a link as an iCalendar file. */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const app = context.get(applicationContext)
  const opened = await openAppointment(app, params.token)
  const appointment = opened && orderAppointment(app, opened.order)
  if (!appointment) throw new Response(null, { status: 404 })
  return new Response(calendarFile({ ...appointment, now: app.clock.now() }), {
    headers: {
      'Content-Type': 'text/calendar; charset=utf-8',
      'Content-Disposition': `attachment; filename="installation-${orderNumber(opened.order.id)}.ics"`,
    },
  })
}
