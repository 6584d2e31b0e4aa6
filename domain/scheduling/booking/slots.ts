/**
 * When a bay is free. Pure: hours, closures, bookings, zone and now are arguments. Offering and holding use the same
 * calculation.
 *
 * Each day is laid out on the shop's wall clock and only then converted to instants, so that the first time is the
 * opening time on every day of the year. A time skipped in spring is not offered; one repeated in fall is offered once.
 * Over 400 lines: a single calculation with parts that share its clock.
 */
import { isBusinessDay } from '#domain/supply/delivery/delivery.ts'
import type { OpeningHours, ShopClosure } from '#domain/scheduling/installers/installers.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import {
  deliveredByMinute,
  dropOffCode,
  dropOffWindowNames,
  dropOffWindows,
  type Arrival,
  type Choice,
  type DropOffWindow,
  type OfferedDay,
  type Opening,
} from './booking.ts'

/**
 * `starts` and `ends` are the booked times, in epoch seconds, in order and not overlapping. `days`: when it is used, from
 * a day until before another, either end open; null for always.
 */
export type Bay = {
  id: number
  kind: 'bay' | 'drop-off'
  starts: readonly number[]
  ends: readonly number[]
  days: readonly (readonly [string | null, string | null])[] | null
}
/** A weekday's hours; no job is under way during `lunch`. */
export type DayHours = OpeningHours & { lunch: readonly [number, number] | null }
/** How much work a shop takes from the day `from` on, until the next version counts; null for the first one. */
export type CapacityVersion = {
  from: string | null
  hours: readonly DayHours[]
  /** The spacing of start times, counted from opening. */
  slotMinutes: number
  /** The number of cars serviced simultaneously; null means one per bay. */
  technicians: number | null
  /** Free on the bay after each job. */
  bufferMinutes: number
  /** Notice before a car arrives. */
  leadMinutes: number
  /** Notice for moving an appointment. */
  noticeMinutes: number
  /** The part of the day's bay time that online bookings leave free. */
  walkInPercent: number
  dropOffWindows: readonly DropOffWindow[]
}
export type ShopCalendar = {
  timeZone: string
  kind: 'shop' | 'van'
  /** In order; each day has exactly one. */
  versions: readonly CapacityVersion[]
  closures: readonly ShopClosure[]
  /** Days without new bookings, from the first until before the second; deliveries are taken on them. */
  paused?: readonly [string, string] | null
  /** The last day with bookings of a shop that closes; null for others. */
  lastDay?: string | null
  /** How many days ahead the store takes bookings. */
  bookableDays: number
  /** From the carrier's delivery to the first job with these tires. */
  receivingMinutes: number
  bays: readonly Bay[]
  /** Each job in a bay as [start, end, booked online], in epoch seconds by start. Empty if jobs aren't counted. */
  jobs: readonly (readonly [number, number, boolean])[]
}
/** A job of `minutes` with its tires. */
export type Ask = Arrival & { minutes: number; now: Temporal.Instant }
export type FreePlace = {
  start: Temporal.Instant
  end: Temporal.Instant
  dropOff: { window: DropOffWindow; code: string } | null
  bayIds: number[]
}
export type NoPlace = Refused<'outside-hours'> | Refused<'too-soon'> | Refused<'too-late'> | Refused<'slot-taken'>

/** Returns today and the bookable days after it in the shop's time zone, each with its times or the reason it has no times. */
export function offerDays(calendar: ShopCalendar, ask: Ask): OfferedDay[] {
  const terms = termsOf(calendar, ask)
  const days: OfferedDay[] = []
  for (let date = terms.today; Temporal.PlainDate.compare(date, terms.lastDay) <= 0; date = date.add({ days: 1 }))
    days.push(offerDay(calendar, ask, terms, date))
  return days
}

