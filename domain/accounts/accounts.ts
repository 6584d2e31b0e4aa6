/** Accounts, as far as the browser may know them. */
import { SIGN_IN_SECONDS } from '#platform/business-constants.ts'

export { addressForm } from './address-form.ts'
export { appScopes, type AccountApp, type AppScope } from './apps.ts'
export { readingsForm } from './readings-form.ts'
export { rotationMiles, rotationMonths } from './rotation.ts'

/** How long a browser stays signed in, in seconds: 30 days, as the specification has it. */
export const sessionSeconds = SIGN_IN_SECONDS

/** How long the way to the sign-in provider and back may take. */
export const attemptMinutes = 10

/** Who is signed in. */
export type SignedIn = {
  sessionId: string
  accountId: string
  name: string | null
  email: string | null
  isEmailVerified: boolean
}

/**
 * The cookie that says that somebody does not want to be asked with one tap. Script writes it; nothing of the account
 * is in it.
 */
export const oneTapCookie = 'one_tap'

/** How long such a no is kept. */
export const oneTapNoDays = 30

/**
 * Whether one tap is offered (specification, section 4): only to who is signed out, not on the employee and
 * special-order variants, and not after a no.
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

/** What an account is called where there is little room: the first name, or the email's. */
export function shortName({ name, email }: Pick<SignedIn, 'name' | 'email'>): string {
  const short = name?.trim().split(/\s+/)[0] || email?.split('@')[0] || 'Account'
  return short.length > longestShortName ? `${short.slice(0, longestShortName)}…` : short
}
