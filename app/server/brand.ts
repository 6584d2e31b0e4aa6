/** What the owner made the store look like: the logo, and a style sheet with the colors set in place of ours. */
import { Hono } from 'hono'
import { selectLogo } from '#domain/settings/settings.server.ts'
import type { Shop } from '#shop'

/** Both are addressed by what is in them, so that they never change. */
const cacheForever = 'public, max-age=31536000, immutable'

/** Creates the routes whose addresses are in content/brand-paths.ts. */
export function createBrand({ db }: Pick<Shop, 'db'>): Hono {
  const app = new Hono()
  app.get('/brand/logo/:file{[0-9a-f]{32}\\.webp}', async (c) => {
    const bytes = await selectLogo(db, c.req.param('file').slice(0, 32))
    if (!bytes) return c.notFound()
    return c.body(new Uint8Array(bytes), 200, { 'content-type': 'image/webp', 'cache-control': cacheForever })
  })
  app.get('/brand/colors/:file{[0-9a-f]{6}-[0-9a-f]{6}\\.css}', (c) => {
    const [accent = '', dark = ''] = c.req.param('file').slice(0, 13).split('-')
    return c.body(colorSheet(accent, dark), 200, {
      'content-type': 'text/css; charset=utf-8',
      'cache-control': cacheForever,
    })
  })
  return app
}

/** The pressed accent is lighter than the accent: dark text on it stays as readable. */
function colorSheet(accent: string, dark: string): string {
  return `:root{--signal:#${accent};--signal-deep:color-mix(in srgb,#${accent} 88%,white);--ink:#${dark}}\n`
}
