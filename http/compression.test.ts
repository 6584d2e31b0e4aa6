import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { acceptedEncoding, compressAnswer } from './compression.ts'

const document = '<p>225/65R17 102H</p>'.repeat(500)
const html = (headers: Record<string, string> = {}) =>
  new Headers({ 'content-type': 'text/html; charset=utf-8', ...headers })

test.for([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['identity', undefined],
  ['br;q=0, gzip', 'gzip'],
  ['br ; q=0.000, gzip;q=0', undefined],
  ['br;q=0.5, gzip', 'br'],
  [undefined, undefined],
] as const)('of "%s" the form taken is %s', ([header, expected]) => {
  expect(acceptedEncoding(header)).toBe(expected)
})

test.for([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const)('a document sent as %s is the same document, and smaller', async ([encoding, decompress]) => {
  const answer = await compressAnswer(document, 200, html(), encoding)
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(answer.headers.get('content-encoding')).toBe(encoding)
  expect(answer.headers.get('vary')).toBe('Accept-Encoding')
  expect(bytes.length).toBeLessThan(document.length / 10)
  expect(decompress(bytes).toString()).toBe(document)
})

test('status, headers and an existing Vary are kept', async () => {
  const answer = await compressAnswer(document, 404, html({ vary: 'Accept-Encoding, Cookie', etag: '"a"' }), 'br')
  expect(answer.status).toBe(404)
  expect(answer.headers.get('vary')).toBe('Accept-Encoding, Cookie')
  expect(answer.headers.get('etag')).toBe('"a"')
})

test.for([
  ['plain, for one who takes nothing else', document, html(), null],
  ['small', '<p>Found</p>', html(), 'br'],
  ['a picture', document, html({ 'content-type': 'image/avif' }), 'br'],
  ['compressed already', document, html({ 'content-encoding': 'gzip' }), 'br'],
] as const)('an answer stays as it is: %s', async ([_what, body, headers, accepted]) => {
  const encoding = headers.get('content-encoding')
  const answer = await compressAnswer(body, 200, headers, accepted)
  expect(answer.headers.get('content-encoding')).toBe(encoding)
  expect(await answer.text()).toBe(body)
})

test('a stream is read in full before it is compressed', async () => {
  const answer = await compressAnswer(new Response(document).body, 200, html(), 'gzip')
  expect(gunzipSync(Buffer.from(await answer.arrayBuffer())).toString()).toBe(document)
})

test.for([204, 303, 304])('a response of status %i without a body passes through', async (status) => {
  const answer = await compressAnswer(null, status, html({ location: '/cart' }), 'br')
  expect(answer.status).toBe(status)
  expect(answer.headers.get('location')).toBe('/cart')
  expect(answer.headers.get('vary')).toBeNull()
})
