import type { Taken } from '#platform/attempts.ts'

/**
 * Limits the sign-ins started from one network address. The provider protects passwords; this protects the local start.
 */
export interface SignInLimits {
  /** Counts one; refuses when there have been too many. */
  take(from: string): Promise<Taken>
}

export const signInAttempts = { count: 40, minutes: 10 } as const
