import type { Taken } from '#platform/attempts.ts'

/** Counts the carts that are made from one network address. */
export interface CartLimits {
  /** Counts one; refuses when the address had too many. */
  take(from: string): Promise<Taken>
}

/** Enough for an office that shops at lunch, far too few to fill a database with. */
export const cartAttempts = { count: 100, minutes: 60 } as const
