/**
 * The trace of the current call. Webhooks caused by the call include it, unlike real providers' webhooks, so the demo's
 * traces are complete.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

const cause = new AsyncLocalStorage<string>()

/** Runs `work` as the effect of a call with this `traceparent` header. */
export function becauseOf<Value>(traceparent: string | undefined, work: () => Value): Value {
  return traceparent !== undefined && /^00-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/.test(traceparent)
    ? cause.run(traceparent, work)
    : work()
}

/** Undefined outside a traced call. */
export function currentCause(): string | undefined {
  return cause.getStore()
}
