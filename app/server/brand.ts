/** The store's branding, with logo, and a style sheet of the owner's colors. */
import { Hono } from 'hono'
import { headlineColor, textOn } from '#domain/installer-portal/branded-stores/branded-stores.ts'
import { selectLogo } from '#domain/kernel/settings/settings.server.ts'
import type { Application } from '#application'

/** Both URLs contain a content hash, so the files never change. */
const cacheForever = 'public, max-age=31536000, immutable'

/** Creates the routes for the URLs in content/brand-paths.ts. */
export function createBrand({ db }: Pick<Application, 'db'>): Hono {
  const hono = new Hono()
  hono.get('/brand/logo/:file{[0-9a-f]{32}\\.webp}', async (c) => {
    const bytes = await selectLogo(db, c.req.param('file').slice(0, 32))
    if (!bytes) return c.notFound()
    return c.body(new Uint8Array(bytes), 200, { 'content-type': 'image/webp', 'cache-control': cacheForever })
  })
  hono.get('/brand/colors/:file{[0-9a-f]{6}-[0-9a-f]{6}\\.css}', (c) => {
    const [accent = '', dark = ''] = c.req.param('file').slice(0, 13).split('-')
    return c.body(colorSheet(accent, dark), 200, {
      'content-type': 'text/css; charset=utf-8',
      'cache-control': cacheForever,
    })
  })
  hono.get('/brand/store/:file{[0-9a-f]{6}-[0-9a-f]{6}\\.css}', (c) => {
    const [brand = '', accent = ''] = c.req.param('file').slice(0, 13).split('-')
    return c.body(storeSheet(`#${brand}`, `#${accent}`), 200, {
      'content-type': 'text/css; charset=utf-8',
      'cache-control': cacheForever,
    })
  })
  return hono
}

/** The pressed accent is lighter than the accent, so that dark text on it stays readable. */
function colorSheet(accent: string, dark: string): string {
  return `:root{--signal:#${accent};--signal-deep:color-mix(in srgb,#${accent} 88%,white);--ink:#${dark}}\n`
}

/**
 * A branded store's colors, and styles that only such a store needs. The bar's text is ink or white, by contrast. Body
 * text, borders and focus use our colors.
 */
function storeSheet(brand: string, accent: string): string {
  const on = textOn(brand)
  return `:root{--signal:${accent};--signal-deep:color-mix(in srgb,${accent} 88%,white);--brand:${brand};--on-brand:${on};--brand-text:${headlineColor(brand)}}
.site-header{background:var(--brand)}
.site-header>.wrap{color:var(--on-brand)}
.site-header .search,.site-header .menu,.subnav{color:var(--ink)}
.subnav{background:var(--paper)}
.site-header>.wrap>.actions .icon-button:hover{background:transparent;text-decoration:underline}
.site-header>.wrap :focus-visible{outline-color:var(--on-brand)}
.logo.store-name{display:inline-flex;gap:12px;align-items:center;text-transform:none;font-stretch:100%;min-width:0}
.logo.store-name::after{content:none}
.store-name img{display:block;max-height:44px;max-width:160px;background:var(--chalk);border-radius:var(--r);padding:4px}
.store-name .letters{display:grid;place-items:center;flex:none;width:44px;height:44px;border-radius:var(--r);background:var(--signal);color:var(--ink);font-size:18px}
.store-name b{display:block;font-size:20px;line-height:1.15}
.store-name small{display:block;margin-top:2px;font:400 var(--t14)/1.3 var(--text)}
.store-band{background:var(--brand);color:var(--on-brand);font-size:var(--t16)}
.site-footer .store-band .wrap{grid-template-columns:minmax(0,1fr);gap:var(--s6);padding-block:var(--s8)}
.site-footer .store-band h2{color:inherit;font:700 var(--t18)/1.3 var(--display)}
.store-band p{margin-top:6px;max-width:44ch}
.store-band dl{display:grid;margin:0}
.store-band dl div{display:flex;justify-content:space-between;gap:16px;padding:9px 0;border-top:1px solid color-mix(in srgb,currentcolor 25%,transparent)}
.store-band dd{margin:0;font-weight:600;text-align:right}
.hero h1{color:var(--brand-text)}
.store-front{background:var(--paper);color:var(--ink)}
.site-footer .store-front h2{color:var(--brand-text)}
.store-front ul{list-style:none;margin:10px 0 0;padding:0;display:flex;flex-wrap:wrap;gap:8px}
.store-front li{padding:9px 12px;border:1px solid var(--line-strong);border-radius:var(--r);background:var(--chalk);font-weight:500}
.store-front :focus-visible{outline-color:var(--focus)}
.site-footer .store-band a{text-decoration:underline}
.store-band a,.store-band .link{color:inherit;min-height:44px;display:inline-flex;align-items:center}
.store-band :focus-visible{outline-color:var(--on-brand)}
@media(min-width:976px){.site-footer .store-band .wrap{grid-template-columns:1fr 1fr 1fr;gap:var(--s10)}.site-footer .store-front .wrap{grid-template-columns:1fr 1fr}}
@media(max-width:599px){.store-name small{display:none}.store-name b{font-size:17px}.store-name img{max-width:110px}}
`
}
