/** What every request to the sandbox goes through. */
import type { HttpBindings } from '@hono/node-server'
import type { Hono, HonoRequest } from 'hono'
import { becauseOf } from './cause.ts'

/** Sets security headers, refuses forms of other sites, and calls `work` after changes. */
export function guardRequests(
  app: Hono<{ Bindings: Partial<HttpBindings> }>,
  { storeOrigin, work }: { storeOrigin: string; work: () => void },
): void {
  app.use(async (c, next) => {
    const isFramed = /^\/(fields|challenge|wallets\/(?:buttons|sheet)|identity\/google\/one-tap)(\/|$)/.test(c.req.path)
    c.header('Content-Security-Policy', `${pagePolicy}; frame-ancestors ${isFramed ? storeOrigin : "'none'"}`)
    c.header('X-Content-Type-Options', 'nosniff')
    c.header('Referrer-Policy', 'same-origin')
    c.header('Cache-Control', 'no-store')
    if (isForeign(c.req, storeOrigin)) return c.text('This request came from another site.', 403)
    await becauseOf(c.req.header('traceparent'), next)
    if (c.req.method !== 'GET') work()
  })
}

/** Whether a form of another site was sent here. From the store, a browser brings a cart back. */
function isForeign(request: HonoRequest, storeOrigin: string): boolean {
  const origin = request.header('origin')
  if (origin === undefined || request.method === 'GET') return false
  const isCart = request.path === '/buyer/return' && origin === storeOrigin
  return !isCart && URL.parse(origin)?.host !== request.header('host')
}

const pagePolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; base-uri 'none'"
