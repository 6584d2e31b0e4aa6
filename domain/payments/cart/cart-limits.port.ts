import type { Taken } from '#platform/attempts.ts'

/** Limits how many carts are made from one network address. */
export interface CartLimits {
  /** Counts one cart; refuses when the address has made too many. */
  take(from: string): Promise<Taken>
}

/** Enough for an office that shops at lunch, far too few to fill a database. */
export const cartAttempts = { count: 100, minutes: 60 } as const
