import { randomUUID } from 'node:crypto'
import { SpanKind, SpanStatusCode, type Span } from '@opentelemetry/api'
import type { Context, MiddlewareHandler, Next } from 'hono'
import { routePath } from 'hono/route'
import { objectiveOf } from '#app/server/objective-routes.ts'
import type { HealthCounts } from '#domain/operations/health/health.server.ts'
import type { Log } from '#platform/log.ts'
import { methodLabel, type Metrics } from '#platform/metrics.ts'
import { readRequestId, statementsSoFar, withRequestId } from '#platform/request-scope.ts'
import { beginTrace, traceparentOf } from '#platform/tracing.ts'

export type Observed = {
  Variables: {
    requestId: string
    /** The pattern of the page that answered, once it is known. */
    route: string | undefined
  }
}

/**
 * The first middleware for a request that the page cache didn't serve. Assigns a request id or uses the incoming one
 * for all its work, measures it by route pattern, and writes one log line. Changes are logged at info, reads at debug,
 * and our own failures at error. The line has the path without its query, which may contain user input, and without a
 * link's secret. For traced requests, `Server-Timing` contains the trace, which analytics scripts read for the
 * document.
 */
export function observeRequests<Env extends Observed>({
  log,
  metrics,
  health,
}: {
  log: Log
  metrics: Metrics
  health: HealthCounts
}): MiddlewareHandler<Env> {
  const serve = async (c: Context<Env>, next: Next, span: Span | undefined) => {
    const startedAt = performance.now()
    await next()
    const requestId = c.get('requestId')
    c.res.headers.set('x-request-id', requestId)
    const { method } = c.req
    const { status } = c.res
    const ms = performance.now() - startedAt
    const route = c.get('route') ?? routePath(c)
    const sent = statementsSoFar()
    metrics.requestDone({ method, route, status, ms, ...sent, traceId: span?.spanContext().traceId })
    const objective = objectiveOf({ method, route, status, ms })
    if (objective) health.count(objective.name, objective.isKept)
    if (span) {
      c.res.headers.append('server-timing', `traceparent;desc="${traceparentOf(span)}"`)
      tellOf(span, { method, route, status, requestId })
    }
    const level = status >= 500 ? 'error' : method === 'GET' || method === 'HEAD' ? 'debug' : 'info'
    const path = withoutSecrets(c.req.path)
    log[level]({ method, path, route, status, ms: Math.round(ms), ...sent }, 'request')
  }
  return (c, next) => {
    const requestId = readRequestId(c.req.header('x-request-id')) ?? randomUUID()
    c.set('requestId', requestId)
    const traceparent = c.req.header('traceparent')
    return withRequestId(requestId, () =>
      beginTrace({ name: 'request', kind: SpanKind.SERVER, traceparent, from: 'anyone' }, (span) =>
        serve(c, next, span),
      ),
    )
  }
}

type Answered = { method: string; route: string; status: number; requestId: string }

/** Adds the request's result to the span, with its route, known only after handling, and never its URL. */
function tellOf(span: Span, { method, route, status, requestId }: Answered): void {
  span.updateName(`${methodLabel(method)} ${route}`)
  span.setAttributes({
    'http.request.method': methodLabel(method),
    'http.route': route,
    'http.response.status_code': status,
    'sidewall.request_id': requestId,
  })
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
}

/** Redacts the key in a path for a quote, cart link, order edit, payment, appointment or calendar feed. */
function withoutSecrets(path: string): string {
  return path.replace(/^(\/(?:quote|carts\/open|order-change|pay-again|appointment|portal\/feed)\/)[^/]+/, '$1…')
}
