import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Hono } from 'hono'

/** The style sheet and the two fonts of the sandbox's pages. */
export function createAssets(): Hono {
  const app = new Hono()
  const { resolve } = createRequire(import.meta.url)
  const css = readFileSync(new URL('./sandbox.css', import.meta.url), 'utf8')
  const fonts = {
    '/fonts/archivo.woff2': '@fontsource-variable/archivo/files/archivo-latin-wdth-normal.woff2',
    '/fonts/inter.woff2': '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  }

  app.get('/sandbox.css', (c) =>
    c.body(css, 200, { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'max-age=300' }),
  )
  for (const [path, file] of Object.entries(fonts)) {
    const font = new Uint8Array(readFileSync(resolve(file)))
    app.get(path, (c) => c.body(font, 200, { 'content-type': 'font/woff2', 'cache-control': 'max-age=86400' }))
  }
  return app
}
