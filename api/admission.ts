/** What is looked at before any operation: who calls, how often, and whether the call can be answered at all. */
import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { readCaller, type Caller } from '#api/caller.ts'
import { createLimits } from '#api/limits.ts'
import { problem, type Problem } from '#api/problem.ts'
import { challengeOf } from '#api/read-call.ts'
import type { Env, Responses } from '#api/responses.ts'
import { areHeadersTooLarge } from '#http/large-headers.ts'
import { comesFromElsewhere } from '#http/same-site.ts'
import { clientAddress } from '#http/visitor.ts'
import type { Shop } from '#shop'

const maxBytes = 64 * 1024

/** Answers what a browser asks beforehand, counts the calls of each network, and lets in what can be answered. */
export function admitCalls(shop: Shop, { fail, preflight }: Responses): MiddlewareHandler<Env> {
  const { config } = shop
  const limits = createLimits(config.api.callsPerMinute)
  return async (c, next) => {
    if (c.req.method === 'OPTIONS') return preflight(c)
    if (areHeadersTooLarge(c.req.raw))
      return fail(c, problem('HeadersTooLarge', 'Send fewer or shorter headers; cookies are among them.'))
    const address = clientAddress(
      c.env.incoming?.socket.remoteAddress,
      c.req.header('x-forwarded-for') ?? null,
      config.web.proxyHops,
    )
    const caller = readCaller(shop, c.req.raw.headers, address)
    c.set('caller', caller)
    const taken = await limits.take(caller.visitor.networkKey)
    c.set('headers', taken.headers)
    const refusal = taken.isOver ? tooManyCalls(taken.resetSeconds) : refusalOf(shop, c, caller)
    return refusal ? fail(c, refusal) : next()
  }
}

/** Refuses a body that is larger than any operation takes. */
export function limitBody({ fail }: Responses): MiddlewareHandler<Env> {
  return bodyLimit({
    maxSize: maxBytes,
    onError: (c) =>
      fail(
        c as Context<Env>,
        problem('BodyTooLarge', `A body has up to ${maxBytes} bytes.`, { headers: { connection: 'close' } }),
      ),
  })
}

function tooManyCalls(resetSeconds: number): Problem {
  return problem('TooManyCalls', 'Wait as long as Retry-After says, then go on.', {
    headers: { 'retry-after': String(resetSeconds) },
  })
}

/** What of a call no operation could make sense of, or may not be asked to. */
function refusalOf(shop: Shop, c: Context<Env>, { visitor, isTokenBroken }: Caller): Problem | undefined {
  if (isBrokenAddress(c.req.raw.url)) return problem('BadRequest', 'The address holds what is no text.')
  if (!takesJson(c.req.header('accept'))) return problem('NotAcceptable')
  // Browsers name the page's origin with every call that changes something; another site's page has no use for this
  // store's cookies.
  if (visitor.isKnown && comesFromElsewhere((name) => c.req.header(name), shop.config.web.origin))
    return problem('Forbidden', 'This call came from another site.')
  if (isTokenBroken)
    return problem('Unauthorized', 'The token is neither the key of a cart nor an access token.', {
      headers: { 'www-authenticate': challengeOf(shop, 'error="invalid_token"') },
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
