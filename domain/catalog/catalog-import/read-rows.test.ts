import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { feedLimits, type FeedLimits } from './catalog-import.ts'
import { priceFeed } from './price-feed.ts'
import { readRows, UnreadableFeed, type FeedRow } from './read-rows.server.ts'
import { stockFeed } from './stock-feed.ts'

/** The bytes in chunks of `size`, as from a disk or network. */
function sourceOf(bytes: Buffer | string, size = 65_536) {
  const buffer = Buffer.from(bytes as string)
  const pieces = Array.from({ length: Math.ceil(buffer.length / size) }, (_, index) =>
    buffer.subarray(index * size, (index + 1) * size),
  )
  return { name: 'test.csv', open: () => Readable.from(pieces, { objectMode: false }) }
}

function rowsOf(bytes: Buffer | string, size?: number): Promise<FeedRow[]> {
  return Array.fromAsync(readRows(sourceOf(bytes, size), priceFeed))
}

async function faultOf(bytes: Buffer | string): Promise<string> {
  const error: unknown = await rowsOf(bytes).catch((error: unknown) => error)
  if (!(error instanceof UnreadableFeed)) throw new Error(`It was read, or failed otherwise: ${JSON.stringify(error)}`)
  return error.problems.map(({ column, problem }) => `${error.rowNo} ${column} ${problem}`).join('; ')
}

const two = [
  { rowNo: 2, cells: { sku: 'A-1', price: '10.00', price_cents: '', cost: '' } },
  { rowNo: 3, cells: { sku: 'B-2', price: '20', price_cents: '', cost: '' } },
]

test.each([
  ['plain', 'sku,price\nA-1,10.00\nB-2,20\n'],
  ['without a line end', 'sku,price\nA-1,10.00\nB-2,20'],
  ['CRLF', 'sku,price\r\nA-1,10.00\r\nB-2,20\r\n'],
  ['mixed line ends', 'sku,price\r\nA-1,10.00\nB-2,20\r'],
  ['mixed line ends, LF first', 'sku,price\nA-1,10.00\r\nB-2,20\n'],
  ['a byte order mark', '\ufeffsku,price\nA-1,10.00\nB-2,20\n'],
  ['a byte order mark before a quote', '\ufeff"sku","price"\nA-1,10.00\nB-2,20\n'],
  ['quotes', '"sku","price"\n"A-1","10.00"\nB-2,"20"\n'],
  ['capitals and spaces in the header', ' SKU , Price \n A-1 , 10.00\nB-2,20 \n'],
  ['columns in another order', 'price,sku\n10.00,A-1\n20,B-2\n'],
  ['empty cells behind the last column', 'sku,price,,\nA-1,10.00,,\nB-2,20,\n'],
])('a file with %s reads the same', async (_case, text) => {
  expect(await rowsOf(text)).toEqual(two)
  expect(await rowsOf(gzipSync(text))).toEqual(two)
})

test('counts rows like a spreadsheet, including empty ones and line breaks in cells', async () => {
  const rows = await rowsOf('sku,price\n\n"A\n1",1\n,\nB-2,20\n')
  expect(rows.map((row) => [row.rowNo, 'cells' in row && row.cells.sku])).toEqual([
    [3, 'A\n1'],
    [5, 'B-2'],
  ])
})

test('a row with too few or too many cells is a bad row, not a bad file', async () => {
  expect(await rowsOf('sku,price\nA-1\nB-2,20\nC-3,1,2\n')).toMatchObject([
    { rowNo: 2, problem: { column: '', value: 'A-1', problem: 'has 1 cell', expected: '2 cells, as the header has' } },
    { rowNo: 3, cells: { sku: 'B-2' } },
    { rowNo: 4, problem: { problem: 'has 3 cells' } },
  ])
})

