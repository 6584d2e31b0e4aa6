import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { checkSources, mapFeed, requiresMapping, offerColumns, toHeader } from './column-mapping.ts'
import { readForeignCell } from './foreign-cells.ts'
import { guessColumns } from './guess-columns.ts'
import { findTire } from './found-tire.ts'
import { productFeed } from './product-feed.ts'
import { priceFeed } from './price-feed.ts'
import { peekRows, readRows } from './read-rows.server.ts'

const feed = productFeed({ today: Temporal.PlainDate.from('2026-11-20'), categories: ['all-terrain', 'all-season'] })

function fileOf(name: string) {
  const bytes = readFileSync(new URL(`fixtures/${name}.csv`, import.meta.url))
  return { name, open: () => Readable.from([bytes]) }
}

async function offered(name: string) {
  const [first = [], ...records] = await peekRows(fileOf(name), {}, 100)
  const header = toHeader(first)
  const rows = records.map((record) => Object.fromEntries(header.map((column, index) => [column, record[index] ?? ''])))
  return { header, ...offerColumns('products', feed, { header, rows, previous: null }) }
}

/** The rows of a sample file as the feed reads them, with the guessed columns. */
async function readWithGuesses(name: string) {
  const { header, guessed } = await offered(name)
  const mapped = mapFeed(feed, { header, sources: guessed })
  return Array.fromAsync(readRows(fileOf(name), mapped))
}

test('a Shopify export is read with guessed columns: shared cells, pictures without a variant, units and money', async () => {
  const rows = await readWithGuesses('shopify-products')
  expect(rows.map(({ rowNo }) => rowNo)).toEqual([2, 3, 5])
  expect(rows[1]).toMatchObject({
    cells: {
      sku: 'BR-2757018',
      brand: 'Brule',
      line: 'Ridge AT',
      line_about: 'An all-terrain tire, quiet on the road.',
      category: 'all-terrain',
      tread: 'all-terrain',
      size: 'LT275/70R18',
      load_index: '125',
      speed: 'S',
      load_range: 'E',
      weight_lb: '51',
      price: '1249',
      active: 'yes',
      max_psi: '80',
      rim_width_min_in: '7',
      tread_depth_32nds: '15',
      // The second row has the product's second picture.
      picture_url: 'https://cdn.example.com/brule-ridge-1.jpg',
    },
  })
  expect(rows[2]).toMatchObject({
    cells: {
      line: 'Vale Touring',
      picture_url: '',
      size: '225/65R17',
      load_index: '102',
      speed: 'H',
      gtin: '036000291452',
      active: 'no',
    },
  })
})

test('a WooCommerce export is read with guessed columns: variations take from their parent, attributes are columns', async () => {
  const { columns } = await offered('woocommerce-products')
  expect(columns.map(({ name }) => name)).toContain('attribute: tread depth')
  const rows = await readWithGuesses('woocommerce-products')
  expect(rows.map(({ rowNo }) => rowNo)).toEqual([3, 4, 5, 8])
  expect(rows[0]).toMatchObject({
    cells: {
      sku: 'MOSS-31',
      brand: 'Moss',
      line_about: 'For gravel & mud.',
      size: '31X10.50R15LT',
      max_psi: '50',
      price: '189',
      weight_lb: '44.5',
    },
  })
  expect(rows[1]).toMatchObject({
    cells: {
      sku: 'MOSS-245',
      line_about: 'For gravel & mud.',
      load_range: 'E',
      max_psi: '80',
      tread_depth_32nds: '14',
    },
  })
  expect(rows[2]).toMatchObject({ cells: { line: 'Tour', active: 'no' } })
  // Its parent isn't the previous one, has more attributes, and another GTIN.
  expect(rows[3]).toMatchObject({
    cells: {
      sku: 'BIRCH-205',
      brand: 'Birch',
      category: 'all-season',
      tread: 'all-season',
      size: '205/55R16',
      max_psi: '51',
      tread_depth_32nds: '11',
      gtin: '',
      active: 'no',
    },
  })
})

test('of several pictures the first is read, by https, also if the cell is long', () => {
  const many = Array.from({ length: 60 }, (_, index) => `http://moss.example/tires,1/${'x'.repeat(40)}-${index}.jpg`)
  expect(readForeignCell('picture_url', many.join(', '), 'images')).toBe(many[0]?.replace('http:', 'https:'))
  expect(readForeignCell('picture_url', 'https://a.example/1.png', 'images')).toBe('https://a.example/1.png')
})

test('a Shopify variant has its own picture, or else the first one of its product', () => {
  const header = ['handle', 'title', 'variant sku', 'image src', 'variant image']
  const [first, second] = ['https://cdn.example/1.jpg', 'https://cdn.example/2.jpg']
  const mapped = mapFeed(feed, { header, sources: guessColumns('products', ['picture_url'], header.map((name) => ({ name, example: '' }))) }) // prettier-ignore
  const read = mapped.file?.makeReader()
  const row = (cells: Record<string, string>) =>
    read?.({ ...Object.fromEntries(header.map((name) => [name, ''])), ...cells })
  expect(row({ handle: 'a', title: 'A', 'variant sku': 'A1', 'image src': first })).toEqual({ picture_url: first })
  expect(row({ handle: 'a', 'variant sku': 'A2', 'image src': second })).toEqual({ picture_url: first })
  expect(row({ handle: 'a', 'variant sku': 'A3', 'variant image': second })).toEqual({ picture_url: second })
  expect(row({ handle: 'b', title: 'B', 'variant sku': 'B1' })).toEqual({ picture_url: '' })
})

