/** The camera page and the reader it loads, over HTTP. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readingEngineFolder } from '#app/server/reading-engine.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'

let store: RunningStore
beforeAll(async () => {
  store = await startStore()
})
afterAll(() => store[Symbol.asyncDispose]())

test('without script, the page shows where to find the size and accepts it typed', async () => {
  const answer = await fetch(`${store.origin}/tire-size-camera`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('cache-control')).toBe('public, s-maxage=600')
  const html = await answer.text()
  expect(html).toContain('<title>Read the size off your tire · Sidewall</title>')
  expect(html).toMatch(/<form[^>]*action="\/find"/)
  expect(html).toContain('Type the size instead.')
  // WebAssembly is allowed only in the reader's worker.
  expect(answer.headers.get('content-security-policy')).not.toContain('wasm-unsafe-eval')
  const found = await fetch(`${store.origin}/find?by=size&size=225%2F65r17`, { redirect: 'manual' })
  expect(found.headers.get('location')).toContain('/tire-sizes/225-65r17')
})

test.for([
  ['worker.js', 'text/javascript; charset=utf-8', 50_000],
  ['tesseract-core-simd-lstm.js', 'text/javascript; charset=utf-8', 50_000],
  ['tesseract-core-simd-lstm.wasm', 'application/wasm', 2_000_000],
  ['eng.traineddata.gz', 'application/octet-stream', 2_000_000],
] as const)(
  'the reader’s %s is served from here, cached permanently and has its own policy',
  async ([file, type, least]) => {
    const answer = await fetch(`${store.origin}${readingEngineFolder()}/${file}`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe(type)
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(answer.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'",
    )
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(least)
  },
)

test('serves no other files from the reader’s folder', async () => {
  for (const path of ['/package.json', '/..%2Fpackage.json', '/constructor', '/'])
    expect((await fetch(`${store.origin}${readingEngineFolder()}${path}`, { redirect: 'manual' })).status).toBe(404)
})
