/**
 * When a bay is free. Pure: hours, closures, bookings, zone and now are arguments. Offering and holding use the same calculation.
 *
 * A shop's times are times on its wall clock, so each day is laid out by that clock and only then turned into instants: on every day of the year
 * the first time is the opening time. A time that the clock skips in spring is not offered; one that it shows twice in fall is offered once.
 */
import { isBusinessDay } from '#domain/delivery/delivery.ts'
import type { OpeningHours, ShopClosure } from '#domain/installers/installers.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { bookableDaysAhead, deliveredByMinute, dropOffCode, dropOffWindows, leadMinutes, type Choice, type DropOffWindow, type OfferedDay, type Opening } from './booking.ts'

/** `starts` and `ends` are what is taken, in epoch seconds, in order and not overlapping. */
export type Bay = { id: number; kind: 'bay' | 'drop-off'; starts: readonly number[]; ends: readonly number[] }
export type ShopCalendar = {
  timeZone: string
  kind: 'shop' | 'van'
  hours: readonly OpeningHours[]
  closures: readonly ShopClosure[]
  /** The grid of starting times, counted from the opening time. */
  slotMinutes: number
  /** From the carrier's delivery to the first job with these tires. */
  receivingMinutes: number
  bays: readonly Bay[]
}
/** A job of `minutes` with tires that are delivered by the end of `arrivesOn`. */
export type Ask = { minutes: number; arrivesOn: Temporal.PlainDate; now: Temporal.Instant }
export type FreePlace = { start: Temporal.Instant; end: Temporal.Instant; dropOff: { window: DropOffWindow; code: string } | null; bayIds: number[] }
export type NoPlace = Refused<'outside-hours'> | Refused<'too-soon'> | Refused<'too-late'> | Refused<'slot-taken'>

/** Today and the next 30 days on the shop's calendar, each with its times or with the reason why there is none. */
export function offerDays(calendar: ShopCalendar, ask: Ask): OfferedDay[] {
  const terms = termsOf(calendar, ask)
  const days: OfferedDay[] = []
  for (let date = terms.today; Temporal.PlainDate.compare(date, terms.lastDay) <= 0; date = date.add({ days: 1 })) days.push(offerDay(calendar, ask, terms, date))
  return days
}

/** The first `limit` things of a kind that can be held, from `from` on. Stops looking as soon as it has them. */
export function nextOpenings(calendar: ShopCalendar, ask: Ask, { kind, limit, from }: { kind: Opening['kind']; limit: number; from?: Temporal.Instant }): Opening[] {
  const terms = termsOf(calendar, ask)
  const first = Math.max(terms.notBefore, from?.epochMilliseconds ?? 0)
  const openings: Opening[] = []
  for (let date = dateOf(first, calendar.timeZone); Temporal.PlainDate.compare(date, terms.lastDay) <= 0; date = date.add({ days: 1 })) {
    const plan = planDay(calendar, date, ask.minutes)
    if (kind === 'wait') {
      for (const { start, end } of plan.times) {
        if (start < first || !hasFreeBay(calendar, 'bay', start, end)) continue
        openings.push({ kind, date, start: instant(start), end: instant(end) })
        if (openings.length === limit) return openings
      }
    } else {
      for (const { window, start, end, readyBy } of plan.dropOffs) {
        if (start < first || !hasFreeBay(calendar, 'drop-off', start, end)) continue
        openings.push({ kind, window, code: dropOffCode(date, window), date, start: instant(start), end: instant(end), readyBy: instant(readyBy) })
        if (openings.length === limit) return openings
      }
    }
  }
  return openings
}

