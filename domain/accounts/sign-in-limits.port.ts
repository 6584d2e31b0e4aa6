import type { Taken } from '#platform/attempts.ts'

/**
 * Counts the sign-ins that one network address begins. Passwords are the provider's to protect; this keeps what is
 * begun here within bounds.
 */
export interface SignInLimits {
  /** Counts one; refuses when there have been too many. */
  take(from: string): Promise<Taken>
}

export const signInAttempts = { count: 40, minutes: 10 } as const
