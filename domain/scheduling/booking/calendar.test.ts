import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import { inTurn } from '../../../tools/rotation.testing.ts'
import { calendarFile, calendarLinks, calendarType, type Appointment } from './calendar.ts'

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

/**
 * By their text. The reader works out rules from 1970 on, and would anew for each file that brings them: they are taken
 * out of it and known to the reader from the first one.
 */
const zones = new Map<string, ICAL.Timezone>()

function read(file: string) {
  const calendar = new ICAL.Component(ICAL.parse(file))
  const rules = calendar.getFirstSubcomponent('vtimezone')
  if (!rules) throw new Error('There are no rules of a zone in the file.')
  ICAL.TimezoneService.register(zones.getOrInsertComputed(rules.toString(), () => new ICAL.Timezone(rules)))
  calendar.removeSubcomponent(rules)
  const component = calendar.getFirstSubcomponent('vevent')
  if (!component) throw new Error('There is no event in the file.')
  return { calendar, rules, component, event: new ICAL.Event(component) }
}

test('an independent parser reads the appointment back', () => {
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

const wallClocks = [
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
]

test.for(inTurn(wallClocks, { always: (zone) => zone === 'America/Chicago' }))(
  'in %s every day of a year is read back as the same wall time and the same instant',
  (timeZone) => {
    for (let day = Temporal.PlainDate.from('2026-12-01'); day.year < 2028; day = day.add({ days: 1 }))
      expectReadBack(day, timeZone)
  },
)

// The other zones of db/data/zips.csv.br, and Samoa's.
test.for([
  'America/Detroit',
  'America/Indiana/Marengo',
  'America/Indiana/Petersburg',
  'America/Indiana/Tell_City',
  'America/Indiana/Vincennes',
  'America/Indiana/Winamac',
  'America/Juneau',
  'America/Kentucky/Louisville',
  'America/Kentucky/Monticello',
  'America/Nome',
  'America/North_Dakota/Beulah',
  'America/North_Dakota/New_Salem',
  'America/Sitka',
  'America/St_Thomas',
  'America/Yakutat',
  'Pacific/Chuuk',
  'Pacific/Kosrae',
  'Pacific/Majuro',
  'Pacific/Pago_Pago',
  'Pacific/Palau',
  'Pacific/Pohnpei',
  'Pacific/Saipan',
])('in %s so are the days on which clocks change, those before, and days of summer and winter', (timeZone) => {
  for (const day of ['2027-01-15', '2027-03-13', '2027-03-14', '2027-07-15', '2027-11-06', '2027-11-07'])
    expectReadBack(Temporal.PlainDate.from(day), timeZone)
})

/** Finds the file's rules by the event's zone name and compares them with this machine's time zone data. */
function expectReadBack(day: Temporal.PlainDate, timeZone: string): void {
  const start = day.toZonedDateTime({ timeZone, plainTime: '08:00' })
  const { rules, component, event } = read(
    calendarFile(appointment({ start: start.toInstant(), end: start.add({ hours: 1 }).toInstant() }, timeZone)),
  )
  const described = rules.getFirstPropertyValue('tzid')
  const written = component.getFirstProperty('dtstart')?.getParameter('tzid')
  const { startDate, duration } = event
  const readBack = [described, written, startDate.toString(), startDate.toUnixTime(), duration.toSeconds()]
  const expected = [timeZone, timeZone, start.toPlainDateTime().toString(), start.epochMilliseconds / 1000, 3600]
  if (readBack.join() !== expected.join()) expect(readBack).toEqual(expected)
}

test.for([
  [
    'America/Chicago',
    '2026-11-24',
    [
      'DAYLIGHT CDT -0600 -0500 19700308T020000 FREQ=YEARLY;BYMONTH=3;BYDAY=2SU',
      'STANDARD CST -0500 -0600 19701101T020000 FREQ=YEARLY;BYMONTH=11;BYDAY=1SU',
    ],
  ],
  [
    'America/New_York',
    '2027-07-01',
    [
      'DAYLIGHT EDT -0500 -0400 19700308T020000 FREQ=YEARLY;BYMONTH=3;BYDAY=2SU',
      'STANDARD EST -0400 -0500 19701101T020000 FREQ=YEARLY;BYMONTH=11;BYDAY=1SU',
    ],
  ],
  ['Pacific/Honolulu', '2026-11-24', ['STANDARD HST -1000 -1000 19700101T000000']],
  ['Pacific/Saipan', '2026-11-24', ['STANDARD ChST +1000 +1000 19700101T000000']],
] as const)('the file for %s on %s carries the rules of that zone', ([timeZone, date, rules]) => {
  const start = at(`${date}T09:30[${timeZone}]`)
  const zone = read(calendarFile(appointment({ start, end: start.add({ hours: 1 }) }, timeZone))).rules
  const written = zone
    .getAllSubcomponents()
    .map((part) =>
      [
        part.name.toUpperCase(),
        ...part.getAllProperties().map((property) => property.toICALString().split(':').at(-1)),
      ].join(' '),
    )
  expect(written).toEqual(rules)
})

test('rejects an unknown time zone', () => {
  const known = appointment()
  const unknown = { ...known, shop: { ...known.shop, timeZone: 'America/Nowhere' } }
  expect(() => calendarFile(unknown)).toThrow(RangeError)
})

test('the last appointment before the clock changes and the first after it are apart by a day and an hour', () => {
  const before = at('2026-10-31T09:30[America/Chicago]')
  const after = at('2026-11-01T09:30[America/Chicago]')
  const unix = (start: Temporal.Instant) =>
    read(calendarFile(appointment({ start, end: start.add({ hours: 1 }) }))).event.startDate.toUnixTime()
  expect(unix(after) - unix(before)).toBe(25 * 3600)
})

test('a rescheduled appointment has the same UID and a higher SEQUENCE; a canceled one is marked canceled', () => {
  const moved = read(calendarFile(appointment({ changes: 1, start: at('2026-11-25T08:00[America/Chicago]') })))
  expect(moved.event.uid).toBe(read(calendarFile(appointment())).event.uid)
  expect(moved.event.sequence).toBe(1)
  const canceled = read(calendarFile(appointment({ changes: 2, state: 'canceled' })))
  expect(canceled.calendar.getFirstPropertyValue('method')).toBe('CANCEL')
  expect(canceled.component.getFirstPropertyValue('status')).toBe('CANCELLED')
  expect(canceled.event.sequence).toBe(2)
})

test('a calendar file is sent with its method as a parameter of its type', () => {
  expect(calendarType(calendarFile(appointment()))).toBe('text/calendar; charset=utf-8; method=PUBLISH')
  expect(calendarType(calendarFile(appointment({ state: 'canceled' })))).toBe(
    'text/calendar; charset=utf-8; method=CANCEL',
  )
  expect(calendarType('BEGIN:VCALENDAR')).toBe('text/calendar; charset=utf-8')
})

test('the description of a drop-off has its code', () => {
  const description = (over: Partial<Appointment['booking']>) =>
    read(calendarFile(appointment(over))).event.description.split('\n')
  expect(description({ kind: 'drop-off', dropOffCode: '20261124-AM' })).toContain('Drop-off code 20261124-AM')
  expect(description({})).not.toContain('Drop-off code undefined')
})

test('lines have CRLF endings and stay within the length limit', () => {
  const file = calendarFile({ ...appointment(), tires: ['x'.repeat(300)] })
  expect(file.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  expect(Math.max(...file.split('\r\n').map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75)
})

test('the links carry title, place and the correct instants', () => {
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
