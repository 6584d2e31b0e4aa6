/**
 * When a bay is free. Pure: hours, closures, bookings, zone and now are arguments. Offering and holding use the same
 * calculation.
 *
 * Each day is laid out on the shop's wall clock and only then converted to instants, so that the first time is the
 * opening time on every day of the year. A time skipped in spring is not offered; one repeated in fall is offered once.
 */
import { isBusinessDay } from '#domain/delivery/delivery.ts'
import type { OpeningHours, ShopClosure } from '#domain/installers/installers.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import {
  bookableDaysAhead,
  deliveredByMinute,
  dropOffCode,
  dropOffWindowNames,
  dropOffWindows,
  leadMinutes,
  type Choice,
  type DropOffWindow,
  type OfferedDay,
  type Opening,
} from './booking.ts'

/** `starts` and `ends` are the booked times, in epoch seconds, in order and not overlapping. */
export type Bay = { id: number; kind: 'bay' | 'drop-off'; starts: readonly number[]; ends: readonly number[] }
export type ShopCalendar = {
  timeZone: string
  kind: 'shop' | 'van'
  hours: readonly OpeningHours[]
  closures: readonly ShopClosure[]
  /** The spacing of start times, counted from opening. */
  slotMinutes: number
  /** From the carrier's delivery to the first job with these tires. */
  receivingMinutes: number
  bays: readonly Bay[]
}
/** A job of `minutes` with tires that are delivered by the end of `arrivesOn`. */
export type Ask = { minutes: number; arrivesOn: Temporal.PlainDate; now: Temporal.Instant }
export type FreePlace = {
  start: Temporal.Instant
  end: Temporal.Instant
  dropOff: { window: DropOffWindow; code: string } | null
  bayIds: number[]
}
export type NoPlace = Refused<'outside-hours'> | Refused<'too-soon'> | Refused<'too-late'> | Refused<'slot-taken'>

/** Returns today and the next 30 days on the shop's calendar, each with its times or the reason there are none. */
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
  const first = Math.max(terms.notBefore, from?.epochMilliseconds ?? 0)
  const openings: Opening[] = []
  if (first === Infinity) return openings
  for (
    let date = dateOf(first, calendar.timeZone);
    openings.length < limit && Temporal.PlainDate.compare(date, terms.lastDay) <= 0;
    date = date.add({ days: 1 })
  ) {
    for (const opening of kind === 'wait'
      ? waitsOn(calendar, date, ask.minutes)
      : dropOffsOn(calendar, date, ask.minutes)) {
      if (openings.length < limit && opening.start >= first && hasFreeBay(calendar, bayKind[kind], opening))
        openings.push(toOpening(date, opening))
    }
  }
  return openings
}

/**
 * Returns the first `limit` times to wait, or drop-off windows where there are none. `until` is the last epoch ms at
 * which the answer holds if the calendar does not change.
 */
export function firstOpenings(calendar: ShopCalendar, ask: Ask, limit: number): { openings: Opening[]; until: number } {
  const waits = nextOpenings(calendar, ask, { kind: 'wait', limit })
  const openings = waits.length > 0 ? waits : nextOpenings(calendar, ask, { kind: 'drop-off', limit })
  // The first opening disappears when notice runs out. Until then the answer can only grow, when midnight adds a day.
  const firstGoes = openings[0] ? openings[0].start.epochMilliseconds - leadMinutes * minute : Infinity
  const { midnight, length } = dayOf(ask.now.toZonedDateTimeISO(calendar.timeZone).toPlainDate(), calendar.timeZone)
  return { openings, until: waits.length === limit ? firstGoes : Math.min(firstGoes, midnight + length - 1) }
}

/**
 * Returns the bays on which `choice` can be held, or why there are none. A time the shop does not offer is
 * `outside-hours`.
 */
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
  if (found.start < terms.notBefore) return refused('too-soon')

  const kind = 'window' in choice ? 'drop-off' : 'wait'
  const bays = calendar.bays.filter((bay) => bay.kind === bayKind[kind] && isFree(bay, found))
  if (bays.length === 0) return refused('slot-taken')
  const dropOff = 'window' in choice ? { window: choice.window, code: dropOffCode(date, choice.window) } : null
  return ok({ start: instant(found.start), end: instant(found.end), dropOff, bayIds: bays.map((bay) => bay.id) })
}

/**
 * Returns when these tires can be installed here; undefined when the shop takes no delivery within the known calendar.
 */
