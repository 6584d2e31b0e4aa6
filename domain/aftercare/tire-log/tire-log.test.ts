/** The rotation log, with entered values, the next rotation, and the mileage warranty estimate. */
import { expect, test } from 'vitest'
import { estimateWarranty, nextOf, rotationForm, withGaps, type Rotation } from './tire-log.ts'

const day = (text: string) => Temporal.PlainDate.from(text)
const fitted = { installedOn: day('2026-05-20'), odometerMiles: 40_000 }
const rotation = (nth: number, on: string, odometerMiles: number): Rotation => ({
  nth,
  on: day(on),
  odometerMiles,
  place: 'Home',
})
const log = [rotation(1, '2026-11-20', 52_500), rotation(2, '2026-08-20', 46_000)]

test('entries are sorted by date, with miles since the previous entry', () => {
  expect(withGaps(fitted, log).map(({ nth, since, isLate }) => [nth, since, isLate])).toEqual([
    [2, 6_000, false],
    [1, 6_500, true],
  ])
})

test('the next rotation is six months after the last, or after the tires were fitted', () => {
  expect(nextOf(fitted, [])?.on.toString()).toBe('2026-11-20')
  expect(nextOf(fitted, log)?.on.toString()).toBe('2027-05-20')
})

test.for([
  [{ warrantyMiles: null, isStaggered: false }, null],
  [
    { warrantyMiles: 60_000, isStaggered: false },
    { milesWarranted: 60_000, milesDriven: 12_500, milesLeft: 47_500, percentLeft: 79 },
  ],
  [
    { warrantyMiles: 60_000, isStaggered: true },
    { milesWarranted: 30_000, milesDriven: 12_500, milesLeft: 17_500, percentLeft: 58 },
  ],
  [
    { warrantyMiles: 10_000, isStaggered: false },
    { milesWarranted: 10_000, milesDriven: 12_500, milesLeft: 0, percentLeft: 0 },
  ],
] as const)('of %o is left %o', ([terms, left]) => {
  expect(estimateWarranty({ ...fitted, ...terms }, log)).toEqual(left)
})

test.for([
  ['11/20/2026', '52,500', 'Home', null],
  ['5/20/2026', '40000', 'Home', null],
  ['11/23/2026', '52,500', 'Home', 'on'],
  ['5/19/2026', '52,500', 'Home', 'on'],
  ['2/30/2026', '52,500', 'Home', 'on'],
  ['11/20/2026', '39,999', 'Home', 'odometer'],
  ['11/20/2026', '1,000,000', 'Home', 'odometer'],
  ['11/20/2026', 'many', 'Home', 'odometer'],
  ['11/20/2026', '52,500', ' ', 'place'],
  ['11/20/2026', '52,500', 'x'.repeat(81), 'place'],
] as const)('%s at %s miles, %s: the wrong field is %s', ([on, odometer, place, field]) => {
  const read = rotationForm(day('2026-11-22'), fitted).safeParse({ on, odometer, place })
  expect(read.success ? null : read.error.issues.map(({ path }) => path[0])).toEqual(field && [field])
})
