import { expect, test } from 'vitest'
import { joinSizeParts, narrowSizes, sizeParts, widthGroup } from './finder-sizes.ts'

test.for([
  ['225/65R17', { width: '225', ratio: '65', rim: '17' }],
  ['LT275/70R18', { width: 'LT275', ratio: '70', rim: '18' }],
  ['235/65R16C', { width: '235', ratio: '65', rim: '16C' }],
  ['35X12.50R17LT', { width: '35X12.50', ratio: '', rim: '17LT' }],
  ['11R22.5', { width: '11', ratio: '', rim: '22.5' }],
  ['225/70R19.5', { width: '225', ratio: '70', rim: '19.5' }],
  ['T125/70D16', { width: 'T125', ratio: '70', rim: 'D16' }],
  ['7.50-16LT', { width: '7.50', ratio: '', rim: '-16LT' }],
  ['ST205/75R15', { width: 'ST205', ratio: '75', rim: '15' }],
] as const)('%s is taken apart and put together again', ([designation, parts]) => {
  expect(sizeParts(designation)).toEqual(parts)
  expect(joinSizeParts(parts)).toBe(designation)
})

test('text that is not a size has no parts', () => {
  expect(sizeParts('Kestrel')).toBeUndefined()
  expect(sizeParts('225/65')).toBeUndefined()
})

const sizes = ['225/65R17', '225/60R17', '225/60R18', '235/65R16C', '235/65R17', 'LT235/85R16', '35X12.50R17LT'].map(
  (size) => sizeParts(size)!,
)

test('each list has what the choices before it allow, numbers before letters', () => {
  expect(narrowSizes(sizes, { width: '', ratio: '' })).toEqual({
    widths: ['225', '235', 'LT235', '35X12.50'],
    ratios: ['60', '65', '85'],
    rims: ['16', '17', '18', '16C', '17LT'],
  })
  expect(narrowSizes(sizes, { width: '225', ratio: '60' })).toMatchObject({ ratios: ['60', '65'], rims: ['17', '18'] })
  expect(narrowSizes(sizes, { width: '35X12.50', ratio: '' })).toMatchObject({ ratios: [], rims: ['17LT'] })
})

test('widths are grouped by the kind of tire they belong to', () => {
  expect(['225', 'LT275', '35X12.50', 'ST205', 'T125', '11'].map(widthGroup)).toEqual([
    'Cars, SUVs and vans',
    'Light truck (LT)',
    'Inches (flotation)',
    'Trailer (ST)',
    'Other',
    'Other',
  ])
})
