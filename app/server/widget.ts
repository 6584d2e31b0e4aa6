/** The partner widget, with its script, data, and referred visits. docs/widget.md explains how to embed it. */
import { Hono, type MiddlewareHandler } from 'hono'
import { createLimits } from '#http/call-limits.ts'
import type { AppRequest } from '#app/server/app-request.ts'
import { widgetScript } from '#app/server/widget-script.server.ts'
import { readWidgetOffers, type WidgetAsked } from '#app/views/widget.server.ts'
import { serverPaths } from '#content/server-paths.ts'
import { installerIdOf } from '#domain/installer-portal/branded-stores/branded-stores.ts'
import { findShop } from '#domain/scheduling/installers/installers.server.ts'
import { widgetIdOf, widgetSourceOf } from '#domain/customers/programs/programs.ts'
import { countVisit, findScript, findWidget } from '#domain/customers/programs/programs.server.ts'
import { decodeChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { securityHeaders } from '#http/security.ts'
import { cookiesFor } from '#http/visitor.ts'
import { isDatabaseUnavailable } from '#platform/db.ts'
import type { Application } from '#application'

/** Calls of one key in a minute, from all pages it is on. */
const callsOfKey = 600

/** Creates the routes of the widget. */
export function createWidget(app: Application): Hono {
  const hono = new Hono()
  const limits = createLimits(app.callCounts, 'widget', callsOfKey * app.limitFactor)
  const script = { 'content-type': 'text/javascript; charset=utf-8', 'cross-origin-resource-policy': 'cross-origin' }
  // SRI only checks CORS-readable responses. The script is requested with CORS, and contains no private data.
  const anyone = { ...script, 'access-control-allow-origin': '*' }
  hono.get(serverPaths.widgetScript(), (c) =>
    c.body(widgetScript.source, 200, { ...anyone, 'cache-control': 'public, max-age=300' }),
  )
  hono.get('/widget/v1/:file{[0-9a-f]{16}\\.js}', async (c) => {
    const hash = c.req.param('file').slice(0, 16)
    const source = hash === widgetScript.hash ? widgetScript.source : await findScript(app, hash)
    if (source === undefined) return c.notFound()
    return c.body(source, 200, { ...anyone, 'cache-control': 'public, max-age=31536000, immutable' })
  })
  hono.get('/widget/v1/offers', async (c) => {
    const origin = c.req.header('origin')
    const widget = await findWidget(app, widgetIdOf(c.req.query('key') ?? '') ?? '')
    if (!widget) return refuse(401, 'This widget key is not known, or closed.')
    if (origin === undefined || !isAllowed(app, widget.origins, origin))
      return refuse(403, 'This page is not on the list of the widget key. Its partner can add it in the store account.')
    const open = { 'access-control-allow-origin': origin, vary: 'Origin' }
    const taken = limits.take(widget.id)
    if (taken.isOver)
      return refuse(429, 'Too many calls with this widget key.', {
        ...open,
        ...taken.headers,
        'retry-after': String(taken.resetSeconds),
      })
    const asked = askedOf(new URL(c.req.url).searchParams, widget.id)
    if (!asked) return refuse(400, 'Send a shop, and a size or a vehicle.', open)
    const found = await readWidgetOffers(app, asked)
    if (!found) return refuse(404, 'There are no tires for this.', open)
    return Response.json(found, {
      headers: { ...open, ...taken.headers, 'cache-control': 'private, max-age=60', 'x-robots-tag': 'noindex' },
    })
  })
  return hono
}

/** Exactly an origin of the list; in the demo also the sandbox's sample page. */
function isAllowed({ config }: Application, origins: readonly string[], origin: string): boolean {
  return origins.includes(origin) || (config.demo && origin === config.sandbox.origin)
}

function refuse(status: number, detail: string, headers: Record<string, string> = {}): Response {
  return Response.json({ detail }, { status, headers: { 'cache-control': 'no-store', vary: 'Origin', ...headers } })
}

function askedOf(query: URLSearchParams, widgetId: string): WidgetAsked | null {
  const shopCode = installerIdOf(query.get('shop') ?? '')
  const size = /^[a-z0-9.-]{5,24}$/.exec(query.get('size') ?? '')?.[0]
  const vehicle = size === undefined ? decodeChosenVehicle((query.get('vehicle') ?? '').slice(0, 600)) : undefined
  if (shopCode === undefined || (size === undefined && !vehicle)) return null
  const wanted = vehicle ? { vehicle } : { size: size ?? '' }
  return { widgetId, shopCode, source: widgetSourceOf(query.get('source')), wanted }
}

const visitParameters = ['channel', 'widgetId', 'installerId', 'source', 'widgetVehicle'] as const

/**
 * Redirects a URL with widget parameters to the same URL without them. A first-party cookie stores the widget and its
 * shop until the cart has them; closed and unknown keys are ignored.
 */
export function enterByWidget(app: Application): MiddlewareHandler<AppRequest> {
  return async (c, next) => {
    const { pathname, searchParams } = new URL(c.req.url)
    const widgetId = widgetIdOf(searchParams.get('widgetId') ?? '')
    if (widgetId === undefined || /^\/api\/|^\/widget|\.data$/.test(pathname)) return next()
    const shopCode = installerIdOf(searchParams.get('installerId') ?? '')
    const [widget, place] = await readVisit(app, widgetId, shopCode)
    if (!widget) return next()
    const source = widgetSourceOf(searchParams.get('source'))
    await countVisit(app, { widgetId: widget.id, source })
    const cookies = cookiesFor(app.config)
    // Who chose a time at the shop is shown the shops around it.
    const takesZip = c.get('visitor').zip === undefined || searchParams.has('slot')
    const vehicle = (searchParams.get('widgetVehicle') ?? '').slice(0, 600)
    const kept = [
      cookies.widget({ id: widget.id, shopCode: place && shopCode ? shopCode : null, source }),
      ...(place && takesZip ? [cookies.zip(place.zip)] : []),
      ...(decodeChosenVehicle(vehicle) ? [cookies.vehicle(vehicle)] : []),
    ]
    const answer = seeOther(
      withoutVisit(pathname, searchParams),
      kept.map((cookie): [string, string] => ['set-cookie', cookie]),
    )
    for (const [name, value] of Object.entries(securityHeaders(app.config, null))) answer.headers.set(name, value)
    answer.headers.set('cache-control', 'private, no-store')
    answer.headers.set('x-robots-tag', 'noindex')
    return answer
  }
}

/** The address of a page without what a widget added to it. */
function withoutVisit(pathname: string, query: URLSearchParams): string {
  const rest = new URLSearchParams(query)
  for (const name of visitParameters) rest.delete(name)
  const path = pathname.replace(/^\/+/, '/')
  return rest.size === 0 ? path : `${path}?${rest.toString()}`
}

async function readVisit(app: Application, widgetId: string, shopCode: string | undefined) {
  try {
    return await Promise.all([
      findWidget(app, widgetId),
      shopCode === undefined ? undefined : findShop(app, { code: shopCode }),
    ])
  } catch (error) {
    // Our own store reports that the database is down.
    if (isDatabaseUnavailable(error)) return [undefined, undefined] as const
    throw error
  }
}
