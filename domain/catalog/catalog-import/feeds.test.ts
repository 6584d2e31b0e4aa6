import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import type { Feed } from './feed.ts'
import { fitmentFeed } from './fitment-feed.ts'
import { priceFeed } from './price-feed.ts'
import { productFeed } from './product-feed.ts'
import { reportHeader, reportLine } from './report.ts'
import { stockFeed } from './stock-feed.ts'
import { competitorPriceFeed } from './competitor-price-feed.ts'
import { vehicleCodeFeed } from './vehicle-code-feed.ts'

const now = Temporal.Instant.from('2026-11-20T15:00:00Z')
const products = productFeed({
  today: Temporal.PlainDate.from('2026-11-20'),
  categories: ['touring-all-season', 'all-terrain', 'studless-winter'],
})
const stock = stockFeed({ now, countedAt: now.subtract({ minutes: 1 }), warehouses: new Map([['JOL', 1], ['KNT', 12]]) }) // prettier-ignore
const competitorPrices = competitorPriceFeed({ today: Temporal.PlainDate.from('2026-11-20') })

const tire = {
  sku: 'KEST-1',
  brand: 'Kestrel',
  line: 'Alltide AS2',
  category: 'touring-all-season',
  tread: 'all-season',
  size: '225/65R17',
  load_index: '102',
  speed: 'H',
  load_class: 'SL',
  max_psi: '51',
  rim_width_min_in: '6',
  rim_width_max_in: '8',
  tread_depth_32nds: '10',
  weight_lb: '26.4',
}

function read(feed: Feed, cells: Record<string, string>) {
  const empty = Object.fromEntries(feed.columns.map((column) => [column, '']))
  return feed.read({ ...empty, ...cells })
}

function problemsOf(feed: Feed, cells: Record<string, string>): string[] {
  const answer = read(feed, cells)
  return 'problems' in answer
    ? answer.problems.map(({ column, problem, expected }) => `${column} ${problem}: ${expected}`)
    : []
}

test('completes a tire with only its required columns from the tables', () => {
  expect(read(products, tire)).toMatchObject({
    row: {
      designation: '225/65R17',
      size_slug: '225-65r17',
      size_kind: 'P',
      ply_rating: 4,
      max_load_lb: 1874,
      measured_width_mm: 225,
      measured_diameter_mm: 724.3,
      m_plus_s: false,
      run_flat: false,
      sidewall: 'BSW',
      retail_cents: null,
      fet_cents: 0,
      active: true,
    },
  })
  const heavy = {
    ...tire,
    category: 'all-terrain',
    tread: 'all-terrain',
    size: '11R22.5',
    load_index: '146',
    dual_load_index: '143',
    load_class: '',
    load_range: 'g',
  }
  // 6,614 lb: 9.45 cents for each 10 lb over 3,500.
  expect(read(products, heavy)).toMatchObject({
    row: { size_kind: 'COMMERCIAL', load_range: 'G', ply_rating: 14, max_load_lb: 6614, fet_cents: 2943 },
  })
  expect(read(products, { ...heavy, fet: '25.28' })).toMatchObject({ row: { fet_cents: 2528 } })
})

test('a category may be written as its name, and a message lists as many as it has room for', () => {
  expect(read(products, { ...tire, category: 'Touring All-Season' })).toMatchObject({
    row: { category_slug: 'touring-all-season' },
  })
  const categories = Array.from({ length: 200 }, (_, index) => `category-${index}`)
  const feed = productFeed({ today: Temporal.PlainDate.from('2026-11-20'), categories })
  const [problem = ''] = problemsOf(feed, { ...tire, category: 'x'.repeat(1_900) })
  expect(problem).toMatch(/: one of category-0, category-1, .* and \d+ more categories$/)
  expect(problem.length).toBeLessThan(600)
})

test.each<[Partial<Record<string, string>>, string]>([
  [{ sku: '' }, 'sku is empty'],
  [
    { category: 'touring' },
    'category is not a category of this store: one of touring-all-season, all-terrain, studless-winter',
  ],
  [{ load_index: '161' }, 'load_index is not a load index'],
  [{ speed: 'Z' }, 'speed is not a speed symbol'],
  [{ load_range: 'E' }, 'load_range is for light-truck, trailer and commercial sizes'],
  [{ size: 'LT275/70R18', load_index: '125' }, 'load_class is for passenger sizes'],
  [{ dual_load_index: '103' }, 'dual_load_index is above the load index'],
  [{ load_index: '', max_load_lb: '' }, 'max_load_lb is empty, and so is load_index'],
  [{ max_load_lb: '1500' }, 'max_load_lb does not go with load index 102: about 1874'],
  [{ rim_width_max_in: '5.5' }, 'rim_width_max_in is below rim_width_min_in: 6 or more'],
  [{ measured_width_mm: '100' }, 'measured_width_mm does not go with 225/65R17: about 225'],
  [{ measured_diameter_mm: '800' }, 'measured_diameter_mm does not go with 225/65R17: about 724'],
  [{ utqg_treadwear: '640', utqg_traction: 'A' }, 'utqg_temperature is empty while another grade is given'],
  [
    { tread: 'winter', category: 'studless-winter', utqg_treadwear: '640', utqg_traction: 'A', utqg_temperature: 'B' },
    'utqg_treadwear stands on a tire the law does not grade',
  ],
  [{ price: '10', price_cents: 'ten' }, 'price_cents is not a whole number in that range'],
  [{ brand: 'x'.repeat(2_001) }, 'brand is 2,001 characters long: at most 2,000 characters'],
])('refuses %o: %s', (cells, problem) => {
  const problems = problemsOf(products, { ...tire, ...cells })
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain(problem)
})

