import { Readable } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { lawRuns } from '#tests/support/law-runs.ts'
import { acesApplication, acesEnd, acesFile, acesStart } from './aces.testing.ts'
import { brandFitmentFeed } from './brand-fitment-feed.ts'
import { priceFeed } from './price-feed.ts'
import { readRows, UnreadableFeed, type FeedRow } from './read-rows.server.ts'

function sourceOf(bytes: Buffer | string, size = 65_536) {
  const buffer = Buffer.from(bytes as string)
  const pieces = Array.from({ length: Math.ceil(buffer.length / size) }, (_, index) =>
    buffer.subarray(index * size, (index + 1) * size),
  )
  return { name: 'catalog.xml', open: () => Readable.from(pieces, { objectMode: false }) }
}

const rowsOf = (bytes: Buffer | string, size?: number): Promise<FeedRow[]> =>
  Array.fromAsync(readRows(sourceOf(bytes, size), brandFitmentFeed))

async function faultOf(text: string, feed = brandFitmentFeed): Promise<string> {
  const error: unknown = await Array.fromAsync(readRows(sourceOf(text), feed)).catch((error: unknown) => error)
  if (!(error instanceof UnreadableFeed)) throw new Error(`It was read, or failed otherwise: ${JSON.stringify(error)}`)
  return `${error.rowNo} ${error.problems.map(({ problem }) => problem).join('; ')}`
}

/** The cells of a row that aren't empty. */
const filled = (row: FeedRow | undefined) =>
  row && 'cells' in row ? Object.fromEntries(Object.entries(row.cells).filter(([, cell]) => cell !== '')) : row

const one = { part: 'SV-100' }
const source = {
  company: 'Sunder & Vale',
  transferred_on: '2026-10-05',
  brand_code: 'BBSV',
  submission: 'FULL',
  action: 'A',
  quantity: '4',
}

test('reads applications with their vehicle, position and conditions, in pieces of any size', async () => {
  const file = acesFile([
    one,
    {
      part: 'SV 101',
      quantity: 2,
      vehicle: '<Years from="2019" to="2021"/><Make id="59">Honda</Make><Model id="744">CR-V</Model>',
      more: '<SubModel id="20">EX</SubModel><DriveType id="5"/><Region id="1">United States</Region><Qual id="1920"><param value="18" uom="IN">18</param><text>With 18 in.\n wheels</text></Qual><Note>Not with <![CDATA[tow & haul]]></Note><Note/><Position id="22">Front</Position><MfrLabel>Touring</MfrLabel>',
    },
  ]).replace('<Part>SV 101', '<Part BrandAAIAID="BBXX">SV 101')
  const rows = await rowsOf(file)
  expect(rows.map(filled)).toEqual([
    { ...source, part: 'SV-100', base_vehicle: '5911' },
    {
      ...source,
      part: 'SV 101',
      quantity: '2',
      brand_code: 'BBXX',
      first_year: '2019',
      last_year: '2021',
      make_code: '59',
      make: 'Honda',
      model_code: '744',
      model: 'CR-V',
      submodel_code: '20',
      submodel: 'EX',
      position_code: '22',
      position: 'Front',
      terms: 'only with a certain drive type; region United States; With 18 in. wheels; Not with tow & haul',
    },
  ])
  expect(rows.map(({ rowNo }) => rowNo)).toEqual([2, 3])
  expect(await rowsOf(file, 1)).toEqual(rows)
  expect(await rowsOf(file, 7)).toEqual(rows)
  expect(await rowsOf(gzipSync(file))).toEqual(rows)
  expect(await rowsOf(`\uFEFF${file}`)).toEqual(rows)
})

test('equipment and applications without a vehicle are refused rows', () => {
  const read = (cells: Record<string, string>) => {
    const empty = Object.fromEntries(brandFitmentFeed.columns.map((column) => [column, '']))
    const read = brandFitmentFeed.read({ ...empty, ...source, part: 'SV-100', ...cells })
    return 'problems' in read ? read.problems.map(({ column, problem }) => `${column} ${problem}`) : 'read'
  }
  expect(read({ base_vehicle: '5911' })).toBe('read')
  expect(read({ first_year: '2019', last_year: '2021', make_code: '59', model: 'CR-V' })).toBe('read')
  expect(read({})).toEqual(['base_vehicle names no vehicle'])
  expect(read({ first_year: '2019', last_year: '2021', make_code: '59' })).toEqual(['base_vehicle names no vehicle'])
  expect(read({ base_vehicle: '5911', equipment: 'EquipmentBase' })).toEqual(['equipment is not about a road vehicle'])
  expect(read({ base_vehicle: '5911', action: 'D' })).toEqual([
    'action removes an application from a file of all applications',
  ])
  expect(read({ first_year: '2021', last_year: '2019', make: 'Honda', model: 'CR-V' })).toEqual([
    'last_year is before the first year',
  ])
  expect(read({ base_vehicle: 'x', transferred_on: '2026-02-30' })).toEqual([
    'transferred_on is not a date',
    'base_vehicle is not a whole number in that range',
  ])
})

