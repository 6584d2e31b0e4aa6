import { randomUUID } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import type { Log } from '#platform/log.ts'
import type { Metrics } from '#platform/metrics.ts'
import { readRequestId, statementsSoFar, withRequestId } from '#platform/request-scope.ts'

export type Observed = {
  Variables: {
    requestId: string
    /** The pattern of the page that answered, once it is known. */
    route: string | undefined
  }
}

/**
 * The first middleware for a request the page cache did not answer: assigns a request id, or keeps the one it came
 * with, under which all its work runs; times it by route pattern; and writes one log line. Changes are logged at info,
 * reads at debug, and our own failures at error. The line has the path without its query, which may contain what people
 * typed, and without the secret of a link.
 */
export function observeRequests<Env extends Observed>({
  log,
  metrics,
}: {
  log: Log
  metrics: Metrics
}): MiddlewareHandler<Env> {
  return (c, next) => {
    const requestId = readRequestId(c.req.header('x-request-id')) ?? randomUUID()
    c.set('requestId', requestId)
    return withRequestId(requestId, async () => {
      const startedAt = performance.now()
      await next()
      c.res.headers.set('x-request-id', requestId)
      const { method } = c.req
      const { status } = c.res
      const ms = performance.now() - startedAt
      const route = c.get('route') ?? routePath(c)
      const sent = statementsSoFar()
      metrics.requestDone({ method, route, status, ms, ...sent })
      const level = status >= 500 ? 'error' : method === 'GET' || method === 'HEAD' ? 'debug' : 'info'
      const path = withoutSecrets(c.req.path)
      log[level]({ method, path, route, status, ms: Math.round(ms), ...sent }, 'request')
    })
  }
}

/** A path without the key of a quote, of a cart handed over, of a change of an order, of a payment, of an appointment or of a calendar feed. */
function withoutSecrets(path: string): string {
  return path.replace(/^(\/(?:quote|carts\/open|order-change|pay-again|appointment|portal\/feed)\/)[^/]+/, '$1…')
}
