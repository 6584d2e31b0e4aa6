/** The parts of accounts the browser may use. */
import type { Person } from '#domain/accounts/identity-provider.port.ts'
import { SIGN_IN_SECONDS } from '#platform/business-constants.ts'

export { addressForm } from './address-form.ts'
export { agentScopes, allScopes, appScopes, type AccountApp, type AppScope } from './apps.ts'
export { readingsForm } from './readings-form.ts'
export { rotationMiles, rotationMonths } from './rotation.ts'
export { mostRotations, rotationForm } from './tire-log.ts'

/** How long a browser stays signed in, in seconds: 30 days per the specification. */
export const sessionSeconds = SIGN_IN_SECONDS

/** How long a round trip to the sign-in provider may take. */
export const attemptMinutes = 10

/** What a round trip to the sign-in provider opens: a shopper's account, the back office, or the portal of shops. */
export type SignInPurpose = 'shop' | WorkPurpose
export type WorkPurpose = 'office' | 'portal'

/** Why an email gives no access; `verification-unstated`: the provider never says whether an email is verified. */
export type UnverifiedReason = 'unverified' | 'verification-unstated'

/** Returns why the email of a person whose email is not verified gives no access. */
export function unverifiedReason({ isVerificationUnstated }: Pick<Person, 'isVerificationUnstated'>): UnverifiedReason {
  return isVerificationUnstated ? 'verification-unstated' : 'unverified'
}

/** Who is signed in. */
export type SignedIn = {
  sessionId: string
  accountId: string
  name: string | null
  email: string | null
  isEmailVerified: boolean
}

/** The cookie for declining One Tap. Written by script; contains nothing about the account. */
export const oneTapCookie = 'one_tap'

/** How long declining lasts. */
export const oneTapNoDays = 30

/**
 * Whether to offer One Tap (specification, section 4): only when signed out, not on the employee and special-order
 * variants, and not after it was declined.
 */
export function offersOneTap({
  isSignedIn,
  variant,
  cookies,
}: {
  isSignedIn: boolean
  variant: 'employee' | 'special-order' | null
  cookies: string
}): boolean {
  return !isSignedIn && variant === null && !cookies.split('; ').some((cookie) => cookie.startsWith(`${oneTapCookie}=`))
}

const longestShortName = 20

/** A short display name: the first name, or the email's local part. */
export function shortName({ name, email }: Pick<SignedIn, 'name' | 'email'>): string {
  const short = name?.trim().split(/\s+/)[0] || email?.split('@')[0] || 'Account'
  return short.length > longestShortName ? `${short.slice(0, longestShortName)}…` : short
}
