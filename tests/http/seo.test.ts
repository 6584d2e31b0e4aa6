/**
 * Tests the store's machine-readable data: robots.txt, sitemap, product feed, and structured data. Over 400 lines:
 * every test uses the same running store.
 */
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contiguousStates } from '#domain/supply/delivery/delivery.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'

let store: RunningStore
beforeAll(async () => {
  store = await startStore({ env: { INDEX: '1' } })
})
afterAll(() => store[Symbol.asyncDispose]())

const ask = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${store.origin}${path}`, { redirect: 'manual', headers })
const read = async (path: string) => (await ask(path)).text()

const xml = new XMLParser({
  isArray: (name) => ['url', 'sitemap', 'item', 'g:shipping'].includes(name),
  parseTagValue: false,
})

async function readXml<Shape>(path: string): Promise<Shape> {
  const text = await read(path)
  expect(XMLValidator.validate(text)).toBe(true)
  return xml.parse(text) as Shape
}

type Place = { loc: string; lastmod?: string }

async function sitemapFiles(): Promise<string[]> {
  const { sitemapindex } = await readXml<{ sitemapindex: { sitemap: Place[] } }>('/sitemap.xml')
  return sitemapindex.sitemap.map(({ loc }) => loc.replace(store.origin, ''))
}

/** The objects in a page's structured data. */
async function thingsOn(path: string): Promise<Record<string, never>[]> {
  const blocks = [...(await read(path)).matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)]
  return blocks.flatMap(([, text]) => (JSON.parse(text ?? '') as { '@graph': Record<string, never>[] })['@graph'])
}

async function anArticle() {
  return store.database.db
    .selectFrom('item')
    .innerJoin('product_line as line', 'line.id', 'item.product_line_id')
    .innerJoin('brand', 'brand.id', 'line.brand_id')
    .innerJoin('stock', 'stock.item_id', 'item.id')
    .select([
      'item.id',
      'item.sku',
      'item.mpn',
      'item.retail_cents',
      'line.id as lineId',
      'line.slug as line',
      'brand.slug as brand',
      'brand.name as brandName',
    ])
    .where('item.active', '=', true)
    .where('stock.on_hand', '>', 8)
    .orderBy('item.id')
    .executeTakeFirstOrThrow()
}

test('robots.txt excludes carts, filters, and data, and names the sitemap', async () => {
  const text = await read('/robots.txt')
  const allowed = robot(text)
  for (const path of [
    '/',
    '/brands/x/y/p/1',
    '/tire-sizes/225-65r17?page=2',
    '/track-your-order',
    '/assets/a.js',
    '/pictures/1-a-320.avif',
    '/find-a-shop',
  ])
    expect(allowed(path), path).toBe(true)
  for (const path of [
    '/cart',
    '/checkout/shipping',
    '/search?q=1',
    '/find?year=2020',
    '/tire-sizes/225-65r17?brand=x',
    '/brands.data',
    '/my_customers/pdf/1/2/x',
  ])
    expect(allowed(path), path).toBe(false)
  expect(text).toContain(`Sitemap: ${store.origin}/sitemap.xml`)
})

test('every sitemap file is valid, within limits, and without duplicate URLs', async () => {
  const files = await sitemapFiles()
  expect(files.length).toBeGreaterThan(4)
  const all: string[] = []
  for (const file of files) {
    const { urlset } = await readXml<{ urlset: { url: Place[] } }>(file)
    expect(urlset.url.length).toBeLessThanOrEqual(50_000)
    all.push(...urlset.url.map(({ loc }) => loc))
    for (const { loc, lastmod } of urlset.url) {
      expect(loc.startsWith(`${store.origin}/`)).toBe(true)
      if (lastmod) expect(Date.parse(lastmod)).toBeLessThanOrEqual(Date.now() + 60_000)
    }
  }
  expect(new Set(all).size).toBe(all.length)
})

test('the sitemap has every article for sale, with its last change', async () => {
  const { db } = store.database
  const article = await anArticle()
  const file = (await sitemapFiles()).find((name) => name.includes('/lines-')) ?? ''
  const { urlset } = await readXml<{ urlset: { url: Place[] } }>(file)
  const items = await db
    .selectFrom('item')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('active', '=', true)
    .executeTakeFirstOrThrow()
  expect(urlset.url.filter(({ loc }) => loc.includes('/p/'))).toHaveLength(items.count)
  const listed = urlset.url.find(
    ({ loc }) => loc === `${store.origin}/brands/${article.brand}/${article.line}/p/${article.id}`,
  )
  const { changed_at } = await db
    .selectFrom('item')
    .select('changed_at')
    .where('id', '=', article.id)
    .executeTakeFirstOrThrow()
  expect(listed?.lastmod).toBe(changed_at.round('second').toString())
})

test('editing an article changes its date, reading or selling it does not', async () => {
  const { db } = store.database
  const { id, retail_cents } = await anArticle()
  const dayOf = async () =>
    (
      await db.selectFrom('item').select('changed_at').where('id', '=', id).executeTakeFirstOrThrow()
    ).changed_at.toString()
  const before = await dayOf()
  await db.updateTable('stock').set({ on_hand: 7 }).where('item_id', '=', id).execute()
  await db.updateTable('item').set({ retail_cents }).where('id', '=', id).execute()
  expect(await dayOf()).toBe(before)
  await db
    .updateTable('item')
    .set({ retail_cents: retail_cents + 1 })
    .where('id', '=', id)
    .execute()
  expect(await dayOf()).not.toBe(before)
  await db.updateTable('item').set({ retail_cents }).where('id', '=', id).execute()
})

test('feeds are compressed, have an ETag, and are the same in every encoding', async () => {
  const [file = ''] = await sitemapFiles()
  const plain = await ask(file, { 'accept-encoding': 'identity' })
  expect(plain.headers.get('content-encoding')).toBeNull()
  const packed = await ask(file, { 'accept-encoding': 'gzip' })
  expect(packed.headers.get('content-encoding')).toBe('gzip')
  expect(await packed.text()).toBe(await plain.text())
  const etag = packed.headers.get('etag') ?? ''
  expect((await ask(file, { 'if-none-match': etag })).status).toBe(304)
  const head = await fetch(`${store.origin}${file}`, { method: 'HEAD' })
  expect(head.status).toBe(200)
  expect(head.headers.get('etag')).toBe(etag)
  expect((await ask('/sitemaps/lines-999.xml')).status).toBe(404)
  expect((await ask('/sitemaps/../robots-1.xml')).status).toBe(404)
})

test('the feed offers buyable articles, at the price and URL of their pages', async () => {
  type Entry = Record<
    | 'g:id'
    | 'g:title'
    | 'g:link'
    | 'g:image_link'
    | 'g:price'
    | 'g:brand'
    | 'g:identifier_exists'
    | 'g:description'
    | 'g:item_group_id',
    string
  > &
    Record<string, string> & { 'g:shipping': { 'g:country': string; 'g:region'?: string; 'g:price': string }[] }
  const { rss } = await readXml<{ rss: { channel: { item: Entry[] } } }>('/feeds/products.xml')
  const entries = rss.channel.item
  const inStock = await store.database.db
    .selectFrom('item')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('active', '=', true)
    .where((eb) =>
      eb.exists(
        eb.selectFrom('stock').select('item_id').whereRef('stock.item_id', '=', 'item.id').where('on_hand', '>', 0),
      ),
    )
    .executeTakeFirstOrThrow()
  expect(entries).toHaveLength(inStock.count)
  expect(new Set(entries.map((entry) => entry['g:id'])).size).toBe(entries.length)

  const article = await anArticle()
  const entry = entries.find((each) => each['g:id'] === String(article.id))
  expect(entry).toMatchObject({
    'g:link': `${store.origin}/brands/${article.brand}/${article.line}/p/${article.id}`,
    'g:brand': article.brandName,
    'g:identifier_exists': 'yes',
    'g:mpn': article.mpn,
    'g:item_group_id': String(article.lineId),
    'g:condition': 'new',
    'g:availability': 'in_stock',
  })
  expect(entry?.['g:shipping'].map((to) => [to['g:region'], to['g:price']])).toEqual([
    [undefined, '0.00 USD'],
    ['AK', expect.stringMatching(/^\d+\.\d\d USD$/)],
    ['HI', expect.stringMatching(/^\d+\.\d\d USD$/)],
  ])
  const [product] = (await thingsOn(`/brands/${article.brand}/${article.line}/p/${article.id}`)) as unknown as [
    { offers: { price: string } },
  ]
  expect(entry?.['g:sale_price'] ?? entry?.['g:price']).toBe(`${product.offers.price} USD`)
  const image = await fetch(entry?.['g:image_link'] ?? '')
  expect(image.status).toBe(200)
  expect(image.headers.get('content-type')).toBe('image/webp')
})

test('an article’s structured data has everything merchant listings require, and a breadcrumb', async () => {
  const article = await anArticle()
  const path = `/brands/${article.brand}/${article.line}/p/${article.id}`
  const things = await thingsOn(path)
  // Required by developers.google.com/search/docs/appearance/structured-data/merchant-listing, with what it recommends
  // on shipping and returns.
  expect(things.find((thing) => thing['@type'] === 'Product')).toMatchObject({
    name: expect.stringContaining(article.brandName),
    image: [expect.stringMatching(/^http.*\/pictures\//)],
    sku: article.sku,
    mpn: article.mpn,
    brand: { '@type': 'Brand', name: article.brandName },
    offers: {
      '@type': 'Offer',
      url: `${store.origin}${path}`,
      price: expect.stringMatching(/^\d+\.\d\d$/),
      priceCurrency: 'USD',
      availability: 'https://schema.org/InStock',
      itemCondition: 'https://schema.org/NewCondition',
      hasMerchantReturnPolicy: {
        applicableCountry: 'US',
        merchantReturnDays: 30,
        returnPolicyCategory: 'https://schema.org/MerchantReturnFiniteReturnWindow',
        returnMethod: 'https://schema.org/ReturnByMail',
        returnFees: 'https://schema.org/ReturnShippingFees',
        returnShippingFeesAmount: { value: '20.00', currency: 'USD' },
      },
      shippingDetails: [
        {
          shippingRate: { value: '0.00', currency: 'USD' },
          shippingDestination: { addressCountry: 'US', addressRegion: contiguousStates },
          deliveryTime: {
            handlingTime: { '@type': 'QuantitativeValue', minValue: 0, maxValue: 1, unitCode: 'DAY' },
            transitTime: { '@type': 'QuantitativeValue', minValue: 2, maxValue: 4, unitCode: 'DAY' },
          },
        },
        { shippingDestination: { addressRegion: ['AK'] } },
        { shippingDestination: { addressRegion: ['HI'] } },
      ],
    },
    isVariantOf: {
      '@type': 'ProductGroup',
      productGroupID: String(article.lineId),
      variesBy: ['https://schema.org/size'],
    },
  })
  const [trail] = things.filter((thing) => thing['@type'] === 'BreadcrumbList') as unknown as [
    { itemListElement: { position: number; item?: string }[] },
  ]
  expect(trail.itemListElement.map(({ position }) => position)).toEqual([1, 2, 3])
  for (const { item } of trail.itemListElement.slice(0, -1))
    expect((await ask((item ?? '').replace(store.origin, ''))).status).toBe(200)
})

test('a model is a ProductGroup with items that vary by size', async () => {
  const article = await anArticle()
  const [group] = (await thingsOn(`/brands/${article.brand}/${article.line}`)) as unknown as [
    Record<string, unknown> & { hasVariant: { url: string; size: string }[] },
  ]
  const items = await store.database.db
    .selectFrom('item')
    .select('id')
    .where('product_line_id', '=', article.lineId)
    .where('active', '=', true)
    .execute()
  expect(group).toMatchObject({
    '@type': 'ProductGroup',
    variesBy: ['https://schema.org/size'],
    productGroupID: String(article.lineId),
  })
  expect(group.hasVariant.map(({ url }) => Number(url.split('/').at(-1))).sort((a, b) => a - b)).toEqual(
    items.map(({ id }) => id).sort((a, b) => a - b),
  )
})

test('the variants of every line have different sizes, and each item names the size its group lists', async () => {
  const lines = await store.database.db
    .selectFrom('item')
    .innerJoin('product_line as line', 'line.id', 'item.product_line_id')
    .innerJoin('brand', 'brand.id', 'line.brand_id')
    .select(['brand.slug as brand', 'line.slug as line'])
    .where('item.active', '=', true)
    .groupBy(['brand.slug', 'line.slug', 'item.size_id'])
    .having((eb) => eb.fn.countAll(), '>', 1)
    .distinct()
    .limit(5)
    .execute()
  expect(lines.length).toBeGreaterThan(0)
  for (const { brand, line } of lines) {
    const [{ hasVariant }] = (await thingsOn(`/brands/${brand}/${line}`)) as unknown as [
      { hasVariant: { url: string; size: string }[] },
    ]
    expect(new Set(hasVariant.map(({ size }) => size)).size).toBe(hasVariant.length)
    for (const { url, size } of hasVariant.slice(0, 3)) {
      const things = await thingsOn(url.replace(store.origin, ''))
      expect(things.find((thing) => thing['@type'] === 'Product')).toMatchObject({ size })
    }
  }
})

test('the home page identifies the store and its support hours', async () => {
  const things = await thingsOn('/')
  expect(things.find((thing) => thing['@type'] === 'OnlineStore')).toMatchObject({
    url: `${store.origin}/`,
    telephone: '+1-800-555-0142',
    contactPoint: {
      hoursAvailable: expect.arrayContaining([
        expect.objectContaining({ dayOfWeek: 'Saturday', opens: '09:00', closes: '17:00' }),
      ]) as unknown,
    },
    hasMerchantReturnPolicy: { merchantReturnDays: 30 },
  })
})

test('no content can close its script block early', async () => {
  const { db } = store.database
  const line = await db
    .selectFrom('product_line as line')
    .innerJoin('brand', 'brand.id', 'line.brand_id')
    .innerJoin('item', 'item.product_line_id', 'line.id')
    .select(['line.id', 'line.slug as line', 'brand.slug as brand'])
    .where('item.active', '=', true)
    .orderBy('line.id', 'desc')
    .executeTakeFirstOrThrow()
  const told = '</script><script>alert(1)</script> <!-- & "quoted"'
  await db.updateTable('product_line').set({ feed_about: told }).where('id', '=', line.id).execute()
  const path = `/brands/${line.brand}/${line.line}`
  expect(await read(path)).not.toContain('<script>alert(1)')
  expect((await thingsOn(path))[0]).toMatchObject({ description: told })
})

test('client scripts contain no server objects or code', async () => {
  const article = await anArticle()
  const html = await read(`/brands/${article.brand}/${article.line}`)
  expect(html.match(/ProductGroup/g)).toHaveLength(1)
  const scripts = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path]) => path ?? '')
  expect(scripts.length).toBeGreaterThan(3)
  for (const path of scripts) expect(await read(path)).not.toContain('schema.org')
})

test('shared links preview the tire, or the store', async () => {
  const article = await anArticle()
  for (const path of [`/brands/${article.brand}/${article.line}/p/${article.id}`, '/']) {
    const image = /<meta property="og:image" content="([^"]+)"/.exec(await read(path))?.[1] ?? ''
    const answer = await fetch(image)
    const { width, height, format } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
    expect(answer.status).toBe(200)
    expect(width).toBe(1200)
    expect(height).toBe(630)
    expect(format).toBe('png')
  }
})

test('texts for programs and people exist and are correct', async () => {
  expect(await read('/llms.txt')).toMatch(/^# Sidewall\n\n> /)
  const llms = await read('/llms.txt')
  for (const [, path = ''] of llms.matchAll(/\]\(http:\/\/localhost:\d+([^)]+)\)/g))
    expect([200, 303], path).toContain((await ask(path)).status)
  const security = await read('/.well-known/security.txt')
  expect(security).toMatch(/^Contact: mailto:\S+@\S+$/m)
  const expires = Temporal.Instant.from(/^Expires: (.+)$/m.exec(security)?.[1] ?? '')
  const days = Temporal.Now.instant().until(expires).total('hours') / 24
  expect(days).toBeGreaterThan(170)
  expect(days).toBeLessThan(365)
  // Only with the setting for it.
  expect((await ask('/.well-known/apple-developer-merchantid-domain-association')).status).toBe(404)
})

test('the icon exists in every form named by a page or the manifest', async () => {
  const html = await read('/')
  expect(html).toContain('<meta name="theme-color"')
  const manifest = (await (await ask('/site.webmanifest')).json()) as {
    icons: { src: string; sizes: string; type: string }[]
  }
  const links = [...html.matchAll(/<link rel="(?:icon|apple-touch-icon|manifest)" href="([^"]+)"/g)].map(
    ([, href]) => href ?? '',
  )
  expect(links).toHaveLength(3)
  for (const path of [...links, ...manifest.icons.map(({ src }) => src)])
    expect((await ask(path)).status, path).toBe(200)
  for (const { src, sizes } of manifest.icons.filter(({ type }) => type === 'image/png')) {
    const { width, height } = await sharp(Buffer.from(await (await ask(src)).arrayBuffer())).metadata()
    expect(`${width}x${height}`).toBe(sizes)
  }
  const ico = Buffer.from(await (await ask('/favicon.ico')).arrayBuffer())
  expect(ico.readUInt16LE(2)).toBe(1)
  expect(ico.readUInt8(6)).toBe(32)
  expect(ico.subarray(22, 26).toString('latin1')).toBe('\x89PNG')
})

/** Whether a robots.txt allows a path: the longest matching rule decides (RFC 9309). */
function robot(text: string): (path: string) => boolean {
  const rules = [...text.matchAll(/^(Allow|Disallow): (\S+)$/gm)].map(([, verb, pattern = '']) => ({
    isAllowed: verb === 'Allow',
    length: pattern.length,
    matches: new RegExp(
      `^${pattern
        .replace(/[.+?^{}()|[\]\\]/g, String.raw`\$&`)
        .replaceAll('*', '.*')
        .replace(/\\?\$$/, '$')}`,
    ),
  }))
  return (path) =>
    rules.filter(({ matches }) => matches.test(path)).sort((a, b) => b.length - a.length)[0]?.isAllowed ?? true
}
