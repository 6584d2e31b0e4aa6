/** Appointments: their words, limits and what may be done when. Safe in the browser. */
import type { TireSpec } from '#domain/installers/installers.ts'
import { BOOKABLE_DAYS_AHEAD, EVENING_DROP_OFF_FROM_HOUR } from '#platform/business-constants.ts'
import { clockFields } from '#platform/time-text.ts'

/** `held` while the shopper checks out, `confirmed` with the order; the rest are ends. */
export type BookingState = 'held' | 'confirmed' | 'done' | 'no-show' | 'canceled' | 'expired'
/** Wait at the shop, leave the car, or have a van come. */
export type BookingKind = 'wait' | 'drop-off' | 'mobile'
export const dropOffWindowNames = ['AM', 'PM', 'EVE'] as const
export type DropOffWindow = (typeof dropOffWindowNames)[number]
/** What is to be installed, and the day by the end of which all of it is delivered to the shop. */
export type Installation = { tires: readonly TireSpec[]; arrivesOn: Temporal.PlainDate }
/** Who did it, for the record: 'customer', 'system', 'shop', 'staff:dana'. */
export type Actor = string

export type Booking = {
  id: string
  shopId: number
  bayId: number
  kind: BookingKind
  /** For a drop-off the window in which the car is brought, otherwise the time the bay is taken. */
  start: Temporal.Instant
  end: Temporal.Instant
  timeZone: string
  dropOff: { window: DropOffWindow; code: string } | null
  state: BookingState
  holdExpiresAt: Temporal.Instant | null
  holdExtensions: number
  cartId: string | null
  orderId: number | null
  /** How often it was moved or canceled after it was confirmed; calendars call it SEQUENCE. */
  changes: number
}

/** What may follow what. `confirmed` follows itself when an appointment is moved. */
export const bookingTransitions: Readonly<Record<BookingState, readonly BookingState[]>> = {
  held: ['confirmed', 'canceled', 'expired'],
  confirmed: ['confirmed', 'done', 'no-show', 'canceled'],
  done: [],
  'no-show': [],
  canceled: [],
  expired: [],
}

/** The specification's limit. */
export const bookableDaysAhead = BOOKABLE_DAYS_AHEAD
/** A shop is told at least this long before a car stands at its door. */
export const leadMinutes = 60
export const holdMinutes = 10
export const holdExtensionMinutes = 10
/** WCAG 2.2, 2.2.1: whoever needs longer can ask for more time at least ten times. */
export const maxHoldExtensions = 10
/** Live holds of one visitor, over all carts. */
export const maxHoldsPerVisitor = 5
/**
 * Live holds of one network, where many strangers may sit behind one address: a bot with many carts must not empty a
 * shop's calendar.
 */
export const maxHoldsPerNetwork = 100
/** A confirmed appointment can be moved until this long before it starts. */
export const moveNoticeMinutes = 60
/**
 * By then carriers have delivered, on the shop's clock; what arrives on a day is ready after it and the shop's
 * receiving time.
 */
export const deliveredByMinute = 17 * 60

/**
 * Minutes after midnight. A window is offered as far as the shop's hours and the length of the job allow; the evening
 * one lasts until closing.
 */
export const dropOffWindows: Readonly<
  Record<DropOffWindow, { name: string; from: number; to: number; readyBy: number; readyNextDay: boolean }>
> = {
  AM: { name: 'Morning', from: 8 * 60, to: 10 * 60, readyBy: 14 * 60, readyNextDay: false },
  PM: { name: 'Afternoon', from: 12 * 60, to: 14 * 60, readyBy: 17 * 60, readyNextDay: false },
  EVE: { name: 'Evening', from: EVENING_DROP_OFF_FROM_HOUR * 60, to: 24 * 60, readyBy: 12 * 60, readyNextDay: true },
}

