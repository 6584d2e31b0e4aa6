/** Tests every row of the feeds against the rules, and prices against the pages. */
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { feedFields, type FeedField, type FeedName } from '#app/seo/feed-fields.ts'
import { enqueue } from '#platform/jobs.ts'
import { eventually } from '#tests/support/eventually.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'

let store: RunningStore
beforeAll(async () => {
  store = await startStore()
})
afterAll(() => store[Symbol.asyncDispose]())

const read = async (path: string) => {
  // Reading a feed takes so long that the store may close an idle connection as it is used again.
  const answer = await fetch(`${store.origin}${path}`, { headers: { connection: 'close' } })
  expect(answer.status, path).toBe(200)
  return answer.text()
}
const parser = new XMLParser({ isArray: (name) => name === 'item', parseTagValue: false, processEntities: true })

type Row = Record<string, string>

async function rowsOf(path: string): Promise<Row[]> {
  const text = await read(path)
  if (path.endsWith('.csv')) return csvRows(text)
  if (path.endsWith('.txt')) return tabRows(text)
  expect(XMLValidator.validate(text)).toBe(true)
  const { rss } = parser.parse(text) as { rss: { channel: { item?: Record<string, unknown>[] } } }
  return (rss.channel.item ?? []).map((item) =>
    Object.fromEntries(
      Object.entries(item).flatMap(([name, value]) =>
        typeof value === 'string' ? [[name.replace(/^g:/, ''), value] as const] : [],
      ),
    ),
  )
}

function csvRows(text: string): Row[] {
  const [head = '', ...lines] = text.trimEnd().split('\n')
  const names = head.split(',')
  return lines.map((line) => {
    const cells = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
      ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
    )
    return withoutEmpty(Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])))
  })
}

/** Rows of tab-separated text, without empty cells. */
function tabRows(text: string): Row[] {
  const [names = [], ...rows] = text
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
  return rows.map((cells) => {
    expect(cells).toHaveLength(names.length)
    return withoutEmpty(Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])))
  })
}

/** An empty cell is a missing value. */
function withoutEmpty(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== ''))
}

/** Returns whether a GTIN's check digit is correct (GS1 General Specifications, 7.9.1). */
function isGtin(text: string): boolean {
  if (!/^(?:\d{8}|\d{12,14})$/.test(text)) return false
  const digits = [...text.padStart(14, '0')].map(Number)
  const sum = digits.slice(0, 13).reduce((so, digit, index) => so + digit * (index % 2 === 0 ? 3 : 1), 0)
  return (10 - (sum % 10)) % 10 === digits[13]
}

const kinds: Record<Extract<FeedField['kind'], string>, (text: string) => boolean> = {
  text: (text) => text.trim() === text && !/[<>]/.test(text.replaceAll(' > ', '')),
  word: (text) => /^[\w-]+$/.test(text),
  money: (text) => /^\d+\.\d\d USD$/.test(text) && parseFloat(text) > 0,
  address: (text) => URL.canParse(text) && text.startsWith(store.origin),
  interval: (text) => {
    const [from = '', to = ''] = text.split('/')
    return Temporal.Instant.compare(Temporal.Instant.from(from), Temporal.Instant.from(to)) < 0
  },
  weight: (text) => /^\d+(?:\.\d+)? lb$/.test(text),
  whole: (text) => /^\d+$/.test(text),
  year: (text) => /^(?:19|20)\d\d$/.test(text),
  gtin: isGtin,
}

/** Problem with a row. */
function faultsOf(feed: FeedName, row: Row): string[] {
  const fields: Readonly<Record<string, FeedField>> = feedFields[feed]
  const unknown = Object.keys(row).filter((name) => fields[name] === undefined && name !== 'shipping')
  const wrong = Object.entries(fields).flatMap(([name, { kind, isRequired, longest }]) => {
    const value = row[name]
    if (value === undefined) return isRequired ? [`${name} is missing`] : []
    if (value.length > longest) return [`${name} is longer than ${longest}`]
    const isGood = typeof kind === 'string' ? kinds[kind](value) : kind.includes(value)
    return isGood ? [] : [`${name} is ${value}`]
  })
  return [...unknown.map((name) => `${name} is in no rule`), ...wrong]
}

