import { expect, test } from 'vitest'
import { openState } from './open-state.ts'

const week = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, opens: 8 * 60, closes: 17 * 60 + 30 }))
const chicago = { timeZone: 'America/Chicago', hours: week, closures: [{ on: '2026-11-26', reason: 'Thanksgiving' }] }

/** Friday, November 20, 2026; Chicago is six hours behind UTC, Honolulu ten. */
test.for([
  ['2026-11-20T13:59:00Z', { isOpen: false, next: ['2026-11-20', 480], reason: null }],
  ['2026-11-20T14:00:00Z', { isOpen: true, until: 1050 }],
  ['2026-11-20T23:29:00Z', { isOpen: true, until: 1050 }],
  ['2026-11-20T23:30:00Z', { isOpen: false, next: ['2026-11-23', 480], reason: null }],
  ['2026-11-26T16:00:00Z', { isOpen: false, next: ['2026-11-27', 480], reason: 'Thanksgiving' }],
  // The evening of the previous day, then the holiday's first and last minute, in the shop's time zone instead of UTC.
  ['2026-11-25T23:30:00Z', { isOpen: false, next: ['2026-11-27', 480], reason: null }],
  ['2026-11-26T06:00:00Z', { isOpen: false, next: ['2026-11-27', 480], reason: 'Thanksgiving' }],
  ['2026-11-27T05:59:00Z', { isOpen: false, next: ['2026-11-27', 480], reason: 'Thanksgiving' }],
  ['2026-11-27T06:00:00Z', { isOpen: false, next: ['2026-11-27', 480], reason: null }],
  // Daylight saving time ends on November 1, so wall time is used instead of hours since midnight.
  ['2026-11-02T14:00:00Z', { isOpen: true, until: 1050 }],
  ['2026-10-30T13:00:00Z', { isOpen: true, until: 1050 }],
] as const)('at %s: %o', ([now, expected]) => {
  const state = openState(chicago, Temporal.Instant.from(now))
  expect(state.isOpen ? state : { ...state, next: state.next && [state.next.on.toString(), state.next.from] }).toEqual(
    expected,
  )
})

test("uses the shop's own time zone", () => {
  const now = Temporal.Instant.from('2026-11-20T17:00:00Z')
  expect(openState(chicago, now).isOpen).toBe(true)
  expect(openState({ ...chicago, timeZone: 'Pacific/Honolulu' }, now).isOpen).toBe(false)
})

test('a week off includes the weekend after it', () => {
  const days = ['2026-12-07', '2026-12-08', '2026-12-09', '2026-12-10', '2026-12-11']
  const state = openState(
    { ...chicago, closures: days.map((on) => ({ on, reason: 'Closed for vacation' })) },
    Temporal.Instant.from('2026-12-07T16:00:00Z'),
  )
  expect(state).toMatchObject({ isOpen: false, reason: 'Closed for vacation' })
  expect(!state.isOpen && state.next?.on.toString()).toBe('2026-12-14')
})

test('a holiday starts with the local day where that is ahead of UTC', () => {
  const guam = { ...chicago, timeZone: 'Pacific/Guam' }
  // Ten in the morning on Thursday in Guam, midnight between Wednesday and Thursday in UTC.
  expect(openState(guam, Temporal.Instant.from('2026-11-25T23:59:00Z'))).toMatchObject({
    isOpen: false,
    reason: 'Thanksgiving',
  })
  expect(openState(guam, Temporal.Instant.from('2026-11-26T23:59:00Z'))).toEqual({ isOpen: true, until: 1050 })
})

test('a shop that does not open within two weeks has no next opening', () => {
  expect(openState({ ...chicago, hours: [] }, Temporal.Instant.from('2026-11-20T17:00:00Z'))).toEqual({
    isOpen: false,
    next: null,
    reason: null,
  })
})
