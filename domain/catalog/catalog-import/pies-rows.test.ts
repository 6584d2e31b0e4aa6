import { Readable } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { lawRuns } from '#tests/support/law-runs.ts'
import { brandFitmentFeed } from './brand-fitment-feed.ts'
import { itemDataFeed as feedOf } from './item-data-feed.ts'
import { piesEnd, piesFile, piesItem, piesPackage, piesStart } from './pies.testing.ts'
import { readRows, UnreadableFeed, type FeedRow } from './read-rows.server.ts'

const itemDataFeed = feedOf({ mapTypes: new Set(['ADV']), day: Temporal.PlainDate.from('2026-11-20') })

function sourceOf(bytes: Buffer | string, size = 65_536) {
  const buffer = Buffer.from(bytes as string)
  const pieces = Array.from({ length: Math.ceil(buffer.length / size) }, (_, index) =>
    buffer.subarray(index * size, (index + 1) * size),
  )
  return { name: 'items.xml', open: () => Readable.from(pieces, { objectMode: false }) }
}

const rowsOf = (bytes: Buffer | string, size?: number): Promise<FeedRow[]> =>
  Array.fromAsync(readRows(sourceOf(bytes, size), itemDataFeed))

async function faultOf(bytes: Buffer | string, feed = itemDataFeed): Promise<string> {
  const error: unknown = await Array.fromAsync(readRows(sourceOf(bytes), feed)).catch((error: unknown) => error)
  if (!(error instanceof UnreadableFeed)) throw new Error(`It was read, or failed otherwise: ${JSON.stringify(error)}`)
  return `${error.rowNo} ${error.problems.map(({ problem }) => problem).join('; ')}`
}

/** The cells of a row that aren't empty. */
const filled = (row: FeedRow | undefined) =>
  row && 'cells' in row ? Object.fromEntries(Object.entries(row.cells).filter(([, cell]) => cell !== '')) : row

const one = { part: 'SV-100' }
const description = (code: string, text: string, more = '') =>
  `<Description MaintenanceType="A" DescriptionCode="${code}"${more}>${text}</Description>`
const country = (code: string, maintenance = 'A') =>
  `<ExtendedProductInformation MaintenanceType="${maintenance}" EXPICode="CTO">${code}</ExtendedProductInformation>`

test('reads items with their numbers, weight, country, and description, in pieces of any size', async () => {
  const file = piesFile([
    one,
    {
      maintenance: 'C',
      part: 'SV 101',
      gtin: '036000291452',
      brand: 'BBXX',
      more: [
        `<Descriptions>${description('MKT', 'Pneu', ' LanguageCode="FR"')}${description('EXT', 'A tire')}${description('MKT', 'A tire\n for <![CDATA[wet &amp; dry]]> roads')}</Descriptions>`,
        '<Prices><Pricing MaintenanceType="A" PriceType="LST"><Price UOM="PE">189.99</Price></Pricing></Prices>',
        `<ExtendedInformation>${country('CA', 'D')}${country('US')}</ExtendedInformation>`,
        `<Packages>${piesPackage({ pounds: 105, eaches: 4 })}${piesPackage({ pounds: 1, maintenance: 'D' })}${piesPackage({ pounds: 26.44 })}${piesPackage({ pounds: 99 })}</Packages>`,
        '<DigitalAssets><DigitalFileInformation MaintenanceType="A"><FileName>a.jpg</FileName><AssetDates><AssetDate assetDateType="CRE">2026-01-01</AssetDate></AssetDates></DigitalFileInformation></DigitalAssets>',
      ].join(''),
    },
    {
      part: 'SV-102',
      gtin: '0',
      more: `<Descriptions>${description('EXT', 'Only extended')}</Descriptions><ExtendedInformation>${country('US')}${country('MX')}${country('US')}</ExtendedInformation>`,
    },
  ])
  const rows = await rowsOf(file)
  expect(rows.map(filled)).toEqual([
    { maintenance: 'A', part: 'SV-100', brand_code: 'BBSV', line: '5' },
    {
      maintenance: 'C',
      part: 'SV 101',
      brand_code: 'BBXX',
      gtin: '00036000291452',
      weight: '26.44',
      weight_unit: 'PG',
      origin_country: 'US',
      about: 'A tire for wet &amp; dry roads',
      prices: 'LST 189.99 - -',
      line: '6 prices=7 origin_country=7 weight=7 weight_unit=7',
    },
    { maintenance: 'A', part: 'SV-102', brand_code: 'BBSV', about: 'Only extended', line: '8' },
  ])
  expect(rows.map(({ rowNo }) => rowNo)).toEqual([2, 3, 4])
  expect(await rowsOf(file, 1)).toEqual(rows)
  expect(await rowsOf(file, 7)).toEqual(rows)
  expect(await rowsOf(gzipSync(file))).toEqual(rows)
  expect(await rowsOf(`\uFEFF${file}`)).toEqual(rows)
})

