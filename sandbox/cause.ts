/**
 * The trace of the call that the sandbox answers: what it posts back because of that call names it, as providers of real
 * stores do not, so that a demo's traces are whole.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

const cause = new AsyncLocalStorage<string>()

/** Runs `work` as the effect of a call with this `traceparent` header. */
export function becauseOf<Value>(traceparent: string | undefined, work: () => Value): Value {
  return traceparent !== undefined && /^00-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/.test(traceparent)
    ? cause.run(traceparent, work)
    : work()
}

/** Undefined where nobody's call is answered, or it is not traced. */
export function currentCause(): string | undefined {
  return cause.getStore()
}
