/** The common headers and error responses of the API. */
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Caller } from '#api/caller.ts'
import { headerNames } from '#api/client/request.ts'
import { problem, problemBody, statusOf, type Problem } from '#api/problem.ts'
import { securityHeaders } from '#http/security.ts'
import type { Application } from '#application'

/** Data passed along with a request. `headers` are the rate limit headers, added to every later response. */
export type Env = {
  Bindings: Partial<HttpBindings>
  Variables: { requestId: string; address: string; route: string; caller: Caller; headers: Record<string, string> }
}

export type Responses = ReturnType<typeof createResponses>

/** Headers that pages of other sites may send, and those they may read. Cookies are never allowed. */
const sentHeaders = ['Content-Type', 'Idempotency-Key', 'If-Match', 'X-Request-Id', ...Object.values(headerNames)].join(
  ', ',
)
const readHeaders = 'ETag, Location, Retry-After, RateLimit, RateLimit-Policy, Idempotent-Replayed, X-Request-Id'

/** Returns the headers of every response (`always`), and the error responses. */
export function createResponses({ config }: Pick<Application, 'config'>) {
  const always = {
    ...securityHeaders(config, null),
    'access-control-allow-origin': '*',
    'access-control-expose-headers': readHeaders,
    'x-robots-tag': 'noindex',
  }
  return { always, fail, refuseMethod, preflight }

  function fail(c: Context<Env>, failed: Problem): Response {
    const body = problemBody(failed, { origin: config.web.origin, path: c.req.path, requestId: c.get('requestId') })
    return new Response(JSON.stringify(body), {
      status: statusOf(failed.code),
      headers: {
        ...always,
        ...c.get('headers'),
        'cache-control': 'private, no-store',
        'content-type': 'application/problem+json',
        ...failed.headers,
      },
    })
  }

  /** Lists the methods an address supports. */
  function refuseMethod(c: Context<Env>, known: readonly string[]): Response {
    const allowed = [...known, ...(known.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
    return fail(c, problem('MethodNotAllowed', `This address supports ${allowed}.`, { headers: { allow: allowed } }))
  }

  /** Answers a CORS preflight. */
  function preflight(c: Context<Env>): Response {
    return c.body(null, 204, {
      ...always,
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': sentHeaders,
      'access-control-max-age': '600',
    })
  }
}