test('reports all problems in a row, including its key', () => {
  const answer = read(products, { ...tire, speed: '?', weight_lb: 'heavy', tread: 'square' })
  expect(answer).toMatchObject({
    problems: [{ column: 'tread' }, { column: 'speed' }, { column: 'weight_lb' }],
    key: { sku: 'KEST-1' },
  })
  expect(read(products, { ...tire, sku: '@x' })).toMatchObject({
    problems: [{ column: 'sku', value: '@x' }],
    key: { sku: null },
  })
})

test('a price is in dollars or in cents', () => {
  expect(read(priceFeed, { sku: 'a-1', price: '129.9' })).toEqual({
    row: { sku: 'A-1', retail_cents: 12_990, cost_cents: null },
  })
  expect(read(priceFeed, { sku: 'a-1', price_cents: '12990', cost: '88.50' })).toEqual({
    row: { sku: 'A-1', retail_cents: 12_990, cost_cents: 8_850 },
  })
  expect(problemsOf(priceFeed, { sku: 'A-1' })).toEqual([
    'price is empty: dollars with at most two decimals, such as 129.99, up to $10,000.00',
  ])
})

test('a count applies to its stated time, or to the start of the run', () => {
  expect(read(stock, { sku: 'A-1', warehouse: 'KNT', on_hand: '0' })).toEqual({
    row: { sku: 'A-1', warehouse_id: 12, on_hand: 0, as_of: '2026-11-20T14:59:00Z' },
  })
  expect(read(stock, { sku: 'A-1', warehouse: 'JOL', on_hand: '3', as_of: '2026-11-20T01:00-05:00' })).toMatchObject({
    row: { as_of: '2026-11-20T06:00:00Z' },
  })
  expect(problemsOf(stock, { sku: 'A-1', warehouse: 'jol', on_hand: '-1' })).toEqual([
    'warehouse is not one of the words known here: one of JOL, KNT',
    'on_hand is not a whole number in that range: a whole number from 0 to 100000 (units)',
  ])
})

test('an empty rear axle equals the front; a rear load without its size is refused', () => {
  const crv = {
    year: '2019',
    make: 'Honda',
    model: 'CR-V',
    trim: 'EX',
    front_size: '235/60R18',
    front_load_index: '103',
    front_speed: 'H',
  }
  expect(read(fitmentFeed, crv)).toEqual({
    row: {
      year: 2019,
      make: 'Honda',
      model: 'CR-V',
      trim: 'EX',
      make_slug: 'honda',
      model_slug: 'cr-v',
      trim_slug: 'ex',
      vclass: null,
      drive: null,
      front_size: '235/60R18',
      front_load_index: 103,
      front_speed: 'H',
      rear_size: '235/60R18',
      rear_load_index: 103,
      rear_speed: 'H',
      source: 'weak',
      list: null,
      list_slug: null,
      license: null,
      listed_on: null,
    },
  })
  expect(read(fitmentFeed, { ...crv, rear_size: '255/55R18' })).toMatchObject({
    row: { rear_size: '255/55R18', rear_load_index: null, rear_speed: null },
  })
  expect(problemsOf(fitmentFeed, { ...crv, rear_load_index: '109' })[0]).toMatch(/^rear_size is empty, but/)
})

test.each([
  ['products', products],
  ['prices', priceFeed],
  ['stock', stock],
  ['fitment', fitmentFeed],
  ['vehicle-codes', vehicleCodeFeed],
  ['competitor-prices', competitorPrices],
])('docs/feeds describes exactly the columns of %s, and the sample has them', async (kind, feed) => {
  const folder = join(import.meta.dirname, '../../../docs/feeds')
  const pages = (await readFile(join(folder, 'README.md'), 'utf8')).split(/^## /m)
  const table = pages.find((page) => page.startsWith(`\`${kind}.csv\``)) ?? ''
  const described = [...table.matchAll(/^\| (`.+?) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([a-z_0-9]+)`/g)].map(([, name = '']) => name),
  )
  expect(described.toSorted()).toEqual(feed.columns.toSorted())
  const needed = [...table.matchAll(/^\| (`.+?) \| yes \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([a-z_0-9]+)`/g)].map(([, name = '']) => name),
  )
  expect(needed.filter((name) => !feed.either?.columns.includes(name)).toSorted()).toEqual(feed.required.toSorted())

  const sample: object[] = parse(await readFile(join(folder, `${kind}.csv`)), { columns: true })
  expect(Object.keys(sample[0] ?? {}).toSorted()).toEqual(
    feed.columns.filter((column) => column !== 'price_cents').toSorted(),
  )
})

test('spreadsheets open the report as text, whatever the file contained', () => {
  expect(
    reportLine({ rowNo: 7, column: 'sku', value: '=HYPERLINK("http://x")', problem: 'is not a SKU', expected: 'a, b' }),
  ).toBe(`7,sku,"'=HYPERLINK(""http://x"")",is not a SKU,"a, b"\r\n`)
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (value) => {
      const [header, row] = parse(
        reportHeader + reportLine({ rowNo: 2, column: 'sku', value, problem: 'p', expected: 'e' }),
      )
      expect(header).toHaveLength(5)
      expect(row).toHaveLength(5)
      expect(row?.[2]).not.toMatch(/^\s*[=+\-@|%]/)
    }),
  )
})
