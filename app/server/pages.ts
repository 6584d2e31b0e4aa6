/** Serves pages, converting a request for React Router, and its response for browsers and caches. */
import type { Context, Handler } from 'hono'
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router'
import { keepInAccount, readSessionOnce, rememberedContext } from '#app/server/account-memory.server.ts'
import type { AppRequest } from '#app/server/app-request.ts'
import { createCanonicalPath } from '#app/server/canonical-url.ts'
import {
  answerHeadersContext,
  cartRefusalContext,
  documentContext,
  outageContext,
  patternContext,
  priceTierContext,
  serverRenderedContext,
  applicationContext,
  signedInContext,
  structuredDataContext,
  visitorContext,
} from '#app/server/context.ts'
import { leaveForNextPage, measuredBy, measuredContext } from '#app/server/measure.ts'
import { sharedVary } from '#app/server/kept-pages.ts'
import { isSameForAll, pageKey, type PageCache } from '#app/server/page-cache.ts'
import { createSections } from '#app/server/page-sections.ts'
import { plainErrorPage } from '#app/server/plain-error-page.ts'
import { compressAnswer } from '#http/compression.ts'
import { optsOut } from '#http/consent.ts'
import { mayBeFramed, mayHaveFiles, mayHaveMap, paymentPartOf, securityHeaders } from '#http/security.ts'
import { serverPaths } from '#content/server-paths.ts'
import { findRedirect } from '#domain/kernel/content/content.server.ts'
import { applicationFor } from '#http/application-for.ts'
import type { Visitor } from '#http/visitor.ts'
import { readingsSoFar } from '#platform/request-scope.ts'
import type { Application } from '#application'

/** A request's URL, as requested and in its page's canonical form. */
type Address = {
  url: URL
  /** On the store's own origin, spelled canonically, with only the query parameters its page reads. */
  asked: URL
  /** The path and query under which the page is cached. */
  key: string
}

/** A visit, with visitor and page. */
type Visit = { seen: Application; readSignedIn: ReturnType<typeof readSessionOnce>; address: Address }

function keyOf({ address }: Visit, { headers }: Request): string {
  return pageKey(address.key, optsOut(headers.get('sec-gpc')))
}

/** Handles every request for a page. `knownAddress` reduces an address to what its page reads. */
export function createPages(
  app: Application,
  build: ServerBuild,
  { pages, knownAddress }: { pages: PageCache; knownAddress: (address: string) => string },
): Handler<AppRequest> {
  const { config } = app
  const handlerOf = createSections(build, (part) => createRequestHandler(part, config.mode))
  const canonicalPath = createCanonicalPath(Object.values(build.routes))

  return async (c) => {
    const incoming = c.req.raw
    const visitor = c.get('visitor')
    const readSignedIn = readSessionOnce(app, visitor)
    const seen = await applicationFor(app, visitor, readSignedIn)
    const visit: Visit = { seen, readSignedIn, address: addressOf(incoming) }
    return visitor.isKnown || seen.brandedStore || incoming.method !== 'GET'
      ? draw(c, visit)
      : pages.once(keyOf(visit, incoming), incoming.headers.get('accept-encoding'), () => draw(c, visit))
  }

  /** Renders the page, and caches it if it is a guest's and can be shared. */
  async function draw(c: Context<AppRequest>, visit: Visit): Promise<Response> {
    const { seen, readSignedIn, address } = visit
    const incoming = c.req.raw
    const visitor = c.get('visitor')
    const context = contextFor(c, seen, readSignedIn)
    const handle = handlerOf(address.asked.pathname)
    const answered = await handle(requestFor(incoming, address.asked, c.get('body')), context)
    c.set('route', context.get(patternContext) ?? undefined)
    if (address.asked.pathname !== address.url.pathname && answered.status === 200)
      return c.body(null, 301, {
        ...securityHeaders(config, null),
        location: address.asked.pathname + address.url.search,
        'cache-control': 'private, no-store',
      })
    const moved = answered.status === 404 ? await movedTo(incoming, address) : undefined
    if (moved !== undefined)
      return c.body(null, 301, {
        ...securityHeaders(config, null),
        location: moved + address.url.search,
        'cache-control': 'private, no-store',
      })
    if (visitor.session !== undefined) await keepInAccount(app, readSignedIn, context.get(rememberedContext))
    const status = context.get(outageContext).isDatabaseAway && answered.status === 500 ? 503 : answered.status
    setHeaders(answered.headers, status, { context, address, app: seen })
    const seconds = status === 200 ? sharedSeconds(incoming, answered.headers, visitor, address) : 0
    const accepted = incoming.headers.get('accept-encoding')
    if (seconds === 0)
      return compressAnswer(ownBody(answered, status, incoming, context, app), status, answered.headers, accepted)
    answered.headers.set('vary', sharedVary)
    const document = context.get(documentContext)?.html ?? (await answered.text())
    const headers = Object.fromEntries(answered.headers)
    return pages.keep(keyOf(visit, incoming), { headers, readings: [...readingsSoFar()], document, seconds, accepted })
  }

  /** Returns the new URL of a missing page with one lookup by key. */
  async function movedTo({ method }: Request, { url }: Address): Promise<string | undefined> {
    return method === 'GET' || method === 'HEAD' ? findRedirect(app, url.pathname) : undefined
  }

  function addressOf(incoming: Request): Address {
    const url = new URL(incoming.url)
    // The origin is the configured one, whatever a proxy or a stranger put into Host: form posts are checked against
    // it.
    const asked = new URL(config.web.origin)
    // Set instead of resolved, because resolving the path "//elsewhere" would lead to another host. The page is
    // requested under its canonical spelling; if the page itself has a different URL, that is the only redirect.
    asked.pathname = incoming.method === 'POST' ? url.pathname : canonicalPath(url.pathname)
    const key = knownAddress(url.pathname + url.search)
    asked.search = key.slice(url.pathname.length)
    return { url, asked, key }
  }
}

