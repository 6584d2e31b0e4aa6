/**
 * An order's installation status, and when another time can be picked. Pages, API and emails all use this module, so
 * that they agree on the appointment. Safe in the browser.
 */
import { appointmentMessages } from '#content/messages/appointments.ts'
import type { BookingState } from '#domain/scheduling/booking/booking.ts'
import { bookingText, dayText } from './order-labels.ts'
import type { OrderBooking, OrderView } from './order-view.sql.server.ts'
import type { BusinessTerms } from '#domain/kernel/settings/settings.ts'
import { countOf } from '#platform/count-text.ts'
import type { OrderState } from './orders.ts'

/**
 * `none`: no installation, or it was canceled. `booked`: a time is agreed. `unbooked`: the time was released, and the
 * shopper can pick another one. `missed`: the shop reported a no-show. `done`: installed.
 */
export const installationStates = ['none', 'booked', 'unbooked', 'missed', 'done'] as const
export type InstallationState = (typeof installationStates)[number]

/** The order facts that determine its installation status. */
export type InstallationFacts = { state: OrderState; shop: unknown; booking: { state: BookingState } | null }

/** Returns an order's installation status. */
export function installationState({ state, shop, booking }: InstallationFacts): InstallationState {
  if (!shop || !booking) return 'none'
  const isOver = state === 'canceled' || state === 'returned'
  switch (booking.state) {
    case 'done':
      return 'done'
    case 'no-show':
      return isOver ? 'none' : 'missed'
    case 'confirmed':
      return isOver ? 'none' : 'booked'
    case 'canceled':
    case 'expired':
      return isOver ? 'none' : 'unbooked'
    case 'held':
      return 'none'
  }
}

/** Text for a released time, used on every surface. */
export const noTimeBooked = 'No time is booked.'

/**
 * Returns a time such as "Tue, Nov 24, 9:30 AM CST, wait at the shop", or the reason it is missing. Empty for `none`.
 */
export function installationTimeText(
  order: InstallationFacts & {
    booking: Pick<OrderBooking, 'kind' | 'state' | 'start' | 'end' | 'dropOffWindow' | 'dropOffCode'> | null
  },
  timeZone: string,
): string {
  const state = installationState(order)
  if (!order.booking || state === 'none') return ''
  if (state === 'unbooked') return noTimeBooked
  return state === 'missed' ? `Missed: ${bookingText(order.booking, timeZone)}` : bookingText(order.booking, timeZone)
}

type Parcels = Pick<OrderView, 'shipments'>['shipments']

/**
 * Returns the day all tires are at the shop, from the delivery, the carrier's estimate or the promise, in that order.
 * Undefined if unknown.
 */
export function tiresThereOn(shipments: Parcels, today: Temporal.PlainDate): Temporal.PlainDate | undefined {
  const days: Temporal.PlainDate[] = []
  for (const { state, promisedOn, expectedOn } of shipments) {
    if (state === 'canceled') continue
    const promised = Temporal.PlainDate.from(promisedOn)
    const expected = expectedOn === null ? null : Temporal.PlainDate.from(expectedOn)
    const day = expected && Temporal.PlainDate.compare(expected, promised) > 0 ? expected : promised
    // Late, and no new day is known.
    if (state !== 'delivered' && Temporal.PlainDate.compare(day, today) < 0) return undefined
    days.push(state === 'delivered' && Temporal.PlainDate.compare(promised, today) > 0 ? today : day)
  }
  return days.toSorted((one, other) => Temporal.PlainDate.compare(one, other)).at(-1)
}

/** Returns when the last tires were delivered; undefined until all of them were. */
export function tiresDeliveredAt(shipments: Parcels): Temporal.Instant | undefined {
  const times = shipments.filter(({ state }) => state !== 'canceled').map(({ deliveredAt }) => deliveredAt)
  return times.some((at) => at === null)
    ? undefined
    : times
        .flatMap((at) => at ?? [])
        .toSorted(Temporal.Instant.compare)
        .at(-1)
}

/**
 * Whether times can be picked. The state is `open`, `later` if the tires arrive after the last bookable day (with the
 * first day on which a later time can be picked), or `unknown` while late tires have no new day.
 */
export type TimesOpening =
  | { kind: 'open' }
  | { kind: 'later'; arrivesOn: Temporal.PlainDate; opensOn: Temporal.PlainDate; bookableDays: number }
  | { kind: 'unknown' }

/** The moment at which times are picked. `terms` are the store's terms at `now`. */
export type PickMoment = { now: Temporal.Instant; terms: Pick<BusinessTerms, 'bookable-days'> }

/** Returns whether times at the order's shop can be picked at a moment. */
export function timesOpening(
  order: Pick<OrderView, 'shipments' | 'timeZone' | 'isService'>,
  { now, terms }: PickMoment,
): TimesOpening {
  if (order.isService) return { kind: 'open' }
  const bookableDays = terms['bookable-days']
  const today = now.toZonedDateTimeISO(order.timeZone).toPlainDate()
  const arrivesOn = tiresThereOn(order.shipments, today)
  if (!arrivesOn) return { kind: 'unknown' }
  // The shop needs the tires at least a day ahead.
  const opensOn = arrivesOn.subtract({ days: bookableDays - 1 })
  return Temporal.PlainDate.compare(opensOn, today) > 0
    ? { kind: 'later', arrivesOn, opensOn, bookableDays }
    : { kind: 'open' }
}

/** Why no time can be picked yet, in a sentence for the customer; empty where times are open. */
export function timesOpeningText(opening: TimesOpening, shopName: string): string {
  if (opening.kind === 'open') return ''
  if (opening.kind === 'unknown') return appointmentMessages['no-day']
  return `Your tires are expected on ${dayText(opening.arrivesOn)}. ${shopName} takes appointments up to ${countOf(opening.bookableDays, 'day')} ahead, so you can pick a time starting ${dayText(opening.opensOn)}.`
}
