/**
 * The context of the current request. Its ID comes with the request or is generated on arrival. Log lines, provider
 * calls, and queued jobs use it implicitly, and so do trace spans. Counts the request's database statements and records
 * the cached readings in its response.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span } from '@opentelemetry/api'

// The server bundle has its own copy of this module, different from the one in application.ts, and both must share the
// request.
const key = Symbol.for('sidewall.request-scope')
type Counted = { statements: number; roundTrips: number; readings: Set<string> }
type Scope = {
  requestId: string | undefined
  counted: Counted
  /** Undefined where this request is not traced. */
  span: Span | undefined
}
const shared = globalThis as { [key]?: AsyncLocalStorage<Scope> }
const scope = (shared[key] ??= new AsyncLocalStorage())

/** Runs `work`, and everything it starts, for the request `requestId`. */
export function withRequestId<Value>(requestId: string, work: () => Value): Value {
  return scope.run({ requestId, counted: nothingCounted(), span: undefined }, work)
}

/** Runs `work` as what `span` measures, for the same request. */
export function withSpan<Value>(span: Span, work: () => Value): Value {
  const { requestId, counted = nothingCounted() } = scope.getStore() ?? {}
  return scope.run({ requestId, counted, span }, work)
}

function nothingCounted(): Counted {
  return { statements: 0, roundTrips: 0, readings: new Set() }
}

/** Undefined outside of requests and jobs. */
export function currentRequestId(): string | undefined {
  return scope.getStore()?.requestId
}

/** Returns the current innermost span. Undefined without tracing. */
export function currentSpan(): Span | undefined {
  return scope.getStore()?.span
}

/** Counts one statement. */
export function countStatement(): void {
  const running = scope.getStore()
  if (running) running.counted.statements += 1
}

/** Counts one packet of statements to the database. */
export function countRoundTrip(): void {
  const running = scope.getStore()
  if (running) running.counted.roundTrips += 1
}

/** How many statements this request has sent so far, `commit` included, and in how many round trips. */
export function statementsSoFar(): { statements: number; roundTrips: number } {
  const { statements = 0, roundTrips = 0 } = scope.getStore()?.counted ?? {}
  return { statements, roundTrips }
}

/** Notes a kept reading that the answer to this request rests on. */
export function noteReading(name: string): void {
  scope.getStore()?.counted.readings.add(name)
}

/** The kept readings noted for this request so far. */
export function readingsSoFar(): ReadonlySet<string> {
  return scope.getStore()?.counted.readings ?? new Set()
}

/** The header for calls to other servers, so that both sides can find the same event in their logs. */
export function requestIdHeader(): Record<string, string> {
  const requestId = currentRequestId()
  return requestId === undefined ? {} : { 'x-request-id': requestId }
}

/** Returns an external ID if it's well-formed, because it's written to logs and headers. */
export function readRequestId(text: unknown): string | undefined {
  return typeof text === 'string' && /^[\w-]{8,64}$/.test(text) ? text : undefined
}
