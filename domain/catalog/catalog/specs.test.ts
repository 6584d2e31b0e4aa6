import { expect, test } from 'vitest'
import { makeItem, makeLine, makeSize, now } from './catalog.testing.ts'
import { specsOf } from './specs.ts'

test('explains the numbers of a passenger tire', () => {
  const table = specsOf(makeItem(), now).map(({ name, value, note }) => [name, value, note])
  expect(table).toEqual([
    ['Size', '225/65R17', '225 mm wide, sidewall 65 % of that, on a 17 in wheel'],
    ['Load index', '102: carries 1,874 lb', 'Four carry 7,496 lb at full pressure'],
    ['Speed rating', 'H: up to 130 mph', null],
    ['Load range', 'SL, standard load', '4 ply rating, 51 psi maximum'],
    [
      'Treadwear grade',
      '640 A A',
      'Wears 6.4 times as long as the test tire; wet braking A, second best of 4; heat A, best of 3',
    ],
    ['Tread depth', '10/32 in new', 'Replace at 2/32; at 4/32 if you drive in snow'],
    ['Snow', 'M+S, light snow', 'No three-peak symbol. For deep snow, choose a tire that has it'],
    ['Mileage warranty', '65,000 mi', 'Half where front and rear sizes differ'],
    ['Rim width', '6.0 to 8.0 in', 'The maker approves these wheels'],
    ['Sidewall', 'Black letters', null],
    ['Height and width', '28.5 by 9.0 in', '724 by 228 mm'],
    ['Weight', '25.1 lb each', null],
    ['Made', 'Within the last 9 months', 'The oldest tire in stock'],
  ])
})

test('gives the single and dual loads of a heavy light-truck tire, and its excise tax', () => {
  const size = makeSize({
    slug: '35x12-50r17',
    designation: '35X12.50R17LT',
    kind: 'FLOTATION',
    sectionWidthMm: 317.5,
    overallDiameterMm: 889,
  })
  const item = makeItem({
    size,
    loadIndex: 125,
    dualLoadIndex: 122,
    speed: 'S',
    loadClass: null,
    loadRange: 'E',
    plyRating: 10,
    maxPsi: 80,
    utqg: null,
    fetCents: 96,
    oldestDotWeek: null,
    runFlat: true,
    oeMark: 'N0',
    line: makeLine({ winter: true, threePeak: true, warrantyMiles: null }),
  })
  const table = Object.fromEntries(specsOf(item, now).map(({ name, value, note }) => [name, `${value} (${note})`]))
  expect(table).toMatchObject({
    Size: '35X12.50R17LT (35.0 in tall, 12.5 in wide, on a 17 in wheel)',
    'Load index': '125: carries 3,638 lb (Four carry 14,552 lb at full pressure; side by side 3,307 lb each)',
    'Load range': 'E: 10 ply rating, up to 80 psi (80 psi maximum)',
    'Treadwear grade': 'Not graded (Federal law requires no grade for this type of tire)',
    Snow: 'Three-peak mountain snowflake (Winter tire. Use four, and remove them in spring)',
    'Mileage warranty': 'None (null)',
    'Federal excise tax': '$0.96 each (Charged on tires that carry more than 3,500 lb)',
    'Carmaker mark': "N0 (Made to Porsche's order; both tires of an axle carry the same mark)",
  })
  expect(table).not.toHaveProperty('Made')
})

test('a sold-out tire has no age', () => {
  const namesOf = (units: number) => specsOf(makeItem({ stock: [[1, units]] }), now).map(({ name }) => name)
  expect(namesOf(1)).toContain('Made')
  expect(namesOf(0)).not.toContain('Made')
})
