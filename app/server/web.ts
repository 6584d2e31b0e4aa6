/**
 * The web app: Hono's thin ordered list around React Router. It is the entry of the server bundle; server.ts hands it
 * the composed shop and starts it. Nothing starts on import.
 */
import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { sql } from 'kysely'
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router'
import { supportMessages } from '#content/messages/support.ts'
import { createApi } from '#api/app.ts'
import { problem, problemBody } from '#api/problem.ts'
import { keepWhatIsTold } from '#app/server/account-memory.server.ts'
import { addFromForm } from '#app/forms/cart-form.server.ts'
import { optsOut, readChoice } from '#http/consent.ts'
import { compressAnswer } from '#http/compression.ts'
import {
  answerHeadersContext,
  documentContext,
  serverRenderedContext,
  outageContext,
  patternContext,
  shopContext,
  signedInContext,
  priceTierContext,
  structuredDataContext,
  visitorContext,
} from '#app/server/context.ts'
import { isPlainForm, readFields } from '#http/fields.ts'
import { createSeo } from '#app/server/seo.ts'
import { answerBrokenRequests, areHeadersTooLarge, mostRead } from '#http/large-headers.ts'
import { createMapData } from '#app/server/map-data.ts'
import { observeRequests, type Observed } from '#app/server/observe.ts'
import { createReadingEngine } from '#app/server/reading-engine.ts'
import { createKnownAddress } from '#app/server/known-query.ts'
import { createCanonicalPath } from '#app/server/canonical-url.ts'
import { createPageCache, isSameForAll, pageKey, sharedVary } from '#app/server/page-cache.ts'
import { eventsCookie, measuredContext, type MeasuredEvent } from '#app/server/measure.ts'
import { createPictures } from '#app/server/pictures.ts'
import { plainErrorPage } from '#app/server/plain-error-page.ts'
import { refuseOthers } from '#http/same-site.ts'
import { guardAnswers, mayBeFramed, securityHeaders } from '#http/security.ts'
import { shopFor } from '#http/shop-for.ts'
import { clientAddress, readVisitor, type Visitor } from '#http/visitor.ts'
import { createWebhooks } from '#app/server/webhooks.ts'
import { paths } from '#content/paths.ts'
import type { SignedIn } from '#domain/accounts/accounts.ts'
import { findSession } from '#domain/accounts/accounts.server.ts'
import type { Config } from '#platform/config.ts'
import { isDatabaseUnavailable, type Database } from '#platform/db.ts'
import { createTimedServer } from '#platform/timed-server.ts'
import type { Shop } from '#shop'

type Bindings = {
  Bindings: Partial<HttpBindings>
  Variables: Observed['Variables'] & { visitor: Visitor; body: ArrayBuffer | null }
}

const maxFormBytes = 64 * 1024
/**
 * A form that takes a file of 1MB. The bound is far above that, so that the page itself can say that a photo is too
 * large.
 */
const fileForms = new Set([paths.contact(), paths.companyExemptions()].flatMap((path) => [path, `${path}.data`]))
const maxFileFormBytes = 8 * 1024 * 1024
const methods = new Set(['GET', 'HEAD', 'POST'])

/**
 * The HTTP server of the store, not yet listening. `build` is React Router's: the bundle's own in production, Vite's in
 * development.
 */
export async function createWebServer(shop: Shop, build?: ServerBuild): Promise<Server> {
  const app = createWebApp(shop, build ?? (await import('virtual:react-router/server-build')))
  const listener = getRequestListener(app.fetch)
  const server = createTimedServer({ maxHeaderSize: mostRead }, (request, response) => {
    if (app.pages.serve(request, response)) return
    void listener(request, response)
  })
  answerBrokenRequests(
    server,
    problemBody(problem('HeadersTooLarge'), { origin: shop.config.web.origin, path: '/', requestId: 'unread' }),
  )
  return server
}

