import type { IncomingMessage, ServerResponse } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { createPageCache, type PageCache } from './page-cache.ts'

const document = '<p>225/65R17 102H</p>'.repeat(500)
const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'public, s-maxage=60' }
/** Text that more effort makes smaller. */
const mixed = Array.from({ length: 4_000 }, (_, index) => `<li>${(index * 7_919) % 1_009} ${index % 7}</li>`).join('')
const key = '/tires'
const readings = ['size 225-65r17']

function openCache(maxBytes?: number): PageCache {
  const fixed = { clock: systemClock, knownAddress: (address: string) => address, ownHost: 'store.example' }
  return createPageCache({ ...fixed, ...(maxBytes !== undefined && { maxBytes }) })
}

/** Renders `text` into the cache, and counts how often. */
function drawingInto(pages: PageCache, accepted: string | null, text = document) {
  const drawing = { times: 0, finish: () => {} }
  const open = new Promise<void>((resolve) => {
    drawing.finish = resolve
  })
  const draw = async () => {
    drawing.times += 1
    await open
    return pages.keep(key, { headers, readings, document: text, seconds: 60, accepted })
  }
  return { drawing, draw }
}

type Got = { encoding: string | undefined; body: Buffer }

/** What a guest gets from the cache at `url`, now or once it is rendered; undefined if it is left to be rendered. */
function answerFor(pages: PageCache, accepted: string | undefined, url = key, more = {}): Promise<Got | undefined> {
  const request = { method: 'GET', url, headers: { host: 'store.example', 'accept-encoding': accepted, ...more } }
  return new Promise((resolve) => {
    let headers: string[] = []
    const response = {
      writeHead: (_status: number, sent: string[]) => (headers = sent),
      end(body = Buffer.alloc(0)) {
        const at = headers.indexOf('content-encoding')
        resolve({ encoding: at === -1 ? undefined : headers[at + 1], body })
      },
    }
    pages.serve(request as unknown as IncomingMessage, response as unknown as ServerResponse, () => resolve(undefined))
  })
}

/** The same without a rendering in progress. */
const askFor = (pages: PageCache, accepted: string | undefined, url = key) => answerFor(pages, accepted, url)

/** One visitor's request for a page that is rendered if it is not kept; whether it was. */
async function visit(pages: PageCache, url: string): Promise<boolean> {
  if (await answerFor(pages, 'br', url)) return false
  await pages.once(url, 'br', () => pages.keep(url, { headers, readings, document, seconds: 60, accepted: 'br' }))
  return true
}

test('twenty guests who ask for a page at the same time wait for one rendering', async () => {
  const pages = openCache()
  const { drawing, draw } = drawingInto(pages, 'br')
  const asked = Array.from({ length: 20 }, () => pages.once(key, 'br', draw))
  drawing.finish()
  const answers = await Promise.all(asked)
  for (const answer of answers) {
    expect(answer.headers.get('content-encoding')).toBe('br')
    expect(brotliDecompressSync(Buffer.from(await answer.arrayBuffer())).toString()).toBe(document)
  }
  expect(drawing.times).toBe(1)
  expect(pages.counts.waited).toBe(19)
})

test('a private page is rendered for each request and isn’t awaited again', async () => {
  const pages = openCache()
  const times: string[] = []
  const drawFor = (who: string) => async () => {
    times.push(who)
    await Promise.resolve()
    return new Response(who)
  }
  const [first, second] = await Promise.all([
    pages.once(key, null, drawFor('first')),
    pages.once(key, null, drawFor('second')),
  ])
  expect(await first.text()).toBe('first')
  expect(await second.text()).toBe('second')
  let finish = () => {}
  const open = new Promise<void>((resolve) => {
    finish = resolve
  })
  const slow = pages.once(key, null, async () => {
    await open
    return new Response('slow')
  })
  expect(await (await pages.once(key, null, drawFor('third'))).text()).toBe('third')
  finish()
  expect(await (await slow).text()).toBe('slow')
})

test('a rendering that fails leaves the others to render for themselves', async () => {
  const pages = openCache()
  const failing = pages.once(key, 'br', () => Promise.reject(new Error('no database')))
  const { drawing, draw } = drawingInto(pages, 'br')
  drawing.finish()
  const next = pages.once(key, 'br', draw)
  await expect(failing).rejects.toThrow('no database')
  expect((await next).headers.get('content-encoding')).toBe('br')
  expect(drawing.times).toBe(1)
})

