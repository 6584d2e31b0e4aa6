import { expect, test } from 'vitest'
import { judge, type Case } from './fixtures/cases.ts'
import { partialSetFindings } from './fitment.ts'

const asks = (given: Partial<Case>, quantity: 1 | 2 | 3) =>
  partialSetFindings(judge({ listed: '235/60R18 103H', offered: '235/60R18 103H', ...given }), quantity).map(
    ({ rule, level, text }) => `${rule} ${level}: ${text}`,
  )

test('a pair belongs on the rear axle, regardless of the driven axle', () => {
  const rear =
    'FR26 fits_with_conditions: Your two new tires go on the rear axle; the best of the old ones move to the front.'
  expect(asks({}, 2)).toEqual([rear])
  expect(asks({ vehicle: { drive: 'rwd' } }, 2)).toEqual([rear])
  expect(asks({ vehicle: { drive: 'na' } }, 2)).toEqual([rear])
})

test('each pair of a staggered set has its own axle and cannot be swapped', () => {
  const set = judge({
    listed: '245/35R19 89Y',
    listedRear: '305/30R20 99Y',
    offered: '245/35R19 89Y',
    rear: '305/30R20 99Y',
  })
  const pair = (axle: 'front' | 'rear') => partialSetFindings(set, 2, axle).map(({ rule, text }) => `${rule}: ${text}`)
  expect(pair('front')).toEqual([
    'FR26: Your two new tires go on the front axle; the rear tires must have at least as much tread.',
  ])
  expect(pair('rear')).toEqual(['FR26: Your two new tires go on the rear axle.'])
})

test('one or three tires require a matching mate', () => {
  const mate = 'FR25 unknown: Is the other tire on that axle the same model?'
  expect(asks({}, 1)).toEqual([mate])
  expect(asks({}, 3)).toEqual([mate])
})

test("all-wheel drive requires the tread depth of the other tires, per manufacturer's limit if there is one", () => {
  const question = (limit: string) =>
    `FR27 unknown: All-wheel drive: the four tires must match within ${limit}/32 inch of tread. What are the others, and how deep is their tread?`
  expect(asks({ vehicle: { drive: 'awd' } }, 2)[0]).toBe(question('2'))
  expect(asks({ vehicle: { drive: 'awd', make: 'Subaru' } }, 2)[0]).toBe(question('1.27'))
  expect(asks({ vehicle: { drive: 'awd', make: 'Audi' } }, 1)).toContain(question('4'))
})

test('pairs of winter or run-flat tires ask about the tires that stay', () => {
  expect(asks({ tire: { winter: true, snowflake: true } }, 2)[0]).toBe(
    'FR29 unknown: Use winter tires only as a set of four. Are your other tires winter tires?',
  )
  expect(asks({ listed: '235/60R18 103H RF', offered: '235/60R18 103H RF' }, 2)[0]).toBe(
    "FR31 unknown: Don't mix run-flat and regular tires. Are your other tires run-flats?",
  )
})

test('omits full-set findings, and has no findings without a listed size', () => {
  expect(asks({ offered: '235/60R18 100H' }, 2).filter((text) => text.includes('FR10'))).toEqual([])
  const dually = { listed: 'LT235/80R17 120/117R LR=E', offered: 'LT235/80R17 120/117R LR=E' }
  expect(
    asks({ ...dually, vehicle: { vehicleClass: 'truck', dualRearWheels: true }, purchase: { quantity: 6 } }, 2).join(),
  ).not.toContain('FR39')
  expect(asks({ vehicle: { source: 'none', configurations: [] } }, 2)).toEqual([])
})