test('a file in UTF-16 is read in both byte orders and in pieces of any size, and is rejected if cut', async () => {
  const text = piesFile([{ ...one, about: 'Für nasse Straßen 🛞' }]).replace('encoding="UTF-8"', 'encoding="UTF-16"')
  const rows = await rowsOf(text)
  const little = Buffer.from(text, 'utf16le')
  const big = Buffer.from(little).swap16()
  for (const bytes of [
    little,
    big,
    Buffer.from(`\uFEFF${text}`, 'utf16le'),
    Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
  ]) {
    expect(await rowsOf(bytes)).toEqual(rows)
    expect(await rowsOf(bytes, 3)).toEqual(rows)
    expect(await rowsOf(gzipSync(bytes))).toEqual(rows)
    expect(await faultOf(Buffer.concat([bytes, Buffer.from([0x3c])]))).toContain('UTF-8')
  }
})

const pricing = (type: string, price: string, more = '', maintenance = 'A') =>
  `<Pricing MaintenanceType="${maintenance}" PriceType="${type}">${more}<Price UOM="PE">${price}</Price></Pricing>`
const days = (from: string, until: string) =>
  `<EffectiveDate>${from}</EffectiveDate><ExpirationDate>${until}</ExpirationDate>`
/** The minimum price of an item with these prices, or the problems. */
async function minimumOf(prices: readonly string[], header: Record<string, string> = {}) {
  const [row] = await rowsOf(piesFile([{ ...one, more: `<Prices>${prices.join('\n')}</Prices>` }], { header }))
  const read = row && 'cells' in row ? itemDataFeed.read(row.cells) : { problems: [] }
  return 'problems' in read ? read.problems.map(({ column, problem }) => `${column} ${problem}`) : read.row['map_cents']
}

test.each([
  ['no price of its type', [pricing('LST', '189.99'), pricing('JBR', '120')], null],
  ['one price', [pricing('LST', '189.99'), pricing('ADV', '149.5')], 14_950],
  ['a price for its day', [pricing('ADV', '149', days('2026-11-20', '2026-11-20'))], 14_900],
  ['a price of the past', [pricing('ADV', '149', days('2026-01-01', '2026-11-19'))], null],
  ['a price of the future', [pricing('ADV', '149', days('2026-11-21', '2027-11-19'))], null],
  [
    'a later price',
    [pricing('ADV', '149', days('2026-01-01', '2027-01-01')), pricing('ADV', '159', days('2026-11-01', '2027-01-01'))],
    15_900,
  ],
  ['a deleted price', [pricing('ADV', '149', '', 'D')], null],
  ['a price for four tires', [pricing('ADV', '149', '<PriceBreak UOM="EA">4</PriceBreak>')], null],
  ['a price of a hundred', [pricing('ADV', '149').replace('"PE"', '"HP"')], null],
  ['a price in Canadian dollars', [pricing('ADV', '149', '<CurrencyCode>CAD</CurrencyCode>')], null],
  [
    'two prices',
    [pricing('ADV', '149'), pricing('ADV', '159')],
    ['prices has two minimum advertised prices from the same day (line 6)'],
  ],
  [
    'a word',
    [pricing('LST', '189.99'), pricing('ADV', 'call'), pricing('JBR', '1')],
    ['prices has a price that can’t be read (line 6)'],
  ],
  ['another date', [pricing('ADV', '149', days('11/20/2026', ''))], ['prices has a price that can’t be read (line 5)']],
  [
    '51 prices',
    Array.from({ length: 51 }, () => pricing('JBR', '1')),
    ['prices has a price that can’t be read (line 55)'],
  ],
] as const)('of %s, the minimum advertised price is read', async (_case, prices, expected) => {
  expect(await minimumOf(prices)).toEqual(expected)
})

