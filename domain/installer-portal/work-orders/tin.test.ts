import { expect, test } from 'vitest'
import { readJobForm, sameTinField } from './job-form.ts'
import { parseTin, tinFault } from './tin.ts'
import { slotsOf } from './wheel-positions.ts'

const slots = slotsOf([
  { lineNo: 1, axle: 'front', quantity: 2 },
  { lineNo: 2, axle: 'rear', quantity: 2 },
])
const read = (fields: Record<string, string>) =>
  readJobForm(new URLSearchParams(fields), slots, {
    day: Temporal.PlainDate.from('2026-11-25'),
    maxAgeYears: 6,
    knownVinEnd: null,
    hasPacket: false,
  })
const tinsOf = (fields: Record<string, string>) => {
  const form = read(fields)
  return form.ok ? form.value.tires.map(({ tin }) => tin) : form.errors
}

test.for(['54', '57', '99', '00'])('week %s doesn’t exist', (week) => {
  expect(parseTin(`DOT 7B3K XYZ9 ${week}26`)).toBeUndefined()
  expect(tinFault(`DOT 7B3K XYZ9 ${week}26`)).toBe('week')
})

test.for([
  ['7B3KXYZ99926', 'Week 99 doesn’t exist. Enter the last four digits as week and year.'],
  ['7B3K XYZ9 99 26', 'Week 99 doesn’t exist. Enter the last four digits as week and year.'],
  ['7B3KXYZ90099', 'Week 00 doesn’t exist. Enter the last four digits as week and year.'],
  ['7B3KXYZ93499', 'Week 34 of 2099 is in the future. Enter the last four digits as week and year.'],
  ['7B3KXYZ93418', 'Do not mount. Made in week 34 of 2018. We do not sell tires older than 6 years.'],
  ['7B3KXYZ934AB', 'The last four characters are the week and year in digits, such as 3426.'],
  ['QB3KXYZ93426', 'TINs don’t use the letters I, O and Q. Read the code again. It may be a 1 or a 0.'],
  ['XYZ9', 'Enter all 8 to 13 characters after DOT. The last four are week and year.'],
  ['7B3KXYZ93426MORE', 'Enter all 8 to 13 characters after DOT. The last four are week and year.'],
])('the TIN %s is refused with its reason', ([tin, message]) => {
  expect(read({ 'tin-1-1': tin ?? '' })).toEqual({ ok: false, errors: { 'tin-1-1': message } })
})

test('a TIN fills the other tires of its line only', () => {
  const same = { [sameTinField(1)]: 'yes' }
  const [first, other] = ['7B3KXYZ93426', '7B3KXYZ93526']
  expect(tinsOf({ ...same, 'tin-1-1': first })).toEqual([first, first, null, null])
  expect(tinsOf({ 'tin-1-1': first })).toEqual([first, null, null, null])
  // A tire's entered TIN isn't overwritten.
  expect(tinsOf({ ...same, 'tin-1-1': first, 'tin-1-2': other })).toEqual([first, other, null, null])
  expect(tinsOf({ ...same, [sameTinField(2)]: 'yes', 'tin-1-1': first, 'tin-2-1': other })).toEqual([
    first,
    first,
    other,
    other,
  ])
})

test('a wrong TIN that fills other tires is reported once, where it was typed', () => {
  expect(tinsOf({ [sameTinField(1)]: 'yes', 'tin-1-1': '7B3KXYZ99926' })).toEqual({
    'tin-1-1': 'Week 99 doesn’t exist. Enter the last four digits as week and year.',
  })
})
