/**
 * The web app, built as a short ordered list of Hono middleware around React Router. It is the server bundle's entry;
 * server.ts passes it the composed app and starts it. Importing it has no side effects.
 */
import type { Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { type Context, Hono } from 'hono'
import type { ServerBuild } from 'react-router'
import { createApi } from '#api/app.ts'
import { createAdminApi } from '#app/admin-api/admin-api.server.ts'
import { createUcp } from '#ucp/app.ts'
import { problem, problemBody } from '#api/problem.ts'
import { readSessionOnce } from '#app/server/account-memory.server.ts'
import type { AppRequest } from '#app/server/app-request.ts'
import { addToCartPosts } from '#app/server/cart-posts.ts'
import { limitBodies, plainHeaders, readRequest, refuseForeignForms, refuseOddRequests } from '#app/server/gate.ts'
import { createBuiltFiles } from '#app/server/built-files.ts'
import { createBrand } from '#app/server/brand.ts'
import { receiveImportFile } from '#app/server/import-upload.ts'
import { createCxml } from '#cxml/app.ts'
import { countVisit } from '#app/server/count-visits.ts'
import { createCspReports } from '#app/server/csp-reports.ts'
import { createHealth } from '#app/server/health.ts'
import { createKnownAddress } from '#app/server/known-query.ts'
import { createMapData } from '#app/server/map-data.ts'
import { observeRequests } from '#app/server/observe.ts'
import { shedOverload } from '#app/server/overload.ts'
import { createPageCache } from '#app/server/page-cache.ts'
import { createPages } from '#app/server/pages.ts'
import { createPictures } from '#app/server/pictures.ts'
import { plainErrorPage } from '#app/server/plain-error-page.ts'
import { createReadingEngine } from '#app/server/reading-engine.ts'
import { createSeo } from '#app/server/seo.ts'
import { enterByHost, enterStore, leaveStore } from '#app/server/store-visits.ts'
import { createShopFeed } from '#app/server/shop-feed.ts'
import { createWidget, enterByWidget } from '#app/server/widget.ts'
import { createWebhooks } from '#app/server/webhooks.ts'
import { officePaths } from '#content/office-paths.ts'
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import { answerBrokenRequests, hasSeveralHosts, mostRead, refuseSeveralHosts } from '#http/large-headers.ts'
import { guardAnswers } from '#http/security.ts'
import { shopFor } from '#http/shop-for.ts'
import { readVisitor } from '#http/visitor.ts'
import { createMcp } from '#mcp/mcp.ts'
import { isDatabaseUnavailable } from '#platform/db.ts'
import { stateTermsFrom } from '#app/content/copy-terms.server.ts'
import { createTimedServer } from '#platform/timed-server.ts'
import type { Shop } from '#shop'

/**
 * Creates the store's HTTP server, not yet listening. `build` is React Router's build, which comes from the bundle in
 * production and from Vite in development.
 */
export async function createWebServer(shop: Shop, build?: ServerBuild): Promise<Server> {
  const app = createWebApp(shop, build ?? (await import('virtual:react-router/server-build')))
  const listener = getRequestListener(app.fetch)
  const server = createTimedServer({ maxHeaderSize: mostRead }, (request, response) => {
    if (hasSeveralHosts(request)) return refuseSeveralHosts(response)
    countVisit(shop, request)
    app.pages.serve(request, response, () => void listener(request, response))
  })
  answerBrokenRequests(
    server,
    problemBody(problem('HeadersTooLarge'), { origin: shop.config.web.origin, path: '/', requestId: 'unread' }),
  )
  return server
}

/**
 * Creates the same app as a fetch function, for tests that need no socket. The middleware runs in the order listed
 * here.
 */
export function createWebApp(shop: Shop, build: ServerBuild) {
  const { config, clock, metrics } = shop
  const knownAddress = createKnownAddress(Object.values(build.routes))
  const pages = createPageCache({ clock, knownAddress, ownHost: new URL(config.web.origin).host })
  metrics.watchPages(() => ({ ...pages.counts, ...pages.size() }))
  stateTermsFrom(shop.businessTerms)
  // Kept pages show the name, the phone and the colors of before.
  shop.settings.onChange(() => pages.clear())
  shop.catalogWatch.onChange((isOutdated) => pages.forgetReadings(isOutdated))
  // And texts.
  shop.content.onChange(() => pages.clear())

  const app = new Hono<AppRequest>()
  app.use(observeRequests(shop))
  app.use(guardAnswers(config))
  app.use(shedOverload(shop))
  app.onError(answerFailure(shop))

  // API clients also send PUT and DELETE, which pages never do.
  app.route('/', createAdminApi(shop))
  app.route('/', createApi(shop))
  app.route('/', createMcp(shop))
  app.route('/', createUcp(shop))
  app.route('/', createCxml(shop))
  app.use(refuseOddRequests(config))

  app.route('/', createHealth(shop))
  app.route('/assets', createBuiltFiles(shop))
  app.use('/favicon.svg', serveStatic({ path: './public/favicon.svg' }))
  app.route('/webhooks', createWebhooks(shop))
  app.route('/', createCspReports(shop))
  app.route('/pictures', createPictures(shop))
  app.route('/', createBrand(shop))
  app.route('/map', createMapData())
  app.route('/', createReadingEngine())
  app.route('/', createShopFeed(shop))
  app.route('/', createWidget(shop))
  app.route('/', createSeo(shop, createShopOfCookie(shop)))

  app.use(enterByHost(shop))
  // Limits, stores and replaces its own body.
  app.post(officePaths.officeImports(), refuseForeignForms(shop), receiveImportFile(shop))
  app.post('*', limitBodies(config))
  app.use(refuseForeignForms(shop))
  app.use(readRequest(config))
  app.get('*', enterByWidget(shop))
  app.get('*', enterStore(shop))
  app.post(serverPaths.leaveStore(), leaveStore(shop))
  app.post(paths.cart(), addToCartPosts(shop))
  app.all('*', createPages(shop, build, { pages, knownAddress }))
  return Object.assign(app, { pages })
}

/**
 * Answers 503 while the database is down and 500 for our own errors; of the failure, only its request id is disclosed.
 */
function answerFailure({ config, log }: Shop) {
  return (error: Error, c: Context<AppRequest>) => {
    log.error({ err: error }, 'request failed')
    const status = isDatabaseUnavailable(error) ? 503 : 500
    return c.html(plainErrorPage(config, status, { requestId: c.get('requestId') }), status, {
      ...plainHeaders(config),
      ...(status === 503 && { 'retry-after': '5' }),
    })
  }
}

/** Returns the shop as the account behind a Cookie header sees it. */
function createShopOfCookie(shop: Shop) {
  return (cookie: string | null): Promise<Shop> => {
    const visitor = readVisitor(cookie, shop.config.session.secret, '', shop.config.web.isSecure)
    return shopFor(shop, visitor, readSessionOnce(shop, visitor))
  }
}
