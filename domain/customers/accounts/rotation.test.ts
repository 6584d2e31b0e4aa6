import { expect, test } from 'vitest'
import { nextRotation, type Readings } from './rotation.ts'

const nothing: Readings = { mileage: null, mileageOn: null, rotatedMileage: null, rotatedOn: null }

test.for<[string, Partial<Readings>, string | null]>([
  ['nothing to count from', { mileage: 40_000, mileageOn: '2026-06-01' }, null],
  ['only a day: six months later', { rotatedOn: '2026-01-15' }, '2026-07-15 months'],
  ['the end of a month stays the end of a month', { rotatedOn: '2025-08-31' }, '2026-02-28 months'],
  [
    '2,000 miles a month',
    { rotatedOn: '2026-01-01', rotatedMileage: 40_000, mileage: 42_000, mileageOn: '2026-01-31' },
    '2026-04-01 miles',
  ],
  [
    '500 miles a month',
    { rotatedOn: '2026-01-01', rotatedMileage: 40_000, mileage: 40_500, mileageOn: '2026-01-31' },
    '2026-07-01 months',
  ],
  [
    'driven already: the day it was read',
    { rotatedOn: '2026-01-01', rotatedMileage: 40_000, mileage: 46_000, mileageOn: '2026-02-10' },
    '2026-02-10 miles',
  ],
  [
    'read too soon to tell a pace',
    { rotatedOn: '2026-01-01', rotatedMileage: 40_000, mileage: 42_000, mileageOn: '2026-01-14' },
    '2026-07-01 months',
  ],
  [
    'read on the first day that tells a pace',
    { rotatedOn: '2026-01-01', rotatedMileage: 40_000, mileage: 41_000, mileageOn: '2026-01-15' },
    '2026-03-26 miles',
  ],
  [
    'an odometer that went backwards',
    { rotatedOn: '2026-01-01', rotatedMileage: 40_000, mileage: 39_000, mileageOn: '2026-03-01' },
    '2026-07-01 months',
  ],
  [
    'no mileage at the last rotation',
    { rotatedOn: '2026-01-01', mileage: 42_000, mileageOn: '2026-01-31' },
    '2026-07-01 months',
  ],
])('%s', ([, readings, expected]) => {
  const next = nextRotation({ ...nothing, ...readings })
  expect(next && `${next.on.toString()} ${next.because}`).toBe(expected)
})
