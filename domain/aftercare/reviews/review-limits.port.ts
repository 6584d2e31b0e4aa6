import type { Taken } from '#platform/attempts.ts'

/** Limits reviews and votes per network address. */
export interface ReviewLimits {
  /** Counts one; refuses when the address has made too many. */
  take(of: 'review' | 'vote', from: string): Promise<Taken>
}

/** Enough for a household with several cars, far too few for a campaign. */
export const reviewAttempts = { review: { count: 5, minutes: 60 }, vote: { count: 60, minutes: 10 } } as const