test.each([
  ['1  the file is empty', ''],
  ['2  the file has no rows', 'sku,price\n'],
  [
    '1 weight is not a column of this feed; 1 price stands in the header twice; 1 sku is missing in the header',
    'price,weight,price\n1,1,1\n',
  ],
  ['1 price is missing in the header', 'sku\nA-1\n'],
  ['1 price_cents stands in the header beside price', 'sku,price,price_cents\nA-1,1,100\n'],
  ['1  the cells are separated by semicolons', 'sku;price\nA-1;10\n'],
  ['1  the cells are separated by tabs', 'sku\tprice\nA-1\t10\n'],
  ['3  a quote that opens here or later is not closed', 'sku,price\nA-1,10\n"B-2,20\nC-3,30\n'],
  ['2  a quote that opens here or later is not closed', `sku,price\nA-1,"${'x'.repeat(70_000)}"\n`],
  ['3  a quote stands inside a cell', 'sku,price\nA-1,10\nB"2,20\n'],
  ['3  a quote stands inside a cell', 'sku,price\nA-1,10\n"B"2,20\n'],
  ['1  the file is not UTF-8 text', 'sku,price\nA\u00001,10\n'],
])('refuses a whole file: %s', async (fault, text) => {
  expect(await faultOf(text)).toBe(fault)
})

test('reports other encodings and damaged files as such', async () => {
  expect(await faultOf(Buffer.from('\ufeffsku,price\nA-1,10\n', 'utf16le'))).toBe('1  the file is not UTF-8 text')
  expect(await faultOf(Buffer.from('sku,price\nCaf\u00e9,10\n', 'latin1'))).toMatch(/not UTF-8/)
  expect(await faultOf(Buffer.concat([Buffer.from('sku,price\nA-1,10\nB'), Buffer.from([0xc3])]))).toMatch(/not UTF-8/)
  const packed = gzipSync(`sku,price\n${'A-1,10\n'.repeat(50_000)}`)
  expect(await faultOf(packed.subarray(0, packed.length - 20))).toMatch(/damaged or ends too early/)
  expect(await faultOf(Buffer.concat([packed.subarray(0, 50), Buffer.alloc(200, 7)]))).toMatch(
    /damaged or ends too early/,
  )
})

test('a file reads the same in any chunks', async () => {
  const cell = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', '\n', '\r', ' ', '漢', '😀', '='), maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(
      fc.array(cell, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 9 }),
      fc.boolean(),
      async (cells, size, isPacked) => {
        const text = `sku,price\n${cells
          .map((cell) => `x"${cell}`.replaceAll('"', '""'))
          .map((cell) => `"${cell}",1\n`)
          .join('')}`
        const rows = await rowsOf(isPacked ? gzipSync(text) : text, size)
        expect(rows.map((row) => 'cells' in row && row.cells.sku)).toEqual(cells.map((cell) => `x"${cell}`.trim()))
      },
    ),
    { numRuns: 60 },
  )
})

const small = { maxRows: 1_000, maxUnpackedBytes: 2 * 1024 ** 2, maxPackingRatio: 100 }

/** What stops a file, and how many bytes of it were read until then. */
async function stoppedBy(bytes: Buffer, limits: FeedLimits = feedLimits, size = 1_024) {
  let taken = 0
  function* counted() {
    for (let at = 0; at < bytes.length; at += size) {
      taken += Math.min(size, bytes.length - at)
      yield bytes.subarray(at, at + size)
    }
  }
  const source = { name: 'test.csv', open: () => Readable.from(counted(), { objectMode: false }) }
  const error: unknown = await Array.fromAsync(readRows(source, priceFeed, limits)).catch((error: unknown) => error)
  if (!(error instanceof UnreadableFeed)) throw new Error('It was read to the end.')
  return { problem: error.problems[0]?.problem, taken }
}

test('a few kilobytes that unpack to millions of rows are refused by their ratio', async () => {
  const bomb = gzipSync(`sku,price\n${'A-1,10\n'.repeat(3_000_000)}`, { level: 9 })
  expect(bomb.length).toBeLessThan(64 * 1024)
  expect(await stoppedBy(bomb)).toMatchObject({ problem: 'the packed file unpacks to more than 100 times its size' })
})