/** Returns the first `limit` openings of a kind that can be held from `from` on. Stops searching once it has them. */
export function nextOpenings(
  calendar: ShopCalendar,
  ask: Ask,
  { kind, limit, from }: { kind: Opening['kind']; limit: number; from?: Temporal.Instant },
): Opening[] {
  const terms = termsOf(calendar, ask)
  const first = Math.max(terms.readyAt, ask.now.epochMilliseconds, from?.epochMilliseconds ?? 0)
  const openings: Opening[] = []
  if (first === Infinity) return openings
  for (
    let date = dateOf(first, calendar.timeZone);
    openings.length < limit && Temporal.PlainDate.compare(date, terms.lastDay) <= 0;
    date = date.add({ days: 1 })
  ) {
    const room = roomOn(calendar, date)
    const notBefore = Math.max(first, notBeforeOn(calendar, terms, date))
    for (const opening of kind === 'wait'
      ? waitsOn(calendar, date, ask.minutes)
      : dropOffsOn(calendar, date, ask.minutes)) {
      if (openings.length < limit && opening.start >= notBefore && room.has(kind, opening))
        openings.push(toOpening(date, opening))
    }
  }
  return openings
}

/**
 * Returns the first `limit` waiting times, or drop-off windows if there are no waiting times. `until` is the last epoch
 * ms at which the answer holds if the calendar does not change.
 */
export function firstOpenings(calendar: ShopCalendar, ask: Ask, limit: number): { openings: Opening[]; until: number } {
  const waits = nextOpenings(calendar, ask, { kind: 'wait', limit })
  const openings = waits.length > 0 ? waits : nextOpenings(calendar, ask, { kind: 'drop-off', limit })
  // The first opening disappears when notice runs out. Until then the answer can only grow, when midnight adds a day.
  const [soonest] = openings
  const firstGoes = soonest
    ? soonest.start.epochMilliseconds - capacityOn(calendar, soonest.date).leadMinutes * minute
    : Infinity
  const { midnight, length } = dayOf(ask.now.toZonedDateTimeISO(calendar.timeZone).toPlainDate(), calendar.timeZone)
  return { openings, until: waits.length === limit ? firstGoes : Math.min(firstGoes, midnight + length - 1) }
}

/** Returns the bays where `choice` can be held, or the refusal. A time the shop does not offer is `outside-hours`. */
export function placeFor(calendar: ShopCalendar, ask: Ask, choice: Choice): Outcome<FreePlace, NoPlace> {
  const terms = termsOf(calendar, ask)
  const date = 'window' in choice ? choice.date : dateOf(choice.start.epochMilliseconds, calendar.timeZone)
  if (Temporal.PlainDate.compare(date, terms.lastDay) > 0) return refused('too-late')
  if (Temporal.PlainDate.compare(date, terms.today) < 0) return refused('too-soon')

  const found =
    'window' in choice
      ? dropOffsOn(calendar, date, ask.minutes).find(({ window }) => window === choice.window)
      : waitsOn(calendar, date, ask.minutes).find(({ start }) => start === choice.start.epochMilliseconds)
  if (!found) return refused('outside-hours')
  if (found.start < notBeforeOn(calendar, terms, date)) return refused('too-soon')

  const bays = roomOn(calendar, date).baysFor('window' in choice ? 'drop-off' : 'wait', found)
  if (bays.length === 0) return refused('slot-taken')
  const dropOff = 'window' in choice ? { window: choice.window, code: dropOffCode(date, choice.window) } : null
  return ok({ start: instant(found.start), end: instant(found.end), dropOff, bayIds: bays.map((bay) => bay.id) })
}

/**
 * Returns when these tires can be installed here; undefined when the shop takes no delivery within the known calendar.
 */
export function tiresReady(calendar: ShopCalendar, arrival: Arrival): Temporal.Instant | undefined {
  const readyAt = tiresReadyAt(calendar, arrival)
  return readyAt === Infinity ? undefined : instant(readyAt)
}

const minute = 60_000
const dayLength = 24 * 60 * minute
const shortestWindowMinutes = 30
/**
 * The calendar's closures must reach this far past the last bookable day: a car dropped off that day is ready later.
 */
export const lookAheadDays = 14
const bayKind = { wait: 'bay', 'drop-off': 'drop-off' } as const

/** The first and last bookable day, and the moment (epoch ms) before which the tires are not ready. */
type Terms = { today: Temporal.PlainDate; lastDay: Temporal.PlainDate; readyAt: number; now: number }
/** In epoch milliseconds. */
type Span = { start: number; end: number }
type DropOffSpan = Span & { window: DropOffWindow; readyBy: number }

function termsOf(calendar: ShopCalendar, ask: Ask): Terms {
  const today = ask.now.toZonedDateTimeISO(calendar.timeZone).toPlainDate()
  const readyAt = tiresReadyAt(calendar, ask)
  return { today, lastDay: today.add({ days: calendar.bookableDays }), readyAt, now: ask.now.epochMilliseconds }
}

