/** The files of the sample catalog. 160 made-up tires, with 8 models in 20 sizes. */

/** Each size with its load index and rim widths in inches. */
const sizes = [
  ['175/65R15', 84, 5, 6],
  ['185/65R15', 88, 5, 6.5],
  ['195/65R15', 91, 5.5, 7],
  ['205/65R15', 94, 5.5, 7.5],
  ['205/55R16', 91, 5.5, 7.5],
  ['205/60R16', 92, 5.5, 7.5],
  ['215/60R16', 95, 6, 7.5],
  ['215/55R17', 94, 6, 7.5],
  ['215/65R17', 99, 6, 7.5],
  ['225/45R17', 91, 7, 8.5],
  ['225/50R17', 94, 6, 8],
  ['225/65R17', 102, 6, 8],
  ['235/65R17', 104, 6.5, 8.5],
  ['225/60R18', 100, 6, 8],
  ['235/45R18', 94, 7.5, 9],
  ['235/60R18', 103, 6.5, 8.5],
  ['265/60R18', 110, 7.5, 9.5],
  ['235/55R19', 101, 6.5, 8.5],
  ['255/50R20', 105, 7, 9],
  ['275/55R20', 113, 7.5, 9.5],
] as const

type Model = { brand: string; tier: string; line: string; category: string; tread: string; dollars: number }

const models: readonly Model[] = [
  {
    brand: 'Sample Value',
    tier: 'value',
    line: 'Commuter',
    category: 'touring-all-season',
    tread: 'all-season',
    dollars: 72,
  },
  {
    brand: 'Sample Value',
    tier: 'value',
    line: 'Highway',
    category: 'highway-all-season',
    tread: 'highway',
    dollars: 81,
  },
  { brand: 'Sample Value', tier: 'value', line: 'Snow', category: 'studless-winter', tread: 'winter', dollars: 84 },
  {
    brand: 'Sample Mid',
    tier: 'mid',
    line: 'Touring',
    category: 'touring-all-season',
    tread: 'all-season',
    dollars: 104,
  },
  {
    brand: 'Sample Mid',
    tier: 'mid',
    line: 'Four Season',
    category: 'all-weather',
    tread: 'all-weather',
    dollars: 118,
  },
  { brand: 'Sample Mid', tier: 'mid', line: 'Trail', category: 'all-terrain', tread: 'all-terrain', dollars: 129 },
  {
    brand: 'Sample Premium',
    tier: 'premium',
    line: 'Grand Touring',
    category: 'touring-all-season',
    tread: 'all-season',
    dollars: 148,
  },
  { brand: 'Sample Premium', tier: 'premium', line: 'Ice', category: 'studless-winter', tread: 'winter', dollars: 162 },
]

const columns = [
  'sku',
  'brand',
  'brand_tier',
  'brand_about',
  'line',
  'category',
  'tread',
  'm_plus_s',
  'three_peak',
  'size',
  'load_index',
  'speed',
  'load_class',
  'max_psi',
  'rim_width_min_in',
  'rim_width_max_in',
  'tread_depth_32nds',
  'weight_lb',
  'price',
]

/** Stock per tire. */
const units = 40

/** Returns the two files. `warehouse` is the code of the warehouse with the stock. */
export function sampleFiles(warehouse: string): { products: string; stock: string } {
  const tires = models.flatMap((model, modelNo) => sizes.map((size, sizeNo) => ({ model, size, modelNo, sizeNo })))
  const skuOf = (place: number) => `SAMPLE-${String(place + 1).padStart(3, '0')}`
  const products = tires.map(({ model, size: [designation, loadIndex, rimMin, rimMax], sizeNo }, place) => {
    const hasSnowflake = model.tread === 'winter' || model.tread === 'all-weather'
    return [
      skuOf(place),
      model.brand,
      model.tier,
      'Made-up tires to try out the store.',
      model.line,
      model.category,
      model.tread,
      'yes',
      hasSnowflake ? 'yes' : 'no',
      designation,
      loadIndex,
      'H',
      'SL',
      51,
      rimMin,
      rimMax,
      model.tread === 'all-terrain' ? 13 : 10,
      18 + sizeNo,
      model.dollars + sizeNo * 4,
    ]
  })
  return {
    products: fileOf(columns, products),
    stock: fileOf(
      ['sku', 'warehouse', 'on_hand'],
      tires.map((_, place) => [skuOf(place), warehouse, units]),
    ),
  }
}

function fileOf(header: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [header, ...rows].map((row) => row.join(',')).join('\n')
}
