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
import type { Application } from '#application'

const [hour, day] = [3_600, 86_400]
/** States that the store honors Global Privacy Control, in the form its specification requires. */
const gpcText = JSON.stringify({ gpc: true, lastUpdate: '2026-11-20' })

export function createSeo(app: Application, applicationOf: (cookie: string | null) => Promise<Application>): Hono {
  const { config, clock } = app
  const hono = new Hono()
  const sitemaps = createDiskCache({ directory: join(config.dataDir, 'seo', 'sitemaps'), clock, freshSeconds: hour })
  /** Feeds this process is writing for the first time. */
  const firsts = new Map<string, ReturnType<typeof writeFeed>>()

  hono.get('/robots.txt', (c) =>
    answer(c, robotsText({ isListed: config.search.isListed, origin: config.web.origin }), 'text/plain', hour),
  )
  hono.get('/llms.txt', (c) => answer(c, llmsText(config, { hasAccounts: app.identity !== null }), 'text/plain', hour))
  hono.get('/.well-known/security.txt', (c) => answer(c, securityText(config, clock.now()), 'text/plain', day))
  hono.get('/.well-known/gpc.json', (c) => answer(c, gpcText, 'application/json', day))
  hono.get('/.well-known/apple-developer-merchantid-domain-association', async (c, next) => {
    const text = await readDomainProof(config.payments.applePayDomain)
    return text === null ? next() : answer(c, text, 'text/plain', hour)
  })
  hono.get('/site.webmanifest', (c) => answer(c, manifestText(config), 'application/manifest+json', day))

  hono.get('/sitemap.xml', async (c) => {
    const theirs = await restricted(c)
    return theirs ? own(c, await sitemapIndex(theirs)) : answer(c, await sitemapIndex(app), 'application/xml', hour)
  })
  hono.get('/sitemaps/:file{[a-z]+-[1-9][0-9]*\\.xml}', async (c, next) => {
    const name = c.req.param('file').replace(/\.xml$/, '')
    const theirs = await restricted(c)
    const write = await sitemapFile(theirs ?? app, name)
    if (write && theirs) return own(c, await textOf(write()))
    return write ? send(c, sitemaps, name, write, 'application/xml') : next()
  })
  hono.get('/feeds/products.xml', (c, next) => feed(c, 'products', next))
  hono.get('/feeds/regions.xml', (c, next) => feed(c, 'regions', next))
  hono.get('/feeds/fitment.csv', (c, next) => feed(c, 'fitment', next, 'text/csv'))
  hono.get('/feeds/meta.csv', (c, next) => feed(c, 'meta', next, 'text/csv'))
  hono.get('/feeds/microsoft.txt', (c, next) => feed(c, 'microsoft', next, 'text/plain'))
  hono.get('/feeds/local/:file{SW-[0-9]{5,9}\\.xml}', (c, next) =>
    feed(c, `local-${c.req.param('file').replace('.xml', '')}`, next),
  )
  hono.get('/feeds/local.txt', async (c, next) => {
    if (!config.feeds.includes('local')) return next()
    const states = (await countShopsByState(app)).map(({ state }) => state)
    const shops = await listShopNames(app, states)
    const lines = shops.map(({ code }) => `${config.web.origin}/feeds/local/${code}.xml\n`)
    return answer(c, lines.join(''), 'text/plain', hour)
  })

  for (const [name, icon] of Object.entries(icons)) {
    hono.get(`/${name}`, async () => picture((await app.pictures.readDrawing(await drawIcon(icon))).bytes, 'image/png'))
  }
  hono.get('/favicon.ico', async () => {
    const { bytes } = await app.pictures.readDrawing(await drawIcon(smallIcon))
    return picture(icoOf(bytes, smallIcon.sizePx), 'image/x-icon')
  })
  return hono

  /** Serves the latest feed; for a visitor limited to some brands, a filtered one. */
  async function feed(c: Context, name: string, next: Next, type = 'application/xml'): Promise<Response | void> {
    const write = await feedWriter(app, name)
    if (!write) return next()
    const theirs = await restricted(c)
    if (theirs) return own(c, await textOf(write(theirs)), type)
    const kept = (await askForFeed(app, name)) ?? (await writeFirst(name, write))
    if (kept) return sendFeed(app, c, kept, type)
    // Another process writes the first one.
    return new Response(null, { status: 503, headers: { 'retry-after': '60', 'cache-control': 'no-store' } })
  }

  /** Writes the first version of a feed, once for all who ask; undefined while another process does. */
  async function writeFirst(name: string, write: FeedWriter): Promise<KeptFeed | undefined> {
    const writing = firsts.get(name) ?? writeFeed(app, name, () => write(app))
    firsts.set(name, writing)
    const written = await writing.finally(() => firsts.delete(name))
    return written.ok ? written.value : undefined
  }

  /** Returns the app context of a visitor limited to some brands; undefined for others. */
  async function restricted(c: Context): Promise<Application | undefined> {
    const theirs = await applicationOf(c.req.header('cookie') ?? null)
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
function sendFeed(app: Application, c: Context, { id, etag, bytes, writtenAt }: KeptFeed, type: string): Response {
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
  const packed = Readable.from(readFeed(app, id))
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
