/**
 * The request that the running code serves. Its id comes with the request or is generated on arrival; log lines,
 * provider calls and queued jobs pick it up without passing it along.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

// The server bundle has its own copy of this module besides the one shop.ts loads; both must see the same request.
const key = Symbol.for('sidewall.request-scope')
const shared = globalThis as { [key]?: AsyncLocalStorage<string> }
const scope = (shared[key] ??= new AsyncLocalStorage())

/** Runs `work`, and everything it starts, for the request `requestId`. */
export function withRequestId<Value>(requestId: string, work: () => Value): Value {
  return scope.run(requestId, work)
}

/** Undefined outside of requests and jobs. */
export function currentRequestId(): string | undefined {
  return scope.getStore()
}

/** The header for calls to other servers, so that both sides can find the same event in their logs. */
export function requestIdHeader(): Record<string, string> {
  const requestId = currentRequestId()
  return requestId === undefined ? {} : { 'x-request-id': requestId }
}

/** An id from outside, if it is well-formed, since it goes into logs and headers. */
export function readRequestId(text: unknown): string | undefined {
  return typeof text === 'string' && /^[\w-]{8,64}$/.test(text) ? text : undefined
}