const feeds: [path: string, feed: FeedName, keyed: string[]][] = [
  ['/feeds/products.xml', 'products', ['id']],
  ['/feeds/regions.xml', 'regions', ['id', 'region_id']],
  ['/feeds/local/SW-00001.xml', 'local', ['store_code', 'id']],
  ['/feeds/fitment.csv', 'fitment', ['id', 'year', 'make', 'model', 'trim']],
  ['/feeds/meta.csv', 'meta', ['id']],
  ['/feeds/microsoft.txt', 'microsoft', ['id']],
]

test.for(feeds)('every row of %s follows the feed rules, without duplicates', async ([path, feed, keyed]) => {
  const rows = await rowsOf(path)
  expect(rows.length).toBeGreaterThan(10)
  expect(rows.flatMap((row) => faultsOf(feed, row)).slice(0, 5)).toEqual([])
  const keys = rows.map((row) => keyed.map((name) => row[name]).join('\n'))
  expect(new Set(keys).size).toBe(keys.length)
})

test('the rules notice what breaks them', () => {
  const good = { id: '1', region_id: '480001', availability: 'in_stock' }
  expect(faultsOf('regions', good)).toEqual([])
  expect(faultsOf('regions', { ...good, availability: 'maybe' })).toEqual(['availability is maybe'])
  expect(faultsOf('regions', { ...good, id: 'x'.repeat(51) })).toEqual(['id is longer than 50'])
  expect(faultsOf('regions', { id: '1', availability: 'in_stock', color: 'black' })).toEqual([
    'color is in no rule',
    'region_id is missing',
  ])
  expect(['4006381333931', '036000291452', '96385074'].map(isGtin)).toEqual([true, true, true])
  expect(['4006381333932', '036000291453', '123'].map(isGtin)).toEqual([false, false, false])
})

/** The attributes in which variants of a group may differ (support.google.com/merchants/answer/6324507). */
const variantAttributes = ['size', 'color', 'pattern', 'material', 'age_group', 'gender']

/** Returns the faults in item groups (the same values in every variant attribute, the same title, or two brands). */
function groupFaults(rows: readonly Row[]): string[] {
  return [...Map.groupBy(rows, (row) => row['item_group_id'] ?? '')].flatMap(([group, items]) => {
    const variants = items.map((row) => variantAttributes.map((name) => (row[name] ?? '').toLowerCase()).join('|'))
    const isDistinct = (values: readonly unknown[]) => new Set(values).size === values.length
    return [
      ...(isDistinct(variants) ? [] : [`${group} has variants that differ in no variant attribute`]),
      ...(isDistinct(items.map((row) => row['title'])) ? [] : [`${group} has the same title twice`]),
      ...(new Set(items.map((row) => row['brand'])).size === 1 ? [] : [`${group} has several brands`]),
    ]
  })
}

test('variants of an item group differ in a variant attribute and in their title', async () => {
  const same = { item_group_id: '1', size: '225/65R17', title: 'A Tire', brand: 'A' }
  expect(groupFaults([same, { ...same, size: '225/65r17', title: 'B Tire', brand: 'B' }])).toEqual([
    '1 has variants that differ in no variant attribute',
    '1 has several brands',
  ])
  expect(groupFaults([same, { ...same, size: '225/65R17 102H' }])).toEqual(['1 has the same title twice'])
  expect(groupFaults(await rowsOf('/feeds/products.xml'))).toEqual([])
})

test('titles say what it is, and prices are the same in every feed', async () => {
  const products = await rowsOf('/feeds/products.xml')
  expect(products.filter(({ title = '' }) => !title.endsWith(' Tire'))).toEqual([])
  const byId = new Map(products.map((row) => [row['id'], row]))
  const local = await rowsOf('/feeds/local/SW-00001.xml')
  for (const row of local) {
    expect(row['price']).toEqual(byId.get(row['id'])?.['price'])
    expect(row['sale_price']).toEqual(byId.get(row['id'])?.['sale_price'])
  }
  // A sale has its price and its days together.
  const onSale = products.filter((row) => row['sale_price'] !== undefined)
  expect(onSale.length).toBeGreaterThan(0)
  for (const row of onSale) expect(parseFloat(row['sale_price'] ?? '')).toBeLessThan(parseFloat(row['price'] ?? ''))
  expect(onSale.filter((row) => row['sale_price_effective_date'] === undefined)).toEqual([])
})