/**
 * Returns the request for React Router. It compares `Origin` with an action's URL, but doesn't recognize "null", which
 * browsers send to hide our own page's origin. Cross-site requests were already rejected (`comesFromElsewhere`).
 */
function requestFor({ method, headers, signal }: Request, url: URL, body: ArrayBuffer | null): Request {
  if (headers.get('origin') !== 'null') return new Request(url, { method, headers, signal, body })
  const named = new Headers(headers)
  named.set('origin', url.origin)
  return new Request(url, { method, headers: named, signal, body })
}

/** Creates the context in which loaders and actions find this request's data and leave what belongs in its response. */
function contextFor(
  c: Context<AppRequest>,
  app: Application,
  readSignedIn: ReturnType<typeof readSessionOnce>,
): RouterContextProvider {
  const context = new RouterContextProvider()
  context.set(applicationContext, app)
  context.set(visitorContext, c.get('visitor'))
  context.set(signedInContext, readSignedIn)
  context.set(priceTierContext, app.buyer.priceTier)
  context.set(cartRefusalContext, c.get('cartRefusal') ?? null)
  context.set(answerHeadersContext, new Headers())
  context.set(rememberedContext, [])
  context.set(outageContext, { isDatabaseAway: false })
  context.set(structuredDataContext, [])
  context.set(serverRenderedContext, {
    'request-id': c.get('requestId'),
    ...(optsOut(c.req.header('sec-gpc')) && { privacy: 'Global Privacy Control honored' }),
  })
  context.set(measuredContext, measuredBy(app.config, c.req.raw))
  return context
}

/** Sets the headers every response has, overriding the page's. */
function setHeaders(
  headers: Headers,
  status: number,
  { context, address, app }: { context: RouterContextProvider; address: Address; app: Application },
): void {
  const document = context.get(documentContext)
  const location = headers.get('location')
  if (status === 301 && location !== null)
    headers.set('location', withDropped(location, address.url.searchParams, address.asked.searchParams))
  if (status === 503 && context.get(outageContext).isDatabaseAway) headers.set('retry-after', '5')
  for (const [name, value] of context.get(answerHeadersContext)) headers.set(name, value)
  const { pathname } = address.url
  // Data for scripts, receipts and calendars are not pages to be indexed; nor is anything of the back office, the portal or a branded store.
  if ((!document && status === 200) || isOfWork(pathname) || app.brandedStore) headers.set('x-robots-tag', 'noindex')
  const ours = securityHeaders(app.config, document?.scriptSources ?? null, {
    isFramed: status === 200 && mayBeFramed(pathname),
    hasMap: mayHaveMap(pathname),
    hasFiles: mayHaveFiles(pathname),
    payment: paymentPartOf(pathname),
    postsTo: postsTo(app, pathname),
  })
  for (const [name, value] of Object.entries(ours)) headers.set(name, value)
}

/** Where a cart is posted back to from its page. */
function postsTo({ punchout }: Application, pathname: string): string | null {
  return punchout && pathname === serverPaths.punchoutReturn() ? punchout.returnUrl : null
}

function isOfWork(pathname: string): boolean {
  return /^\/(?:office|portal)(?:[/.]|$)/.test(pathname)
}

/** For how many seconds others may reuse a response with status 200; 0 if it is this visitor's own. */
function sharedSeconds({ method }: Request, headers: Headers, visitor: Visitor, { asked }: Address): number {
  const isForAll =
    !visitor.isKnown ||
    (visitor.session === undefined && visitor.punchoutId === undefined && isSameForAll(asked.pathname + asked.search))
  if (method !== 'GET' || !isForAll || headers.has('set-cookie')) return 0
  return Number(/s-maxage=(\d+)/.exec(headers.get('cache-control') ?? '')?.[1] ?? 0)
}

/** Returns the body of a private response and marks its headers accordingly. */
function ownBody(
  answered: Response,
  status: number,
  incoming: Request,
  context: RouterContextProvider,
  { config }: Application,
): BodyInit | null {
  const document = context.get(documentContext)
  if (!document) leaveForNextPage(config, context.get(measuredContext), incoming, answered.headers)
  answered.headers.set('cache-control', 'private, no-store')
  if (document) return incoming.method === 'HEAD' ? answered.body : document.html
  if (status !== 404 || answered.body !== null || incoming.method !== 'GET') return answered.body
  // A resource route, such as a receipt or a calendar, still shows a 404 page.
  answered.headers.set('content-type', 'text/html; charset=utf-8')
  return plainErrorPage(config, 404)
}

/**
 * Returns a redirect's target with the query parameters that no page reads added back, so that ad attribution survives.
 */
function withDropped(location: string, asked: URLSearchParams, known: URLSearchParams): string {
  const dropped = new URLSearchParams([...asked].filter(([name]) => !known.has(name))).toString()
  return dropped === '' ? location : `${location}${location.includes('?') ? '&' : '?'}${dropped}`
}