/** Returns the earliest start on a day in epoch ms, based on the minimum notice of that day's version. */
function notBeforeOn(calendar: ShopCalendar, { readyAt, now }: Terms, date: Temporal.PlainDate): number {
  return Math.max(readyAt, now + capacityOn(calendar, date).leadMinutes * minute)
}

/** Returns the version for a day, the single rule for offering, holding and rescheduling. */
export function capacityOn({ versions }: Pick<ShopCalendar, 'versions'>, date: Temporal.PlainDate): CapacityVersion {
  const text = versions.length > 1 ? date.toString() : ''
  const found = versions.findLast(({ from }) => from === null || from <= text) ?? versions[0]
  if (!found) throw new Error('A shop has a capacity on every day.')
  return found
}

/**
 * Someone must be at the shop to take the delivery on a business day; a shop open only on weekends gets it then. Once
 * the tires were delivered, only the time that the shop needs to receive them counts.
 */
function tiresReadyAt(calendar: ShopCalendar, { arrivesOn, deliveredAt }: Arrival): number {
  if (deliveredAt) return deliveredAt.epochMilliseconds + calendar.receivingMinutes * minute
  const isOpen = (date: Temporal.PlainDate) => openingOf(calendar, date).hours !== undefined
  const delivered = firstDay(arrivesOn, (date) => isBusinessDay(date) && isOpen(date)) ?? firstDay(arrivesOn, isOpen)
  if (!delivered) return Infinity
  return wallClock(delivered, calendar.timeZone).reach(deliveredByMinute) + calendar.receivingMinutes * minute
}

function offerDay(calendar: ShopCalendar, ask: Ask, terms: Terms, date: Temporal.PlainDate): OfferedDay {
  const { hours, closure } = openingOf(calendar, date)
  const day: OfferedDay = { date, state: 'closed', reason: null, freeTimes: 0, times: [], dropOffs: [] }
  if (closure) return { ...day, state: 'holiday', reason: closure.reason }
  if (!hours) return day
  if (isStopped(calendar, date)) return { ...day, state: 'holiday', reason: 'Not taking bookings' }

  const waits = waitsOn(calendar, date, ask.minutes)
  const dropOffs = dropOffsOn(calendar, date, ask.minutes)
  const spans = [...waits, ...dropOffs]
  // Full, because the job is longer than the day.
  if (spans.length === 0) return { ...day, state: 'full' }
  if (spans.every(({ start }) => start < terms.readyAt)) return { ...day, state: 'too-soon' }
  const notBefore = notBeforeOn(calendar, terms, date)
  if (spans.every(({ start }) => start < notBefore)) return { ...day, state: 'past' }

  const room = roomOn(calendar, date)
  const inTime = ({ start }: Span) => start >= notBefore
  const times = waits
    .filter(inTime)
    .map((span) => ({ start: instant(span.start), end: instant(span.end), free: room.has('wait', span) }))
  const windows = dropOffs.filter(inTime).map((span) => ({
    window: span.window,
    code: dropOffCode(date, span.window),
    start: instant(span.start),
    end: instant(span.end),
    readyBy: instant(span.readyBy),
    free: room.has('drop-off', span),
  }))
  const freeTimes = times.filter(({ free }) => free).length
  return {
    ...day,
    state: freeTimes > 0 || windows.some(({ free }) => free) ? 'free' : 'full',
    freeTimes,
    times,
    dropOffs: windows,
  }
}

function isStopped({ paused, lastDay }: ShopCalendar, date: Temporal.PlainDate): boolean {
  if (paused == null && lastDay == null) return false
  const day = date.toString()
  return (paused != null && paused[0] <= day && day < paused[1]) || (lastDay != null && day > lastDay)
}

/**
 * Returns a day's waiting times without bookings. They are on the grid, end before closing, and don't overlap lunch.
 */
function waitsOn(calendar: ShopCalendar, date: Temporal.PlainDate, minutes: number): Span[] {
  const { hours, version } = openingOf(calendar, date)
  if (!hours || isStopped(calendar, date)) return []
  const clock = wallClock(date, calendar.timeZone)
  const closes = clock.reach(hours.closes)
  const lunch = hours.lunch && { start: clock.reach(hours.lunch[0]), end: clock.reach(hours.lunch[1]) }
  const spans: Span[] = []
  for (let at = hours.opens; at < hours.closes; at += version.slotMinutes) {
    const start = clock.show(at)
    if (start === undefined) continue
    const end = start + minutes * minute
    if (end <= closes && !(lunch && start < lunch.end && lunch.start < end)) spans.push({ start, end })
  }
  return spans
}