test.each([
  ['another version', acesFile([one], { version: '3.2' }), '2 the file is ACES 3.2'],
  ['another root', '<PIES version="7.2"></PIES>', '2 the file is PIES, not ACES'],
  ['no company', acesFile([one], { header: { Company: '' } }), '2 the header names no Company'],
  ['no date', acesFile([one], { header: { TransferDate: 'today' } }), '2 the header has no TransferDate'],
  ['a test file', acesFile([one], { header: { SubmissionType: 'TEST' } }), '2 the SubmissionType is TEST'],
  ['no header', acesFile([one]).replace(/<Header>.*<\/Header>/, ''), '2 has no header before its applications'],
  ['an unknown part', acesFile([one], { footer: '<Extra/></ACES>' }), '3 has an element Extra'],
  ['a wrong count', acesFile([one, one], { count: 3 }), '4 the footer counts 3 records, and the file has 2'],
  ['no footer', acesFile([one], { footer: '</ACES>' }), '3 the file ends without a footer'],
  ['a cut end', acesFile([one, one]).slice(0, -100), '3 the file ends without a footer'],
  [
    'applications after its footer',
    acesFile([one]).replace('</ACES>', `${acesApplication(one, 1)}</ACES>`),
    '3 has elements after its footer',
  ],
  ['an end tag too many', acesFile([{ ...one, more: '</BaseVehicle>' }]), '2 the XML can’t be read at line 4'],
  [
    'a document type',
    acesFile([one]).replace('<ACES', '<!DOCTYPE ACES [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>\n<ACES'),
    '2 the file has a document type',
  ],
  [
    'a document type without an end',
    `<!DOCTYPE ACES [${'<!ENTITY a "a">'.repeat(20_000)}`,
    '2 the XML can’t be read at line 1',
  ],
  ['an entity', acesFile([{ ...one, more: '<Note>&b;</Note>' }]), '2 the XML can’t be read at line 4'],
  [
    'the name of a method as entity',
    acesFile([{ ...one, more: '<Note>&constructor;</Note>' }]),
    '2 the XML can’t be read at line 4',
  ],
  [
    'deep elements',
    acesFile([{ ...one, more: '<a><a><a><a><a></a></a></a></a></a>' }]),
    '2 an element is nested too deeply',
  ],
  [
    'many attributes',
    acesFile([{ ...one, more: `<Note ${Array.from({ length: 13 }, (_, index) => `a${index}=""`).join(' ')}/>` }]),
    '2 an element has too many or too long attributes',
  ],
  [
    'a long attribute',
    acesFile([{ ...one, more: `<Note lang="${'a'.repeat(501)}"/>` }]),
    '2 an element has too many or too long attributes',
  ],
  [
    'a long text',
    acesFile([{ ...one, more: `<Note>${'a'.repeat(300_000)}</Note>` }]),
    '2 an element has too much text',
  ],
])('a file with %s is refused whole', async (_case, file, fault) => {
  expect(await faultOf(file)).toBe(fault)
})

test('a footer may count the assets, too', async () => {
  const file = acesFile([one], { count: 2 }).replace(
    '<Footer>',
    '<Asset action="A" id="1"><AssetName>a</AssetName></Asset><Footer>',
  )
  expect(await rowsOf(file)).toHaveLength(1)
})

test('a catalog is not a file of prices', async () => {
  expect(await faultOf(acesFile([one]), priceFeed)).toContain('is not a column of this feed')
})

test('200,000 applications, or 40,000 in a daily run, are read in little memory', async () => {
  const count = Math.min(200 * lawRuns.numRuns, 1_000_000)
  function* pieces() {
    yield Buffer.from(acesStart())
    for (let from = 0; from < count; from += 250)
      yield Buffer.from(
        Array.from({ length: 250 }, (_, index) =>
          acesApplication(
            { part: `SV-${from + index}`, more: `<Note>With ${index} in. wheels</Note><Position id="22"/>` },
            from + index,
          ),
        ).join('\n'),
      )
    yield Buffer.from(acesEnd(count))
  }
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const used = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const file = { name: 'catalog.xml', open: () => Readable.from(pieces(), { objectMode: false }) }
  const before = used()
  let rows = 0
  let most = 0
  for await (const row of readRows(file, brandFitmentFeed)) {
    rows++
    if (row.rowNo % (count / 5) === 0) most = Math.max(most, used() - before)
  }
  expect(rows).toBe(count)
  expect(most).toBeLessThan(16 * 1024 ** 2)
}, 600_000)
