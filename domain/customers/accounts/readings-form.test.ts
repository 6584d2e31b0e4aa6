import { expect, test } from 'vitest'
import { readingsForm } from './readings-form.ts'

const form = readingsForm(Temporal.PlainDate.from('2026-11-20'))
const typed = { mileage: '', rotatedOn: '', rotatedMileage: '' }

test('parses miles and days; empty fields are null', () => {
  expect(form.parse(typed)).toEqual({ mileage: null, rotatedOn: null, rotatedMileage: null, reminder: false })
  expect(form.parse({ mileage: ' 42,500', rotatedOn: '3/4/2026', rotatedMileage: '40000', reminder: '1' })).toEqual({
    mileage: 42_500,
    rotatedOn: '2026-03-04',
    rotatedMileage: 40_000,
    reminder: true,
  })
})

test.for<[string, Record<string, string>, string, string]>([
  ['words', { mileage: 'many' }, 'mileage', 'Write the mileage in whole miles, like 42,500.'],
  ['a fraction', { mileage: '42.5' }, 'mileage', 'Write the mileage in whole miles, like 42,500.'],
  ['too many', { mileage: '2000001' }, 'mileage', 'Write the mileage in whole miles, like 42,500.'],
  ['another order of the day', { rotatedOn: '2026-03-04' }, 'rotatedOn', 'Please enter a valid date format MM/DD/YYYY'],
  ['a day that never was', { rotatedOn: '02/30/2026' }, 'rotatedOn', 'Please enter a valid date format MM/DD/YYYY'],
  [
    'a day to come',
    { rotatedOn: '11/21/2026' },
    'rotatedOn',
    'This day has not come yet. Enter the day the tires were rotated.',
  ],
  ['a mileage without its day', { rotatedMileage: '40000' }, 'rotatedOn', 'Enter the day of that mileage, too.'],
  [
    'more than there is now',
    { mileage: '40000', rotatedMileage: '41000', rotatedOn: '03/04/2026' },
    'rotatedMileage',
    'This is more than the mileage now. One of the two is not right.',
  ],
])('refuses %s at its field', ([, change, field, message]) => {
  const checked = form.safeParse({ ...typed, ...change })
  expect(checked.error?.issues.map(({ path, message }) => [path[0], message])).toEqual([[field, message]])
})
