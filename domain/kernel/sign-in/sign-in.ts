/** Signing in with an identity provider. Safe in the browser. */
import type { Person } from './identity-provider.port.ts'

/** Why an email gives no access. `verification-unstated` means that the provider doesn't report verification. */
export type UnverifiedReason = 'unverified' | 'verification-unstated'

/** Returns why a person's unverified email gives no access. */
export function unverifiedReason({ isVerificationUnstated }: Pick<Person, 'isVerificationUnstated'>): UnverifiedReason {
  return isVerificationUnstated ? 'verification-unstated' : 'unverified'
}