/** The same as a fetch function, for tests that need no socket. */
export function createWebApp(shop: Shop, build: ServerBuild) {
  const { config, log, clock, metrics } = shop
  const knownAddress = createKnownAddress(Object.values(build.routes))
  const pages = createPageCache({ clock, knownAddress })
  metrics.watchPages(() => pages.counts)
  const handle = createRequestHandler(build, config.mode)
  const canonicalPath = createCanonicalPath(Object.values(build.routes))
  const app = new Hono<Bindings>()
  const plainHeaders = { ...securityHeaders(config, null), 'cache-control': 'no-store' }

  app.use(observeRequests(shop))
  app.use(guardAnswers(config))

  app.onError((error, c) => {
    log.error({ err: error }, 'request failed')
    const unavailable = isDatabaseUnavailable(error)
    const page = plainErrorPage(config, unavailable ? 503 : 500, { requestId: c.get('requestId') })
    return c.html(page, unavailable ? 503 : 500, {
      ...plainHeaders,
      ...(unavailable ? { 'retry-after': '5' } : {}),
    })
  })

  // Programs also put and delete, which pages never do.
  app.route('/', createApi(shop))

  app.use(async (c, next) => {
    if (areHeadersTooLarge(c.req.raw)) return c.html(plainErrorPage(config, 431), 431, plainHeaders)
    if (!methods.has(c.req.method))
      return c.html(plainErrorPage(config, 405), 405, { ...plainHeaders, allow: [...methods].join(', ') })
    // No store of text accepts a null byte, an escape that is no character decodes to nothing, and a line break
    // vanishes where an address is resolved: stopped here, before a statement or the router sees it.
    if (isBrokenAddress(c.req.raw.url)) return c.html(plainErrorPage(config, 400), 400, plainHeaders)
    return next()
  })

  app.get('/healthz', (c) => c.json({ status: 'ok' }))
  app.get('/readyz', async (c) => {
    const isReady = await isDatabaseThere(shop.db)
    return c.json({ status: isReady ? 'ready' : 'database-away' }, isReady ? 200 : 503, { 'cache-control': 'no-store' })
  })
  app.use(
    '/assets/*',
    serveStatic({
      root: './build/client',
      precompressed: true,
      onFound: (_path, c) => c.header('cache-control', 'public, max-age=31536000, immutable'),
    }),
  )
  app.use('/favicon.svg', serveStatic({ path: './public/favicon.svg' }))

  app.route('/webhooks', createWebhooks(shop))
  app.route('/pictures', createPictures(shop))
  app.route('/map', createMapData())
  app.route('/', createReadingEngine())
  const findShop = (cookie: string | null) => {
    const visitor = readVisitor(cookie, config.session.secret, '', config.web.isSecure)
    return shopFor(shop, visitor, readSessionOnce(shop, visitor))
  }
  app.route('/', createSeo(shop, findShop))

  // The rest of a body that was too large is not read, so its connection cannot carry another request.
  const onError = (c: Context) =>
    c.html(plainErrorPage(config, 413, fileForms.has(c.req.path) ? { line: supportMessages.tooLarge } : {}), 413, {
      ...plainHeaders,
      connection: 'close',
    })
  const formLimit = limitBody(bodyLimit({ maxSize: maxFormBytes, onError }))
  const fileFormLimit = limitBody(bodyLimit({ maxSize: maxFileFormBytes, onError }))
  app.post('*', (c, next) => (fileForms.has(c.req.path) ? fileFormLimit(c, next) : formLimit(c, next)))
  const ownForms = refuseOthers(config.web.origin, async (c) => {
    log.warn({ path: c.req.path, origin: c.req.header('origin')?.slice(0, 100) }, 'a form came from elsewhere')
    return c.html(plainErrorPage(config, 403), 403, plainHeaders)
  })
  // Mail programs post there; what may be done is in the address, and no cookie counts.
  app.use((c, next) => (c.req.path === paths.stopMails() ? next() : ownForms(c, next)))

  app.use(async (c, next) => {
    const address = clientAddress(
      c.env.incoming?.socket.remoteAddress,
      c.req.header('x-forwarded-for') ?? null,
      config.web.proxyHops,
    )
    c.set('visitor', readVisitor(c.req.header('cookie') ?? null, config.session.secret, address, config.web.isSecure))
    // What is posted is read whole: it is small, and a stream of it costs more than all that is done with it.
    const body = c.req.method === 'POST' ? await c.req.arrayBuffer().catch(() => undefined) : null
    if (body === undefined) return c.html(plainErrorPage(config, 400), 400, plainHeaders)
    c.set('body', body)
    return next()
  })

  // Tires are put into the cart without React Router, which takes longer for it than the database; a refusal has
  // written nothing, and the action of the cart page says it there.
  app.post(paths.cart(), async (c, next) => {
    if (!isPlainForm(c.req.header('content-type'))) return next()
    const fields = readFields(new TextDecoder().decode(c.get('body') ?? undefined))
    if (!fields) return next()
    const visitor = c.get('visitor')
    const readSignedIn = readSessionOnce(shop, visitor)
    const events = measuredBy(config, c.req.raw)
    const added = fields.has('intent')
      ? undefined
      : await addFromForm(await shopFor(shop, visitor, readSignedIn), visitor, fields, events)
    if (!added?.ok) return next()
    const { response } = added
    await keepForWhoIsSignedIn(readSignedIn, visitor, response.headers)
    tellLater(config, events, c.req.raw, response.headers)
    for (const [name, value] of Object.entries(securityHeaders(config, null))) response.headers.set(name, value)
    response.headers.set('cache-control', 'private, no-store')
    return response
  })

  /**
   * The page has done its work by then: that an account does not remember it is a pity, and no reason to say that it
   * failed.
   */
  async function keepForWhoIsSignedIn(
    readSignedIn: () => Promise<SignedIn | undefined>,
    { session }: Visitor,
    headers: Headers,
  ): Promise<void> {
    if (session === undefined || !headers.has('set-cookie')) return
    try {
      const signedIn = await readSignedIn()
      if (signedIn) await keepWhatIsTold(shop, signedIn, headers.getSetCookie())
    } catch (error) {
      log.warn({ err: error }, 'an account could not remember what its browser was told')
    }
  }

  app.all('*', async (c) => {
    const incoming = c.req.raw
    const visitor = c.get('visitor')
    const context = new RouterContextProvider()
    const readSignedIn = readSessionOnce(shop, visitor)
    const theirs = await shopFor(shop, visitor, readSignedIn)
    context.set(shopContext, theirs)
    context.set(visitorContext, visitor)
    context.set(signedInContext, readSignedIn)
    context.set(priceTierContext, theirs.buyer.priceTier)
    const ownHeaders = new Headers()
    context.set(answerHeadersContext, ownHeaders)
    const outage = { isDatabaseAway: false }
    context.set(outageContext, outage)
    context.set(structuredDataContext, [])
    const isOptedOut = optsOut(incoming.headers.get('sec-gpc'))
    context.set(serverRenderedContext, {
      'request-id': c.get('requestId'),
      ...(isOptedOut && { privacy: 'Global Privacy Control honored' }),
    })
    context.set(measuredContext, measuredBy(config, incoming))

    const url = new URL(incoming.url)
    // The origin is what the operator configured, whatever a proxy or a stranger wrote into Host: form posts are
    // checked against it.
    const asked = new URL(config.web.origin)
    // Set, not resolved: "//elsewhere" is a path, and would be resolved to another host. The page is asked for under
    // its right spelling: where it knows another address for itself, that is the only redirect.
    asked.pathname = incoming.method === 'POST' ? url.pathname : canonicalPath(url.pathname)
    const address = knownAddress(url.pathname + url.search)
    asked.search = address.slice(url.pathname.length)
    const request = new Request(asked, {
      method: incoming.method,
      headers: incoming.headers,
      signal: incoming.signal,
      body: c.get('body'),
    })
    const answered = await handle(request, context)
    c.set('route', context.get(patternContext) ?? undefined)
    if (asked.pathname !== url.pathname && answered.status === 200)
      return c.body(null, 301, {
        ...securityHeaders(config, null),
        location: asked.pathname + url.search,
        'cache-control': 'private, no-store',
      })
    const document = context.get(documentContext)
    const isAway = outage.isDatabaseAway && answered.status === 500
    const status = isAway ? 503 : answered.status
    const { headers } = answered
    const location = headers.get('location')
    if (status === 301 && location !== null)
      headers.set('location', withDropped(location, url.searchParams, asked.searchParams))
    await keepForWhoIsSignedIn(readSignedIn, visitor, headers)
    if (isAway) headers.set('retry-after', '5')
    for (const [name, value] of ownHeaders) headers.set(name, value)
    // Answers for scripts, receipts and calendars are no pages to be found.
    if (!document && status === 200) headers.set('x-robots-tag', 'noindex')
    const isFramed = status === 200 && mayBeFramed(url.pathname)
    for (const [name, value] of Object.entries(securityHeaders(config, document?.scriptSources ?? null, { isFramed })))
      headers.set(name, value)

    const accepted = incoming.headers.get('accept-encoding')
    const shared =
      incoming.method === 'GET' &&
      (!visitor.isKnown || (visitor.session === undefined && isSameForAll(asked.pathname + asked.search))) &&
      status === 200 &&
      !headers.has('set-cookie')
        ? Number(/s-maxage=(\d+)/.exec(headers.get('cache-control') ?? '')?.[1] ?? 0)
        : 0
    if (shared === 0) {
      if (!document) tellLater(config, context.get(measuredContext), incoming, headers)
      headers.set('cache-control', 'private, no-store')
      // What answers with no page of its own, a receipt or a calendar, still says that there is nothing here.
      const isBare = status === 404 && !document && answered.body === null && incoming.method === 'GET'
      if (isBare) headers.set('content-type', 'text/html; charset=utf-8')
      const body = isBare
        ? plainErrorPage(config, 404)
        : document && incoming.method !== 'HEAD'
          ? document.html
          : answered.body
      return compressAnswer(body, status, headers, accepted)
    }
    headers.set('vary', sharedVary)
    const text = document ? document.html : await answered.text()
    void pages.keep(pageKey(address, isOptedOut), Object.fromEntries(headers), text, shared)
    return compressAnswer(text, status, headers, accepted)
  })

  return Object.assign(app, { pages })
}

