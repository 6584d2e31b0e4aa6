import { expect, test } from 'vitest'
import { supportStatus } from './support.ts'

const at = (text: string) => Temporal.ZonedDateTime.from(`${text}[America/New_York]`).toInstant()

test.for([
  ['2026-11-20T08:00', { open: true, until: '7pm ET' }],
  ['2026-11-20T18:59', { open: true, until: '7pm ET' }],
  ['2026-11-20T19:00', { open: false, from: 'Sat 9am ET' }],
  ['2026-11-21T16:59', { open: true, until: '5pm ET' }],
  ['2026-11-21T17:00', { open: false, from: 'Mon 8am ET' }],
  ['2026-11-22T12:00', { open: false, from: 'Mon 8am ET' }],
  ['2026-11-23T07:59', { open: false, from: 'today 8am ET' }],
  // Clocks were set back on November 1: wall time counts, not the offset.
  ['2026-11-02T08:00', { open: true, until: '7pm ET' }],
] as const)('at %s New York time support is %o', ([time, expected]) => {
  expect(supportStatus(at(time))).toEqual(expected)
})
