/**
 * Files for bots and browsers, such as crawl rules, sitemaps, product feeds and icons. The lists are cached for all
 * visitors; an account limited to some brands gets filtered lists, created per response.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { Hono, type Context, type Next } from 'hono'
import { drawIcon, icoOf, icons, smallIcon } from '#app/seo/icons.server.ts'
import { llmsText, manifestText, securityText } from '#app/seo/plain-texts.server.ts'
import { robotsText } from '#app/seo/robots.ts'
import { sitemapFile, sitemapIndex } from '#app/seo/sitemap.server.ts'
import { feedWriter, type FeedWriter } from '#app/seo/written-feeds.server.ts'
import { askForFeed, readFeed, writeFeed, type KeptFeed } from '#domain/catalog/feeds/feeds.server.ts'
import { countShopsByState, listShopNames } from '#domain/scheduling/installers/installers.server.ts'
import { compressAnswer } from '#http/compression.ts'
import { createDiskCache, type DiskCache } from '#platform/disk-cache.ts'
import type { Shop } from '#shop'

const [hour, day] = [3_600, 86_400]
/** States that the store honors Global Privacy Control, in the form its specification requires. */
const gpcText = JSON.stringify({ gpc: true, lastUpdate: '2026-11-20' })

export function createSeo(shop: Shop, shopOf: (cookie: string | null) => Promise<Shop>): Hono {
  const { config, clock } = shop
  const app = new Hono()
  const sitemaps = createDiskCache({ directory: join(config.dataDir, 'seo', 'sitemaps'), clock, freshSeconds: hour })
  /** Feeds this process is writing for the first time. */
  const firsts = new Map<string, ReturnType<typeof writeFeed>>()

  app.get('/robots.txt', (c) =>
    answer(c, robotsText({ isListed: config.search.isListed, origin: config.web.origin }), 'text/plain', hour),
  )
  app.get('/llms.txt', (c) => answer(c, llmsText(config, { hasAccounts: shop.identity !== null }), 'text/plain', hour))
  app.get('/.well-known/security.txt', (c) => answer(c, securityText(config, clock.now()), 'text/plain', day))
  app.get('/.well-known/gpc.json', (c) => answer(c, gpcText, 'application/json', day))
  app.get('/.well-known/apple-developer-merchantid-domain-association', async (c, next) => {
    const text = await readDomainProof(config.payments.applePayDomain)
    return text === null ? next() : answer(c, text, 'text/plain', hour)
  })
  app.get('/site.webmanifest', (c) => answer(c, manifestText(config), 'application/manifest+json', day))

  app.get('/sitemap.xml', async (c) => {
    const theirs = await restricted(c)
    return theirs ? own(c, await sitemapIndex(theirs)) : answer(c, await sitemapIndex(shop), 'application/xml', hour)
  })
  app.get('/sitemaps/:file{[a-z]+-[1-9][0-9]*\\.xml}', async (c, next) => {
    const name = c.req.param('file').replace(/\.xml$/, '')
    const theirs = await restricted(c)
    const write = await sitemapFile(theirs ?? shop, name)
    if (write && theirs) return own(c, await textOf(write()))
    return write ? send(c, sitemaps, name, write, 'application/xml') : next()
  })
  app.get('/feeds/products.xml', (c, next) => feed(c, 'products', next))
  app.get('/feeds/regions.xml', (c, next) => feed(c, 'regions', next))
  app.get('/feeds/fitment.csv', (c, next) => feed(c, 'fitment', next, 'text/csv'))
  app.get('/feeds/local/:file{SW-[0-9]{5,9}\\.xml}', (c, next) =>
    feed(c, `local-${c.req.param('file').replace('.xml', '')}`, next),
  )
  app.get('/feeds/local.txt', async (c, next) => {
    if (!config.feeds.includes('local')) return next()
    const states = (await countShopsByState(shop)).map(({ state }) => state)
    const shops = await listShopNames(shop, states)
    const lines = shops.map(({ code }) => `${config.web.origin}/feeds/local/${code}.xml\n`)
    return answer(c, lines.join(''), 'text/plain', hour)
  })

  for (const [name, icon] of Object.entries(icons)) {
    app.get(`/${name}`, async () => picture((await shop.pictures.readDrawing(await drawIcon(icon))).bytes, 'image/png'))
  }
  app.get('/favicon.ico', async () => {
    const { bytes } = await shop.pictures.readDrawing(await drawIcon(smallIcon))
    return picture(icoOf(bytes, smallIcon.sizePx), 'image/x-icon')
  })
  return app

  /** Serves the latest feed; for a visitor limited to some brands, a filtered one. */
  async function feed(c: Context, name: string, next: Next, type = 'application/xml'): Promise<Response | void> {
    const write = await feedWriter(shop, name)
    if (!write) return next()
    const theirs = await restricted(c)
    if (theirs) return own(c, await textOf(write(theirs)), type)
    const kept = (await askForFeed(shop, name)) ?? (await writeFirst(name, write))
    if (kept) return sendFeed(shop, c, kept, type)
    // Another process writes the first one.
    return new Response(null, { status: 503, headers: { 'retry-after': '60', 'cache-control': 'no-store' } })
  }

  /** Writes the first version of a feed, once for all who ask; undefined while another process does. */
  async function writeFirst(name: string, write: FeedWriter): Promise<KeptFeed | undefined> {
    const writing = firsts.get(name) ?? writeFeed(shop, name, () => write(shop))
    firsts.set(name, writing)
    const written = await writing.finally(() => firsts.delete(name))
    return written.ok ? written.value : undefined
  }

  /** Returns the app context of a visitor limited to some brands; undefined for others. */
  async function restricted(c: Context): Promise<Shop | undefined> {
    const theirs = await shopOf(c.req.header('cookie') ?? null)
    return theirs.catalog.range === null ? undefined : theirs
  }
}

