import type { Outcome, Refused } from '#platform/outcome.ts'

/** The manufacturer's data at NHTSA about a vehicle, verbatim; null if missing. */
export type DecodedVin = {
  readonly year: number
  readonly make: string
  readonly model: string
  readonly trim: string | null
  readonly series: string | null
  readonly body: string | null
}

/** Reads vehicles from their VINs without an outside service. */
export interface VinDecoder {
  /**
   * Returns the decoded vehicles by VIN; one that cannot be read is missing. Refuses with `unavailable` when the decoder
   * failed, which it logs without the VINs, or when too many lists are waiting. Never throws.
   */
  decode(vins: readonly string[]): Promise<Outcome<ReadonlyMap<string, DecodedVin>, Refused<'unavailable'>>>
}
