import { expect, test } from 'vitest'
import { isRatedAsHigh, sizesOfLikeHeight } from './like-sizes.ts'
import { parseTireSize, sizeDesignation, type TireSize } from '#domain/kernel/tire-sizes/tire-sizes.ts'

const sizeOf = (text: string): TireSize => parseTireSize(text) ?? expect.fail(text)
const like = (text: string, others: string[]) => sizesOfLikeHeight(sizeOf(text), others.map(sizeOf))
const names = (text: string, others: string[]) => like(text, others).map(({ size }) => sizeDesignation(size))

test('gives height, speedometer and width of common steps from 225/65R17, as calculated by hand', () => {
  // 225/65R17 is 17 × 25.4 + 2 × 225 × 0.65 = 724.3 mm tall.
  expect(like('225/65R17', ['225/60R18', '235/55R19', '235/65R17', '215/70R16'])).toEqual([
    // 16 × 25.4 + 2 × 215 × 0.70 = 707.4: -2.33 %, 58.60 mph.
    { size: sizeOf('215/70R16'), rimStepIn: -1, diameterTenths: -23, trueAtSixtyTenths: 586, widerMm: -10 },
    // 17 × 25.4 + 2 × 235 × 0.65 = 737.3: 1.79 %, 61.08 mph.
    { size: sizeOf('235/65R17'), rimStepIn: 0, diameterTenths: 18, trueAtSixtyTenths: 611, widerMm: 10 },
    // 18 × 25.4 + 2 × 225 × 0.60 = 727.2: 0.40 %, 60.24 mph.
    { size: sizeOf('225/60R18'), rimStepIn: 1, diameterTenths: 4, trueAtSixtyTenths: 602, widerMm: 0 },
    // 19 × 25.4 + 2 × 235 × 0.55 = 741.1: 2.32 %, 61.39 mph.
    { size: sizeOf('235/55R19'), rimStepIn: 2, diameterTenths: 23, trueAtSixtyTenths: 614, widerMm: 10 },
  ])
})

test('excludes sizes more than 3% taller or shorter', () => {
  // 245/65R17 is 3.59% taller, 205/65R17 3.59% shorter, 275/45R20 4.31% taller; 235/60R18 2.06% taller.
  expect(names('225/65R17', ['245/65R17', '235/60R18', '205/65R17', '275/45R20', '225/65R17'])).toEqual(['235/60R18'])
})

test('exactly 3% is included', () => {
  // 25.4 × 33.99 is 3% more than 25.4 × 33 to the last digit; 34.01 is not.
  const flotation = (diameterIn: number): TireSize => ({
    form: 'flotation',
    kind: 'lt',
    construction: 'radial',
    diameterIn,
    widthIn: 12.5,
    rimIn: 17,
  })
  expect(
    sizesOfLikeHeight(flotation(33), [flotation(33.99), flotation(34.01)]).map(({ diameterTenths }) => diameterTenths),
  ).toEqual([30])
})

test('excludes sizes of another kind or construction', () => {
  expect(names('225/65R17', ['LT225/65R17', 'ST225/65R17', '225/65R17C', '225/60R18'])).toEqual(['225/60R18'])
  expect(names('ST205/75R14', ['ST205/75D14', 'ST215/70R14'])).toEqual(['ST215/70R14'])
})

test('compares inch and metric light-truck sizes by height', () => {
  // LT285/70R17 is 830.8 mm, 33X12.50R17LT 838.2 mm: 0.89 %, 60.53 mph; 285 mm against 317.5 mm.
  expect(like('LT285/70R17', ['33x12.50R17LT'])).toEqual([
    { size: sizeOf('33x12.50R17LT'), rimStepIn: 0, diameterTenths: 9, trueAtSixtyTenths: 605, widerMm: 33 },
  ])
})

test('on one rim the nearest in height comes first', () => {
  // 225/60R18 is 0.40 % taller, 235/55R18 (715.7 mm) 1.19 % shorter, 235/60R18 2.06 % taller.
  expect(names('225/65R17', ['235/60R18', '235/55R18', '225/60R18'])).toEqual(['225/60R18', '235/55R18', '235/60R18'])
})

test('a size without a known height has no alternatives', () => {
  expect(names('7.50R16LT', ['LT235/85R16', '7.00R16LT'])).toEqual([])
})

test('a tire qualifies if it carries as much and is as fast; unknown ratings do not qualify', () => {
  const needed = { loadIndex: 102, speed: 'H' } as const
  expect(isRatedAsHigh({ loadIndex: 102, speed: 'H' }, needed)).toBe(true)
  expect(isRatedAsHigh({ loadIndex: 104, speed: 'V' }, needed)).toBe(true)
  expect(isRatedAsHigh({ loadIndex: 101, speed: 'V' }, needed)).toBe(false)
  expect(isRatedAsHigh({ loadIndex: 104, speed: 'U' }, needed)).toBe(false)
  expect(isRatedAsHigh({ loadIndex: 104 }, needed)).toBe(false)
  expect(isRatedAsHigh({ loadIndex: 104, speed: 'H' }, { speed: 'H' })).toBe(false)
  const truck = { loadIndex: 121, speed: 'S', loadRange: 'E' } as const
  expect(isRatedAsHigh(truck, truck)).toBe(true)
  expect(isRatedAsHigh({ ...truck, loadRange: 'D' }, truck)).toBe(false)
  expect(isRatedAsHigh({ ...truck, loadRange: undefined }, truck)).toBe(false)
})
