/**
 * The documented HTTP API at /api, and the specification's own calls at their addresses, too: the same use cases as the
 * pages, for programs.
 */
import type { HttpBindings } from '@hono/node-server'
import { Hono, type Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { technicalMessages } from '#content/messages/technical.ts'
import { headerNames } from '#api/client/request.ts'
import { createLimits } from '#api/limits.ts'
import { apiDocument } from '#api/document.ts'
import { problem, problemBody, statusOf, type Problem } from '#api/problem.ts'
import { readCaller, type Caller } from '#api/caller.ts'
import { operations } from '#api/operations.ts'
import { addressesOf, type Operation } from '#api/operation.ts'
import { challengeOf, metadataPath, readCall } from '#api/read-call.ts'
import { answerOnce } from '#api/once.ts'
import { compressAnswer } from '#http/compression.ts'
import { areHeadersTooLarge } from '#http/large-headers.ts'
import { appScopes } from '#domain/accounts/accounts.ts'
import { securityHeaders } from '#http/security.ts'
import { comesFromElsewhere } from '#http/same-site.ts'
import { clientAddress } from '#http/visitor.ts'
import { isDatabaseUnavailable } from '#platform/db.ts'
import type { Shop } from '#shop'

type Env = {
  Bindings: Partial<HttpBindings>
  Variables: { requestId: string; address: string; route: string; caller: Caller; headers: Record<string, string> }
}

const maxBytes = 64 * 1024
/** Everything that is answered here. */
const addresses = ['/api/*', ...operations.flatMap((operation) => (operation.isSpecified ? [operation.path] : []))]
/** Pages that live under /api for people and browsers. */
const pages = new Set(['/api/docs', '/api/docs.data', '/api/sso-landing', '/api/sso-landing.data'])
/** What a program on another site may send, and read of an answer. Cookies are never among it. */
const sentHeaders = ['Content-Type', 'Idempotency-Key', 'If-Match', 'X-Request-Id', ...Object.values(headerNames)].join(
  ', ',
)
const readHeaders = 'ETag, Location, Retry-After, RateLimit, RateLimit-Policy, Idempotent-Replayed, X-Request-Id'

export function createApi(shop: Shop): Hono<Env> {
  const { config, log } = shop
  const app = new Hono<Env>()
  const limits = createLimits(config.api.callsPerMinute)
  const document = JSON.stringify(apiDocument(config.web.origin, config.store.name, shop.identity?.issuer ?? null))
  const always = {
    ...securityHeaders(config, null),
    'access-control-allow-origin': '*',
    'access-control-expose-headers': readHeaders,
    'x-robots-tag': 'noindex',
  }

  const fail = (c: Context<Env>, failed: Problem): Response => {
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

  app.onError((error, c) => {
    log.error({ err: error }, 'an API call failed')
    return isDatabaseUnavailable(error)
      ? fail(
          c,
          problem('Unavailable', 'The store is busy. Try again in a moment.', { headers: { 'retry-after': '5' } }),
        )
      : fail(c, problem('ServerError', technicalMessages.wrong))
  })

  const everyMethod = 'ALL'
  app.on(everyMethod, addresses, async (c, next) => {
    if (pages.has(c.req.path)) return next()
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
    if (taken.isOver)
      return fail(
        c,
        problem('TooManyCalls', 'Wait as long as Retry-After says, then go on.', {
          headers: { 'retry-after': String(taken.resetSeconds) },
        }),
      )
    if (isBrokenAddress(c.req.raw.url)) return fail(c, problem('BadRequest', 'The address holds what is no text.'))
    if (!takesJson(c.req.header('accept'))) return fail(c, problem('NotAcceptable'))
    // Browsers name the page's origin with every call that changes something; another site's page has no use for this
    // store's cookies.
    if (caller.visitor.isKnown && comesFromElsewhere((name) => c.req.header(name), config.web.origin))
      return fail(c, problem('Forbidden', 'This call came from another site.'))
    if (caller.isTokenBroken)
      return fail(
        c,
        problem('Unauthorized', 'The token is neither the key of a cart nor an access token.', {
          headers: { 'www-authenticate': challengeOf(shop, 'error="invalid_token"') },
        }),
      )
    return next()
  })

  app.on(
    everyMethod,
    addresses,
    bodyLimit({
      maxSize: maxBytes,
      onError: (c) =>
        fail(
          c as Context<Env>,
          problem('BodyTooLarge', `A body has up to ${maxBytes} bytes.`, { headers: { connection: 'close' } }),
        ),
    }),
  )

  app.get('/api/openapi.json', (c) =>
    compressAnswer(
      document,
      200,
      new Headers({
        ...always,
        ...c.get('headers'),
        'content-type': 'application/json',
        'cache-control': 'public, max-age=60',
      }),
      c.req.header('accept-encoding') ?? null,
    ),
  )

  if (shop.identity) {
    const metadata = JSON.stringify({
      resource: `${config.web.origin}/api`,
      resource_name: `${config.store.name} API`,
      authorization_servers: [shop.identity.issuer],
      scopes_supported: Object.keys(appScopes),
      bearer_methods_supported: ['header'],
      resource_documentation: `${config.web.origin}/api/docs`,
    })
    app.get(metadataPath, (c) =>
      c.body(metadata, 200, { ...always, 'content-type': 'application/json', 'cache-control': 'public, max-age=3600' }),
    )
  }

  app.all('/api/openapi.json', (c) => refuseMethod(c, ['GET']))

  for (const [address, there] of inOrder(operations)) {
    const pattern = address.replaceAll(/\{(\w+)\}/g, ':$1')
    for (const operation of there) app.on(operation.method.toUpperCase(), pattern, (c) => answerCall(c, operation))
    app.all(pattern, (c) =>
      refuseMethod(
        c,
        there.map(({ method }) => method.toUpperCase()),
      ),
    )
  }

  async function answerCall(c: Context<Env, string>, operation: Operation): Promise<Response> {
    c.set('route', `/api${operation.path}`)
    const read = await readCall(operation, c.req, shop, c.get('caller'))
    if (!read.ok) return fail(c, read)
    const answered = await answerOnce(operation, read.value, c.req)
    if (!answered.ok) return fail(c, answered)
    const status = operation.status ?? 200
    // What everybody may keep is still not for who carries a cookie of ours.
    const headers = new Headers({
      ...always,
      ...c.get('headers'),
      'cache-control': cacheControl(operation, c.get('caller')),
      vary: 'Cookie, Authorization, X-Authorization',
      ...answered.headers,
    })
    for (const cookie of answered.cookies ?? []) headers.append('set-cookie', cookie)
    if (operation.result === null) return new Response(null, { status, headers })
    headers.set('content-type', 'application/json')
    return compressAnswer(JSON.stringify(answered.value), status, headers, c.req.header('accept-encoding') ?? null)
  }

  app.on(everyMethod, addresses, (c, next) => (pages.has(c.req.path) ? next() : fail(c, problem('NotFound'))))

  /** An address that is known under other methods says which. */
  function refuseMethod(c: Context<Env, string>, known: string[]): Response {
    const allowed = [...known, ...(known.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
    return fail(c, problem('MethodNotAllowed', `This address takes ${allowed}.`, { headers: { allow: allowed } }))
  }

  function preflight(c: Context<Env>): Response {
    const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE'
    return c.body(null, 204, {
      ...always,
      'access-control-allow-methods': methods,
      'access-control-allow-headers': sentHeaders,
      'access-control-max-age': '600',
    })
  }

  return app
}

/** What is the same for everybody may be kept by everybody, as long as nobody in particular asks. */
function cacheControl({ audience, sharedSeconds = 0 }: Operation, { visitor, accessToken }: Caller): string {
  return audience === 'anyone' && sharedSeconds > 0 && !visitor.isKnown && accessToken === undefined
    ? `public, max-age=${sharedSeconds}`
    : 'private, no-store'
}

/** Operations by address, those with fewer parameters first: "/orders/claims" is no "/orders/{number}". */
function inOrder(all: readonly Operation[]): [address: string, there: Operation[]][] {
  const there = Map.groupBy(
    all.flatMap((operation) => addressesOf(operation).map((address) => ({ address, operation }))),
    ({ address }) => address,
  )
  const parameters = (address: string) => address.split('{').length
  return [...there]
    .map(([address, found]): [string, Operation[]] => [address, found.map(({ operation }) => operation)])
    .sort(([a], [b]) => parameters(a) - parameters(b))
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
