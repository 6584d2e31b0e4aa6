/** Order wording shared by pages, mail and printouts. */
import { chargedTo } from '#domain/payments/charge-words/charge-words.ts'
import type { Booking } from '#domain/scheduling/booking/booking.ts'
import type { OrderBooking, OrderView } from './order-view.sql.server.ts'
import { keptUntil, pickupProof, weekText } from '#domain/supply/pickup-places/pickup-places.ts'
import { dayText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { clockOf, clockRangeText, clockText, timeText } from '#platform/time-text.ts'
import { countOf } from '#platform/count-text.ts'

export { clockText, dayText, timeText }

/** The vehicle the tires are for, as judged or as the shopper described it; null if unknown. */
export function vehicleText(order: Pick<OrderView, 'verdict' | 'vehicleNote'>): string | null {
  return order.verdict?.vehicleName ?? order.vehicleNote
}

/** "Tire rotation", or "Sensor service, 4" with several units; null for an order of tires. */
export function serviceText({ lines }: Pick<OrderView, 'lines'>): string | null {
  const line = lines.find(({ service }) => service !== null)
  if (!line) return null
  return line.quantity === 1 ? line.description : `${line.description}, ${line.quantity}`
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

/** Returns the refund text for an order canceled after its charge. */
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

/** Returns the pickup location of an order's tires, with opening hours, pickup deadline and what to bring. */
export function pickupLines(
  order: Pick<OrderView, 'pickup' | 'warehousePickup' | 'shipTo' | 'timeZone' | 'shipments' | 'placedAt'>,
  code: string | null = null,
): string[] {
  const { pickup, warehousePickup, shipTo, timeZone } = order
  if (warehousePickup) return counterLines(order, warehousePickup, code)
  if (!pickup) return []
  const hours = weekText(pickup.week)
  const kept = pickup.heldSince
    ? `Kept for you until ${dayText(keptUntil(pickup.heldSince.toZonedDateTimeISO(timeZone).toPlainDate(), pickup.holdsDays))}.`
    : `Kept for you for ${countOf(pickup.holdsDays, 'day')} from their arrival.`
  return [
    `${shipTo.name}, ${shipTo.street}, ${cityLine(shipTo)}`,
    ...(hours ? [`Open ${hours} (${zoneOf(order)})`] : []),
    `${kept} Bring ${pickupProof}.`,
  ]
}

function counterLines(
  order: Pick<OrderView, 'shipTo' | 'timeZone' | 'shipments' | 'placedAt'>,
  { week, note, readyBy, readyAt, keepUntil, handedOverAt }: NonNullable<OrderView['warehousePickup']>,
  code: string | null,
): string[] {
  const { shipTo, timeZone, shipments } = order
  const where = [`${shipTo.name}, ${shipTo.street}, ${cityLine(shipTo)}`, `Open ${weekText(week)} (${zoneOf(order)})`]
  if (handedOverAt) return [...where, `Picked up ${timeText(handedOverAt, timeZone)}.`]
  if (note) where.push(note)
  if (readyAt && keepUntil)
    return [
      ...where,
      `Ready now. Kept for you until ${dayText(Temporal.PlainDate.from(keepUntil))}. Bring ${pickupProof}${code ? ' and your pickup code' : ''}.`,
      ...(code ? [`Your pickup code is ${pickupCodeText(code)}.`] : []),
    ]
  const promised = shipments[0]?.promisedOn
  const by = readyBy ? timeText(readyBy, timeZone) : promised ? dayText(Temporal.PlainDate.from(promised)) : ''
  return [...where, `Ready by ${by}. We email you a pickup code when it is.`]
}

/** What the clock there is called on the day the tires arrive. */
function zoneOf({ timeZone, shipments, placedAt }: Pick<OrderView, 'timeZone' | 'shipments' | 'placedAt'>): string {
  const promised = shipments[0]?.promisedOn
  const day = promised ? Temporal.PlainDate.from(promised) : placedAt.toZonedDateTimeISO(timeZone).toPlainDate()
  return clockOf(timeZone, day).zone
}

/** "482 913" */
export function pickupCodeText(code: string): string {
  return `${code.slice(0, 3)} ${code.slice(3)}`
}

/** "Chicago, IL 60614" */
export function cityLine(place: { city: string; state: string; zip: string }): string {
  return `${place.city}, ${place.state} ${place.zip}`
}
