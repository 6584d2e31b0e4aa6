/**
 * Offers times, holds them and manages appointments. Offers are calculated (`slots.ts`), and the database enforces
 * bookings. Live bookings can't overlap in a bay, even if the calculation is out of date.
 */
import type { InstallationQuote } from '#domain/scheduling/installers/installers.ts'
import { ok, type Outcome } from '#platform/outcome.ts'
import type { Installation, OfferedDay } from './booking.ts'
import { offerDays } from './slots.ts'
import { readShop, type BookingDeps, type ShopRefusal } from './bookable-shop.server.ts'

export { moveHold, type AppointmentRequirements } from './booking.sql.server.ts'
export {
  appointmentRequirements,
  cancelBooking,
  confirmHold,
  findAppointment,
  moveBooking,
  type NotKept,
} from './appointment-life.server.ts'
export type { BookingDeps, ChoiceRefusal, ShopRefusal, SlotTaken } from './bookable-shop.server.ts'
export {
  expireHolds,
  extendHold,
  findChosenTime,
  findHold,
  holdSlot,
  holdWithin,
  keepHold,
  releaseHold,
  type HoldRefusal,
} from './holds.server.ts'
export {
  cancelOwnJob,
  finishOwnJob,
  forgetOwnJobPeople,
  listOwnJobs,
  readCalendarVersion,
  readOwnJob,
  reopenOwnJob,
  saveOwnJob,
  type LiveOverlap,
  type OwnJob,
  type OwnJobRefusal,
} from './own-jobs.server.ts'
export { readCalendarVersions } from './calendar-versions.sql.server.ts'
export { setVanStop } from './van-stop.server.ts'
export { findReleaseNote, holdTires } from './held-tires.server.ts'
export { isLiveHold, lackOf } from './places.ts'
export { countAppointmentsAhead, type AppointmentsAhead } from './appointments-ahead.server.ts'
export { changeBay } from './change-bay.server.ts'
export { countBays, listBays, replaceBays, type BayPlace } from './bays.server.ts'
export { createCalendars, earliestTimes, type Calendars } from './calendars.server.ts'
export { bookingIdsOf, claimCodeOf, endBooking, findBooking, isClaimCode } from './end-booking.server.ts'
export { endedBookingRows, orderOfBooking } from './ended-bookings.sql.server.ts'
export { findBookingNews, listCanceled, type BookingNews } from './booking-news.server.ts'
export { shortenBooking } from './shorten-booking.server.ts'
export {
  listCapacity,
  listHurtBookings,
  lockAllBays,
  noteConflicts,
  setBayDays,
  setBayDaysAsBefore,
  type CapacityPlan,
  type HurtBooking,
} from './capacity.server.ts'
export { calendarFile, calendarLinks, calendarType, type Appointment } from './calendar.ts'
export { feedFile, shopEventFile } from './feed-file.ts'

/**
 * Returns today and the next 30 days at one shop for these tires, with the price and duration of the work. One
 * statement.
 */
export async function offerTimes(
  deps: BookingDeps,
  input: Installation & { shopId: number },
): Promise<Outcome<{ timeZone: string; quote: InstallationQuote; days: OfferedDay[] }, ShopRefusal>> {
  const ready = await readShop(deps, input)
  if (!ready.ok) return ready
  const { shop, ask, quote } = ready.value
  return ok({ timeZone: shop.timeZone, quote, days: offerDays(shop, ask) })
}
