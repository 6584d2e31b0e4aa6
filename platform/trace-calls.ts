/**
 * Creates a span for every outgoing HTTP call, from any library, with Node's own diagnostics channels
 * (`node:diagnostics_channel`), so that libraries aren't patched and adapters don't need changes. Subscribes only while
 * traces are exported.
 */
import { subscribe, unsubscribe, type ChannelListener } from 'node:diagnostics_channel'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { SpanKind, SpanStatusCode, type Span } from '@opentelemetry/api'
import { markFailed, openStep, traceparentOf } from './tracing.ts'

type Settings = { ownOrigins: readonly string[]; knownOrigins: readonly string[]; exporter: string }

type Call = { method: string; origin: string; path: string }

/** The request data of undici, the library behind `fetch`. */
type FetchRequest = { method: string; origin: string | URL; path: string; addHeader(name: string, value: string): void }

/**
 * Traces calls until the returned function is called. Sends the trace to servers of `ownOrigins`. Spans of
 * `knownOrigins` contain the path's shape, all others only the host, and calls to the trace `exporter` aren't traced.
 */
export function traceCalls(settings: Settings): () => void {
  const open = new WeakMap<object, Span>()
  const begin = (request: object, call: Call, tell: (name: string, value: string) => void) => {
    const span = spanOf(call, settings)
    if (!span) return
    open.set(request, span)
    if (settings.ownOrigins.includes(call.origin)) tell('traceparent', traceparentOf(span))
  }
  const end = (request: object, status: number) => {
    const span = open.get(request)
    if (!span) return
    span.setAttribute('http.response.status_code', status)
    if (status >= 400) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
    open.delete(request)
  }
  const fail = (request: object, error: unknown) => {
    const span = open.get(request)
    if (!span) return
    markFailed(span, error)
    span.end()
    open.delete(request)
  }
  const listeners: Record<string, ChannelListener> = {
    'http.client.request.created': (message) => {
      const { request } = message as { request: ClientRequest }
      const { method, protocol, path } = request
      const host = request.getHeader('host')
      if (typeof host !== 'string' || request.headersSent) return
      begin(request, { method, origin: `${protocol}//${host}`, path }, (name, value) => request.setHeader(name, value))
    },
    'http.client.response.finish': (message) => {
      const { request, response } = message as { request: ClientRequest; response: IncomingMessage }
      end(request, response.statusCode ?? 0)
    },
    'http.client.request.error': (message) => {
      const { request, error } = message as { request: ClientRequest; error: unknown }
      fail(request, error)
    },
    'undici:request:create': (message) => {
      const { request } = message as { request: FetchRequest }
      const { method, origin, path } = request
      begin(request, { method, origin: String(origin), path }, (name, value) => request.addHeader(name, value))
    },
    'undici:request:headers': (message) => {
      const { request, response } = message as { request: object; response: { statusCode: number } }
      end(request, response.statusCode)
    },
    'undici:request:error': (message) => {
      const { request, error } = message as { request: object; error: unknown }
      fail(request, error)
    },
  }
  for (const [name, listener] of Object.entries(listeners)) subscribe(name, listener)
  return () => {
    for (const [name, listener] of Object.entries(listeners)) unsubscribe(name, listener)
  }
}

function spanOf({ method, origin, path }: Call, { ownOrigins, knownOrigins, exporter }: Settings): Span | undefined {
  const url = URL.parse(origin)
  if (!url || exporter.startsWith(`${url.origin}/`)) return undefined
  const isKnown = knownOrigins.includes(url.origin) || ownOrigins.includes(url.origin)
  const shape = isKnown ? ` ${shapeOf(path)}` : ''
  return openStep({
    name: `${method} ${url.hostname}${shape}`,
    kind: SpanKind.CLIENT,
    attributes: { 'http.request.method': method, 'server.address': url.hostname },
  })
}

/** A path without its query and without what names one thing: `/v1/payment_intents/pi_8Kq` is `/v1/payment_intents/…`. */
function shapeOf(path: string): string {
  const [bare = '/'] = path.split('?', 1)
  const parts = bare.split('/').slice(0, 8)
  return parts.map((part) => (/^(?:v\d{1,2}|[a-z][a-z_-]{0,30}|)$/i.test(part) ? part : '…')).join('/')
}
