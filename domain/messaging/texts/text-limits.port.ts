import type { Taken } from '#platform/attempts.ts'

/** Limits confirmation requests to phones entered by an account, because each costs money, and may go to a stranger. */
export interface TextLimits {
  /** Counts one; refuses when the account, or the network `from`, asked too often. */
  take(asked: { accountId: string; from: string }): Promise<Taken>
}

/** Enough to correct a mistyped number twice. */
export const textRequests = { perAccount: 3, perNetwork: 10, minutes: 24 * 60 } as const
