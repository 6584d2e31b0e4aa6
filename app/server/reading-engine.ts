/**
 * The OCR engine for the camera page, with worker, compiled core and language data, served from here and loaded only
 * when a photo is read. The URLs include the version, so the files are cached forever.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { Hono } from 'hono'

const require = createRequire(import.meta.url)
const compress = promisify(gzip)

/**
 * A worker uses the policy of its response. Compiled code may run only in it, and it may fetch only from this origin.
 */
const workerPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"

type EngineFile = { readonly type: string; readonly find: () => string; readonly isPacked?: true }

const core = (name: string, type: string): EngineFile => ({
  type,
  // The core comes with the recognizer; its version is not ours to choose.
  find: () => createRequire(require.resolve('tesseract.js/package.json')).resolve(`tesseract.js-core/${name}`),
})

const files: Record<string, EngineFile> = {
  'worker.js': {
    type: 'text/javascript; charset=utf-8',
    find: () => require.resolve('tesseract.js/dist/worker.min.js'),
  },
  'tesseract-core-simd-lstm.js': core('tesseract-core-simd-lstm.js', 'text/javascript; charset=utf-8'),
  'tesseract-core-simd-lstm.wasm': core('tesseract-core-simd-lstm.wasm', 'application/wasm'),
  // The recognizer decompresses this one itself.
  'eng.traineddata.gz': {
    type: 'application/octet-stream',
    find: () =>
      join(dirname(require.resolve('@tesseract.js-data/eng/package.json')), '4.0.0_best_int', 'eng.traineddata.gz'),
    isPacked: true,
  },
}

/** The folder of the files, without a trailing slash. */
export function readingEngineFolder(): string {
  const { version } = require('tesseract.js/package.json') as { version: string }
  return `/reading-engine/${version}`
}

export function createReadingEngine(): Hono {
  const kept = new Map<string, Promise<Uint8Array<ArrayBuffer>>>()
  const hono = new Hono()
  hono.get(`${readingEngineFolder()}/:file`, async (c) => {
    const name = c.req.param('file')
    const file = Object.hasOwn(files, name) ? files[name] : undefined
    if (!file) return c.notFound()
    const bytes =
      kept.get(name) ??
      readFile(file.find()).then(async (read) => new Uint8Array(file.isPacked ? read : await compress(read)))
    kept.set(name, bytes)
    return c.body(await bytes, 200, {
      'content-type': file.type,
      ...(file.isPacked ? {} : { 'content-encoding': 'gzip' }),
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': workerPolicy,
      'x-content-type-options': 'nosniff',
    })
  })
  return hono
}
