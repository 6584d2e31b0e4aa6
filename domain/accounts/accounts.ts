/** Accounts, as far as the browser may know them. */

export { addressForm } from './address-form.ts'
export { readingsForm } from './readings-form.ts'
export { rotationMiles, rotationMonths } from './rotation.ts'

/** How long a browser stays signed in, in seconds: 30 days, as the specification has it. */
export const sessionSeconds = 2_592_000

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

/** What an account is called where there is little room: the first name, or the email's. */
export function shortName({ name, email }: Pick<SignedIn, 'name' | 'email'>): string {
  return name?.trim().split(/\s+/)[0] || email?.split('@')[0] || 'Account'
}
