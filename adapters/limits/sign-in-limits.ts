import { createSharedLimiter } from '#adapters/limits/shared-limiter.ts'
import { signInTries, type SignInLimits } from '#domain/accounts/sign-in-limits.port.ts'
import type { Database } from '#platform/db.ts'

export function createSignInLimits(db: Database): SignInLimits {
  const limiter = createSharedLimiter(db, { of: 'sign-in', most: signInTries.count, minutes: signInTries.minutes })
  return { take: (from) => limiter.take(from) }
}
