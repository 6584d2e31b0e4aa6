/** The calendar of a shop as a feed that its own calendar program reads again and again (RFC 5545, RFC 7986). */
import ical, {
  ICalAttendeeStatus,
  ICalCalendarMethod,
  ICalEventClass,
  ICalEventStatus,
  type ICalCalendar,
} from 'ical-generator'
import type { BookingKind, BookingState } from './booking.ts'
import { describeZone } from './calendar.ts'

/** An appointment in the feed, with only the customer's first name. */
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

/** The refresh interval suggested to calendar apps. */
const refreshSeconds = 15 * 60

/**
 * Returns a shop's feed. Output is deterministic; each appointment is stamped with its last change, which also raises
 * its SEQUENCE, and its UID is stable. Canceled appointments remain in the feed as canceled, so that calendar apps
 * remove them.
 */
export function feedFile(shop: { name: string; timeZone: string; url: string }, entries: readonly FeedEntry[]): string {
  const { timeZone } = shop
  const calendar = ical({
    prodId: { company: 'Sidewall', product: 'Shop calendar', language: 'EN' },
    name: `${shop.name}: tire jobs`,
    url: shop.url,
    ttl: refreshSeconds,
    // A calendar without components is invalid, so an empty one contains its time zone.
    timezone: { name: entries.length === 0 ? timeZone : null, generator: describeZone },
  })
  for (const entry of entries) addEntry(calendar, entry, timeZone)
  return calendar.toString()
}

/** The organizer, and the attendee with the appointment in their calendar. */
type Parties = { organizer: { name: string; email: string }; attendee: string }

/**
 * Returns one appointment as a file for the calendar of `attendee`. The file is a request, or a cancellation if it was
 * canceled (RFC 5546, 3.2.2 and 3.2.5). Its UID and SEQUENCE match the feed, so that a calendar updates its copy.
 */
export function shopEventFile({ timeZone, ...parties }: { timeZone: string } & Parties, entry: FeedEntry): string {
  const calendar = ical({
    prodId: { company: 'Sidewall', product: 'Shop calendar', language: 'EN' },
    method: entry.state === 'canceled' ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.REQUEST,
    timezone: { name: null, generator: describeZone },
  })
  addEntry(calendar, entry, timeZone, parties)
  return calendar.toString()
}

function addEntry(calendar: ICalCalendar, entry: FeedEntry, timeZone: string, parties?: Parties): void {
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
    ...(parties && {
      organizer: parties.organizer,
      // The shop has agreed by being bookable. Calendars don't ask whether it comes.
      attendees: [{ email: parties.attendee, status: ICalAttendeeStatus.ACCEPTED, rsvp: false }],
    }),
  })
}

function titleOf({ firstName, vehicle, kind, state }: FeedEntry): string {
  const what = kind === 'drop-off' ? ' (drop-off)' : ''
  const end = state === 'done' ? ', done' : state === 'no-show' ? ', no-show' : ''
  return `${firstName}, ${vehicle ?? 'vehicle not given'}${what}${end}`
}
