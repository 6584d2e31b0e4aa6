/** The parts of accounts the browser may use. */
import { SIGN_IN_SECONDS } from '#platform/business-constants.ts'

export { addressForm } from './address-form.ts'
export { agentScopes, allScopes, appScopes, type AccountApp, type AppScope } from './apps.ts'
export { readingsForm } from './readings-form.ts'
export { nextRotation, rotationMiles, rotationMonths, type NextRotation } from './rotation.ts'

/** How long a browser stays signed in, in seconds: 30 days per the specification. */
export const sessionSeconds = SIGN_IN_SECONDS

/** How long a round trip to the sign-in provider may take. */
export const attemptMinutes = 10

/** People sign in to a shopper's account, the back office, or the installer portal. */
export type SignInPurpose = 'shop' | WorkPurpose
export type WorkPurpose = 'office' | 'portal'

/** A signed-in person. */
export type SignedIn = {
  sessionId: string
  accountId: string
  name: string | null
  email: string | null
  isEmailVerified: boolean
}

/** The cookie for declining One Tap, written by script and without account data. */
export const oneTapCookie = 'one_tap'

/** How long declining lasts. */
export const oneTapNoDays = 30

/**
 * Returns whether to offer One Tap (specification, section 4). Only when signed out, not on the employee and
 * special-order variants, and not after it was declined.
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

/** Returns a short display name. It is the first name, or the email's local part. */
export function shortName({ name, email }: Pick<SignedIn, 'name' | 'email'>): string {
  const short = name?.trim().split(/\s+/)[0] || email?.split('@')[0] || 'Account'
  return short.length > longestShortName ? `${short.slice(0, longestShortName)}…` : short
}
