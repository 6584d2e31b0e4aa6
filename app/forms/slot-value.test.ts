import { expect, test } from 'vitest'
import type { Opening } from '#domain/scheduling/booking/booking.ts'
import { openingValue, parseSlot } from './slot-value.ts'

const start = Temporal.Instant.from('2026-11-24T15:30:00Z')
const date = Temporal.PlainDate.from('2026-11-24')
const wait: Opening = { kind: 'wait', date, start, end: start.add({ hours: 1 }) }
const dropOff: Opening = { ...wait, kind: 'drop-off', window: 'AM', code: '20261124-AM', readyBy: start }

test('an appointment posts its instant, a drop-off its day and window, and both are read back', () => {
  expect(openingValue(wait)).toBe('2026-11-24T15:30:00Z')
  expect(openingValue(dropOff)).toBe('2026-11-24|AM')
  expect(parseSlot(openingValue(wait))).toEqual({ start })
  expect(parseSlot(openingValue(dropOff))).toEqual({ date, window: 'AM' })
})

test.for(['', 'tomorrow', '2026-11-24', '2026-11-24|NOON', '2026-13-24|AM', '9'.repeat(60)])(
  '"%s" names no time',
  (value) => {
    expect(parseSlot(value)).toBeUndefined()
  },
)
