/** Messages about verifying military service. */
import type { VerificationRefusal } from '#domain/pricing/military/military.ts'

export const verificationMessages: Readonly<Record<VerificationRefusal, string>> = {
  'not-offered': 'We cannot verify military service at the moment.',
  declined: 'You left before verifying. You can try again.',
  'not-verified': 'ID.me could not verify military service. Try again with other records, or go on without it.',
  'not-ours':
    'This verification was started in another account, took longer than 30 minutes, or was already used. Start again.',
  'used-elsewhere':
    'You’re already verified on another account. Remove the verification there first. Each person can use the discount on one account.',
  unavailable: 'ID.me is not responding right now. Try again in a moment.',
}
