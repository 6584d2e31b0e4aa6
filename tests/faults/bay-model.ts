/**
 * The serial model of a shop's calendar. It contains each bay's bookings and decides whether a result is possible now.
 * The time rules come from the pure functions in `slots.ts`, without the database.
 */
import { placeFor, type Ask, type ShopCalendar } from '#domain/scheduling/booking/slots.ts'
import type { Choice } from '#domain/scheduling/booking/booking.ts'

/** In epoch seconds. */
export type Span = { bay: number; start: number; end: number }
/** An expired hold is `lapsed`. Its time is free, and it can be renewed. */
type Kept = Span & { state: 'held' | 'confirmed' | 'lapsed' }
export type Calendar = Readonly<Record<string, Kept>>
type Rules = { shop: ShopCalendar; ask: Ask }

/** An attempt on a booking or own job, and its result (the new place or the refusal). */
export type Outcome = { ok: true; place?: Span } | { ok: false; reason: string; seen?: readonly string[] }
export type BookingAttempt =
  | { act: 'hold' | 'move'; booking: string; choice: Choice }
  | { act: 'confirm' | 'cancel'; booking: string }
  | { act: 'change-bay'; booking: string; bay: number }
export type OwnJobAttempt = { act: 'enter' | 'drop' | 'reopen'; ownJob: string; seen: readonly string[] }
export type Attempt = (BookingAttempt | OwnJobAttempt) & { outcome: Outcome }

/** The calendar after a change of a booking; undefined if one person could not have made it in this one. */
export function applied(
  rules: Rules,
  calendar: Calendar,
  made: BookingAttempt & { outcome: Outcome },
): Calendar | undefined {
  const { booking, outcome } = made
  const kept = calendar[booking]
  const place = outcome.ok ? outcome.place : undefined
  switch (made.act) {
    case 'hold':
    case 'move': {
      if (made.act === 'move' && kept?.state !== 'confirmed') return undefined
      if (!place || !isOffered(rules, othersThan(calendar, booking), made.choice, place)) return undefined
      return { ...calendar, [booking]: { ...place, state: made.act === 'hold' ? 'held' : 'confirmed' } }
    }
    case 'confirm':
      if (!kept || !place || isTaken(calendar, booking, place)) return undefined
      return { ...calendar, [booking]: { ...place, state: 'confirmed' } }
    case 'cancel':
      return kept && without(calendar, booking)
    case 'change-bay':
      if (kept?.state !== 'confirmed' || isTaken(calendar, booking, { ...kept, bay: made.bay })) return undefined
      return { ...calendar, [booking]: { ...kept, bay: made.bay } }
  }
}

/** The calendar after a booking has gone. */
export function without(calendar: Calendar, booking: string): Calendar {
  return Object.fromEntries(Object.entries(calendar).filter(([id]) => id !== booking))
}

/** All holds run out. */
export function lapsed(calendar: Calendar): Calendar {
  const lapse = (kept: Kept): Kept => (kept.state === 'held' ? { ...kept, state: 'lapsed' } : kept)
  return Object.fromEntries(Object.entries(calendar).map(([id, kept]) => [id, lapse(kept)]))
}

/** What is on the bays, one line for each booking. */
export function textOf(calendar: Calendar): string {
  const live = Object.entries(calendar).filter(([, { state }]) => state !== 'lapsed')
  return live
    .map(([id, { state, ...span }]) => `${id} ${state} ${spanText(span)}`)
    .toSorted()
    .join('\n')
}

export const spanText = ({ bay, start, end }: Span) => `bay ${bay} ${start}-${end}`

/** The shop with these times taken on its bays, and no others. */
export function withTaken(shop: ShopCalendar, taken: readonly Span[]): ShopCalendar {
  const bays = shop.bays.map((bay) => {
    const spans = merged(taken.filter((span) => span.bay === bay.id))
    return { ...bay, starts: spans.map(({ start }) => start), ends: spans.map(({ end }) => end) }
  })
  return { ...shop, bays }
}

export function overlap(one: Span, other: Span): boolean {
  return one.bay === other.bay && one.start < other.end && other.start < one.end
}

/** Whether the pure calculation offers the place for the choice, with the others on their bays. */
function isOffered({ shop, ask }: Rules, others: readonly Span[], choice: Choice, place: Span): boolean {
  const found = placeFor(withTaken(shop, others), ask, choice)
  if (!found.ok) return false
  const { bayIds, start, end } = found.value
  return bayIds.includes(place.bay) && place.start === secondsOf(start) && place.end === secondsOf(end)
}

function isTaken(calendar: Calendar, booking: string, place: Span): boolean {
  return othersThan(calendar, booking).some((span) => overlap(span, place))
}

/** Returns the other bookings on the bays, except lapsed holds. */
function othersThan(calendar: Calendar, booking: string): Span[] {
  return Object.entries(calendar).flatMap(([id, kept]) => (id !== booking && kept.state !== 'lapsed' ? [kept] : []))
}

/** In order and not overlapping, as `slots.ts` has them. */
function merged(spans: readonly Span[]): Span[] {
  const all: Span[] = []
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = all.at(-1)
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end)
    else all.push({ ...span })
  }
  return all
}

export function secondsOf(instant: Temporal.Instant): number {
  return instant.epochMilliseconds / 1_000
}
