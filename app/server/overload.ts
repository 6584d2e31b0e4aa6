import type { MiddlewareHandler } from 'hono'
import { problem, problemBody } from '#api/problem.ts'
import { createResponses } from '#api/responses.ts'
import type { AppRequest } from '#app/server/app-request.ts'
import { plainHeaders } from '#app/server/gate.ts'
import { plainErrorPage } from '#app/server/plain-error-page.ts'
import { isAhead } from '#app/server/speculation.ts'
import { carriesIdentity } from '#http/visitor.ts'
import type { Application } from '#application'

/**
 * Files, health checks, webhooks, and staff and shop pages. They're never shed, because they are cheap or not for
 * shoppers.
 */
const alwaysTaken = /^\/(?:assets|healthz|readyz|webhooks|pictures|map|office|portal|favicon\.svg)(?:[/.]|$)/
const ofBuying = /^\/(?:api\/)?(?:cart|checkout|orders)(?:[/.]|$)/
/** Those who are refused come again after 2 to 5 seconds, not all at the same moment. */
const soonestSeconds = 2
const spreadSeconds = 4

/**
 * Refuses what the process cannot answer soon, with 503 and when to come again, before anything is read for it.
 * Cached pages aren't handled here. A page that a browser requests before a click takes a free slot, or is refused. Programs get a problem, people a page.
 */
export function shedOverload(app: Application): MiddlewareHandler<AppRequest> {
  const { config, turns } = app
  const { always } = createResponses(app)
  const busy = problem('Unavailable', 'The store is busy. Try again in a moment.')
  let refused = 0
  return async (c, next) => {
    const { path, method } = c.req
    if (alwaysTaken.test(path) || method === 'OPTIONS') return next()
    const isBuying = (method !== 'GET' && method !== 'HEAD') || ofBuying.test(path)
    const hasBegun = c.req.header('authorization') !== undefined || carriesIdentity(c.req.header('cookie'))
    const mayWait = !isAhead(c.req.header('sec-purpose'))
    const end = await turns.take(isBuying ? 'buying' : 'browsing', { hasBegun, mayWait })
    if (end) return next().finally(end)
    c.set('route', 'overload')
    refused += 1
    const [requestId, headers] = [
      c.get('requestId'),
      { 'retry-after': String(soonestSeconds + (refused % spreadSeconds)) },
    ]
    if (!path.startsWith('/api/'))
      return c.html(plainErrorPage(config, 503, { requestId }), 503, { ...plainHeaders(config), ...headers })
    return c.json(problemBody(busy, { origin: config.web.origin, path, requestId }), 503, {
      ...always,
      'cache-control': 'private, no-store',
      'content-type': 'application/problem+json',
      ...headers,
    })
  }
}
