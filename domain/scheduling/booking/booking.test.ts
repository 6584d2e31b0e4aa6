import { expect, test } from 'vitest'
import {
  bookingCan,
  bookingTransitions,
  dropOffCode,
  maxHoldExtensions,
  noticeText,
  parseDropOffCode,
  toCartAppointment,
  type BookingState,
} from './booking.ts'

const at = (text: string) => Temporal.ZonedDateTime.from(text).toInstant()
const start = at('2026-11-24T09:30[America/Chicago]')
const states = Object.keys(bookingTransitions) as BookingState[]

test('the notice period binds only shoppers, and unconfirmed times have no notice period', () => {
  const start = at('2026-11-24T09:30[America/Chicago]')
  const appointment = { state: 'confirmed' as const, start, noticeMinutes: 24 * 60 }
  expect(bookingCan.cancelAsShopper(appointment, at('2026-11-23T09:30[America/Chicago]'))).toEqual({ can: true })
  expect(bookingCan.cancelAsShopper(appointment, at('2026-11-23T09:31[America/Chicago]'))).toEqual({
    can: false,
    why: 'too-late-to-change',
  })
  expect(bookingCan.cancelAsShopper({ ...appointment, state: 'canceled' }, start)).toEqual({ can: true })
  expect(bookingCan.cancel(appointment)).toEqual({ can: true })
})

test('every state is reachable from a hold, and final states lead nowhere', () => {
  const reached = new Set<BookingState>(['held'])
  for (const state of reached) for (const next of bookingTransitions[state]) reached.add(next)
  expect([...reached].sort()).toEqual(states.toSorted())
  expect(states.filter((state) => bookingTransitions[state].length === 0)).toEqual([
    'done',
    'no-show',
    'canceled',
    'expired',
  ])
})

test('only a confirmed appointment can be moved, up to an hour before it starts', () => {
  const noticeMinutes = 60
  expect(
    bookingCan.move({ state: 'confirmed', start, noticeMinutes }, at('2026-11-24T08:30[America/Chicago]')),
  ).toEqual({ can: true })
  expect(
    bookingCan.move({ state: 'confirmed', start, noticeMinutes }, at('2026-11-24T08:31[America/Chicago]')),
  ).toEqual({
    can: false,
    why: 'too-late-to-change',
  })
  for (const state of states.filter((other) => other !== 'confirmed'))
    expect(bookingCan.move({ state, start, noticeMinutes }, at('2026-11-20T08:00[America/Chicago]'))).toEqual({
      can: false,
      why: 'not-confirmed',
    })
})

test('held and confirmed bookings can be canceled, finished ones cannot', () => {
  expect(states.filter((state) => bookingCan.cancel({ state }).can)).toEqual(['held', 'confirmed'])
})

test('only a hold can be extended, ten times', () => {
  expect(maxHoldExtensions).toBe(10)
  expect(bookingCan.extend({ state: 'held', holdExtensions: 9 })).toEqual({ can: true })
  expect(bookingCan.extend({ state: 'held', holdExtensions: 10 })).toEqual({ can: false, why: 'too-many-extensions' })
  expect(bookingCan.extend({ state: 'confirmed', holdExtensions: 0 })).toEqual({ can: false, why: 'no-hold' })
})

test('a drop-off code contains date and window and parses back to both', () => {
  const date = Temporal.PlainDate.from('2026-03-04')
  expect((['AM', 'PM', 'EVE'] as const).map((window) => dropOffCode(date, window))).toEqual([
    '20260304-AM',
    '20260304-PM',
    '20260304-EVE',
  ])
  expect(parseDropOffCode('20260304-EVE')).toEqual({ date, window: 'EVE' })
})

test.for(['20260230-AM', '2026034-AM', '20260304-NOON', '20260304', '', '20260304-AM '])(
  '"%s" is not a drop-off code',
  (code) => {
    expect(parseDropOffCode(code)).toBeUndefined()
  },
)

test.for([
  ['2026-11-24T09:30', '9:30', 'AM'],
  ['2026-11-24T12:00', '12:00', 'PM'],
  ['2026-11-24T15:05', '3:05', 'PM'],
  ['2026-11-24T00:00', '12:00', 'AM'],
] as const)('the cart appointment of %s starts %s %s', ([wall, startTime, amOrPm]) => {
  expect(
    toCartAppointment({ start: at(`${wall}[America/Chicago]`), timeZone: 'America/Chicago', dropOff: null }, 'HALSTED'),
  ).toEqual({
    installer: { installerId: 'HALSTED' },
    timeZone: 'America/Chicago',
    date: '2026-11-24',
    dropOffWindow: null,
    startTime,
    amOrPm,
    isDropOff: false,
  })
})

test('the cart appointment of a drop-off has a window instead of a time', () => {
  const dropOff = { window: 'EVE', code: '20261124-EVE' } as const
  expect(
    toCartAppointment(
      { start: at('2026-11-24T16:00[America/Chicago]'), timeZone: 'America/Chicago', dropOff },
      'HALSTED',
    ),
  ).toMatchObject({
    date: '2026-11-24',
    dropOffWindow: 'EVE',
    startTime: null,
    amOrPm: null,
    isDropOff: true,
  })
})

test.for([
  [60, 'an hour'],
  [120, '2 hours'],
  [90, '90 minutes'],
  [0, '0 minutes'],
] as const)('a notice of %d minutes is named "%s"', ([minutes, text]) => {
  expect(noticeText(minutes)).toBe(text)
})
