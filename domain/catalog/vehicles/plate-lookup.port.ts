import type { Outcome, Refused } from '#platform/outcome.ts'

/** A license plate without spaces and dashes, in capitals, with its state's two-letter code. */
export type LicensePlate = { readonly plate: string; readonly state: string }

/** Looks up license plates at a provider that charges for each one. */
export interface PlateLookup {
  /**
   * Returns the VIN of a plate's vehicle, unchecked. Refuses with `unknown` if the provider has no data about it, and with
   * `unavailable` if it failed or has no lookups left, which is logged without the plate. Never throws.
   */
  vinOf(plate: LicensePlate): Promise<Outcome<string, Refused<'unknown' | 'unavailable'>>>
}