test('a file with too many rows or bytes is left at the limit, packed or not', async () => {
  const rows = Array.from({ length: 200_000 }, (_, index) => `SKU-${(index * 7_919) % 1_000_003},${index + 1}\n`)
  const plain = Buffer.from(`sku,price\n${rows.join('')}`)
  for (const bytes of [plain, gzipSync(plain)]) {
    const byRows = await stoppedBy(bytes, small)
    expect(byRows.problem).toBe('the file has more than 1,000 rows')
    expect(byRows.taken).toBeLessThan(bytes.length / 2)
    const byBytes = await stoppedBy(bytes, { ...small, maxRows: 1_000_000 })
    expect(byBytes.problem).toBe('the file is larger than 2 MB')
    expect(byBytes.taken).toBeLessThan(bytes.length)
  }
})

test('a table of a size that suppliers send is read in full', async () => {
  const rows = Array.from({ length: 60_000 }, (_, index) => `SUPPLIER-2026-${index},${index + 1}\n`)
  const packed = gzipSync(`sku,price\n${rows.join('')}`, { level: 9 })
  expect(await rowsOf(packed)).toHaveLength(60_000)
})

const inventory = (segments: readonly string[]) =>
  [
    'ISA*00*          *00*          *ZZ*NORTHLINE      *ZZ*SIDEWALL       *261120*0600*U*00401*000000007*0*P*>',
    'GS*IB*NORTHLINE*SIDEWALL*20261120*0600*7*X*004010',
    'ST*846*0001',
    'BIA*00*DD*20261120*20261120*0600',
    ...segments,
    'CTT*2',
    `SE*${segments.length + 4}*0001`,
    'GE*1*7',
    'IEA*1*000000007',
    '',
  ].join('~\n')
const stock = stockFeed({
  now: Temporal.Instant.from('2026-11-20T15:00:00Z'),
  countedAt: Temporal.Instant.from('2026-11-20T14:00:00Z'),
  warehouses: new Map([
    ['JOL', 1],
    ['RNO', 2],
  ]),
})
const stockRows = (text: string, size?: number) =>
  Array.fromAsync(readRows(sourceOf(text, size), stock)).then((rows) =>
    rows.map((row) => ('cells' in row ? Object.values(row.cells).join(' ') : row.problem)),
  )

test('an EDI inventory file (846) is read as stock, for one warehouse, or for each by part', async () => {
  const at = '2026-11-20T06:00:00Z'
  const byWarehouse = [
    'N1*WH*Joliet*92*JOL',
    'LIN*1*VP*SUN-100',
    'QTY*33*24*EA',
    'LIN*2*UP*761234500017*SK*SUN-101',
    'QTY*17*8*EA',
  ]
  for (const size of [65_536, 7])
    expect(await stockRows(inventory(byWarehouse), size)).toEqual([`SUN-100 JOL 24 ${at}`, `SUN-101 JOL 8 ${at}`])
  const byPart = ['LIN*1*VP*SUN-100', 'SDQ*EA*92*JOL*24*RNO*6', 'LIN*2*VP*SUN-101', 'QTY*33*3*EA', 'N1*WH*Reno*92*RNO']
  expect(await stockRows(inventory(byPart))).toEqual([
    `SUN-100 JOL 24 ${at}`,
    `SUN-100 RNO 6 ${at}`,
    `SUN-101 RNO 3 ${at}`,
  ])
})

test.each([
  ['cut off', (text: string) => text.slice(0, -40)],
  ['of another kind', (text: string) => text.replace('ST*846', 'ST*850')],
  ['without delimiters', (text: string) => text.replaceAll('~', ' ') + 'x'.repeat(5_000)],
])('an EDI file %s is refused', async (_case, change) => {
  const text = change(inventory(['N1*WH*Joliet*92*JOL', 'LIN*1*VP*SUN-100', 'QTY*33*24*EA']))
  await expect(stockRows(text)).rejects.toThrow(UnreadableFeed)
})
