import type { Taken } from '#platform/attempts.ts'

/** Limits questions to phones that an account names: each costs money, and may reach a stranger. */
export interface TextLimits {
  /** Counts one; refuses when the account, or the network `from`, asked too often. */
  take(asked: { accountId: string; from: string }): Promise<Taken>
}

/** Enough to correct a mistyped number twice. */
export const textRequests = { perAccount: 3, perNetwork: 10, minutes: 24 * 60 } as const