test('an item with 100,000 prices is rejected in little memory, and the header’s currency counts', async () => {
  expect(await minimumOf(Array.from({ length: 100_000 }, () => pricing('ADV', '149')))).toHaveLength(1)
  expect(await minimumOf([pricing('ADV', '149')], { CurrencyCode: 'CAD' })).toBeNull()
})

test('problems name the line of the value in an item with several lines', async () => {
  const file = piesFile([
    {
      part: 'SV-100',
      gtin: '036000291453',
      about: 'A tire',
      pounds: 500,
      more: `<ExtendedInformation>${country('USA')}</ExtendedInformation>`,
    },
  ])
    .replace('<ItemLevelGTIN', '\n<ItemLevelGTIN')
    .replace('<Weight>', '\n\n<Weight>')
    .replace('<ExtendedProductInformation', '\n<ExtendedProductInformation')
  const [row] = await rowsOf(file)
  const read = row && 'cells' in row ? itemDataFeed.read(row.cells) : { problems: [] }
  expect('problems' in read && read.problems.map(({ column, problem }) => `${column} ${problem}`)).toEqual([
    'gtin has a wrong check digit (line 6)',
    expect.stringMatching(/^weight .* \(line 8\)$/),
    'origin_country is not a country (line 9)',
  ])
})

test('cells become a tire’s values, and problems name the line of the item', () => {
  const read = (cells: Record<string, string>) => {
    const empty = Object.fromEntries(itemDataFeed.columns.map((column) => [column, '']))
    const read = itemDataFeed.read({ ...empty, maintenance: 'A', part: 'sv-100', line: '12', ...cells })
    return 'problems' in read ? read.problems.map(({ column, problem }) => `${column} ${problem}`) : read.row
  }
  expect(
    read({
      gtin: '00036000291452',
      brand: 'Sunder & Vale',
      weight: '12',
      weight_unit: 'GT',
      about: '<p>Quiet.</p><p>Long &amp; wide.</p>',
    }),
  ).toMatchObject({
    part: 'sv-100',
    part_key: 'SV100',
    gtin: '036000291452',
    brand_slug: 'sunder-and-vale',
    weight_lb: 26.5,
    about: 'Quiet. Long & wide.',
  })
  expect(read({ weight: '26.44', weight_unit: 'PG' })).toMatchObject({ weight_lb: 26.4, about: null })
  expect(read({ maintenance: '', part: '--' })).toEqual([
    'maintenance is empty (line 12)',
    'part is not a part number (line 12)',
  ])
  expect(read({ gtin: '00036000291453', origin_country: 'USA' })).toEqual([
    'gtin has a wrong check digit (line 12)',
    'origin_country is not a country (line 12)',
  ])
  expect(read({ weight: '26.4' })).toEqual(['weight_unit is empty (line 12)'])
  expect(read({ weight: '300', weight_unit: 'GT' })).toEqual([
    'weight_unit makes no weight from 2 to 400 pounds (line 12)',
  ])
  expect(read({ weight: '26.4', weight_unit: 'OZ' })).toEqual([
    'weight_unit is not one of the words known here (line 12)',
  ])
  expect(read({ about: 'a'.repeat(2_001) })).toEqual(['about is 2,001 characters long (line 12)'])
  expect(read({ line: '', part: '' })).toEqual(['part is empty'])
})

