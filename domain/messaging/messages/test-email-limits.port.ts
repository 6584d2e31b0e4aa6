import type { Taken } from '#platform/attempts.ts'

/** Limits how many test emails one team member sends. */
export interface TestEmailLimits {
  /** Counts one test email to this address; refuses when it got too many. */
  take(email: string): Promise<Taken>
}

/** Enough to work on a template, too few to fill a mailbox. */
export const testEmails = { count: 20, minutes: 60 } as const