/** A response for this visitor only. */
function own(c: Context, text: string, type = 'application/xml'): Response | Promise<Response> {
  const headers = new Headers({
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
  })
  return compressAnswer(text, 200, headers, c.req.header('accept-encoding') ?? null)
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  return (await Array.fromAsync(pieces)).join('')
}

/**
 * Returns Apple's domain verification from the setting, or from the file that the setting refers to. Null if not set.
 */
async function readDomainProof(setting: string | null): Promise<string | null> {
  if (setting === null || !setting.includes('/')) return setting
  return readFile(setting, 'utf8')
}

/** A short text. */
function answer(c: Context, text: string, type: string, maxAge: number): Response | Promise<Response> {
  const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  const headers = headersOf(type, maxAge, etag)
  if (c.req.header('if-none-match') === etag) return new Response(null, { status: 304, headers })
  return compressAnswer(text, 200, headers, c.req.header('accept-encoding') ?? null)
}

/** A written feed, from its pieces. */
function sendFeed(shop: Shop, c: Context, { id, etag, bytes, writtenAt }: KeptFeed, type: string): Response {
  const headers = headersOf(type, hour, `W/"${etag}"`)
  headers.set('vary', 'Accept-Encoding')
  headers.set('last-modified', new Date(writtenAt.epochMilliseconds).toUTCString())
  if (c.req.header('if-none-match') === headers.get('etag')) return new Response(null, { status: 304, headers })
  const isPacked = /\bgzip\b/.test(c.req.header('accept-encoding') ?? '')
  if (isPacked) {
    headers.set('content-encoding', 'gzip')
    headers.set('content-length', String(bytes))
  }
  if (c.req.raw.method === 'HEAD') return new Response(null, { headers })
  const packed = Readable.from(readFeed(shop, id))
  return new Response(Readable.toWeb(isPacked ? packed : unpacked(packed)) as ReadableStream, { headers })
}

function unpacked(packed: Readable): Readable {
  const plain = createGunzip()
  pipeline(packed, plain).catch((error: unknown) => plain.destroy(error instanceof Error ? error : undefined))
  return plain
}

/** A long text, streamed from its file. */
async function send(
  c: Context,
  files: DiskCache,
  name: string,
  write: () => AsyncIterable<string>,
  type: string,
): Promise<Response> {
  const text = await files.read(name, write)
  const headers = headersOf(type, hour, text.etag)
  headers.set('vary', 'Accept-Encoding')
  if (c.req.header('if-none-match') === text.etag) return new Response(null, { status: 304, headers })
  const isPacked = /\bgzip\b/.test(c.req.header('accept-encoding') ?? '')
  if (isPacked) {
    headers.set('content-encoding', 'gzip')
    headers.set('content-length', String(text.bytes))
  }
  if (c.req.raw.method === 'HEAD') return new Response(null, { headers })
  const stream = await text.open(isPacked ? 'gzip' : 'plain')
  if (stream) return new Response(Readable.toWeb(stream) as ReadableStream, { headers })
  // The cached file was deleted, so write it again.
  files.forget(name)
  return send(c, files, name, write, type)
}

/** Lists for machines are not pages to be indexed. */
function headersOf(type: string, maxAge: number, etag: string): Headers {
  return new Headers({
    'content-type': `${type}; charset=utf-8`,
    'cache-control': `public, max-age=${maxAge}`,
    etag,
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
  })
}

function picture(bytes: Uint8Array, type: string): Response {
  return new Response(new Uint8Array(bytes), {
    headers: { 'content-type': type, 'cache-control': `public, max-age=${day}`, 'x-content-type-options': 'nosniff' },
  })
}
