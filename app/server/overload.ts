import type { Context, MiddlewareHandler } from 'hono'
import { problem } from '#api/problem.ts'
import { createResponses } from '#api/responses.ts'
import type { AppRequest } from '#app/server/app-request.ts'
import { plainHeaders } from '#app/server/gate.ts'
import { plainErrorPage } from '#app/server/plain-error-page.ts'
import { carriesIdentity } from '#http/visitor.ts'
import type { Shop } from '#shop'

/** Cheap, or not shoppers': files, checks of balancers, what providers post, and the work of staff and shops. */
const alwaysTaken = /^\/(?:assets|healthz|readyz|webhooks|pictures|map|office|portal|favicon\.svg)(?:[/.]|$)/
const ofBuying = /^\/(?:api\/)?(?:cart|checkout|orders)(?:[/.]|$)/
/** Those who are refused come again after 2 to 5 seconds, not all at the same moment. */
const soonestSeconds = 2
const spreadSeconds = 4

/**
 * Refuses what the process cannot answer soon, with 503 and when to come again, before anything is read for it.
 * Kept pages never come here. Programs get a problem, people a page.
 */
export function shedOverload(shop: Shop): MiddlewareHandler<AppRequest> {
  const { config, turns } = shop
  const { fail } = createResponses(shop)
  return async (c, next) => {
    const { path, method } = c.req
    if (alwaysTaken.test(path) || method === 'OPTIONS') return next()
    const isBuying = (method !== 'GET' && method !== 'HEAD') || ofBuying.test(path)
    const hasBegun = c.req.header('authorization') !== undefined || carriesIdentity(c.req.header('cookie'))
    const end = await turns.take(isBuying ? 'buying' : 'browsing', hasBegun)
    if (end) return next().finally(end)
    c.set('route', 'overload')
    const headers = { 'retry-after': String(soonestSeconds + Math.floor(Math.random() * spreadSeconds)) }
    return path.startsWith('/api/')
      ? fail(c as Context, problem('Unavailable', 'The store is busy. Try again in a moment.', { headers }))
      : c.html(plainErrorPage(config, 503, { requestId: c.get('requestId') }), 503, {
          ...plainHeaders(config),
          ...headers,
        })
  }
}
