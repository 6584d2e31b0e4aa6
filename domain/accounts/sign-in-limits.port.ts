import type { Taken } from '#platform/attempts.ts'

/**
 * Limits how many sign-ins one network address begins. The provider protects passwords; this limits what is started
 * here.
 */
export interface SignInLimits {
  /** Counts one; refuses when there have been too many. */
  take(from: string): Promise<Taken>
}

export const signInAttempts = { count: 40, minutes: 10 } as const
