/** Bay allocation, which finds slots to try for an available time, and whether a booking still has one. */
import type { Booking } from './booking.ts'
import type { AppointmentRequirements, Place } from './booking.sql.server.ts'
import type { BookableShop } from './shop-calendar.sql.server.ts'
import { capacityOn, type FreePlace } from './slots.ts'

/** Bays to try in order, with where a van comes, because another cart may have taken any of them since they were read. */
export function placesOf(
  shop: BookableShop,
  { bayIds, start, end, dropOff }: FreePlace,
  zip: string | null | undefined,
): Place[] {
  const stopZip = shop.kind === 'van' ? (zip ?? null) : null
  const kind = dropOff ? 'drop-off' : shop.kind === 'van' ? 'mobile' : 'wait'
  return bayIds.map((bayId) => ({ shopId: shop.id, bayId, kind, start, end, dropOff, stopZip }))
}

/** Whether a hold has not expired at `now`. */
export function isLiveHold(booking: Booking, now: Temporal.Instant): boolean {
  return (
    booking.state === 'held' &&
    booking.holdExpiresAt !== null &&
    Temporal.Instant.compare(booking.holdExpiresAt, now) > 0
  )
}

/** Whether a booking is at this place and time of a shop already; of a van, also whether it comes to the same ZIP. */
export function isSamePlace(
  booking: Booking,
  shop: BookableShop,
  place: FreePlace & { zip: string | undefined },
): boolean {
  return (
    booking.shopId === shop.id &&
    booking.start.equals(place.start) &&
    booking.end.equals(place.end) &&
    booking.dropOff?.code === place.dropOff?.code &&
    (shop.kind !== 'van' || booking.stopZip === (place.zip ?? null))
  )
}

/** What a booking at `start` takes over from the shop's capacity of that day. */
export function termsOf(shop: BookableShop, start: Temporal.Instant): Pick<Booking, 'timeZone' | 'noticeMinutes'> {
  const { timeZone } = shop
  const { noticeMinutes } = capacityOn(shop, start.toZonedDateTimeISO(timeZone).toPlainDate())
  return { timeZone, noticeMinutes }
}

/**
 * Why a time does not give an order what it requires; undefined if it does. A car that is dropped off has its whole
 * window, however long the work takes.
 */
export function lackOf(
  booking: Booking,
  { shopId, minutes, readyAt }: AppointmentRequirements,
): 'no-hold' | 'too-soon' | 'too-short' | undefined {
  if (booking.shopId !== shopId) return 'no-hold'
  if (Temporal.Instant.compare(booking.start, readyAt) < 0) return 'too-soon'
  return booking.dropOff === null && booking.end.since(booking.start).total('minutes') < minutes
    ? 'too-short'
    : undefined
}
