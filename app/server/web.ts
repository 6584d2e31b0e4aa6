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
import { discardNextPages } from '#app/server/speculation.ts'
import { enterByHost, enterStore, leaveStore } from '#app/server/store-visits.ts'
import { createShopFeed } from '#app/server/shop-feed.ts'
import { createWidget, enterByWidget } from '#app/server/widget.ts'
import { createWebhooks } from '#app/server/webhooks.ts'
import { officePaths } from '#content/office-paths.ts'
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import { answerBrokenRequests, hasSeveralHosts, mostRead, refuseSeveralHosts } from '#http/large-headers.ts'
import { guardAnswers } from '#http/security.ts'
import { applicationFor } from '#http/application-for.ts'
import { readVisitor } from '#http/visitor.ts'
import { createMcp } from '#mcp/mcp.ts'
import { isDatabaseUnavailable } from '#platform/db.ts'
import { stateTermsFrom } from '#app/content/copy-terms.server.ts'
import { createTimedServer } from '#platform/timed-server.ts'
import type { Application } from '#application'

/**
 * Creates the store's HTTP server, not yet listening. `build` is React Router's build, which comes from the bundle in
 * production and from Vite in development.
 */
export async function createWebServer(app: Application, build?: ServerBuild): Promise<Server> {
  const hono = createWebApp(app, build ?? (await import('virtual:react-router/server-build')))
  const listener = getRequestListener(hono.fetch)
  const server = createTimedServer({ maxHeaderSize: mostRead }, (request, response) => {
    if (hasSeveralHosts(request)) return refuseSeveralHosts(response)
    countVisit(app, request)
    hono.pages.serve(request, response, () => void listener(request, response))
  })
  answerBrokenRequests(
    server,
    problemBody(problem('HeadersTooLarge'), { origin: app.config.web.origin, path: '/', requestId: 'unread' }),
  )
  return server
}

/**
 * Creates the same app as a fetch function, for tests that need no socket. The middleware runs in the order listed
 * here.
 */
export function createWebApp(app: Application, build: ServerBuild) {
  const { config, clock, metrics } = app
  const knownAddress = createKnownAddress(Object.values(build.routes))
  const pages = createPageCache({ clock, knownAddress, ownHost: new URL(config.web.origin).host })
  metrics.watchPages(() => ({ ...pages.counts, ...pages.size() }))
  stateTermsFrom(app.businessTerms, app.deliveryTimes)
  // Kept pages show the name, the phone and the colors of before.
  app.settings.onChange(() => pages.clear())
  app.catalogWatch.onChange((isOutdated) => pages.forgetReadings(isOutdated))
  // And texts.
  app.content.onChange(() => pages.clear())
  // And delivery times.
  app.deliveryTimes.onChange(() => pages.clear())

  const hono = new Hono<AppRequest>()
  hono.use(observeRequests(app))
  hono.use(guardAnswers(config))
  hono.use(shedOverload(app))
  hono.onError(answerFailure(app))

  // API clients also send PUT and DELETE, which pages never do.
  hono.route('/', createAdminApi(app))
  hono.route('/', createApi(app))
  hono.route('/', createMcp(app))
  hono.route('/', createUcp(app))
  hono.route('/', createCxml(app))
  hono.use(refuseOddRequests(config))

  hono.route('/', createHealth(app))
  hono.route('/assets', createBuiltFiles(app))
  hono.use('/favicon.svg', serveStatic({ path: './public/favicon.svg' }))
  hono.route('/webhooks', createWebhooks(app))
  hono.route('/', createCspReports(app))
  hono.route('/pictures', createPictures(app))
  hono.route('/', createBrand(app))
  hono.route('/map', createMapData())
  hono.route('/', createReadingEngine())
  hono.route('/', createShopFeed(app))
  hono.route('/', createWidget(app))
  hono.route('/', createSeo(app, createShopOfCookie(app)))

  hono.use(enterByHost(app))
  // Limits, stores and replaces its own body.
  hono.post(officePaths.officeImports(), refuseForeignForms(app), receiveImportFile(app))
  hono.post('*', limitBodies(config), discardNextPages)
  hono.use(refuseForeignForms(app))
  hono.use(readRequest(config))
  hono.get('*', enterByWidget(app))
  hono.get('*', enterStore(app))
  hono.post(serverPaths.leaveStore(), leaveStore(app))
  hono.post(paths.cart(), addToCartPosts(app))
  hono.all('*', createPages(app, build, { pages, knownAddress }))
  return Object.assign(hono, { pages })
}

/**
 * Answers 503 while the database is down and 500 for our own errors; of the failure, only its request id is disclosed.
 */
function answerFailure({ config, log }: Application) {
  return (error: Error, c: Context<AppRequest>) => {
    log.error({ err: error }, 'request failed')
    const status = isDatabaseUnavailable(error) ? 503 : 500
    return c.html(plainErrorPage(config, status, { requestId: c.get('requestId') }), status, {
      ...plainHeaders(config),
      ...(status === 503 && { 'retry-after': '5' }),
    })
  }
}

/** Returns the application as the account behind a Cookie header sees it. */
function createShopOfCookie(app: Application) {
  return (cookie: string | null): Promise<Application> => {
    const visitor = readVisitor(cookie, app.config.session.secret, '', app.config.web.isSecure)
    return applicationFor(app, visitor, readSessionOnce(app, visitor))
  }
}
