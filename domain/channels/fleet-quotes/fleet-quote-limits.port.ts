import type { Taken } from '#platform/attempts.ts'

/** Lists that a company may have read in a day; each VIN is looked up. */
export const fleetListsPerDay = 20

/** Limits the lists of VINs that a company has read. */
export interface FleetQuoteLimits {
  /** Counts one list; refuses when the company had too many read in a day. */
  take(companyId: string): Promise<Taken>
}
