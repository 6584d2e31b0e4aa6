import type { Outcome, Refused } from '#platform/outcome.ts'

/** The answer of an attempt counter: the attempt was counted, or there were too many, with the seconds to wait. */
export type Taken = Outcome<void, Refused<'too-many', { retryAfterSeconds: number }>>

/** Combines two counters that must both allow the attempt. If both refuse, returns the longer wait. */
export function longerOf(first: Taken, second: Taken): Taken {
  if (first.ok || second.ok) return first.ok ? second : first
  return first.detail.retryAfterSeconds > second.detail.retryAfterSeconds ? first : second
}

/** A caller's running minute: the calls counted in it, this one included, and how long it still lasts. */
export type CallWindow = { calls: number; msLeft: number }

/** Counts calls by key, whoever answers them. */
export type CallCounts = {
  /** Counts one call. `most` is the limit, which says how exactly others need to know. */
  count(key: string, most: number): CallWindow
}
