/** Appointment terms, limits and allowed transitions. Safe in the browser. */
import type { BookedService, TireSpec } from '#domain/scheduling/installers/installers.ts'
import { BOOKABLE_DAYS_AHEAD, EVENING_DROP_OFF_FROM_HOUR } from '#platform/business-constants.ts'
import { clockFields } from '#platform/time-text.ts'
import { countOf } from '#platform/count-text.ts'

export { overlapReasons, ownJobKinds, type OverlapReason, type OwnJobInput, type OwnJobKind } from './own-jobs.ts'

export { milesBetween, travelMinutes, type Point } from './travel.ts'

/** `held` during checkout, `confirmed` with the order; all others are final. */
export type BookingState = 'held' | 'confirmed' | 'done' | 'no-show' | 'canceled' | 'expired'
/** Wait at the shop, leave the car, or have a van come. */
export type BookingKind = 'wait' | 'drop-off' | 'mobile'
export const dropOffWindowNames = ['AM', 'PM', 'EVE'] as const
export type DropOffWindow = (typeof dropOffWindowNames)[number]
/** The day on which all tires arrive at the shop, and the last delivery's time once all have arrived. */
export type Arrival = { arrivesOn: Temporal.PlainDate; deliveredAt?: Temporal.Instant | undefined }
/** Tires to install and services to do, and the arrival of the tires. `zip` is a van's destination. */
export type Installation = Arrival & {
  tires: readonly TireSpec[]
  services?: readonly BookedService[] | undefined
  zip?: string | undefined
}
/** Who did it, for the record: 'customer', 'system', 'shop', 'staff:dana'. */
export type Actor = string

export type Booking = {
  id: string
  shopId: number
  bayId: number
  kind: BookingKind
  /** For a drop-off the window to bring the car in, otherwise the start of the bay's time. */
  start: Temporal.Instant
  end: Temporal.Instant
  timeZone: string
  dropOff: { window: DropOffWindow; code: string } | null
  state: BookingState
  holdExpiresAt: Temporal.Instant | null
  holdExtensions: number
  cartId: string | null
  orderId: number | null
  /** Up to how long before its start its shopper can move or cancel it, by the shop's capacity of its day. */
  noticeMinutes: number
  /** How often it was moved or canceled after confirmation; iCalendar's SEQUENCE. */
  changes: number
  /** Where a van comes. */
  stopZip: string | null
}

/** Allowed transitions. `confirmed` follows itself when an appointment is moved. */
export const bookingTransitions: Readonly<Record<BookingState, readonly BookingState[]>> = {
  held: ['confirmed', 'canceled', 'expired'],
  confirmed: ['confirmed', 'done', 'no-show', 'canceled'],
  done: [],
  'no-show': [],
  canceled: [],
  expired: [],
}

/** The specification's limit. The store may set a lower one. */
export const maxBookableDays = BOOKABLE_DAYS_AHEAD
export const holdMinutes = 10
export const holdExtensionMinutes = 10
/** WCAG 2.2, 2.2.1: users can extend a time limit at least ten times. */
export const maxHoldExtensions = 10
/** Live holds per visitor, over all carts. */
export const maxHoldsPerVisitor = 5
/**
 * Live holds per network, where many shoppers may share one address. Prevents a bot with many carts from filling a
 * shop's calendar.
 */
export const maxHoldsPerNetwork = 100
/**
 * Maximum tires held with a time, enough for two cars or one truck with a spare. A larger cart holds only its time, so
 * that shoppers can't block stock for free; its tires are allocated when the order is placed.
 */
export const maxHeldTires = 8
/**
 * A confirmed appointment can be rescheduled until this long before its start, unless its shop sets a different limit.
 */
export const moveNoticeMinutes = 60
/**
 * Carriers have delivered by this time, on the shop's clock; the tires are ready after it plus the shop's receiving
 * time.
 */
export const deliveredByMinute = 17 * 60

/**
 * Minutes after midnight. A window is offered as far as the shop's hours and the job's length allow; the evening window
 * lasts until closing.
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
  /** In the shop's time zone. */
  date: Temporal.PlainDate
  /** `too-soon`: the tires have not arrived yet. `past`: today, with no time left. */
  state: 'free' | 'full' | 'too-soon' | 'past' | 'closed' | 'holiday'
  /** The name of the holiday. */
  reason: string | null
  freeTimes: number
  times: OfferedTime[]
  dropOffs: OfferedDropOff[]
}
/** A time or drop-off window that can be held right now. */
export type Opening = (
  | { kind: 'wait' }
  | { kind: 'drop-off'; window: DropOffWindow; code: string; readyBy: Temporal.Instant }
) & {
  date: Temporal.PlainDate
  start: Temporal.Instant
  end: Temporal.Instant
}
/** The shopper's choice, either a time to wait, or a day and window to leave the car. */
export type Choice = { start: Temporal.Instant } | { date: Temporal.PlainDate; window: DropOffWindow }

