import type { Outcome, Refused } from '#platform/outcome.ts'

/** The result of counting an attempt. Success, or too many attempts with the seconds until the next. */
export type Taken = Outcome<void, Refused<'too-many', { retryAfterSeconds: number }>>

/** Combines two counters that must both allow the attempt. If both refuse, returns the longer wait. */
export function longerOf(first: Taken, second: Taken): Taken {
  if (first.ok || second.ok) return first.ok ? second : first
  return first.detail.retryAfterSeconds > second.detail.retryAfterSeconds ? first : second
}

/** A caller's current minute, with the calls including this one, and the remaining time. */
export type CallWindow = { calls: number; msLeft: number }

/** Counts calls by key across processes. */
export type CallCounts = {
  /** Counts one call. `most` is the limit, which determines how precisely other processes need the count. */
  count(key: string, most: number): CallWindow
}
