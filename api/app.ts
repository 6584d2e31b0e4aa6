/**
 * The documented HTTP API at /api, plus the specification's own operations at their addresses: the same use cases as
 * the pages, for programs.
 */
import { Hono, type Context } from 'hono'
import { technicalMessages } from '#content/messages/technical.ts'
import { admitCalls, limitBody } from '#api/admission.ts'
import { apiDocument } from '#api/document.ts'
import { problem, type Problem } from '#api/problem.ts'
import type { Caller } from '#api/caller.ts'
import { operations } from '#api/operations.ts'
import { addressesOf, type Operation } from '#api/operation.ts'
import { metadataPath, readCall } from '#api/read-call.ts'
import { answerOnce } from '#api/once.ts'
import { createResponses, type Env, type Responses } from '#api/responses.ts'
import { compressAnswer } from '#http/compression.ts'
import { appScopes } from '#domain/customers/accounts/accounts.ts'
import { isDatabaseUnavailable } from '#platform/db.ts'
import type { Application } from '#application'

const everyMethod = 'ALL'
/** Every address handled here. */
const addresses = ['/api/*', ...operations.flatMap((operation) => (operation.isSpecified ? [operation.path] : []))]
/** Pages under /api for people and browsers. */
const pages = new Set(['/api/docs', '/api/docs.data', '/api/sso-landing', '/api/sso-landing.data'])

/** Creates the API of `app`, to be mounted at the store's root; pages and all other addresses fall through. */
export function createApi(app: Application): Hono<Env> {
  const hono = new Hono<Env>()
  const responses = createResponses(app)
  const { fail } = responses
  const admit = admitCalls(app, responses)

  hono.onError((error, c) => {
    app.log.error({ err: error }, 'an API call failed')
    return fail(c, failureOf(error))
  })
  hono.on(everyMethod, addresses, (c, next) => (pages.has(c.req.path) ? next() : admit(c, next)))
  hono.on(everyMethod, addresses, limitBody(responses))
  serveDocument(hono, app, responses)
  serveMetadata(hono, app, responses)
  serveOperations(hono, app, responses)
  hono.on(everyMethod, addresses, (c, next) => (pages.has(c.req.path) ? next() : fail(c, problem('NotFound'))))
  return hono
}

function failureOf(error: Error): Problem {
  return isDatabaseUnavailable(error)
    ? problem('Unavailable', 'The store is busy. Try again in a moment.', { headers: { 'retry-after': '5' } })
    : problem('ServerError', technicalMessages.wrong)
}

/** Serves the OpenAPI document, from which clients are written. */
function serveDocument(hono: Hono<Env>, { config, identity }: Application, { always, refuseMethod }: Responses): void {
  const path = '/api/openapi.json'
  // Generated on the first request because it takes a tenth of the start time and most processes never serve it.
  let document: string | undefined
  hono.get(path, (c) => {
    document ??= JSON.stringify(apiDocument(config.web.origin, config.store.name, identity?.issuer ?? null))
    const headers = new Headers({
      ...always,
      ...c.get('headers'),
      'content-type': 'application/json',
      'cache-control': 'public, max-age=60',
    })
    return compressAnswer(document, 200, headers, c.req.header('accept-encoding') ?? null)
  })
  hono.all(path, (c) => refuseMethod(c, ['GET']))
}

/** Serves who issues tokens for this API and their scopes (RFC 9728); not in a store without accounts. */
function serveMetadata(hono: Hono<Env>, { config, identity }: Application, { always }: Responses): void {
  if (!identity) return
  const metadata = JSON.stringify({
    resource: `${config.web.origin}/api`,
    resource_name: `${config.store.name} API`,
    authorization_servers: [identity.issuer],
    scopes_supported: Object.keys(appScopes),
    bearer_methods_supported: ['header'],
    resource_documentation: `${config.web.origin}/api/docs`,
  })
  hono.get(metadataPath, (c) =>
    c.body(metadata, 200, { ...always, 'content-type': 'application/json', 'cache-control': 'public, max-age=3600' }),
  )
}

/** Serves every operation at its addresses; an address rejects any method it does not have. */
function serveOperations(hono: Hono<Env>, app: Application, responses: Responses): void {
  for (const [address, there] of inOrder(operations)) {
    const pattern = address.replaceAll(/\{(\w+)\}/g, ':$1')
    const methods = there.map(({ method }) => method.toUpperCase())
    for (const operation of there)
      hono.on(operation.method.toUpperCase(), pattern, (c) => answerCall(c, operation, app, responses))
    hono.all(pattern, (c) => responses.refuseMethod(c, methods))
  }
}

async function answerCall(
  c: Context<Env, string>,
  operation: Operation,
  app: Application,
  { always, fail }: Responses,
): Promise<Response> {
  c.set('route', `/api${operation.path}`)
  const read = await readCall(operation, c.req, app, c.get('caller'))
  if (!read.ok) return fail(c, read)
  const answered = await answerOnce(operation, read.value, c.req)
  if (!answered.ok) return fail(c, answered)
  const status = operation.status ?? 200
  // A publicly cacheable response is private for a caller with a cookie.
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

/** A response that is the same for everyone may be cached by everyone, unless the caller is identified. */
function cacheControl(
  { audience, sharedSeconds = 0 }: Operation,
  { visitor, accessToken, exchangeKey, cartId }: Caller,
): string {
  return audience === 'anyone' &&
    sharedSeconds > 0 &&
    !visitor.isKnown &&
    accessToken === undefined &&
    exchangeKey === undefined &&
    // Prices follow the cart's programs.
    cartId === undefined
    ? `public, max-age=${sharedSeconds}`
    : 'private, no-store'
}

/** Operations by address, those with fewer parameters first: "/orders/claims" must not match "/orders/{number}". */
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
