import { brotliDecompressSync } from 'node:zlib'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { LRUCache } from 'lru-cache'
import { acceptedEncoding } from '#http/compression.ts'
import { findBuiltFile, type BuiltFile } from '#platform/built-files.ts'
import type { Application } from '#application'
import type { AppRequest } from '#app/server/app-request.ts'

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  woff2: 'font/woff2',
  svg: 'image/svg+xml',
}
const forever = 'public, max-age=31536000, immutable'
/** Only build output names, which end with a hash and an extension. */
const builtName = /^[\w.-]{1,100}-[\w-]{8}\.(js|css|woff2|svg)$/

/**
 * Serves this build's scripts, styles and fonts from its folder, and other releases' from the database, because a page
 * may come from a process running another release.
 */
export function createBuiltFiles({ db, log }: Pick<Application, 'db' | 'log'>): Hono<AppRequest> {
  // A stranger may ask for names that never were, again and again.
  const others = new LRUCache<string, { file: BuiltFile | undefined }>({
    maxSize: 16 * 1024 * 1024,
    sizeCalculation: ({ file }) => 500 + (file?.bytes.length ?? 0),
    ttl: 60_000,
  })
  const hono = new Hono<AppRequest>()
  hono.use(
    '/*',
    serveStatic({
      root: './build/client',
      precompressed: true,
      onFound: (_path, c) => c.header('cache-control', forever),
    }),
  )
  hono.get('/:name', async (c, next) => {
    const name = c.req.param('name')
    const type = types[builtName.exec(name)?.[1] ?? '']
    if (type === undefined) return next()
    const known = others.get(name) ?? { file: await findBuiltFile(db, name) }
    others.set(name, known)
    if (!known.file) {
      await next()
      // The page's own response comes first. Our pages never reference such a file.
      c.set('route', 'built-file-missing')
      return undefined
    }
    log.debug({ name }, 'a file of another release was asked for')
    const { isBrotli, bytes } = known.file
    const isTaken = isBrotli && acceptedEncoding(c.req.header('accept-encoding') ?? null) === 'br'
    return c.body(new Uint8Array(isBrotli && !isTaken ? brotliDecompressSync(bytes) : bytes), 200, {
      'content-type': type,
      'cache-control': forever,
      ...(isBrotli && { vary: 'Accept-Encoding' }),
      ...(isTaken && { 'content-encoding': 'br' }),
    })
  })
  return hono
}
