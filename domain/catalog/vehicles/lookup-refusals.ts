import type { Refused } from '#platform/outcome.ts'

type TooMany = Refused<'too-many', { retryAfterSeconds: number }>
/** `unavailable`: the decoder or provider failed. `not-listed`: the finder doesn't have the vehicle with this name. */
export type NotFound = Refused<'unavailable' | 'unknown'> | Refused<'not-listed', { name: string }>

/** Why a VIN leads to no vehicle. */
export type VinRefusal = Refused<'not-a-vin' | 'wrong-check-digit'> | NotFound | TooMany
/** Why a license plate leads to no vehicle. `not-offered`: the store has no provider. */
export type PlateRefusal = Refused<'not-a-plate' | 'not-a-state' | 'not-offered'> | NotFound | TooMany