/** The drop-off windows of a day with no bookings. Empty for a van. */
function dropOffsOn(calendar: ShopCalendar, date: Temporal.PlainDate, minutes: number): DropOffSpan[] {
  const { hours, version } = openingOf(calendar, date)
  if (!hours || calendar.kind === 'van' || isStopped(calendar, date)) return []
  const clock = wallClock(date, calendar.timeZone)
  const spans: DropOffSpan[] = []
  for (const window of dropOffWindowNames) {
    if (!version.dropOffWindows.includes(window)) continue
    const bounds = dropOffWindows[window]
    const readyOn = bounds.readyNextDay
      ? firstDay(date.add({ days: 1 }), (next) => openingOf(calendar, next).hours !== undefined)
      : date
    const readyHours = readyOn && openingOf(calendar, readyOn).hours
    // On a late-opening day, the shop can't return cars at the usual hour.
    const readyBy = Math.min(Math.max(bounds.readyBy, readyHours?.opens ?? 0), readyHours?.closes ?? 0)
    const from = Math.max(bounds.from, hours.opens)
    // The last car dropped off must still be ready in time.
    const to = Math.min(bounds.to, hours.closes, bounds.readyNextDay ? Infinity : readyBy - minutes)
    if (!readyOn || to - from < shortestWindowMinutes) continue
    spans.push({
      window,
      start: clock.reach(from),
      end: clock.reach(to),
      readyBy: wallClock(readyOn, calendar.timeZone).reach(readyBy),
    })
  }
  return spans
}

function toOpening(date: Temporal.PlainDate, span: Span | DropOffSpan): Opening {
  const at = { date, start: instant(span.start), end: instant(span.end) }
  return 'window' in span
    ? {
        kind: 'drop-off',
        window: span.window,
        code: dropOffCode(date, span.window),
        readyBy: instant(span.readyBy),
        ...at,
      }
    : { kind: 'wait', ...at }
}

function openingOf(
  calendar: ShopCalendar,
  date: Temporal.PlainDate,
): { version: CapacityVersion; hours: DayHours | undefined; closure: ShopClosure | undefined } {
  const text = calendar.closures.length > 0 ? date.toString() : ''
  const closure = calendar.closures.find(({ on }) => on === text)
  const version = capacityOn(calendar, date)
  const hours = closure ? undefined : version.hours.find(({ weekday }) => weekday === date.dayOfWeek)
  return { version, hours, closure }
}

function firstDay(
  from: Temporal.PlainDate,
  fits: (date: Temporal.PlainDate) => boolean,
): Temporal.PlainDate | undefined {
  for (let ahead = 0; ahead <= lookAheadDays; ahead += 1) {
    const date = from.add({ days: ahead })
    if (fits(date)) return date
  }
  return undefined
}

/**
 * Converts minutes after midnight of a day to epoch ms on the wall clock. `show` is the first moment the clock shows
 * that time, undefined if it is skipped in spring; `reach` is for bounds and uses the moment after the skipped hour.
 */
function wallClock(
  date: Temporal.PlainDate,
  timeZone: string,
): { show: (minutes: number) => number | undefined; reach: (minutes: number) => number } {
  const { midnight, length } = dayOf(date, timeZone)
  // A 24-hour day has no clock change, so addition is enough.
  if (length === dayLength) {
    const add = (minutes: number) => midnight + minutes * minute
    return { show: add, reach: add }
  }
  const wall = (minutes: number) => date.toPlainDateTime().add({ minutes })
  return {
    show(minutes) {
      const shown = wall(minutes).toZonedDateTime(timeZone, { disambiguation: 'earlier' })
      return shown.toPlainDateTime().equals(wall(minutes)) ? shown.epochMilliseconds : undefined
    },
    reach: (minutes) => wall(minutes).toZonedDateTime(timeZone).epochMilliseconds,
  }
}

/** Time zone lookups dominate the calculation, so they are cached: a few zones, some weeks each. */
const knownDays = new Map<string, { midnight: number; length: number }>()
const mostKnownDays = 2_000

