import type { Taken } from '#platform/attempts.ts'

/** Limits the lists of VINs that a company has read. */
export interface FleetQuoteLimits {
  /** Counts one list; refuses when the company had too many read in a day. */
  take(companyId: string): Promise<Taken>
}
