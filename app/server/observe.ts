import { randomUUID } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import type { Log } from '#platform/log.ts'
import type { Metrics } from '#platform/metrics.ts'
import { readRequestId, withRequestId } from '#platform/request-scope.ts'

export type Observed = {
  Variables: {
    requestId: string
    /** The pattern of the page that answered, once it is known. */
    route: string | undefined
  }
}

/**
 * The first on the way of a request that the page cache did not answer: gives it an id, its own or the one it came
 * with, under which everything runs that it starts; times it by the pattern of its route; writes one line. What changes
 * something is told at info, what only reads at debug, and our own failures at error. The line has the path without its
 * query, in which people type.
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
      metrics.requestDone({ method, route, status, ms })
      const level = status >= 500 ? 'error' : method === 'GET' || method === 'HEAD' ? 'debug' : 'info'
      log[level]({ method, path: c.req.path, route, status, ms: Math.round(ms) }, 'request')
    })
  }
}
