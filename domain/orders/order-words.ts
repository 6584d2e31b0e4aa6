/** How an order is spoken of, the same on pages, in mail and on paper. */
import type { OrderBooking, OrderView } from '#domain/orders/order-view.sql.server.ts'
import { dayText } from '#platform/day-text.ts'
import { storeZone } from '#platform/store-zone.ts'

export { dayText }

/** "Tue, Nov 24, 9:30 AM" on the shop's clock. */
export function timeText(instant: Temporal.Instant, timeZone: string): string {
  const local = instant.toZonedDateTimeISO(timeZone)
  return `${dayText(local.toPlainDate())}, ${local.toLocaleString('en-US', { hour: 'numeric', minute: '2-digit' })}`
}

/** The clock an order is told on: the shop's, or the store's own where nothing is installed. */
export function orderZone(order: Pick<OrderView, 'shop'>): string {
  return order.shop?.timeZone ?? storeZone
}

/** "2:18 PM CST" on that clock. */
export function clockText(instant: Temporal.Instant, timeZone: string): string {
  return instant.toZonedDateTimeISO(timeZone).toLocaleString('en-US', { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' })
}

/** The vehicle the tires are for, as it was judged or as the shopper wrote it; null when neither was said. */
export function vehicleText(order: Pick<OrderView, 'verdict' | 'vehicleNote'>): string | null {
  return order.verdict?.vehicleName ?? order.vehicleNote
}

const windowNames = { AM: 'morning', PM: 'afternoon', EVE: 'evening' } as const

/** "Tue, Nov 24, 9:30 AM, wait at the shop" or "Tue, Nov 24: leave the car in the morning, from 8:00 AM to 10:00 AM (code 20261124-AM)". */
export function bookingText(booking: Pick<OrderBooking, 'kind' | 'start' | 'end' | 'dropOffWindow' | 'dropOffCode'>, timeZone: string): string {
  const start = booking.start.toZonedDateTimeISO(timeZone)
  if (booking.dropOffWindow) {
    const end = booking.end.toZonedDateTimeISO(timeZone)
    const clock = (at: Temporal.ZonedDateTime) => at.toLocaleString('en-US', { hour: 'numeric', minute: '2-digit' })
    return `${dayText(start.toPlainDate())}: leave the car in the ${windowNames[booking.dropOffWindow]}, from ${clock(start)} to ${clock(end)} (code ${booking.dropOffCode ?? ''})`
  }
  return `${timeText(booking.start, timeZone)}, ${booking.kind === 'mobile' ? 'the van comes to you' : 'wait at the shop'}`
}

/** "to Halsted Tire", "to you": where the parcels go. */
export function destinationText(order: Pick<OrderView, 'fulfilment' | 'shipTo'>): string {
  return order.fulfilment === 'home' ? 'at your address' : `at ${order.shipTo.name}`
}

/** "Chicago, IL 60614" */
export function cityLine(place: { city: string; state: string; zip: string }): string {
  return `${place.city}, ${place.state} ${place.zip}`
}
