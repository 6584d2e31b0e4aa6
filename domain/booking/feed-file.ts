/** The calendar of a shop as a feed that its own calendar program reads again and again (RFC 5545, RFC 7986). */
import ical, { ICalCalendarMethod, ICalEventClass, ICalEventStatus, type ICalCalendar } from 'ical-generator'
import type { BookingKind, BookingState } from './booking.ts'
import { describeZone } from './calendar.ts'

/** An appointment in the feed. It names nobody but by their first name. */
export type FeedEntry = {
  id: string
  kind: BookingKind
  state: BookingState
  start: Temporal.Instant
  end: Temporal.Instant
  dropOffCode: string | null
  /** How often it was moved or canceled. */
  changes: number
  changedAt: Temporal.Instant
  firstName: string
  vehicle: string | null
  orderNumber: string
  /** The portal's address of the job. */
  url: string
}

/** How often programs are asked to read the feed again. */
const refreshSeconds = 15 * 60

/**
 * Returns the feed of a shop. The same appointments give the same bytes: each is stamped with its last change, which
 * also raises its SEQUENCE, and keeps its UID. One that was canceled stays in it as canceled, so that programs remove it.
 */
export function feedFile(shop: { name: string; timeZone: string; url: string }, entries: readonly FeedEntry[]): string {
  const { timeZone } = shop
  const calendar = ical({
    prodId: { company: 'Sidewall', product: 'Shop calendar', language: 'EN' },
    name: `${shop.name}: Sidewall jobs`,
    url: shop.url,
    ttl: refreshSeconds,
    // A calendar without anything in it is none: one without jobs has its zone.
    timezone: { name: entries.length === 0 ? timeZone : null, generator: describeZone },
  })
  for (const entry of entries) addEntry(calendar, entry, timeZone)
  return calendar.toString()
}

/**
 * Returns one appointment as a file for the shop's calendar: a cancellation where it was canceled. Its UID and SEQUENCE
 * are those of the feed.
 */
export function shopEventFile(
  { timeZone, organizer }: { timeZone: string; organizer: { name: string; email: string } },
  entry: FeedEntry,
): string {
  const calendar = ical({
    prodId: { company: 'Sidewall', product: 'Shop calendar', language: 'EN' },
    method: entry.state === 'canceled' ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.PUBLISH,
    timezone: { name: null, generator: describeZone },
  })
  addEntry(calendar, entry, timeZone, organizer)
  return calendar.toString()
}

function addEntry(
  calendar: ICalCalendar,
  entry: FeedEntry,
  timeZone: string,
  organizer?: { name: string; email: string },
): void {
  const isOver = entry.state === 'canceled'
  calendar.createEvent({
    id: entry.id,
    sequence: entry.changes,
    status: isOver ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    class: ICalEventClass.PRIVATE,
    stamp: entry.changedAt,
    lastModified: entry.changedAt,
    timezone: timeZone,
    start: entry.start.toZonedDateTimeISO(timeZone),
    end: entry.end.toZonedDateTimeISO(timeZone),
    summary: titleOf(entry),
    description: [
      `Order ${entry.orderNumber}`,
      ...(entry.dropOffCode ? [`Drop-off code ${entry.dropOffCode}`] : []),
    ].join('\n'),
    url: entry.url,
    ...(organizer && { organizer }),
  })
}

function titleOf({ firstName, vehicle, kind, state }: FeedEntry): string {
  const what = kind === 'drop-off' ? ' (drop-off)' : ''
  const end = state === 'done' ? ', done' : state === 'no-show' ? ', no-show' : ''
  return `${firstName}, ${vehicle ?? 'vehicle not given'}${what}${end}`
}
