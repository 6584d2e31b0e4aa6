import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { OfferedDay } from '#domain/scheduling/booking/booking.ts'
import { lawRuns } from '#tests/support/law-runs.ts'
import {
  canWait,
  dayPartNames,
  earlierTimeForm,
  earlierTimes,
  firstOfferable,
  isTellingHour,
  isWanted,
  partsText,
} from './earlier-times.ts'

const timeZone = 'America/Chicago'
const day = Temporal.PlainDate.from
const at = (text: string) => Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone).toInstant()
const wish = { from: day('2026-11-23'), until: day('2026-11-25'), parts: ['morning'] } as const

test('a time is wanted on the days and in the parts of the day of the wish, on the shop’s clock', () => {
  expect(isWanted(wish, at('2026-11-23T08:00'), timeZone)).toBe(true)
  expect(isWanted(wish, at('2026-11-25T11:59'), timeZone)).toBe(true)
  expect(isWanted(wish, at('2026-11-25T12:00'), timeZone)).toBe(false)
  expect(isWanted(wish, at('2026-11-26T08:00'), timeZone)).toBe(false)
  // Still the evening before in Chicago.
  expect(isWanted({ ...wish, parts: ['evening'] }, Temporal.Instant.from('2026-11-26T03:00Z'), timeZone)).toBe(true)
})

const offered: OfferedDay = {
  date: day('2026-11-24'),
  state: 'free',
  reason: null,
  freeTimes: 3,
  times: ['08:00', '09:00', '10:00', '13:00'].map((time, index) => ({
    start: at(`2026-11-24T${time}`),
    end: at(`2026-11-24T${time}`).add({ hours: 1 }),
    free: index !== 1,
  })),
  dropOffs: [
    {
      window: 'AM',
      code: '20261124-AM',
      start: at('2026-11-24T08:00'),
      end: at('2026-11-24T10:00'),
      readyBy: at('2026-11-24T14:00'),
      free: true,
    },
  ],
}

test('offers only available times before the appointment, after the notice period, and of the same kind', () => {
  const appointment = { start: at('2026-11-24T10:00'), kind: 'wait', timeZone }
  const startsOf = (notBefore: string, kind = 'wait') =>
    earlierTimes([offered], wish, { ...appointment, kind }, at(notBefore)).map(({ start }) => start.toString())
  expect(startsOf('2026-11-23T08:00')).toEqual([at('2026-11-24T08:00').toString()])
  expect(startsOf('2026-11-24T08:01')).toEqual([])
  expect(earlierTimes([offered], wish, { ...appointment, kind: 'drop-off' }, at('2026-11-23T08:00'))).toMatchObject([
    { choice: { window: 'AM' } },
  ])
})

test('every offer is requested, available, earlier, and not too soon', () => {
  const parts = fc.uniqueArray(fc.constantFrom(...dayPartNames), { minLength: 1 })
  fc.assert(
    fc.property(parts, fc.integer({ min: 0, max: 48 }), fc.integer({ min: 0, max: 48 }), (some, starts, after) => {
      const start = at('2026-11-24T00:00').add({ minutes: 30 * starts })
      const notBefore = at('2026-11-24T00:00').add({ minutes: 30 * after })
      const all = { ...wish, parts: some }
      for (const time of earlierTimes([offered], all, { start, kind: 'wait', timeZone }, notBefore)) {
        expect(offered.times.find((each) => each.start.equals(time.start))?.free).toBe(true)
        expect(isWanted(all, time.start, timeZone)).toBe(true)
        expect(Temporal.Instant.compare(time.start, start)).toBe(-1)
        expect(Temporal.Instant.compare(notBefore, time.start)).not.toBe(1)
      }
    }),
    lawRuns,
  )
})

test('sends no offers at night or with too little time to reply', () => {
  expect(isTellingHour(at('2026-11-24T07:59'), timeZone)).toBe(false)
  expect(isTellingHour(at('2026-11-24T08:00'), timeZone)).toBe(true)
  expect(isTellingHour(at('2026-11-24T19:59'), timeZone)).toBe(true)
  expect(isTellingHour(at('2026-11-24T20:00'), timeZone)).toBe(false)
  const now = at('2026-11-24T08:00')
  expect(firstOfferable(now).toString()).toBe(at('2026-11-24T10:00').toString())
  expect(canWait(at('2026-11-24T11:00'), now)).toBe(false)
  expect(canWait(at('2026-11-24T11:01'), now)).toBe(true)
})

test('the form takes days that exist, and the boxes that are ticked', () => {
  const read = (fields: Record<string, string>) => earlierTimeForm.safeParse(fields)
  expect(read({ from: '2026-11-23', until: '2026-11-25', morning: '1' }).data).toMatchObject({ parts: ['morning'] })
  expect(read({ from: '2026-02-30', until: '2026-11-25' }).success).toBe(false)
  expect(read({ from: `2026-11-2${'3'.repeat(50_000)}`, until: '2026-11-25' }).success).toBe(false)
  expect(partsText(['morning', 'evening'])).toBe('mornings and evenings')
  expect(partsText(dayPartNames)).toBe('any time of day')
})
