/**
 * The process for measuring limits. It does the minimum that could answer, on bare node:http, with the store's
 * connection pool. It also serves a few use cases as bare JSON, to show their cost.
 *
 *   /bytes/<path>     the store's document, as bytes kept in memory
 *   /render/<path>    the same React tree rendered to a string, its data at hand
 *   /select/<item>    one row by its primary key
 *   /insert           one row written and committed
 *   /listing?…        a page of a listing with its facets     (size=225-65r17 and the filters of a listing)
 *   /times?…          the first free times of shops           (shops=1,2,3)
 *   /nearest?…        the shops nearest to a ZIP that take the tires, with those times   (zip=60614)
 *   /shop-day, /shop-month, /own-job   what a shop's portal reads and writes, of one shop
 *   /office-orders?…  a page of the office's list of orders   (tab=late, after=1234)
 *   /office-search?…  the orders found for what staff type      (q=312555)
 */
import { glob } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import type { ServerBuild } from 'react-router'
import type { Opening } from '#domain/scheduling/booking/booking.ts'
import { earliestTimes } from '#domain/scheduling/booking/booking.server.ts'
import { cardOf, parseQuery } from '#domain/catalog/catalog/catalog.ts'
import { listTires } from '#domain/catalog/catalog/catalog.server.ts'
import { findShopsNear } from '#domain/scheduling/installers/installers.server.ts'
import { listOfficeOrders, searchOrders } from '#domain/ordering/orders/orders.server.ts'
import { findJobOrders } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { officeTabs } from '#domain/ordering/orders/orders.ts'
import { loadConfig } from '#platform/config.ts'
import { createPool } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { createApplication } from '#application'
import { openShopAnswers } from './shop-answers.ts'
import { project } from '../tools/package-program.ts'

const config = loadConfig()
const app = createApplication(config)
const pool = createPool(config.database.url, { size: config.database.poolSize })

type Answer = (response: ServerResponse) => void | Promise<void>
/** The answer for each path, prepared at its first request. */
const known = new Map<string, Answer>()

const server = createServer((request, response) => {
  const key = `${request.url} ${request.headers.cookie ?? ''}`
  const answer = known.get(key)
  void (answer ? answer(response) : prepare(request).then((prepared) => known.set(key, prepared).get(key)?.(response)))
})
server.listen(config.web.port, '127.0.0.1', () => process.send?.({ type: 'ready' }))
process.once('SIGTERM', () => {
  server.close(() => void Promise.all([pool.end(), app.close()]))
  server.closeAllConnections()
})
process.once('disconnect', () => process.exit())

async function prepare({ url = '/', headers }: IncomingMessage): Promise<Answer> {
  const { pathname, search, searchParams } = new URL(url, 'http://localhost')
  const [, kind, ...rest] = pathname.split('/')
  const path = `/${rest.join('/')}${search}`
  switch (kind) {
    case 'bytes':
      return sameBytes(path)
    case 'render':
      return sameTree(path, headers.cookie ?? '')
    case 'select':
      return async (response) => {
        const { rows } = await pool.query({
          name: 'select',
          text: 'select id, sku, retail_cents from item where id = $1',
          values: [Number(rest[0])],
        })
        sendJson(response, rows[0])
      }
    case 'insert':
      return async (response) => {
        await pool.query({
          name: 'insert',
          text: 'insert into bench_row (id, item_id, quantity, at) values ($1, $2, $3, now())',
          values: [newId(), 1, 4],
        })
        sendJson(response, { ok: true })
      }
    default:
      return answerOfCase(kind ?? '', searchParams)
  }
}

/** A use case as bare JSON. */
function answerOfCase(kind: string, searchParams: URLSearchParams): Answer | Promise<Answer> {
  const ofShop = shopAnswersAt.get(kind)
  if (ofShop) return answerShop(ofShop)
  switch (kind) {
    case 'listing':
      return answerListing(searchParams)
    case 'times':
      return answerTimes((searchParams.get('shops') ?? '').split(',').map(Number))
    case 'nearest':
      return answerNearest(searchParams.get('zip') ?? '')
    case 'office-orders':
      return answerOfficeOrders(searchParams)
    case 'office-search':
      return answerOfficeSearch(searchParams.get('q') ?? '')
    default:
      throw new Error(`Nothing is measured at /${kind}.`)
  }
}

/** Headers and body as the store sends them to a guest. */
async function sameBytes(path: string): Promise<Answer> {
  const answer = await fetch(`${storeOrigin()}${path}`, { headers: { 'accept-encoding': 'identity' } })
  const body = Buffer.from(await answer.arrayBuffer())
  const headers = Object.fromEntries(
    [...answer.headers].filter(([name]) => !['connection', 'keep-alive', 'date', 'transfer-encoding'].includes(name)),
  )
  return (response) => {
    response.writeHead(200, { ...headers, 'content-length': body.length })
    response.end(body)
  }
}

function storeOrigin(): string {
  const origin = process.env.BENCH_STORE_ORIGIN
  if (!origin) throw new Error('BENCH_STORE_ORIGIN is not set.')
  return origin
}

