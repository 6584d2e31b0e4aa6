import type { IncomingMessage, ServerResponse } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { createPageCache, type PageCache } from './page-cache.ts'

const document = '<p>225/65R17 102H</p>'.repeat(500)
const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'public, s-maxage=60' }
const key = '/tires'
const readings = ['size 225-65r17']

function openCache(): PageCache {
  return createPageCache({ clock: systemClock, knownAddress: (address) => address, ownHost: 'store.example' })
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

/** What a guest gets from the cache: its headers and body; undefined if it has to be rendered. */
function askFor(pages: PageCache, accepted: string | undefined) {
  const said: { headers: string[]; body: Buffer | undefined } = { headers: [], body: undefined }
  const request = { method: 'GET', url: key, headers: { host: 'store.example', 'accept-encoding': accepted } }
  const response = {
    writeHead: (_status: number, sent: string[]) => (said.headers = sent),
    end: (body?: Buffer) => (said.body = body),
  }
  const isServed = pages.serve(request as unknown as IncomingMessage, response as unknown as ServerResponse)
  if (!isServed) return undefined
  const at = said.headers.indexOf('content-encoding')
  return { encoding: at === -1 ? undefined : said.headers[at + 1], body: said.body ?? Buffer.alloc(0) }
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

test('a page that is not shared is rendered for each, and nobody waits for it again', async () => {
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
  expect([await first.text(), await second.text()]).toEqual(['first', 'second'])
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
    const answer = askFor(pages, accepted)
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
  expect(askFor(pages, 'br')).toEqual({ encoding: undefined, body: Buffer.from('<p>Short</p>') })
})

test('a page rendered before everything was forgotten is not kept', async () => {
  const pages = openCache()
  const { drawing, draw } = drawingInto(pages, null)
  const asked = pages.once(key, null, draw)
  pages.clear()
  drawing.finish()
  expect(await (await asked).text()).toBe(document)
  expect(askFor(pages, undefined)).toBeUndefined()
})

test('a page is forgotten with any of the readings it shows, even one that was being rendered meanwhile', async () => {
  const pages = openCache()
  const keep = () => pages.keep(key, { headers, readings, document, seconds: 60, accepted: 'br' })
  await pages.once(key, 'br', keep)
  pages.forgetReadings((name) => name === 'size 205-55r16')
  expect(askFor(pages, 'br')).toBeDefined()
  pages.forgetReadings((name) => name === 'size 225-65r17')
  expect(askFor(pages, 'br')).toBeUndefined()

  await pages.once(key, 'br', async () => {
    pages.forgetReadings((name) => name === 'size 225-65r17')
    return keep()
  })
  expect(askFor(pages, 'br')).toBeUndefined()
})

test('an edit of the catalog forgets also pages that show none of its readings', async () => {
  const pages = openCache()
  await pages.keep(key, { headers, readings: [], document, seconds: 60, accepted: 'br' })
  pages.forgetReadings(() => true)
  expect(askFor(pages, 'br')).toBeUndefined()
})