function dayOf(date: Temporal.PlainDate, timeZone: string): { midnight: number; length: number } {
  const key = `${date} ${timeZone}`
  const known = knownDays.get(key)
  if (known) return known
  const midnight = date.toZonedDateTime(timeZone).epochMilliseconds
  const day = { midnight, length: date.add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds - midnight }
  if (knownDays.size >= mostKnownDays) knownDays.clear()
  knownDays.set(key, day)
  return day
}

/** What bookings leave free of a day. */
type Room = {
  has(kind: Opening['kind'], span: Span): boolean
  /** The bays or drop-off places on which the span is free. */
  baysFor(kind: Opening['kind'], span: Span): Bay[]
}

function roomOn(calendar: ShopCalendar, date: Temporal.PlainDate): Room {
  const { version, hours } = openingOf(calendar, date)
  const text = date.toString()
  const used = calendar.bays.filter((bay) => isUsedOn(bay, text))
  const buffer = version.bufferMinutes * minute
  const onlineLeft = onlineMinutesLeft(calendar, { date, version, hours, bays: used })
  const isFreeFor = (kind: Opening['kind'], span: Span) => {
    const around = kind === 'wait' ? { start: span.start - buffer, end: span.end + buffer } : span
    return (bay: Bay) => bay.kind === bayKind[kind] && isFree(bay, around)
  }
  const isStaffed = (kind: Opening['kind'], span: Span) =>
    kind === 'drop-off' ||
    ((version.technicians === null || mostAtOnce(calendar.jobs, span) < version.technicians) &&
      (span.end - span.start) / minute <= onlineLeft)
  return {
    has: (kind, span) => used.some(isFreeFor(kind, span)) && isStaffed(kind, span),
    baysFor: (kind, span) => (isStaffed(kind, span) ? used.filter(isFreeFor(kind, span)) : []),
  }
}

function isUsedOn({ days }: Bay, date: string): boolean {
  return days === null || days.some(([from, until]) => (from === null || from <= date) && (!until || date < until))
}

/** Returns the minutes left for online bookings on a day when bays are partly reserved for walk-ins. */
function onlineMinutesLeft(
  { jobs, timeZone }: ShopCalendar,
  {
    date,
    version: { walkInPercent, technicians },
    hours,
    bays,
  }: { date: Temporal.PlainDate; version: CapacityVersion; hours: DayHours | undefined; bays: readonly Bay[] },
): number {
  if (walkInPercent === 0 || !hours) return Infinity
  const atOnce = Math.min(technicians ?? Infinity, bays.filter(({ kind }) => kind === 'bay').length)
  const open = hours.closes - hours.opens - (hours.lunch ? hours.lunch[1] - hours.lunch[0] : 0)
  const { midnight, length } = dayOf(date, timeZone)
  const isToday = (start: number) => start * 1_000 >= midnight && start * 1_000 < midnight + length
  const taken = jobs.reduce((sum, [from, to, online]) => sum + (online && isToday(from) ? (to - from) / 60 : 0), 0)
  return (open * (100 - walkInPercent) * atOnce) / 100 - taken
}

/** The most jobs under way at any moment of a span. */
function mostAtOnce(jobs: ShopCalendar['jobs'], { start, end }: Span): number {
  const [from, until] = [start / 1_000, end / 1_000]
  const during = jobs.filter(([begins, ends]) => begins < until && ends > from)
  const underWay = (at: number) => during.filter(([begins, ends]) => begins <= at && ends > at).length
  return Math.max(0, ...[from, ...during.map(([begins]) => begins).filter((at) => at > from)].map(underWay))
}

/**
 * Returns whether the bay is available for the span, by binary search. The first booking that ends after `start` must
 * not start before `end`.
 */
function isFree(bay: Bay, { start, end }: Span): boolean {
  let low = 0
  let high = bay.ends.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((bay.ends[middle] ?? Infinity) * 1_000 > start) high = middle
    else low = middle + 1
  }
  return (bay.starts[low] ?? Infinity) * 1_000 >= end
}

function dateOf(epochMilliseconds: number, timeZone: string): Temporal.PlainDate {
  return instant(epochMilliseconds).toZonedDateTimeISO(timeZone).toPlainDate()
}

function instant(epochMilliseconds: number): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(epochMilliseconds)
}
