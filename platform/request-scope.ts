/**
 * Which request the running code works for. The id comes in with the request or is made at the door; log lines, calls
 * to providers and jobs that the request asks for carry it on without being handed it.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

// The server bundle has a copy of this module beside that of shop.ts, and both must mean the same request.
const key = Symbol.for('sidewall.request-scope')
const shared = globalThis as { [key]?: AsyncLocalStorage<string> }
const scope = (shared[key] ??= new AsyncLocalStorage())

/** Runs `work`, and whatever it starts, for the request `requestId`. */
export function withRequestId<Value>(requestId: string, work: () => Value): Value {
  return scope.run(requestId, work)
}

/** Undefined outside of requests and jobs. */
export function currentRequestId(): string | undefined {
  return scope.getStore()
}

/** What a call to somebody else's server carries, so that both can find the same event in their logs. */
export function requestIdHeader(): Record<string, string> {
  const requestId = currentRequestId()
  return requestId === undefined ? {} : { 'x-request-id': requestId }
}

/** An id from outside, if it has the form of one: it goes into logs and headers. */
export function readRequestId(text: unknown): string | undefined {
  return typeof text === 'string' && /^[\w-]{8,64}$/.test(text) ? text : undefined
}
