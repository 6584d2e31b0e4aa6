import type { Outcome, Refused } from '#platform/outcome.ts'

/**
 * What a counter of tries answers: the try counts, or there were too many and the next may come after so many seconds.
 */
export type Taken = Outcome<void, Refused<'too-many', { retryAfterSeconds: number }>>

/** The answer of two counters that both must agree: a refusal, the longer one if there are two. */
export function longerOf(first: Taken, second: Taken): Taken {
  if (first.ok || second.ok) return first.ok ? second : first
  return first.detail.retryAfterSeconds > second.detail.retryAfterSeconds ? first : second
}
