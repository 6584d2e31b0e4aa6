/** Middleware before any operation, which identifies the caller and checks the rate limit and request size. */
import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { readCaller, type Caller } from '#api/caller.ts'
import { createLimits } from '#http/call-limits.ts'
import { problem, type Problem } from '#api/problem.ts'
import { challengeOf } from '#api/read-call.ts'
import type { Env, Responses } from '#api/responses.ts'
import { oversizedPart } from '#http/large-headers.ts'
import { comesFromElsewhere } from '#http/same-site.ts'
import { addressOf } from '#http/client-address.ts'
import type { Application } from '#application'

const maxBytes = 64 * 1024
/** Room for five encoded 1 MB photos and more. The operation itself reports which photo is too large. */
const maxBytesWithPhotos = 8 * 1024 * 1024
const takesPhotos = /^\/api\/orders\/\d{1,12}\/returns$/

/** Answers CORS preflights, counts requests per network, and admits those that can be handled. */
export function admitCalls(app: Application, { fail, preflight }: Responses): MiddlewareHandler<Env> {
  const { config } = app
  const limits = createLimits(app.callCounts, 'api', config.api.callsPerMinute)
  return async (c, next) => {
    if (c.req.method === 'OPTIONS') return preflight(c)
    const oversized = oversizedPart(c.req.raw)
    if (oversized === 'address') return fail(c, problem('AddressTooLong', 'Shorten the address of the request.'))
    if (oversized === 'headers')
      return fail(c, problem('HeadersTooLarge', 'Send fewer or shorter headers, cookies included.'))
    const address = addressOf(c, config)
    const caller = readCaller(app, c.req.raw.headers, address)
    c.set('caller', caller)
    const taken = limits.take(caller.visitor.networkKey)
    c.set('headers', taken.headers)
    const refusal = taken.isOver ? tooManyCalls(taken.resetSeconds) : refusalOf(app, c, caller)
    return refusal ? fail(c, refusal) : next()
  }
}

/** Rejects a body larger than any operation accepts: 64 kB, or 8 MB where it may have photos. */
export function limitBody({ fail }: Responses): MiddlewareHandler<Env> {
  const limitTo = (maxSize: number) =>
    bodyLimit({
      maxSize,
      onError: (c) =>
        fail(
          c as Context<Env>,
          problem('BodyTooLarge', `A body can have up to ${maxSize} bytes.`, { headers: { connection: 'close' } }),
        ),
    })
  const [limit, photoLimit] = [limitTo(maxBytes), limitTo(maxBytesWithPhotos)]
  return (c, next) => (takesPhotos.test(c.req.path) ? photoLimit(c, next) : limit(c, next))
}

function tooManyCalls(resetSeconds: number): Problem {
  return problem('TooManyCalls', 'Wait for the Retry-After period, then continue.', {
    headers: { 'retry-after': String(resetSeconds) },
  })
}

/** Returns why a request must be rejected before any operation sees it. */
function refusalOf(app: Application, c: Context<Env>, { visitor, isTokenBroken }: Caller): Problem | undefined {
  if (isBrokenAddress(c.req.raw.url)) return problem('BadRequest', 'The address contains characters that are not text.')
  if (!takesJson(c.req.header('accept'))) return problem('NotAcceptable')
  // Browsers name the page's origin with every request that changes something; another site's page may not use this
  // store's cookies.
  if (visitor.isKnown && comesFromElsewhere((name) => c.req.header(name), app.config.web.origin))
    return problem('Forbidden', 'This call came from another site.')
  if (isTokenBroken)
    return problem('Unauthorized', 'The token is neither a cart key nor an access token.', {
      headers: { 'www-authenticate': challengeOf(app, 'error="invalid_token"') },
    })
  return undefined
}

function takesJson(accept: string | undefined): boolean {
  return accept === undefined || /(^|[\s,])(\*\/\*|application\/(\*|json|problem\+json))\s*($|[;,])/i.test(accept)
}

function isBrokenAddress(url: string): boolean {
  if (/%00/.test(url)) return true
  try {
    const { pathname, search } = new URL(url)
    decodeURIComponent(pathname)
    decodeURIComponent(search.replaceAll('+', ' '))
    return false
  } catch {
    return true
  }
}
