import { expect, test } from 'vitest'
import { dropOffText, slotText, slotTextWithZone, slotZone } from './times.ts'

const start = Temporal.Instant.from('2026-11-24T15:30:00Z')

test.for([
  ['2026-11-24T15:30:00Z', 'America/Chicago', 'Tue, Nov 24, 9:30 AM'],
  ['2026-11-24T15:30:00Z', 'America/Los_Angeles', 'Tue, Nov 24, 7:30 AM'],
  ['2026-11-24T20:05:00Z', 'America/Chicago', 'Tue, Nov 24, 2:05 PM'],
  ['2026-11-24T18:00:00Z', 'America/Chicago', 'Tue, Nov 24, 12:00 PM'],
  ['2026-12-03T15:00:00Z', 'America/Chicago', 'Thu, Dec 3, 9:00 AM'],
] as const)('an offered time has its date and AM or PM, without a zone: %s in %s', ([at, timeZone, text]) => {
  expect(slotText({ start: Temporal.Instant.from(at) }, timeZone)).toBe(text)
})

test('a drop-off has its date and part of the day', () => {
  expect(slotText({ start, window: 'AM' }, 'America/Chicago')).toBe('Tue, Nov 24, morning drop-off')
  expect(slotText({ date: Temporal.PlainDate.from('2026-11-25'), window: 'EVE' }, 'America/Chicago')).toBe(
    'Wed, Nov 25, evening drop-off',
  )
})

test('the zone is named where the shop’s clock differs from the visitor’s, or the visitor’s is unknown', () => {
  expect(slotZone(start, 'America/Chicago', 'America/Chicago')).toBeNull()
  expect(slotZone(start, 'America/Chicago', 'America/Menominee')).toBeNull()
  expect(slotZone(start, 'America/Chicago', 'America/New_York')).toBe('CST')
  expect(slotZone(start, 'America/Phoenix', 'America/Denver')).toBeNull()
  expect(slotZone(Temporal.Instant.from('2026-07-04T15:30:00Z'), 'America/Chicago', null)).toBe('CDT')
  expect(slotTextWithZone({ start }, 'America/Chicago')).toBe('Tue, Nov 24, 9:30 AM CST')
})

test('a car dropped off in the evening is ready the next day the shop is open, which is named', () => {
  const at = (text: string) => Temporal.ZonedDateTime.from(`${text}[America/Chicago]`).toInstant()
  const evening = { window: 'EVE', start: at('2026-11-25T16:00'), end: at('2026-11-25T18:00') } as const
  expect(dropOffText({ ...evening, readyBy: at('2026-11-27T12:00') }, 'America/Chicago')).toBe(
    'Leave it after 4:00 PM, ready Fri, Nov 27 by 12:00 PM',
  )
  const morning = {
    window: 'AM',
    start: at('2026-11-25T08:00'),
    end: at('2026-11-25T10:00'),
    readyBy: at('2026-11-25T14:00'),
  } as const
  expect(dropOffText(morning, 'America/Chicago')).toBe('Leave it 8:00 AM to 10:00 AM, ready by 2:00 PM')
})
