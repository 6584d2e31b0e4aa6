import type { Taken } from '#platform/attempts.ts'

/** Limits the quote emails per account, because each one is priced first, and may go to a stranger. */
export interface QuoteLimits {
  /** Counts one email; refuses when the account had too many sent. */
  take(accountId: string): Promise<Taken>
}

/** More than a busy salesperson sends in a day, and too few to write to people who never asked. */
export const quoteSends = { perAccount: 40, minutes: 24 * 60 } as const
