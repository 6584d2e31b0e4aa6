import { expect, test } from 'vitest'
import type { Opening } from '#domain/booking/booking.ts'
import { dropOffText, openingLabel } from './times.ts'

const now = Temporal.Instant.from('2026-11-20T15:00:00Z')
const wait = (start: string): Opening => {
  const at = Temporal.Instant.from(start)
  return {
    kind: 'wait',
    date: at.toZonedDateTimeISO('America/Chicago').toPlainDate(),
    start: at,
    end: at.add({ hours: 1 }),
  }
}

test('a time within the week shows a weekday and a later one a date, in the shop’s time zone', () => {
  expect(openingLabel(wait('2026-11-24T15:30:00Z'), 'America/Chicago', now)).toBe('Tue 9:30 CST')
  expect(openingLabel(wait('2026-11-24T15:30:00Z'), 'America/Los_Angeles', now)).toBe('Tue 7:30 PST')
  expect(openingLabel(wait('2026-11-24T20:05:00Z'), 'America/Chicago', now)).toBe('Tue 2:05 CST')
  expect(openingLabel(wait('2026-11-24T18:00:00Z'), 'America/Chicago', now)).toBe('Tue 12:00 CST')
})

test('the same weekday a week later shows its date', () => {
  expect(openingLabel(wait('2026-11-27T15:00:00Z'), 'America/Chicago', now)).toBe('Fri, Nov 27, 9:00 CST')
})

test('leaving the car is a part of the day', () => {
  const dropOff: Opening = {
    ...wait('2026-11-24T14:00:00Z'),
    kind: 'drop-off',
    window: 'AM',
    code: '20261124-AM',
    readyBy: Temporal.Instant.from('2026-11-24T23:00:00Z'),
  }
  expect(openingLabel(dropOff, 'America/Chicago', now)).toBe('Tue morning')
})

test('a car dropped off in the evening is ready the next day the shop is open, which is named', () => {
  const at = (text: string) => Temporal.ZonedDateTime.from(`${text}[America/Chicago]`).toInstant()
  const evening = { window: 'EVE', start: at('2026-11-25T16:00'), end: at('2026-11-25T18:00') } as const
  expect(dropOffText({ ...evening, readyBy: at('2026-11-27T12:00') }, 'America/Chicago')).toBe(
    'Leave it after 4:00 PM CST, ready Fri, Nov 27 by 12:00 PM CST',
  )
  const morning = {
    window: 'AM',
    start: at('2026-11-25T08:00'),
    end: at('2026-11-25T10:00'),
    readyBy: at('2026-11-25T14:00'),
  } as const
  expect(dropOffText(morning, 'America/Chicago')).toBe('Leave it 8:00 AM to 10:00 AM CST, ready by 2:00 PM CST')
})
