/** Messages about verifying military service. */
import type { VerificationRefusal } from '#domain/military/military.ts'

export const verificationMessages: Readonly<Record<VerificationRefusal, string>> = {
  'not-offered': 'We cannot verify military service at the moment.',
  declined: 'You came back without verifying. Nothing has changed.',
  'not-verified': 'ID.me could not verify military service. Try again with other records, or go on without it.',
  'not-ours':
    'This verification was begun in another account, took longer than 30 minutes, or was already used. Start again.',
  'used-elsewhere':
    'This person is verified for another account here. Remove it there first: one person gives one account the discount.',
  unavailable: 'ID.me is not responding right now. Try again in a moment.',
}