test.for(['/feeds/meta.csv', '/feeds/microsoft.txt'])('%s has the products at the same prices', async (path) => {
  const products = await rowsOf('/feeds/products.xml')
  const rows = await rowsOf(path)
  const offer = ({ id, title, link, price, sale_price, sale_price_effective_date, gtin }: Row) => {
    return { id, title, link, price, sale_price, sale_price_effective_date, gtin }
  }
  expect(rows.map(offer)).toEqual(products.map(offer))
  expect(groupFaults(rows)).toEqual([])
})

test('the list of local files names only shops, and unknown files return 404', async () => {
  const files = (await read('/feeds/local.txt')).trim().split('\n')
  expect(files).toContain(`${store.origin}/feeds/local/SW-00001.xml`)
  expect(new Set(files).size).toBe(files.length)
  for (const path of ['/feeds/local/SW-99999.xml', '/feeds/local/x.xml', '/feeds/none.xml'])
    expect((await fetch(`${store.origin}${path}`)).status).toBe(404)
  const answer = await fetch(`${store.origin}/feeds/fitment.csv`, { headers: { 'accept-encoding': 'gzip' } })
  expect(answer.headers.get('content-encoding')).toBe('gzip')
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const etag = answer.headers.get('etag') ?? ''
  await answer.text()
  expect((await fetch(`${store.origin}/feeds/fitment.csv`, { headers: { 'if-none-match': etag } })).status).toBe(304)
})

test('a missing feed is generated once for concurrent requests, and nightly by the worker', async () => {
  const { db } = store.database
  const path = '/feeds/local/SW-00002.xml'
  const asked = await Promise.all(Array.from({ length: 6 }, () => fetch(`${store.origin}${path}`)))
  const tags = await Promise.all(
    asked.map(async (answer) => {
      await answer.text()
      return `${answer.status} ${answer.headers.get('etag')}`
    }),
  )
  expect(new Set(tags).size).toBe(1)
  const versions = () => db.selectFrom('feed_version').select('id').where('name', '=', 'local-SW-00002').execute()
  expect(await versions()).toHaveLength(1)
  await enqueue(db, 'write-feeds', {})
  await eventually('the night’s version', async () => {
    const { length } = await db
      .selectFrom('feed_version')
      .select('id')
      .where('name', '=', 'local-SW-00002')
      .where('written_at', 'is not', null)
      .execute()
    return length === 2 || undefined
  })
  // Without changes, readers get 304.
  const [etag = ''] = tags.map((tag) => tag.replace('200 ', ''))
  expect((await fetch(`${store.origin}${path}`, { headers: { 'if-none-match': etag } })).status).toBe(304)
})

test('regions have what a warehouse delivers there', async () => {
  const rows = await rowsOf('/feeds/regions.xml')
  const inStock = (region: string) =>
    rows.filter((row) => row['region_id'] === region && row['availability'] === 'in_stock')
  expect(inStock('480001').length).toBe(rows.length / 3)
  for (const [region, zip] of [
    ['480002', '99501'],
    ['480003', '96813'],
  ] as const) {
    const { status } = await fetch(`${store.origin}/api/places/${zip}`)
    expect(inStock(region).length > 0, region).toBe(status === 200)
  }
})

test('an article in the fitment feed has an original size of its vehicle', async () => {
  const rows = await rowsOf('/feeds/fitment.csv')
  const rav4 = rows.filter(({ year, make, model }) => year === '2021' && make === 'Toyota' && model === 'RAV4')
  expect(rav4.length).toBeGreaterThan(0)
  const sizes = new Map((await rowsOf('/feeds/products.xml')).map((row) => [row['id'], row['size']?.split(' ')[0]]))
  const vehicle = await read('/api/vehicles/2021/toyota/rav4')
  const strange = rav4.filter(({ id }) => !vehicle.includes(sizes.get(id) ?? 'no size'))
  expect(strange.slice(0, 3)).toEqual([])
  // Another size of the same rim does not come with it.
  expect(vehicle).not.toContain('245/35R19')
})
