import { expect, test } from 'vitest'
import { seasonAt } from './season.ts'

test.for([
  ['60614', '2026-11-25', 'winter'],
  ['60614', '2026-07-01', 'other'],
  ['04101', '2026-03-31', 'winter'],
  ['04101', '2026-04-01', 'other'],
  ['99501', '2026-12-24', 'winter'],
  ['33101', '2026-12-24', 'other'],
  ['90210', '2026-12-24', 'other'],
  // San Juan.
  ['00901', '2026-12-24', 'other'],
  [null, '2026-12-24', 'other'],
  [undefined, '2026-12-24', 'other'],
] as const)('the season at %s on %s is %s', ([zip, day, season]) => {
  expect(seasonAt(zip, Temporal.PlainDate.from(day))).toBe(season)
})
