import { expect, test } from 'vitest'
import { readLineCells, readTireCells } from './hand-cells.ts'
import { country, gtin } from './tire-cells.ts'
import { tireFields, type Cells, type LineField, type TireField } from './tire-fields.ts'

const line: Cells<LineField> = {
  line: 'Path One',
  category: 'touring-all-season',
  tread: 'all-season',
  line_warranty_miles: '65000',
  m_plus_s: 'yes',
  three_peak: 'no',
  ev: 'no',
}

const empty = Object.fromEntries(tireFields.map((field) => [field, ''])) as Cells<TireField>
const tire = {
  ...empty,
  sku: 'grn-1',
  size: '225/65R17',
  load_index: '102',
  speed: 'h',
  load_class: 'SL',
  max_psi: '51',
  rim_width_min_in: '6',
  rim_width_max_in: '8',
  tread_depth_32nds: '10',
  weight_lb: '26.4',
  price: '129.90',
}
const read = (cells: Partial<typeof tire>, of = line) =>
  readTireCells({ ...tire, ...cells }, { brand: 'Grindle', line: of, today: Temporal.PlainDate.from('2026-11-20') })
const faults = (cells: Partial<typeof tire>, of = line) => {
  const tireRead = read(cells, of)
  return tireRead.ok ? {} : tireRead.faults
}

test('a tire with the needed fields is completed like a row of a feed', () => {
  expect(read({ cost: '80', map: '119.99', gtin: '0036000291452', origin_country: 'us' })).toMatchObject({
    ok: true,
    value: {
      facts: { sku: 'GRN-1', speed: 'H', max_load_lb: 1874, ply_rating: 4, gtin: '036000291452', origin_country: 'US' },
      size: { slug: '225-65r17', designation: '225/65R17', kind: 'P' },
      retailCents: 12_990,
      costCents: 8_000,
      mapCents: 11_999,
    },
  })
})

test('every invalid field shows the error and the expected format', () => {
  const found = faults({ price: '', cost: 'x', size: '225/65R17 102H', weight_lb: '0', gtin: '036000291453' })
  expect(found).toEqual({
    price: 'This is empty. Expected: dollars such as 129.99.',
    cost: expect.stringContaining('This is not a price.'),
    size: expect.stringContaining('This is not a tire size we can read. Expected: a tire size alone'),
    weight_lb: expect.stringContaining('Expected: a number from 2 to 400'),
    gtin: 'This has a wrong check digit. Expected: the 8, 12, 13 or 14 digits below the bar code, such as 036000291452.',
  })
})

test('fields are checked against each other and the model', () => {
  expect(faults({ max_load_lb: '3000' })).toEqual({
    max_load_lb: 'This does not go with load index 102. Expected: about 1874.',
  })
  const grades = { utqg_treadwear: '500', utqg_traction: 'A', utqg_temperature: 'A' }
  expect(faults(grades)).toEqual({})
  expect(Object.keys(faults(grades, { ...line, tread: 'winter' }))).toEqual(['utqg_treadwear'])
})

test('a huge cell is refused by its length', () => {
  expect(faults({ mpn: 'x'.repeat(3_000) })['mpn']).toContain('This is 3,000 characters long')
})

test.for([
  ['036000291452', '036000291452'],
  ['4006381333931', '4006381333931'],
  ['04006381333931', '4006381333931'],
  ['00000096385074', '96385074'],
  ['10036000291459', '10036000291459'],
  ['036000291453', undefined],
  ['2012345678905', undefined],
  ['12345', undefined],
  ['4.00638E+12', undefined],
  ['٠٣٦٠٠٠٢٩١٤٥٢', undefined],
] as const)('the GTIN %s is read as %s', ([text, number]) => {
  expect(gtin.read(text)).toBe(number)
})

test('countries match ISO 3166', () => {
  expect(['us', 'TH', 'EU', 'ZZ', 'QQ', 'U', 'USA'].map((text) => country.read(text))).toEqual([
    'US', 'TH', undefined, undefined, undefined, undefined, undefined,
  ]) // prettier-ignore
})

test('a model needs a category that exists', () => {
  expect(readLineCells(line, ['studless-winter'])).toEqual({
    ok: false,
    faults: { category: 'This is not a category of this store. Expected: one of studless-winter.' },
  })
})