test.for([
  ['prices', ['cost'], 'cost of goods'],
  ['products', ['weight_lb'], 'weight (g)'],
  ['products', ['weight_lb'], 'weight (oz)'],
  ['products', ['active'], 'published on online store'],
  ['stock', ['on_hand'], 'available (not editable)'],
] as const)('%s: the column %s is guessed from the other store’s “%s”', ([kind, [column], name]) => {
  expect(guessColumns(kind, [column], [{ name, example: '' }])).toEqual({ [column]: { column: name } })
})

test('a value for all rows counts, and an unknown column is refused at its field', () => {
  const sources = { sku: { column: 'item' }, price: { column: 'gone' } }
  expect(checkSources(priceFeed, { header: ['item'], sources })).toEqual({ price: 'This column is not in the file.' })
  expect(
    checkSources(priceFeed, { header: ['item'], sources: { sku: { column: 'item' }, price: { text: '99' } } }),
  ).toEqual({})
  expect(checkSources(priceFeed, { header: ['item'], sources: {} })).toEqual({
    sku: 'Choose a column, or enter a value for all rows.',
    price: 'Choose a column for price or for price_cents.',
  })
  const both = { sku: { column: 'item' }, price: { column: 'item' }, price_cents: { column: 'item' } }
  expect(checkSources(priceFeed, { header: ['item'], sources: both })).toEqual({
    price_cents: 'Choose a column for price or for price_cents, not both.',
  })
})

test('only a file with other columns needs a mapping', () => {
  expect(requiresMapping(['sku', 'price'], priceFeed)).toBe(false)
  expect(
    requiresMapping(
      ['Item', 'Price'].map((name) => name.toLowerCase()),
      priceFeed,
    ),
  ).toBe(true)
  // One cell is a file with another separator, which the import reports.
  expect(requiresMapping(['sku;price'], priceFeed)).toBe(false)
})

describe('a tire in a name', () => {
  test.each([
    ['Alltide AS2 225/65R17 102H all-season', '225/65R17', 'Alltide AS2'],
    ['Mud King (35X12.50R17LT 121Q E)', '35X12.50R17LT', 'Mud King'],
    ['P265/70R17 113S', '265/70R17', ''],
    ['Moss Trail - 31X10.50R15LT', '31X10.50R15LT', 'Moss Trail'],
  ])('%s', (text, size, before) => {
    expect(readForeignCell('size', text, 'title')).toBe(size)
    expect(findTire(text)?.before).toBe(before)
  })

  test('text without one stays, and a hostile one costs little', () => {
    expect(readForeignCell('size', 'Gift card', 'title')).toBe('Gift card')
    expect(findTire('1'.repeat(1_900))).toBeUndefined()
    expect(findTire('22/'.repeat(600))).toBeUndefined()
  })
})

test.each([
  ['weight_lb', '11340', 'variant grams', '25'],
  ['weight_lb', '12 kg', 'weight', '26.5'],
  ['weight_lb', '25.5', 'weight (lbs)', '25.5'],
  ['price', '$1,299.50', 'price', '1299.5'],
  ['price', 'call us', 'price', 'call us'],
  ['active', 'TRUE', 'published', 'yes'],
  ['active', 'archived', 'status', 'no'],
  ['active', '2', 'published', 'no'],
  ['category', 'All Season', 'type', 'all-season'],
  ['category', 'Tires > All Season, Sale', 'categories', 'all-season'],
  ['tread', 'Tires > All Season', 'categories', 'all-season'],
  ['weight_lb', '11340', 'weight (g)', '25'],
  ['on_hand', 'not stocked', 'available (not editable)', '0'],
  ['speed', 'H', 'speed', 'H'],
  ['load_index', '225/65R17 102H', 'title', '102'],
  ['load_range', '225/65R17 102H', 'title', ''],
  [
    'line_about',
    '<style>p{}</style><p>Wet &amp; dry.</p><p>For <b>all</b>\nyear.</p>',
    'body (html)',
    'Wet & dry. For all year.',
  ],
])('%s "%s" in the column %s is read as "%s"', (column, text, from, read) => {
  expect(readForeignCell(column, text, from)).toBe(read)
})

test('a long description ends after a sentence or a word, and only its beginning is read', () => {
  const read = (text: string) => readForeignCell('line_about', text, 'description')
  expect(read(`Quiet. ${'Long '.repeat(300)}.`)).toBe('Quiet.')
  expect(read('Long '.repeat(300))).toBe(`${'Long '.repeat(198)}Long…`)
  expect(read(`${'<b>'.repeat(30_000)}Deep`)).toBe('')
})