/** The bays on which `choice` can be held, or why there is none. A time that the shop does not offer is `outside-hours`. */
export function placeFor(calendar: ShopCalendar, ask: Ask, choice: Choice): Outcome<FreePlace, NoPlace> {
  const terms = termsOf(calendar, ask)
  const date = 'window' in choice ? choice.date : dateOf(choice.start.epochMilliseconds, calendar.timeZone)
  if (Temporal.PlainDate.compare(date, terms.lastDay) > 0) return refused('too-late')
  if (Temporal.PlainDate.compare(date, terms.today) < 0) return refused('too-soon')

  const plan = planDay(calendar, date, ask.minutes)
  const found = 'window' in choice ? plan.dropOffs.find(({ window }) => window === choice.window) : plan.times.find(({ start }) => start === choice.start.epochMilliseconds)
  if (!found) return refused('outside-hours')
  if (found.start < terms.notBefore) return refused('too-soon')

  const bays = calendar.bays.filter((bay) => bay.kind === ('window' in choice ? 'drop-off' : 'bay') && isFree(bay, found.start, found.end))
  if (bays.length === 0) return refused('slot-taken')
  const dropOff = 'window' in choice ? { window: choice.window, code: dropOffCode(date, choice.window) } : null
  return ok({ start: instant(found.start), end: instant(found.end), dropOff, bayIds: bays.map((bay) => bay.id) })
}

/** The first and last day that can be booked, and the moment (epoch ms) before which nothing can start. */
type Terms = { today: Temporal.PlainDate; lastDay: Temporal.PlainDate; readyAt: number; notBefore: number }
type Span = { start: number; end: number }
type DayPlan = { state: 'open' | 'closed' | 'holiday'; reason: string | null; times: Span[]; dropOffs: (Span & { window: DropOffWindow; readyBy: number })[] }

function termsOf(calendar: ShopCalendar, ask: Ask): Terms {
  const today = ask.now.toZonedDateTimeISO(calendar.timeZone).toPlainDate()
  const readyAt = tiresReadyAt(calendar, ask.arrivesOn)
  return { today, lastDay: today.add({ days: bookableDaysAhead }), readyAt, notBefore: Math.max(readyAt, ask.now.epochMilliseconds + leadMinutes * minute) }
}

/** The carrier needs a business day on which somebody is there to take the tires. */
function tiresReadyAt(calendar: ShopCalendar, arrivesOn: Temporal.PlainDate): number {
  const delivered = firstDay(arrivesOn, (date) => isBusinessDay(date) && openingOf(calendar, date).hours !== undefined)
  if (!delivered) return Infinity
  return momentOf(delivered, deliveredByMinute, calendar.timeZone) + calendar.receivingMinutes * minute
}

function offerDay(calendar: ShopCalendar, ask: Ask, terms: Terms, date: Temporal.PlainDate): OfferedDay {
  const plan = planDay(calendar, date, ask.minutes)
  const day = { date, reason: plan.reason, freeTimes: 0, times: [], dropOffs: [] }
  if (plan.state !== 'open') return { ...day, state: plan.state }
  const spans = [...plan.times, ...plan.dropOffs]
  // The job is longer than the day.
  if (spans.length === 0) return { ...day, state: 'full' }
  if (spans.every(({ start }) => start < terms.notBefore)) return { ...day, state: spans.every(({ start }) => start < terms.readyAt) ? 'too-soon' : 'past' }

  const times = plan.times.filter(({ start }) => start >= terms.notBefore).map(({ start, end }) => ({ start: instant(start), end: instant(end), free: hasFreeBay(calendar, 'bay', start, end) }))
  const dropOffs = plan.dropOffs
    .filter(({ start }) => start >= terms.notBefore)
    .map(({ window, start, end, readyBy }) => ({
      window,
      code: dropOffCode(date, window),
      start: instant(start),
      end: instant(end),
      readyBy: instant(readyBy),
      free: hasFreeBay(calendar, 'drop-off', start, end),
    }))
  const freeTimes = times.filter(({ free }) => free).length
  return { ...day, state: freeTimes > 0 || dropOffs.some(({ free }) => free) ? 'free' : 'full', freeTimes, times, dropOffs }
}

