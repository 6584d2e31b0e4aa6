/** Order wording shared by pages, mail and printouts. */
import { chargedTo } from '#domain/orders/charge-words.ts'
import type { Booking, Choice } from '#domain/booking/booking.ts'
import type { OrderBooking, OrderView } from '#domain/orders/order-view.sql.server.ts'
import { dayText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { clockRangeText, clockText, timeText } from '#platform/time-text.ts'

export { clockText, dayText, timeText }

/** The vehicle the tires are for, as judged or as the shopper described it; null if unknown. */
export function vehicleText(order: Pick<OrderView, 'verdict' | 'vehicleNote'>): string | null {
  return order.verdict?.vehicleName ?? order.vehicleNote
}

const windowNames = { AM: 'morning', PM: 'afternoon', EVE: 'evening' } as const

/**
 * "Tue, Nov 24, 9:30 AM CST, wait at the shop" or "Tue, Nov 24: leave the car in the morning, from 8:00 AM to 10:00 AM
 * CST (code 20261124-AM)".
 */
export function bookingText(
  booking: Pick<OrderBooking, 'kind' | 'start' | 'end' | 'dropOffWindow' | 'dropOffCode'>,
  timeZone: string,
): string {
  if (booking.dropOffWindow) {
    const when = clockRangeText(booking.start, booking.end, timeZone)
    return `${dayText(booking.start.toZonedDateTimeISO(timeZone))}: leave the car in the ${windowNames[booking.dropOffWindow]}, from ${when} (code ${booking.dropOffCode ?? ''})`
  }
  return `${timeText(booking.start, timeZone)}, ${booking.kind === 'mobile' ? 'the van comes to you' : 'wait at the shop'}`
}

/** "Tue, Nov 24, 9:30 AM CST" or "Tue, Nov 24, leave the car in the morning": a time as it is offered. */
export function choiceText(choice: Choice, timeZone: string): string {
  return 'start' in choice
    ? timeText(choice.start, timeZone)
    : `${dayText(choice.date)}, leave the car in the ${windowNames[choice.window]}`
}

/** The held time, worded as `bookingText` will word the appointment. */
export function holdText({
  kind,
  start,
  end,
  dropOff,
  timeZone,
}: Pick<Booking, 'kind' | 'start' | 'end' | 'dropOff' | 'timeZone'>): string {
  return bookingText(
    { kind, start, end, dropOffWindow: dropOff?.window ?? null, dropOffCode: dropOff?.code ?? null },
    timeZone,
  )
}

/** What becomes of the money of an order that was canceled after its charge. */
export function refundSentence(payment: NonNullable<OrderView['payment']>): string {
  const { capturedCents, refundedCents } = payment
  const charged = `${formatCents(capturedCents)} charged to ${chargedTo(payment)}`
  return refundedCents >= capturedCents
    ? `The ${charged} were refunded.`
    : `The ${charged} are being refunded. Most banks show a refund within 5 to 10 business days.`
}

/** "to Halsted Tire", "to you": the parcels' destination. */
export function destinationText(order: Pick<OrderView, 'fulfillment' | 'shipTo'>): string {
  return order.fulfillment === 'home' ? 'at your address' : `at ${order.shipTo.name}`
}

/** "Chicago, IL 60614" */
export function cityLine(place: { city: string; state: string; zip: string }): string {
  return `${place.city}, ${place.state} ${place.zip}`
}
