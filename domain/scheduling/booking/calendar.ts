/** Calendar export of an appointment, as an iCalendar file (RFC 5545) and links that prefill a web calendar. */
import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator'
import { tzlib_get_ical_block } from 'timezones-ical-library'
import type { Booking } from './booking.ts'
import { phoneText } from '#platform/phone-text.ts'

export type Appointment = {
  booking: Pick<Booking, 'id' | 'kind' | 'start' | 'end' | 'changes'> & { state: string; dropOffCode?: string | null }
  shop: { name: string; street: string; city: string; state: string; zip: string; phone: string; timeZone: string }
  /** The address a van comes to, in one line. */
  visitAddress?: string
  orderNumber: string
  /** "4 Kestrel Alltide AS2 225/65R17 102H" */
  tires: readonly string[]
  /** A service without tires: "Tire rotation". */
  service?: string | null
  /** The page where the appointment can be changed. */
  url?: string
  /** The store, which every scheduling message names (RFC 5546, 3.2). */
  organizer?: { name: string; email: string }
}

/**
 * Returns the appointment as text/calendar, written at `now`. The UID stays the same and SEQUENCE grows with every
 * change, so that a calendar updates or removes its copy instead of adding another. Times are in the shop's time zone,
 * and the file includes that zone's rules.
 */
export function calendarFile(appointment: Appointment & { now: Temporal.Instant }): string {
  const { booking, now } = appointment
  const { timeZone } = appointment.shop
  const isOver = booking.state === 'canceled' || booking.state === 'expired'
  const calendar = ical({
    prodId: { company: 'Sidewall', product: 'Appointments', language: 'EN' },
    method: isOver ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.PUBLISH,
    // Only the event has a time zone. With one on the calendar, the library would write DTSTAMP in that zone instead of
    // UTC.
    timezone: { name: null, generator: describeZone },
  })
  calendar.createEvent({
    id: booking.id,
    sequence: booking.changes,
    status: isOver
      ? ICalEventStatus.CANCELLED
      : booking.state === 'held'
        ? ICalEventStatus.TENTATIVE
        : ICalEventStatus.CONFIRMED,
    stamp: now,
    timezone: timeZone,
    start: booking.start.toZonedDateTimeISO(timeZone),
    end: booking.end.toZonedDateTimeISO(timeZone),
    summary: titleOf(appointment),
    location: addressOf(appointment),
    description: detailsOf(appointment),
    url: appointment.url ?? null,
    ...(appointment.organizer && { organizer: appointment.organizer }),
  })
  return calendar.toString()
}

/** The MIME type of a calendar file, with its method as RFC 6047 has it in emails. */
export function calendarType(file: string): string {
  const method = /^METHOD:(\w+)\r?$/m.exec(file)?.[1]
  return `text/calendar; charset=utf-8${method ? `; method=${method}` : ''}`
}

/** Links that open the appointment in a web calendar, ready to save. */
export function calendarLinks(appointment: Appointment): {
  google: string
  outlook: string
  office365: string
  yahoo: string
} {
  const { start, end } = appointment.booking
  const title = titleOf(appointment)
  const location = addressOf(appointment)
  const details = [detailsOf(appointment), appointment.url].filter(Boolean).join('\n')
  const outlook = {
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: title,
    startdt: start.toString(),
    enddt: end.toString(),
    location,
    body: details,
  }
  return {
    google: link('https://calendar.google.com/calendar/render', {
      action: 'TEMPLATE',
      text: title,
      dates: `${compact(start)}/${compact(end)}`,
      ctz: appointment.shop.timeZone,
      location,
      details,
    }),
    outlook: link('https://outlook.live.com/calendar/0/deeplink/compose', outlook),
    office365: link('https://outlook.office.com/calendar/0/deeplink/compose', outlook),
    yahoo: link('https://calendar.yahoo.com/', {
      v: '60',
      title,
      st: compact(start),
      et: compact(end),
      in_loc: location,
      desc: details,
    }),
  }
}

function titleOf({ booking, shop, service }: Appointment): string {
  if (service) return `${service} at ${shop.name}`
  if (booking.kind === 'drop-off') return `Leave the car at ${shop.name}`
  return booking.kind === 'mobile' ? `${shop.name} comes to install your tires` : `Tire installation at ${shop.name}`
}

function addressOf({ shop, visitAddress }: Appointment): string {
  return visitAddress ?? `${shop.street}, ${shop.city}, ${shop.state} ${shop.zip}`
}

function detailsOf({ booking, shop, orderNumber, tires, service }: Appointment): string {
  const code = booking.dropOffCode ? [`Drop-off code ${booking.dropOffCode}`] : []
  return [
    ...(service ? [service] : []),
    ...tires,
    `Order ${orderNumber}`,
    ...code,
    `${shop.name}: ${phoneText(shop.phone)}`,
  ].join('\n')
}

/**
 * The VTIMEZONE of a zone, as RFC 5545 wants one for every zone that a time names. Refuses a zone that the IANA
 * database does not have.
 */
export function describeZone(timeZone: string): string {
  const [rules] = tzlib_get_ical_block(timeZone)
  if (!rules) throw new RangeError(`There are no rules for the time zone ${timeZone}.`)
  // Saipan's rules are listed under Guam because the two share a clock, so they are renamed to the shop's zone.
  return rules.replaceAll(/^(TZID|X-LIC-LOCATION):.*$/gm, `$1:${timeZone}`)
}

function compact(at: Temporal.Instant): string {
  return at.toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '')
}

function link(base: string, query: Record<string, string>): string {
  return `${base}?${new URLSearchParams(query).toString()}`
}
