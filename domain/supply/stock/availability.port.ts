/** A supplier's web service for availability and cost. */
import type { Outcome, Refused } from '#platform/outcome.ts'

export interface AvailabilityService {
  /**
   * Queries the units and cost of part numbers in one request. A part number that is missing in the answer is not
   * available. Refuses `unavailable` with the fault if there is no complete answer within `timeoutMs`.
   */
  query(
    to: AvailabilityConnection,
    partNumbers: readonly string[],
    options: { timeoutMs: number },
  ): Promise<Outcome<AvailablePart[], Refused<'unavailable', { fault: string }>>>
  /** Returns why an address can't be queried; null if it can. */
  refuse(url: string): 'bad-address' | 'not-https' | 'private-address' | null
}

/** The address and key of a supplier's service. */
export type AvailabilityConnection = { url: string; key: string }

/** A part as its supplier sells it. */
export type AvailablePart = {
  /** The manufacturer's part number. */
  partNumber: string
  brand: string
  /** What the supplier charges for one; null if the answer has no cost. */
  costCents: number | null
  branches: { id: string; units: number }[]
}

/** The most part numbers in one request. */
export const maxPartNumbers = 100