test('a page is kept in the form its readers take, and given in any other', async () => {
  const pages = openCache()
  const { drawing, draw } = drawingInto(pages, 'br')
  drawing.finish()
  await pages.once(key, 'br', draw)
  const decoded = { br: brotliDecompressSync, gzip: gunzipSync }
  for (const accepted of ['br, gzip', 'gzip', undefined, 'br, gzip', 'gzip', undefined]) {
    const answer = await askFor(pages, accepted)
    const encoding = answer?.encoding as keyof typeof decoded | undefined
    expect(encoding).toBe(accepted === undefined ? undefined : accepted === 'gzip' ? 'gzip' : 'br')
    const body = answer?.body ?? Buffer.alloc(0)
    expect((encoding ? decoded[encoding](body) : body).toString()).toBe(document)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(drawing.times).toBe(1)
})

test('a page that fits into one packet is sent as it is', async () => {
  const pages = openCache()
  const { drawing, draw } = drawingInto(pages, 'br', '<p>Short</p>')
  drawing.finish()
  await pages.once(key, 'br', draw)
  expect(await askFor(pages, 'br')).toEqual({ encoding: undefined, body: Buffer.from('<p>Short</p>') })
})

test('a page rendered before everything was forgotten is not kept', async () => {
  const pages = openCache()
  const { drawing, draw } = drawingInto(pages, null)
  const asked = pages.once(key, null, draw)
  pages.clear()
  drawing.finish()
  expect(await (await asked).text()).toBe(document)
  expect(await askFor(pages, undefined)).toBeUndefined()
})

test('concurrent requests share one rendering, ahead of other work', async () => {
  const pages = openCache()
  const { drawing, draw } = drawingInto(pages, 'br')
  const first = pages.once(key, 'br', draw)
  const later = ['br', 'br', 'gzip', undefined].map((accepted) => answerFor(pages, accepted))
  // Visitors with personal data or an opt-out don't wait for a shared rendering.
  expect(await answerFor(pages, 'br', key, { cookie: 'sw_zip=60614' })).toBeUndefined()
  expect(await answerFor(pages, 'br', key, { 'sec-gpc': '1' })).toBeUndefined()
  expect(await answerFor(pages, 'br', key, { host: 'tires.halsted.example' })).toBeUndefined()
  drawing.finish()
  await first
  const answers = await Promise.all(later)
  expect(answers.map((answer) => answer?.encoding)).toEqual(['br', 'br', 'gzip', undefined])
  expect(brotliDecompressSync(answers[0]?.body ?? Buffer.alloc(0)).toString()).toBe(document)
  expect(answers[3]?.body.toString()).toBe(document)
  expect(drawing.times).toBe(1)
  expect(pages.counts.waited).toBe(4)
})

test('a request after a change never gets stale data', async () => {
  const pages = openCache()
  const { drawing, draw } = drawingInto(pages, 'br')
  const first = pages.once(key, 'br', draw)
  pages.clear()
  const later = answerFor(pages, 'br')
  drawing.finish()
  await first
  expect(await later).toBeUndefined()
  // The page is still shared, so the next rendering is awaited.
  const second = pages.once(key, 'br', draw)
  const waiting = answerFor(pages, 'br')
  await second
  expect((await waiting)?.encoding).toBe('br')
})

test('when a rendering fails, one of those who waited renders for all of them', async () => {
  const pages = openCache()
  const { promise: failed, reject: fail } = Promise.withResolvers<Response>()
  const failing = pages.once(key, 'br', () => failed)
  const { drawing, draw } = drawingInto(pages, 'br')
  const others = Array.from({ length: 5 }, async () => {
    if (!(await answerFor(pages, 'br'))) await pages.once(key, 'br', draw)
  })
  fail(new Error('The visitor left.'))
  await expect(failing).rejects.toThrow('The visitor left.')
  drawing.finish()
  await Promise.all(others)
  expect(drawing.times).toBe(1)
})

test('a page with many readers from the start is compressed once', async () => {
  const pages = openCache()
  const bytes = async () => (await askFor(pages, 'br'))?.body.length
  const { drawing, draw } = drawingInto(pages, 'br', mixed)
  const first = pages.once(key, 'br', draw)
  const waiting = answerFor(pages, 'br')
  drawing.finish()
  const [answer] = [await (await first).arrayBuffer(), await waiting]
  const alone = openCache()
  await alone.once(key, 'br', () =>
    alone.keep(key, { headers, readings, document: mixed, seconds: 60, accepted: 'br' }),
  )
  const inHurry = (await askFor(alone, 'br'))?.body.length ?? 0
  expect(answer.byteLength).toBeLessThan(inHurry)
  // It isn't recompressed afterward.
  await new Promise((resolve) => setImmediate(resolve))
  expect(await bytes()).toBe(answer.byteLength)
})

test('one crawl of every page doesn’t evict pages requested twice, and stays within the memory limit', async () => {
  const maxBytes = 200 * 1024
  const pages = openCache(maxBytes)
  const popular = Array.from({ length: 10 }, (_, index) => `/popular/${index}`)
  for (const url of popular) {
    expect(await visit(pages, url)).toBe(true)
    expect(await visit(pages, url)).toBe(false)
  }
  const before = pages.size()
  expect(before).toMatchObject({ pages: 10, newPages: 0, evictions: 0 })
  for (let index = 0; index < 500; index++) expect(await visit(pages, `/walked/${index}`)).toBe(true)
  const after = pages.size()
  expect(after.bytes).toBeLessThanOrEqual(before.bytes + maxBytes / 16)
  expect(after.evictions).toBeGreaterThan(480)
  for (const url of popular) expect(await visit(pages, url)).toBe(false)
  // The most recently requested one can still be promoted.
  expect(await visit(pages, '/walked/499')).toBe(false)
  expect(pages.size().pages - pages.size().newPages).toBe(11)
})

test('invalidates a page with any of its queries, including during rendering', async () => {
  const pages = openCache()
  const keep = () => pages.keep(key, { headers, readings, document, seconds: 60, accepted: 'br' })
  await pages.once(key, 'br', keep)
  pages.forgetReadings((name) => name === 'size 205-55r16')
  expect(await askFor(pages, 'br')).toBeDefined()
  pages.forgetReadings((name) => name === 'size 225-65r17')
  expect(await askFor(pages, 'br')).toBeUndefined()

  await pages.once(key, 'br', async () => {
    pages.forgetReadings((name) => name === 'size 225-65r17')
    return keep()
  })
  expect(await askFor(pages, 'br')).toBeUndefined()
})

test('a catalog edit also invalidates pages without catalog queries', async () => {
  const pages = openCache()
  await pages.keep(key, { headers, readings: [], document, seconds: 60, accepted: 'br' })
  pages.forgetReadings(() => true)
  expect(await askFor(pages, 'br')).toBeUndefined()
})