/** What the shop would do on a day if nothing were booked yet. */
function planDay(calendar: ShopCalendar, date: Temporal.PlainDate, minutes: number): DayPlan {
  const { hours, closure } = openingOf(calendar, date)
  if (closure) return { state: 'holiday', reason: closure.reason, times: [], dropOffs: [] }
  if (!hours) return { state: 'closed', reason: null, times: [], dropOffs: [] }

  const clock = wallClock(date, calendar.timeZone)
  const closes = momentOf(date, hours.closes, calendar.timeZone)
  const times: Span[] = []
  for (let at = hours.opens; at < hours.closes; at += calendar.slotMinutes) {
    const start = clock(at)
    if (start !== undefined && start + minutes * minute <= closes) times.push({ start, end: start + minutes * minute })
  }
  return { state: 'open', reason: null, times, dropOffs: calendar.kind === 'shop' ? planDropOffs(calendar, date, hours, minutes) : [] }
}

function planDropOffs(calendar: ShopCalendar, date: Temporal.PlainDate, hours: OpeningHours, minutes: number): DayPlan['dropOffs'] {
  const offers: DayPlan['dropOffs'] = []
  for (const [window, bounds] of Object.entries(dropOffWindows) as [DropOffWindow, (typeof dropOffWindows)[DropOffWindow]][]) {
    const ready = bounds.readyNextDay ? firstDay(date.add({ days: 1 }), (next) => openingOf(calendar, next).hours !== undefined) : date
    if (!ready) continue
    const readyBy = Math.min(bounds.readyBy, openingOf(calendar, ready).hours?.closes ?? 0)
    const from = Math.max(bounds.from, hours.opens)
    // Who brings the car last must still get it back in time.
    const to = Math.min(bounds.to, hours.closes, bounds.readyNextDay ? Infinity : readyBy - minutes)
    if (to - from < shortestWindowMinutes) continue
    offers.push({ window, start: momentOf(date, from, calendar.timeZone), end: momentOf(date, to, calendar.timeZone), readyBy: momentOf(ready, readyBy, calendar.timeZone) })
  }
  return offers
}

const minute = 60_000
const dayLength = 24 * 60 * minute
const shortestWindowMinutes = 30
/** Closures are known this far ahead of the last day that can be booked. */
const lookAheadDays = 14

function openingOf(calendar: ShopCalendar, date: Temporal.PlainDate): { hours: OpeningHours | undefined; closure: ShopClosure | undefined } {
  const text = calendar.closures.length > 0 ? date.toString() : ''
  const closure = calendar.closures.find(({ on }) => on === text)
  const hours = closure ? undefined : calendar.hours.find(({ weekday }) => weekday === date.dayOfWeek)
  return { hours, closure }
}

function firstDay(from: Temporal.PlainDate, fits: (date: Temporal.PlainDate) => boolean): Temporal.PlainDate | undefined {
  for (let ahead = 0; ahead <= lookAheadDays; ahead += 1) {
    const date = from.add({ days: ahead })
    if (fits(date)) return date
  }
  return undefined
}

/** Turns minutes on the wall clock of a day into epoch ms; undefined for a time that this clock skips, the earlier one for a time it shows twice. */
function wallClock(date: Temporal.PlainDate, timeZone: string): (minutes: number) => number | undefined {
  const midnight = date.toZonedDateTime(timeZone).epochMilliseconds
  // A day of 24 hours has no change of the clock in it, and then this is addition.
  if (date.add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds - midnight === dayLength) return (minutes) => midnight + minutes * minute
  return (minutes) => {
    const wall = date.toPlainDateTime().add({ minutes })
    const shown = wall.toZonedDateTime(timeZone, { disambiguation: 'earlier' })
    return shown.toPlainDateTime().equals(wall) ? shown.epochMilliseconds : undefined
  }
}

/** The same for a bound rather than a start: a time that the clock skips is the moment an hour later, which it shows. */
function momentOf(date: Temporal.PlainDate, minutes: number, timeZone: string): number {
  return date.toPlainDateTime().add({ minutes }).toZonedDateTime(timeZone).epochMilliseconds
}

function hasFreeBay(calendar: ShopCalendar, kind: Bay['kind'], start: number, end: number): boolean {
  return calendar.bays.some((bay) => bay.kind === kind && isFree(bay, start, end))
}

/** Whether nothing on the bay overlaps from `start` to `end`, by halving: the first thing that ends after `start` must not begin before `end`. */
function isFree(bay: Bay, start: number, end: number): boolean {
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
