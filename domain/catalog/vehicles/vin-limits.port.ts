import type { Taken } from '#platform/attempts.ts'

/** Limits VIN lookups by shoppers. */
export interface VinLimits {
  /** Counts one lookup by a network address; rejects it when the address has made too many. */
  take(from: string): Promise<Taken>
}

/** Lookups from one network within the window, enough for a household's vehicles including typos. */
export const vinLookupAttempts = { perAddress: 20, windowMinutes: 60 } as const
