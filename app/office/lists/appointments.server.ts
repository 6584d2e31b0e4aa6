/** The appointments of all shops. Upcoming ones are sorted by start time, and the others are newest first. */
import { appointmentRecord } from '#app/office/records/shops.server.ts'
import { readAppointmentPreview } from '#app/office/previews/appointment.server.ts'
import { defineList, fileTime } from '#app/office/define-list.server.ts'
import { placeText, readPlace } from '#app/office/list-place.ts'
import { instantsOf } from '#app/views/office/times.ts'
import { officePaths } from '#content/office-paths.ts'
import { findOfficeShops } from '#domain/scheduling/installers/installers.server.ts'
import { listOfficeAppointments, type OfficeAppointment } from '#domain/ordering/orders/orders.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { isId } from '#platform/ids.ts'
import { dayText } from '#platform/day-text.ts'
import { storeDay } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'

export const appointments = defineList({
  name: 'appointments',
  title: 'Appointments',
  path: officePaths.officeAppointments(),
  permission: 'orders.read',
  caption: 'Appointments at all shops',
  nouns: ['appointment', 'appointments'],
  view: {
    name: 'state',
    label: 'State',
    tabs: [
      ['', 'Ahead'],
      ['done', 'Done'],
      ['no-show', 'No-show'],
    ],
  },
  filters: [
    { kind: 'days', label: 'Day' },
    { kind: 'text', name: 'shop', label: 'Shop', max: 100 },
  ],
  columns: [
    { key: 'start', label: 'Time', isFixed: true },
    { key: 'zone', label: 'Time zone', isFileOnly: true },
    { key: 'order', label: 'Order' },
    { key: 'customer', label: 'Customer', isFixed: true, revealedBy: 'customers.read' },
    { key: 'shop', label: 'Shop' },
    { key: 'tires', label: 'Tires' },
    { key: 'state', label: 'Tires at shop' },
  ],
  record: appointmentRecord,
  preview: readAppointmentPreview,
  read: async ({ app, customers, now }, { filters, after, before, limit }) => {
    const { from = '', to = '', shop: shopName } = filters
    const view = filters['state'] === 'done' || filters['state'] === 'no-show' ? filters['state'] : 'ahead'
    const days = instantsOf({ from, to })
    const today = instantsOf({ from: storeDay(now).toString(), to: '' }).from
    const place = readPlace(after ?? before)
    const { appointments: found, next } = await listOfficeAppointments(
      app,
      {
        view,
        from: days.from ?? (view === 'ahead' ? today : null),
        until: days.until,
        shopIds: shopName === undefined ? null : (await findOfficeShops(app, shopName, 50)).map(({ id }) => id),
      },
      { after: place && isId(place.id) ? place : null, limit },
    )
    return {
      rows: found.map((one) => ({
        id: one.id,
        label: `${orderNumber(one.orderId)}, ${timeText(one.start, one.timeZone)}`,
        path: officePaths.officeOrder(one.orderId),
        cells: {
          start: { text: timeText(one.start, one.timeZone), file: fileTime(one.start, one.timeZone) },
          zone: one.timeZone,
          order: orderNumber(one.orderId),
          customer: one.company ?? customers.show(one.customer),
          shop: { text: one.shop, note: one.city, path: officePaths.officeShop(one.shopCode) },
          tires: one.tires.join(', '),
          state: tiresOf(one, storeDay(now)),
        },
      })),
      next: next && placeText(next.at, next.id),
    }
  },
})

/** Returns the arrival status of the tires and highlights late ones. */
function tiresOf({ parcelsUnderway, arrivesOn, start, timeZone }: OfficeAppointment, today: Temporal.PlainDate) {
  if (parcelsUnderway === 0 || arrivesOn === null) return { text: 'At shop', tone: 'go' } as const
  const day = Temporal.PlainDate.from(arrivesOn)
  const isLate =
    Temporal.PlainDate.compare(day, today) < 0 ||
    Temporal.PlainDate.compare(day, start.toZonedDateTimeISO(timeZone).toPlainDate()) > 0
  return {
    text: isLate ? `Late, due ${dayText(day)}` : `Arrive ${dayText(day)}`,
    tone: isLate ? ('stop' as const) : ('plain' as const),
  }
}
