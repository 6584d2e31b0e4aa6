/** Eligibility and validity for the military discount. Safe in the browser. */

/** Months that a verification counts. */
export const verificationMonths = 12
/** How long the way to the provider and back may take. */
export const attemptMinutes = 30

/** A verification as its owner sees it. */
export type Verification = { group: string; verifiedAt: Temporal.Instant; endsAt: Temporal.Instant }

/** Reasons a verification failed. */
export type VerificationRefusal =
  | 'not-offered'
  | 'declined'
  | 'not-verified'
  | 'not-ours'
  | 'used-elsewhere'
  | 'unavailable'

/** The day a verification of `verifiedAt` no longer counts. */
export function verifiedUntil(verifiedAt: Temporal.Instant, zone: string): Temporal.Instant {
  return verifiedAt.toZonedDateTimeISO(zone).add({ months: verificationMonths }).toInstant()
}