export function tiresReady(calendar: ShopCalendar, arrivesOn: Temporal.PlainDate): Temporal.Instant | undefined {
  const readyAt = tiresReadyAt(calendar, arrivesOn)
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

/** The first and last bookable day, and the moment (epoch ms) before which nothing can start. */
type Terms = { today: Temporal.PlainDate; lastDay: Temporal.PlainDate; readyAt: number; notBefore: number }
/** In epoch milliseconds. */
type Span = { start: number; end: number }
type DropOffSpan = Span & { window: DropOffWindow; readyBy: number }

function termsOf(calendar: ShopCalendar, ask: Ask): Terms {
  const today = ask.now.toZonedDateTimeISO(calendar.timeZone).toPlainDate()
  const readyAt = tiresReadyAt(calendar, ask.arrivesOn)
  return {
    today,
    lastDay: today.add({ days: bookableDaysAhead }),
    readyAt,
    notBefore: Math.max(readyAt, ask.now.epochMilliseconds + leadMinutes * minute),
  }
}

/** Someone must be at the shop to take the delivery on a business day; a shop open only on weekends gets it then. */
function tiresReadyAt(calendar: ShopCalendar, arrivesOn: Temporal.PlainDate): number {
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

  const waits = waitsOn(calendar, date, ask.minutes)
  const dropOffs = dropOffsOn(calendar, date, ask.minutes)
  const spans = [...waits, ...dropOffs]
  // Nothing fits: the job is longer than the day.
  if (spans.length === 0) return { ...day, state: 'full' }
  if (spans.every(({ start }) => start < terms.readyAt)) return { ...day, state: 'too-soon' }
  if (spans.every(({ start }) => start < terms.notBefore)) return { ...day, state: 'past' }

  const inTime = ({ start }: Span) => start >= terms.notBefore
  const times = waits
    .filter(inTime)
    .map((span) => ({ start: instant(span.start), end: instant(span.end), free: hasFreeBay(calendar, 'bay', span) }))
  const windows = dropOffs.filter(inTime).map((span) => ({
    window: span.window,
    code: dropOffCode(date, span.window),
    start: instant(span.start),
    end: instant(span.end),
    readyBy: instant(span.readyBy),
    free: hasFreeBay(calendar, 'drop-off', span),
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

/** The times to wait on a day with no bookings: on the grid, and done before closing. */
function waitsOn(calendar: ShopCalendar, date: Temporal.PlainDate, minutes: number): Span[] {
  const { hours } = openingOf(calendar, date)
  if (!hours) return []
  const clock = wallClock(date, calendar.timeZone)
  const closes = clock.reach(hours.closes)
  const spans: Span[] = []
  for (let at = hours.opens; at < hours.closes; at += calendar.slotMinutes) {
    const start = clock.show(at)
    if (start !== undefined && start + minutes * minute <= closes) spans.push({ start, end: start + minutes * minute })
  }
  return spans
}

/** The drop-off windows of a day with no bookings. A van has none. */
function dropOffsOn(calendar: ShopCalendar, date: Temporal.PlainDate, minutes: number): DropOffSpan[] {
  const { hours } = openingOf(calendar, date)
  if (!hours || calendar.kind === 'van') return []
  const clock = wallClock(date, calendar.timeZone)
  const spans: DropOffSpan[] = []
  for (const window of dropOffWindowNames) {
    const bounds = dropOffWindows[window]
    const readyOn = bounds.readyNextDay
      ? firstDay(date.add({ days: 1 }), (next) => openingOf(calendar, next).hours !== undefined)
      : date
    const readyHours = readyOn && openingOf(calendar, readyOn).hours
    // On a late-opening day nobody is there to hand the car over at the usual hour.
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
): { hours: OpeningHours | undefined; closure: ShopClosure | undefined } {
  const text = calendar.closures.length > 0 ? date.toString() : ''
  const closure = calendar.closures.find(({ on }) => on === text)
  const hours = closure ? undefined : calendar.hours.find(({ weekday }) => weekday === date.dayOfWeek)
  return { hours, closure }
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

function hasFreeBay(calendar: ShopCalendar, kind: Bay['kind'], span: Span): boolean {
  return calendar.bays.some((bay) => bay.kind === kind && isFree(bay, span))
}

/**
 * Whether the bay is free for the span, by binary search: the first booking that ends after `start` must not begin
 * before `end`.
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
