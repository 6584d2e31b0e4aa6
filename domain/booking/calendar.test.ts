import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import { calendarFile, calendarLinks, type Appointment } from './calendar.ts'

const at = (text: string) => Temporal.ZonedDateTime.from(text).toInstant()
const now = at('2026-11-20T10:00[America/Chicago]')

function appointment(
  over: Partial<Appointment['booking']> = {},
  timeZone = 'America/Chicago',
): Appointment & { now: Temporal.Instant } {
  return {
    booking: {
      id: '5f1c0000-0000-4000-8000-000000000001',
      kind: 'wait',
      start: at(`2026-11-24T09:30[${timeZone}]`),
      end: at(`2026-11-24T10:30[${timeZone}]`),
      state: 'confirmed',
      changes: 0,
      ...over,
    },
    shop: {
      name: 'Halsted Tire & Wheel',
      street: '1430 N Halsted St',
      city: 'Chicago',
      state: 'IL',
      zip: '60642',
      phone: '3125550142',
      timeZone,
    },
    orderNumber: 'S-104921',
    tires: ['4 Kestrel Alltide AS2 225/65R17 102H; all-season, new'],
    url: 'https://sidewall.example/track-your-order',
    now,
  }
}

function read(file: string) {
  const calendar = new ICAL.Component(ICAL.parse(file))
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone)
  const component = calendar.getFirstSubcomponent('vevent')
  if (!component) throw new Error('There is no event in the file.')
  const event = new ICAL.Event(component)
  ICAL.TimezoneService.reset()
  return { calendar, component, event }
}

test('an independent reader finds the appointment as it was written', () => {
  const { calendar, component, event } = read(calendarFile(appointment()))
  expect(calendar.getFirstPropertyValue('method')).toBe('PUBLISH')
  expect(event.uid).toBe('5f1c0000-0000-4000-8000-000000000001')
  expect(event.sequence).toBe(0)
  expect(component.getFirstPropertyValue('status')).toBe('CONFIRMED')
  expect(event.summary).toBe('Tire installation at Halsted Tire & Wheel')
  expect(event.location).toBe('1430 N Halsted St, Chicago, IL 60642')
  expect(event.description).toBe(
    '4 Kestrel Alltide AS2 225/65R17 102H; all-season, new\nOrder S-104921\nHalsted Tire & Wheel: (312) 555-0142',
  )
  expect(component.getFirstPropertyValue('url')).toBe('https://sidewall.example/track-your-order')
  expect(component.getFirstPropertyValue('dtstamp')?.toString()).toBe('2026-11-20T16:00:00Z')
})

test.for([
  'America/New_York',
  'America/Indiana/Indianapolis',
  'America/Indiana/Knox',
  'America/Menominee',
  'America/Chicago',
  'America/Denver',
  'America/Boise',
  'America/Phoenix',
  'America/Los_Angeles',
  'America/Anchorage',
  'America/Adak',
  'America/Puerto_Rico',
  'Pacific/Honolulu',
  'Pacific/Guam',
])('in %s every day of a year is read back as the same wall time and the same instant', (timeZone) => {
  for (let day = Temporal.PlainDate.from('2026-12-01'); day.year < 2028; day = day.add({ days: 1 })) {
    const start = day.toZonedDateTime({ timeZone, plainTime: '08:00' })
    const { component, event } = read(
      calendarFile(appointment({ start: start.toInstant(), end: start.add({ hours: 1 }).toInstant() }, timeZone)),
    )
    const written = component.getFirstProperty('dtstart')?.getParameter('tzid')
    const readBack = [written, event.startDate.toString(), event.startDate.toUnixTime(), event.duration.toSeconds()]
    const expected = [timeZone, start.toPlainDateTime().toString(), start.epochMilliseconds / 1000, 3600]
    if (readBack.join() !== expected.join()) expect(readBack).toEqual(expected)
  }
})

test.for([
  [
    'America/Chicago',
    '2026-11-24',
    ['STANDARD 20261101T020000 -0500 -0600 CST', 'DAYLIGHT 20270314T020000 -0600 -0500 CDT'],
  ],
  [
    'America/New_York',
    '2027-07-01',
    ['DAYLIGHT 20270314T020000 -0500 -0400 EDT', 'STANDARD 20271107T020000 -0400 -0500 EST'],
  ],
  ['Pacific/Honolulu', '2026-11-24', ['STANDARD 19470608T020000 -1030 -1000 HST']],
] as const)('the file for %s on %s carries the rules of that zone', ([timeZone, date, rules]) => {
  const start = at(`${date}T09:30[${timeZone}]`)
  const { calendar } = read(calendarFile(appointment({ start, end: start.add({ hours: 1 }) }, timeZone)))
  const zone = calendar.getFirstSubcomponent('vtimezone')
  const written = zone
    ?.getAllSubcomponents()
    .map((part) =>
      [
        part.name.toUpperCase(),
        ...part.getAllProperties().map((property) => property.toICALString().split(':').at(-1)),
      ].join(' '),
    )
  expect(written).toEqual(rules)
})

test('the last appointment before the clock changes and the first after it are apart by a day and an hour', () => {
  const before = at('2026-10-31T09:30[America/Chicago]')
  const after = at('2026-11-01T09:30[America/Chicago]')
  const unix = (start: Temporal.Instant) =>
    read(calendarFile(appointment({ start, end: start.add({ hours: 1 }) }))).event.startDate.toUnixTime()
  expect(unix(after) - unix(before)).toBe(25 * 3600)
})

test('a moved appointment keeps its UID and counts up; a canceled one says so', () => {
  const moved = read(calendarFile(appointment({ changes: 1, start: at('2026-11-25T08:00[America/Chicago]') })))
  expect(moved.event.uid).toBe(read(calendarFile(appointment())).event.uid)
  expect(moved.event.sequence).toBe(1)
  const canceled = read(calendarFile(appointment({ changes: 2, state: 'canceled' })))
  expect(canceled.calendar.getFirstPropertyValue('method')).toBe('CANCEL')
  expect(canceled.component.getFirstPropertyValue('status')).toBe('CANCELLED')
  expect(canceled.event.sequence).toBe(2)
})

test('lines end as the format wants and none is too long', () => {
  const file = calendarFile({ ...appointment(), tires: ['x'.repeat(300)] })
  expect(file.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  expect(Math.max(...file.split('\r\n').map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75)
})

test('the links carry title, place and the right instants', () => {
  const links = calendarLinks({ ...appointment({ kind: 'mobile' }), visitAddress: '9 Oak St, Chicago, IL 60610' })
  const google = new URL(links.google).searchParams
  expect(Object.fromEntries(google)).toMatchObject({
    action: 'TEMPLATE',
    text: 'Halsted Tire & Wheel comes to install your tires',
    dates: '20261124T153000Z/20261124T163000Z',
    ctz: 'America/Chicago',
    location: '9 Oak St, Chicago, IL 60610',
  })
  const outlook = new URL(links.outlook).searchParams
  expect(Object.fromEntries(outlook)).toMatchObject({
    startdt: '2026-11-24T15:30:00Z',
    enddt: '2026-11-24T16:30:00Z',
    location: '9 Oak St, Chicago, IL 60610',
  })
  expect(outlook.get('body')).toContain('Order S-104921\n')
  expect(new URL(links.office365).host).toBe('outlook.office.com')
  expect(new URL(links.yahoo).searchParams.get('st')).toBe('20261124T153000Z')
})