/** The arrival for services without tires, which don't wait for parcels. */
export function nothingToArrive(today: Temporal.PlainDate): Arrival {
  return { arrivesOn: today, deliveredAt: Temporal.Instant.fromEpochMilliseconds(0) }
}

/** Serializes a choice for forms and links, as an instant or "2026-11-24|AM". */
export function choiceValue(choice: Choice): string {
  return 'start' in choice ? choice.start.toString() : `${choice.date.toString()}|${choice.window}`
}

/** Parses a choice, such as an instant or "2026-11-24|AM". Returns undefined for invalid values. */
export function parseChoice(value: string): Choice | undefined {
  try {
    const dropOff = /^(\d{4}-\d{2}-\d{2})\|(AM|PM|EVE)$/.exec(value)
    if (dropOff) return { date: Temporal.PlainDate.from(dropOff[1] ?? ''), window: dropOff[2] as DropOffWindow }
    return value.length <= 40 ? { start: Temporal.Instant.from(value) } : undefined
  } catch {
    return undefined
  }
}

/** "an hour" for 60 minutes of notice, "2 hours", "90 minutes". */
export function noticeText(minutes: number): string {
  if (minutes === 60) return 'an hour'
  return minutes % 60 === 0 && minutes > 0 ? countOf(minutes / 60, 'hour') : countOf(minutes, 'minute')
}

export type Permission<Reason extends string> = { can: true } | { can: false; why: Reason }

/** One rule for the use case, the button and its message (`bookingMessages`). */
export const bookingCan = {
  extend(booking: Pick<Booking, 'state' | 'holdExtensions'>): Permission<'no-hold' | 'too-many-extensions'> {
    if (booking.state !== 'held') return no('no-hold')
    return booking.holdExtensions < maxHoldExtensions ? yes : no('too-many-extensions')
  },
  move(
    booking: Pick<Booking, 'state' | 'start' | 'noticeMinutes'>,
    now: Temporal.Instant,
  ): Permission<'not-confirmed' | 'too-late-to-change'> {
    if (booking.state !== 'confirmed') return no('not-confirmed')
    return isNoticeOver(booking, now) ? no('too-late-to-change') : yes
  },
  /** Shopper cancellations. Staff, shops and order cancellations aren't bound by the notice period. */
  cancelAsShopper(
    booking: Pick<Booking, 'state' | 'start' | 'noticeMinutes'>,
    now: Temporal.Instant,
  ): Permission<'too-late-to-change'> {
    return booking.state === 'confirmed' && isNoticeOver(booking, now) ? no('too-late-to-change') : yes
  },
  cancel(booking: Pick<Booking, 'state'>): Permission<'already-over'> {
    return bookingTransitions[booking.state].includes('canceled') ? yes : no('already-over')
  },
}

function isNoticeOver(
  { start, noticeMinutes }: Pick<Booking, 'start' | 'noticeMinutes'>,
  now: Temporal.Instant,
): boolean {
  return Temporal.Instant.compare(now, start.subtract({ minutes: noticeMinutes })) > 0
}

/**
 * The status of a cart's chosen time. It is `held`, `ended` if the hold expired and the slot is still available, or
 * `lost` if the slot was taken or has passed.
 */
export type HoldStatus = 'held' | 'ended' | 'lost'
export type ChosenTime = { booking: Booking; status: HoldStatus }

/** "123 456": as a shopper reads a claim code out. */
export function claimCodeText(code: string): string {
  return `${code.slice(0, 3)} ${code.slice(3)}`
}

/** The drop-off code of the specification: "20261124-AM". */
export function dropOffCode(date: Temporal.PlainDate, window: DropOffWindow): string {
  return `${date.toString().replaceAll('-', '')}-${window}`
}

/** Parses a drop-off code into day and window; undefined if it is not one. */
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
  /** The shop's IANA time zone, which `date` and `startTime` are in. */
  timeZone: string
  date: string
  dropOffWindow: DropOffWindow | null
  startTime: string | null
  amOrPm: 'AM' | 'PM' | null
  isDropOff: boolean
}

/** The appointment as stored in the browser; `installerId` is the shop's code. */
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
