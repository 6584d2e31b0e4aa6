/**
 * A span for every call to another server, whichever library makes it: Node announces them on channels of its own
 * (`node:diagnostics_channel`), so that nothing has to be patched and no adapter to be asked. Only listened to while
 * traces are sent.
 */
import { subscribe, unsubscribe, type ChannelListener } from 'node:diagnostics_channel'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { SpanKind, SpanStatusCode, type Span } from '@opentelemetry/api'
import { markFailed, openStep, traceparentOf } from './tracing.ts'

type Settings = { ownOrigins: readonly string[]; knownOrigins: readonly string[]; exporter: string }

type Call = { method: string; origin: string; path: string }

/** What undici, which is behind `fetch`, tells of a request. */
type FetchRequest = { method: string; origin: string | URL; path: string; addHeader(name: string, value: string): void }

/**
 * Traces calls until the result is called. Servers of `ownOrigins` are told the trace; those of `knownOrigins` are
 * named with the shape of the path; of any other only the host is kept, and of the `exporter` of traces nothing.
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
