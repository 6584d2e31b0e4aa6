/** A shop's calendar feed, parsed by two independent parsers. */
import ICAL from 'ical.js'
import nodeIcal, { type VEvent } from 'node-ical'
import { expect, test } from 'vitest'
import { feedFile, type FeedEntry } from './feed-file.ts'

const timeZone = 'America/Chicago'
const at = (text: string, zone = timeZone) => Temporal.ZonedDateTime.from(`${text}[${zone}]`).toInstant()
const shop = { name: 'Halsted Tire & Wheel; north', timeZone, url: 'https://sidewall.example/portal/SW-00001' }
const entry = (change: Partial<FeedEntry> = {}): FeedEntry => ({
  id: '5f1c0000-0000-4000-8000-000000000001',
  kind: 'wait',
  state: 'confirmed',
  start: at('2026-11-24T09:30'),
  end: at('2026-11-24T10:30'),
  dropOffCode: null,
  changes: 0,
  changedAt: at('2026-11-20T10:00'),
  firstName: 'Dana',
  vehicle: '2021 Toyota RAV4',
  orderNumber: 'S-104921',
  url: 'https://sidewall.example/portal/SW-00001?on=2026-11-24',
  ...change,
})

function readTwice(file: string, zone = timeZone) {
  const calendar = new ICAL.Component(ICAL.parse(file))
  const rules = calendar.getFirstSubcomponent('vtimezone')
  if (!rules) throw new Error('There are no rules of a zone in the file.')
  ICAL.TimezoneService.register(new ICAL.Timezone(rules))
  const one = calendar.getAllSubcomponents('vevent').map((component) => ({
    uid: String(component.getFirstPropertyValue('uid')),
    summary: String(component.getFirstPropertyValue('summary')),
    status: String(component.getFirstPropertyValue('status')),
    sequence: Number(component.getFirstPropertyValue('sequence')),
    start: new ICAL.Event(component).startDate.toJSDate().toISOString(),
  }))
  const other = Object.values(nodeIcal.sync.parseICS(file))
    .filter((each): each is VEvent => each?.type === 'VEVENT')
    .map(({ uid, summary, status, sequence, start }) => ({
      uid,
      summary: typeof summary === 'string' ? summary : summary.val,
      status: String(status),
      sequence: Number(sequence),
      start: start.toISOString(),
    }))
  expect(file).toContain(`TZID:${zone}`)
  return { calendar, one, other }
}

test('two parsers agree on attendee, time, sequence, and cancellation', () => {
  const entries = [
    entry(),
    entry({
      id: '5f1c0000-0000-4000-8000-000000000002',
      state: 'canceled',
      changes: 2,
      start: at('2026-11-25T13:00'),
      end: at('2026-11-25T14:00'),
    }),
    entry({
      id: '5f1c0000-0000-4000-8000-000000000003',
      kind: 'drop-off',
      dropOffCode: '20261126-EVE',
      start: at('2026-11-26T16:00'),
      end: at('2026-11-26T18:00'),
      vehicle: null,
    }),
  ]
  const { calendar, one, other } = readTwice(feedFile(shop, entries))
  expect(one).toEqual([
    {
      uid: entries[0]?.id,
      summary: 'Dana, 2021 Toyota RAV4',
      status: 'CONFIRMED',
      sequence: 0,
      start: '2026-11-24T15:30:00.000Z',
    },
    {
      uid: entries[1]?.id,
      summary: 'Dana, 2021 Toyota RAV4',
      status: 'CANCELLED',
      sequence: 2,
      start: '2026-11-25T19:00:00.000Z',
    },
    {
      uid: entries[2]?.id,
      summary: 'Dana, vehicle not given (drop-off)',
      status: 'CONFIRMED',
      sequence: 0,
      start: '2026-11-26T22:00:00.000Z',
    },
  ])
  expect(other).toEqual(one)
  expect(calendar.getFirstPropertyValue('name')).toBe('Halsted Tire & Wheel; north: tire jobs')
  expect(String(calendar.getFirstPropertyValue('refresh-interval'))).toBe('PT15M')
  const [event] = calendar.getAllSubcomponents('vevent')
  expect(String(event?.getFirstPropertyValue('dtstamp'))).toBe('2026-11-20T16:00:00Z')
  expect(String(event?.getFirstPropertyValue('url'))).toBe('https://sidewall.example/portal/SW-00001?on=2026-11-24')
  expect(String(event?.getFirstPropertyValue('class'))).toBe('PRIVATE')
})

test.for([
  ['before the clocks go forward', '2027-03-13T09:30', '2027-03-13T15:30:00.000Z'],
  ['on the day they go forward', '2027-03-14T09:30', '2027-03-14T14:30:00.000Z'],
  ['on the day they go back', '2026-11-01T09:30', '2026-11-01T15:30:00.000Z'],
  ['on the day after they go back', '2026-11-02T09:30', '2026-11-02T15:30:00.000Z'],
  ['before the clocks go back', '2026-10-31T09:30', '2026-10-31T14:30:00.000Z'],
] as const)('a job %s is read at its instant', ([, start, utc]) => {
  const { one, other } = readTwice(feedFile(shop, [entry({ start: at(start), end: at(start).add({ hours: 1 }) })]))
  expect(one.map((each) => each.start)).toEqual([utc])
  expect(other.map((each) => each.start)).toEqual([utc])
})

test('a zone without daylight saving and an empty calendar are files, too', () => {
  const zone = 'America/Phoenix'
  const start = at('2026-07-01T08:00', zone)
  const { one, other } = readTwice(
    feedFile({ ...shop, timeZone: zone }, [entry({ start, end: start.add({ hours: 1 }) })]),
    zone,
  )
  expect(one.map((each) => each.start)).toEqual(['2026-07-01T15:00:00.000Z'])
  expect(other).toEqual(one)
  const empty = new ICAL.Component(ICAL.parse(feedFile(shop, [])))
  expect(empty.getAllSubcomponents().map(({ name }) => name)).toEqual(['vtimezone'])
})

test('the same jobs are the same bytes', () => {
  expect(feedFile(shop, [entry()])).toBe(feedFile(shop, [entry()]))
  expect(feedFile(shop, [entry({ changes: 1 })])).not.toBe(feedFile(shop, [entry()]))
})
