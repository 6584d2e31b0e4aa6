import { createSharedLimiter, type LimitSettings } from '#adapters/limits/shared-limiter.ts'
import { signInTries, type SignInLimits } from '#domain/accounts/sign-in-limits.port.ts'

export function createSignInLimits({ db, networkFactor }: LimitSettings): SignInLimits {
  const limiter = createSharedLimiter(db, { of: 'sign-in', most: signInTries.count * networkFactor, minutes: signInTries.minutes })
  return { take: (from) => limiter.take(from) }
}