export type OfferedTime = { start: Temporal.Instant; end: Temporal.Instant; free: boolean }
/** The car is brought between `start` and `end` and is ready by `readyBy`. */
export type OfferedDropOff = {
  window: DropOffWindow
  code: string
  start: Temporal.Instant
  end: Temporal.Instant
  readyBy: Temporal.Instant
  free: boolean
}
export type OfferedDay = {
  /** On the shop's calendar. */
  date: Temporal.PlainDate
  /** `too-soon`: the tires are not there yet. `past`: today, and no time left. */
  state: 'free' | 'full' | 'too-soon' | 'past' | 'closed' | 'holiday'
  /** Why a holiday is one. */
  reason: string | null
  freeTimes: number
  times: OfferedTime[]
  dropOffs: OfferedDropOff[]
}
/** Something that can be held right now. */
export type Opening = (
  | { kind: 'wait' }
  | { kind: 'drop-off'; window: DropOffWindow; code: string; readyBy: Temporal.Instant }
) & {
  date: Temporal.PlainDate
  start: Temporal.Instant
  end: Temporal.Instant
}
/** What the shopper picks: a time to wait, or a day and window to leave the car. */
export type Choice = { start: Temporal.Instant } | { date: Temporal.PlainDate; window: DropOffWindow }

export type Permission<Reason extends string> = { can: true } | { can: false; why: Reason }

/** One answer for the use case, the button and the sentence beside it (`bookingMessages`). */
export const bookingCan = {
  extend(booking: Pick<Booking, 'state' | 'holdExtensions'>): Permission<'no-hold' | 'too-many-extensions'> {
    if (booking.state !== 'held') return no('no-hold')
    return booking.holdExtensions < maxHoldExtensions ? yes : no('too-many-extensions')
  },
  move(
    booking: Pick<Booking, 'state' | 'start'>,
    now: Temporal.Instant,
  ): Permission<'not-confirmed' | 'too-late-to-change'> {
    if (booking.state !== 'confirmed') return no('not-confirmed')
    const last = booking.start.subtract({ minutes: moveNoticeMinutes })
    return Temporal.Instant.compare(now, last) <= 0 ? yes : no('too-late-to-change')
  },
  cancel(booking: Pick<Booking, 'state'>): Permission<'already-over'> {
    return bookingTransitions[booking.state].includes('canceled') ? yes : no('already-over')
  },
}

/**
 * What became of the time a cart chose: `held`; `ended`, when its minutes ran out and it is still free; `lost`, when it
 * is somebody else's or over.
 */
export type HoldStatus = 'held' | 'ended' | 'lost'
export type ChosenTime = { booking: Booking; status: HoldStatus }

/** The drop-off code of the specification: "20261124-AM". */
export function dropOffCode(date: Temporal.PlainDate, window: DropOffWindow): string {
  return `${date.toString().replaceAll('-', '')}-${window}`
}

/** The day and window of a drop-off code, or undefined when it is none. */
export function parseDropOffCode(code: string): { date: Temporal.PlainDate; window: DropOffWindow } | undefined {
  const match = /^(\d{4})(\d{2})(\d{2})-(AM|PM|EVE)$/.exec(code)
  if (!match) return undefined
  try {
    return { date: Temporal.PlainDate.from(`${match[1]}-${match[2]}-${match[3]}`), window: match[4] as DropOffWindow }
  } catch {
    return undefined
  }
}

/** The specification's cart appointment. `startTime` is on a 12-hour clock; a drop-off has a window instead. */
export type CartAppointment = {
  installer: { installerId: string }
  /** The shop's IANA zone, which `date` and `startTime` are said in. */
  timeZone: string
  date: string
  dropOffWindow: DropOffWindow | null
  startTime: string | null
  amOrPm: 'AM' | 'PM' | null
  isDropOff: boolean
}

/** The appointment as the browser keeps it; `installerId` is the shop's code. */
export function toCartAppointment(
  booking: Pick<Booking, 'start' | 'timeZone' | 'dropOff'>,
  installerId: string,
): CartAppointment {
  const start = booking.start.toZonedDateTimeISO(booking.timeZone)
  const appointment = { installer: { installerId }, timeZone: booking.timeZone, date: start.toPlainDate().toString() }
  if (booking.dropOff)
    return { ...appointment, dropOffWindow: booking.dropOff.window, startTime: null, amOrPm: null, isDropOff: true }
  return { ...appointment, dropOffWindow: null, ...clockFields(booking.start, booking.timeZone), isDropOff: false }
}

const yes = { can: true } as const

function no<Reason extends string>(why: Reason): { can: false; why: Reason } {
  return { can: false, why }
}
