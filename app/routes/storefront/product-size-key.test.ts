import { expect, test } from 'vitest'
import { sizeKeyOf } from './product-size-key.ts'

test.for([
  [
    '225/65R17',
    225,
    17,
    { loadIndex: 102, dualLoadIndex: null, speed: 'H' },
    'width 225 mm wide, 8.9 in | sidewall 65 sidewall, % of width | rim R17 radial, 17 in rim | service 102H 1,874 lb, 130 mph',
  ],
  [
    'LT245/75R16',
    245,
    16,
    { loadIndex: 120, dualLoadIndex: 116, speed: 'S' },
    'width LT245 mm wide, 9.6 in | sidewall 75 sidewall, % of width | rim R16 radial, 16 in rim | service 120/116S 3,086 lb, 112 mph',
  ],
  [
    '295/30R20',
    295,
    20,
    { loadIndex: 101, dualLoadIndex: null, speed: '(Y)' },
    'width 295 mm wide, 11.6 in | sidewall 30 sidewall, % of width | rim R20 radial, 20 in rim | service (101Y) 1,819 lb, above 186 mph',
  ],
  [
    '35X12.50R17LT',
    317.5,
    17,
    { loadIndex: 121, dualLoadIndex: null, speed: 'Q' },
    'height 35 in tall | width 12.50 in wide | rim R17LT radial, 17 in rim | service 121Q 3,197 lb, 99 mph',
  ],
  [
    '11R22.5',
    279,
    22.5,
    { loadIndex: null, dualLoadIndex: null, speed: null },
    'width 11 in wide | rim R22.5 radial, 22.5 in rim',
  ],
] as const)('%s is taken apart as it is read', ([designation, sectionWidthMm, rimIn, service, expected]) => {
  const size = { slug: '', designation, kind: 'P' as const, sectionWidthMm, aspect: 0, rimIn, overallDiameterMm: 0 }
  expect(
    sizeKeyOf({ size, ...service })
      .map(({ part, text, meaning }) => `${part} ${text} ${meaning}`)
      .join(' | '),
  ).toBe(expected)
})
