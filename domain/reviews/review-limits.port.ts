import type { Taken } from '#platform/attempts.ts'

/** Counts what one network address does to reviews. */
export interface ReviewLimits {
  /** Counts one; refuses when the address has had too many. */
  take(of: 'review' | 'vote', from: string): Promise<Taken>
}

/** Enough for a household with several cars, far too few for a campaign. */
export const reviewAttempts = { review: { count: 5, minutes: 60 }, vote: { count: 60, minutes: 10 } } as const