test.each([
  ['another version', piesFile([one], { header: { PIESVersion: '6.5' } }), '2 the PIESVersion is 6.5'],
  ['no version', piesFile([one], { header: { PIESVersion: '' } }), '2 the PIESVersion is missing'],
  ['another root', '<ACES version="4.2"></ACES>', '2 the file is ACES, not PIES'],
  ['a test file', piesFile([one], { header: { SubmissionType: 'TEST' } }), '2 the SubmissionType is TEST'],
  ['no header', piesFile([one]).replace(/<Header>.*<\/Header>/, ''), '2 has no header before its items'],
  ['an unknown part', piesFile([one]).replace('<Items>', '<Extra/><Items>'), '2 has an element Extra'],
  [
    'parts out of order',
    piesFile([one]).replace('<Trailer>', '<PriceSheets/><Trailer>'),
    '3 has PriceSheets after Items',
  ],
  [
    'another element among its items',
    piesFile([one]).replace('<Items>', '<Items><Part/>'),
    '2 Items has an element Part in line 4',
  ],
  ['no items', piesFile([]), '2 has no items before its trailer'],
  ['a wrong count', piesFile([one, one], { count: 3 }), '4 the trailer counts 3 items, and the file has 2'],
  ['no trailer', piesFile([one], { trailer: '</Items></PIES>' }), '3 the file ends without a trailer'],
  ['a cut end', piesFile([one, one]).slice(0, -100), '4 the file ends without a trailer'],
  ['items after its trailer', piesFile([one]).replace('</PIES>', '<Items/></PIES>'), '3 has Items after Trailer'],
  ['an end tag too many', piesFile([{ ...one, more: '</Packages>' }]), '2 the XML can’t be read at line 5'],
  [
    'a document type',
    piesFile([one]).replace('<PIES', '<!DOCTYPE PIES [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>\n<PIES'),
    '2 the file has a document type',
  ],
  ['an HTML entity', piesFile([{ ...one, about: 'A&nbsp;tire' }]), '2 the XML can’t be read at line 5'],
  ['an outside entity', piesFile([{ ...one, about: '&file;' }]), '2 the XML can’t be read at line 5'],
  [
    'the name of a method as entity',
    piesFile([{ ...one, about: '&constructor;' }]),
    '2 the XML can’t be read at line 5',
  ],
  ['deep elements', piesFile([{ ...one, more: '<a>'.repeat(6) }]), '2 an element is nested too deeply'],
  [
    'many attributes',
    piesFile([{ ...one, more: `<Kits ${Array.from({ length: 13 }, (_, index) => `a${index}=""`).join(' ')}/>` }]),
    '2 an element has too many or too long attributes',
  ],
  [
    'a long attribute',
    piesFile([{ ...one, more: `<Kits a="${'a'.repeat(501)}"/>` }]),
    '2 an element has too many or too long attributes',
  ],
  ['a long text', piesFile([{ ...one, about: 'a'.repeat(300_000) }]), '2 an element has too much text'],
])('a file with %s is refused whole', async (_case, file, fault) => {
  expect(await faultOf(file)).toBe(fault)
})

test('a file in another encoding or of another kind is refused whole', async () => {
  const file = piesFile([{ ...one, about: 'Für Schnee' }])
  expect(await faultOf(Buffer.from(file, 'latin1'))).toMatch(/ the file is not UTF-8 text$/)
  expect(await faultOf(file, brandFitmentFeed)).toBe('2 the file is PIES, not ACES')
})

test('price sheets and market copy are skipped', async () => {
  const skipped =
    '<PriceSheets><PriceSheet MaintenanceType="A"><PriceSheetNumber>1</PriceSheetNumber></PriceSheet></PriceSheets><MarketingCopy><MarketCopy><MarketCopyContent MaintenanceType="A">Copy</MarketCopyContent></MarketCopy></MarketingCopy>'
  expect(await rowsOf(piesFile([one]).replace('<Items>', `${skipped}<Items>`))).toHaveLength(1)
})

test('200,000 items, or 40,000 in a daily run, are read in little memory', async () => {
  const count = Math.min(200 * lawRuns.numRuns, 1_000_000)
  function* pieces() {
    yield Buffer.from(piesStart())
    for (let from = 0; from < count; from += 250)
      yield Buffer.from(
        Array.from({ length: 250 }, (_, index) =>
          piesItem({ part: `SV-${from + index}`, pounds: 26.4, about: `A tire, number ${from + index}` }),
        ).join('\n'),
      )
    yield Buffer.from(piesEnd(count))
  }
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const used = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const file = { name: 'items.xml', open: () => Readable.from(pieces(), { objectMode: false }) }
  const before = used()
  let rows = 0
  let most = 0
  for await (const row of readRows(file, itemDataFeed)) {
    rows++
    if (row.rowNo % (count / 5) === 0) most = Math.max(most, used() - before)
  }
  expect(rows).toBe(count)
  expect(most).toBeLessThan(16 * 1024 ** 2)
}, 600_000)
