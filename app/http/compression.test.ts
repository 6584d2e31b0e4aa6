import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { acceptedEncoding, compressResponse } from './compression.ts'

const document = '<p>225/65R17 102H</p>'.repeat(500)
const html = (body = document, headers: Record<string, string> = {}) =>
  new Response(body, { headers: { 'content-type': 'text/html; charset=utf-8', ...headers } })

test.for([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['identity', undefined],
  [undefined, undefined],
] as const)('of "%s" the form taken is %s', ([header, expected]) => {
  expect(acceptedEncoding(header)).toBe(expected)
})

test.for([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const)('a document sent as %s is the same document, and smaller', async ([encoding, decompress]) => {
  const answer = await compressResponse(html(), encoding)
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(answer.headers.get('content-encoding')).toBe(encoding)
  expect(answer.headers.get('vary')).toBe('Accept-Encoding')
  expect(bytes.length).toBeLessThan(document.length / 10)
  expect(decompress(bytes).toString()).toBe(document)
})

test('status, headers and what the answer already varies by stay', async () => {
  const answer = await compressResponse(
    new Response(document, { status: 404, headers: { 'content-type': 'text/html', vary: 'Accept-Encoding, Cookie', etag: '"a"' } }),
    'br',
  )
  expect(answer.status).toBe(404)
  expect(answer.headers.get('vary')).toBe('Accept-Encoding, Cookie')
  expect(answer.headers.get('etag')).toBe('"a"')
})

test.for([
  ['plain, for one who takes nothing else', html(), null],
  ['small', html('<p>Found</p>'), 'br'],
  ['a picture', html(document, { 'content-type': 'image/avif' }), 'br'],
  ['compressed already', html(document, { 'content-encoding': 'gzip' }), 'br'],
] as const)('an answer stays as it is: %s', async ([_what, response, accepted]) => {
  const before = await response.clone().text()
  const encoding = response.headers.get('content-encoding')
  const answer = await compressResponse(response, accepted)
  expect(answer.headers.get('content-encoding')).toBe(encoding)
  expect(await answer.text()).toBe(before)
})

test.for([204, 303, 304])('an answer of status %i without a body goes through', async (status) => {
  const answer = await compressResponse(new Response(null, { status, headers: { 'content-type': 'text/html', location: '/cart' } }), 'br')
  expect([answer.status, answer.headers.get('location'), answer.headers.get('vary')]).toEqual([status, '/cart', null])
})