/** The loaders run once, in the store's own build; their data is rendered again for each request. */
async function sameTree(path: string, cookie: string): Promise<Answer> {
  const url = `${config.web.origin}${path}`
  const draw = await readTree(url, cookie)
  return (response) => {
    const html = `<!DOCTYPE html>${renderToString(draw())}`
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': Buffer.byteLength(html) })
    response.end(html)
  }
}

/** Captures the React tree that the store's renderer renders, from a complete page request. */
async function readTree(url: string, cookie: string): Promise<() => ReactNode> {
  const build = await loadBuild()
  // From the store's build, because server-rendered parts use a context that exists only there.
  const { pageTree } = build.entry.module as unknown as typeof import('#app/entry.server.tsx')
  const taken = Promise.withResolvers<() => ReactNode>()
  const takeTree: ServerBuild['entry']['module']['default'] = (_request, _status, _headers, entry, context) => {
    // The store's renderer drains the stream, so it isn't part of the tree.
    delete entry.serverHandoffStream
    taken.resolve(() => pageTree(entry, context, { url, nonce: '', crumbs: [] }))
    return new Response()
  }
  const { createWebApp } = (await import(
    join(project, 'build', 'server', 'index.js')
  )) as typeof import('#app/server/web.ts')
  const hono = createWebApp(app, { ...build, entry: { module: { ...build.entry.module, default: takeTree } } })
  await hono.fetch(new Request(url, { headers: { cookie } }), {})
  return taken.promise
}

async function loadBuild(): Promise<ServerBuild> {
  const folder = join(project, 'build', 'server', 'assets')
  const [file] = await Array.fromAsync(glob('server-build-*.js', { cwd: folder }))
  if (file === undefined) throw new Error(`There is no server build in ${folder}.`)
  return (await import(join(folder, file))) as ServerBuild
}

function answerListing(params: URLSearchParams): Answer {
  const size = params.get('size') ?? ''
  const input = { scope: { sizes: [{ front: size, rear: size }] }, query: parseQuery(params) }
  return async (response) => {
    const listing = await listTires(app.catalog, input)
    if (!listing.ok) return sendJson(response, listing, 404)
    const { offers, facets, total, page, pages } = listing.value
    sendJson(response, { total, page, pages, facets, cards: offers.map(cardOf) })
  }
}

const tires = [{ rimIn: 17, aspect: 65, runFlat: false, sizeKind: 'P', quantity: 4 }]

function answerTimes(shopIds: readonly number[]): Answer {
  return async (response) => sendText(response, `[${(await firstTimes(shopIds)).map(timesJson).join(',')}]`)
}

function answerNearest(zip: string): Answer {
  return async (response) => {
    const near = await findShopsNear(app, { near: { zip }, tires, limit: 20 })
    if (!near.ok) return sendJson(response, near, 404)
    const times = await firstTimes(near.value.map(({ id }) => id))
    const shops = near.value.map(
      ({ id, name, miles, quote }, index) =>
        `{${JSON.stringify({ id, name, miles, quote }).slice(1, -1)},"times":${timesJson(times[index] ?? [])}}`,
    )
    sendText(response, `[${shops.join(',')}]`)
  }
}

function firstTimes(shopIds: readonly number[]) {
  const arrivesOn = app.clock.now().toZonedDateTimeISO('UTC').toPlainDate().add({ days: 2 })
  return earliestTimes(app, { asks: shopIds.map((shopId) => ({ shopId, tires, arrivesOn })) })
}

/**
 * Formatting an instant takes longer than finding it, so the text is cached by the array of times, which is the same
 * object while they do not change.
 */
const timesTexts = new WeakMap<readonly Opening[], string>()

function timesJson(times: readonly Opening[]): string {
  const known = timesTexts.get(times) ?? JSON.stringify(times)
  timesTexts.set(times, known)
  return known
}

let shopAnswers: ReturnType<typeof openShopAnswers> | undefined

const shopAnswersAt: ReadonlyMap<string, 'day' | 'month' | 'ownJob'> = new Map([
  ['shop-day', 'day'],
  ['shop-month', 'month'],
  ['own-job', 'ownJob'],
])

async function answerShop(kind: 'day' | 'month' | 'ownJob'): Promise<Answer> {
  shopAnswers ??= openShopAnswers(app)
  const answers = await shopAnswers
  return async (response) => sendJson(response, await answers[kind]())
}

function answerOfficeOrders(params: URLSearchParams): Answer {
  const tab = officeTabs.find((each) => each === params.get('tab')) ?? 'all'
  const query = {
    tab,
    fulfillment: null,
    companyIds: null,
    shopIds: null,
    destination: null,
    soldBy: null,
    ids: null,
    from: null,
    until: null,
  }
  const place = { after: Number(params.get('after')) || null, before: null }
  return async (response) => {
    const page = await listOfficeOrders(app, query, place)
    // A short page would cost less, and look like a faster list.
    sendJson(response, page, page.orders.length === 50 ? 200 : 500)
  }
}

function answerOfficeSearch(text: string): Answer {
  return async (response) => {
    const jobOrders = await findJobOrders(app, text, { byVin: true })
    const orders = await searchOrders(app, text, { byCustomer: true, limit: 10, jobOrders })
    sendJson(response, orders, orders.length > 0 ? 200 : 404)
  }
}

function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  sendText(response, JSON.stringify(value), status)
}

function sendText(response: ServerResponse, body: string, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  response.end(body)
}