/**
 * Where a page moved to, with what hung on its old address and no page reads: advertisers' names of a visit are for who
 * counts visits.
 */
function withDropped(location: string, asked: URLSearchParams, known: URLSearchParams): string {
  const dropped = new URLSearchParams([...asked].filter(([name]) => !known.has(name))).toString()
  return dropped === '' ? location : `${location}${location.includes('?') ? '&' : '?'}${dropped}`
}

/** What a request may tell of itself; null where nothing is measured. */
function measuredBy({ analytics }: Config, { headers }: Request): MeasuredEvent[] | null {
  return analytics && !optsOut(headers.get('sec-gpc')) ? [] : null
}

/**
 * An answer that is no page leaves what happened to the page that follows, where the visitor may be measured already.
 */
function tellLater(
  { analytics, web }: Config,
  events: MeasuredEvent[] | null,
  { headers }: Request,
  answer: Headers,
): void {
  if (!analytics || !events || events.length === 0) return
  const choice = readChoice(headers.get('cookie'))
  if (choice === 'no' || (choice === undefined && analytics.ask !== 'nowhere')) return
  const cookie = eventsCookie(events, web.isSecure)
  if (cookie) answer.append('set-cookie', cookie)
}

function readSessionOnce(shop: Shop, { session }: Visitor): () => Promise<SignedIn | undefined> {
  let reading: Promise<SignedIn | undefined> | undefined
  return () => (reading ??= findSession(shop, session))
}

/** A balancer asks every few seconds and does not wait long. */
const readyWithinMs = 2_000

async function isDatabaseThere(db: Database): Promise<boolean> {
  const answers = sql`select`.execute(db).then(
    () => true,
    () => false,
  )
  return Promise.race([answers, sleep(readyWithinMs, false, { ref: false })])
}

/**
 * Leaves a body alone whose length is announced: to look at it would make a web stream of it, which nobody reads. What
 * comes over a socket without a length and not in chunks has no body.
 */
function limitBody(limit: MiddlewareHandler<Bindings>): MiddlewareHandler<Bindings> {
  return (c, next) => {
    const isAnnounced =
      c.req.header('transfer-encoding') === undefined && Number(c.req.header('content-length') ?? 0) <= maxFormBytes
    return isAnnounced ? next() : limit(c, next)
  }
}

function isBrokenAddress(url: string): boolean {
  if (url.includes('%00')) return true
  try {
    return /\p{Cc}/u.test(decodeURIComponent(new URL(url).pathname))
  } catch {
    return true
  }
}
