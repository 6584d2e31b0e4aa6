import { readFileSync } from 'node:fs'
import { Hono } from 'hono'

/** The style sheet and the two fonts of the sandbox's pages. */
export function createAssets(): Hono {
  const app = new Hono()
  const css = readFileSync(new URL('./sandbox.css', import.meta.url), 'utf8')
  const fonts = {
    '/fonts/archivo.woff2': '../../app/ui/fonts/archivo.woff2',
    '/fonts/inter.woff2': '../../app/ui/fonts/inter.woff2',
  }

  app.get('/sandbox.css', (c) =>
    c.body(css, 200, { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'max-age=300' }),
  )
  for (const [path, file] of Object.entries(fonts)) {
    const font = new Uint8Array(readFileSync(new URL(file, import.meta.url)))
    app.get(path, (c) => c.body(font, 200, { 'content-type': 'font/woff2', 'cache-control': 'max-age=86400' }))
  }
  return app
}
