/**
 * Entering and leaving a branded store. A URL that refers to one redirects to the same URL without the reference. The
 * visit is stored in a cookie, so pages keep our store's URLs, and caches don't see duplicates.
 */
import type { MiddlewareHandler } from 'hono'
import type { AppRequest } from '#app/server/app-request.ts'
import { plainHeaders } from '#app/server/gate.ts'
import { isShopHost } from '#app/server/page-cache.ts'
import { paths } from '#content/paths.ts'
import { askedStore, hostNameOf, storeParameters } from '#domain/installer-portal/branded-stores/branded-stores.ts'
import { findBrandedStore } from '#domain/installer-portal/branded-stores/branded-stores.server.ts'
import { setDealer } from '#domain/payments/cart/cart.server.ts'
import { readSessionOnce } from '#app/server/account-memory.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { securityHeaders } from '#http/security.ts'
import { cookiesFor, type Visitor } from '#http/visitor.ts'
import { isDatabaseUnavailable } from '#platform/db.ts'
import type { Application } from '#application'

type Step = MiddlewareHandler<AppRequest>

/** Enters the store for `?dealerCode=` or `?installerId=`; unknown or disabled ones are ignored. */
export function enterStore(app: Application): Step {
  return async (c, next) => {
    const { pathname, searchParams } = new URL(c.req.url)
    const asked = storeParameters.some((name) => searchParams.has(name)) ? askedStore(searchParams) : null
    if (!asked || pathname.endsWith('.data')) return next()
    const store = await findBrandedStore(app.db, asked).catch((error: unknown) => {
      // Our own store reports that the database is down.
      if (isDatabaseUnavailable(error)) return undefined
      throw error
    })
    if (!store) return next()
    await moveCart(app, c.get('visitor'), store.shopId)
    for (const name of storeParameters) searchParams.delete(name)
    const query = searchParams.toString()
    // A single slash, because two would lead to another host.
    const path = pathname.replace(/^\/+/, '/')
    return turned(app, query === '' ? path : `${path}?${query}`, store.dealerCode)
  }
}

/**
 * Redirects requests by any other host name to the store's own origin, because sign-in, payment, forms and cookies work
 * only there: a shop's proved name to its branded store (302, because it can be switched off), and other names, such as
 * `www.`, to the same page (308). A proxy that replaces `Host` is recognized by its `X-Forwarded-Host`.
 */
export function enterByHost(app: Application): Step {
  const { origin, host: ownHost } = new URL(app.config.web.origin)
  return async (c, next) => {
    const host = c.req.header('host')
    if (!isShopHost(host, ownHost) || c.req.header('x-forwarded-host') === ownHost) return next()
    const { pathname, search, searchParams } = new URL(c.req.url)
    const path = pathname.replace(/^\/+/, '/')
    const hostName = hostNameOf((host ?? '').replace(/:\d{1,5}$/, '')) ?? ''
    const store = await findBrandedStore(app.db, { hostName }).catch((error: unknown) => {
      if (isDatabaseUnavailable(error)) return undefined
      throw error
    })
    const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
    if (!store || !isRead)
      return c.body(null, 308, { ...plainHeaders(app.config), location: `${origin}${path}${search}` })
    for (const name of storeParameters) searchParams.delete(name)
    searchParams.set('dealerCode', store.dealerCode)
    return c.body(null, 302, {
      ...plainHeaders(app.config),
      location: `${origin}${path}?${searchParams.toString()}`,
      'x-robots-tag': 'noindex',
    })
  }
}

/** Leaves the branded store, moving the visit and open cart back to our own store. */
export function leaveStore(app: Application): Step {
  return async (c) => {
    await moveCart(app, c.get('visitor'), null)
    return turned(app, paths.home(), null)
  }
}

async function moveCart(app: Application, visitor: Visitor, dealerShopId: number | null): Promise<void> {
  if (visitor.cartId === undefined) return
  const accountId = (await readSessionOnce(app, visitor)())?.accountId ?? null
  await setDealer(app.db, { id: visitor.cartId, accountId }, dealerShopId, app.clock.now())
}

function turned(app: Application, location: string, dealerCode: string | null): Response {
  const answer = seeOther(location, [['set-cookie', cookiesFor(app.config).dealer(dealerCode)]])
  for (const [name, value] of Object.entries(securityHeaders(app.config, null))) answer.headers.set(name, value)
  answer.headers.set('cache-control', 'private, no-store')
  answer.headers.set('x-robots-tag', 'noindex')
  return answer
}
