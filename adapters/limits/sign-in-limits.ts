import { createSharedLimiter, type LimitSettings } from '#adapters/limits/shared-limiter.ts'
import { signInAttempts, type SignInLimits } from '#domain/customers/accounts/sign-in-limits.port.ts'

export function createSignInLimits({ db, networkFactor }: LimitSettings): SignInLimits {
  const limiter = createSharedLimiter(db, {
    of: 'sign-in',
    most: signInAttempts.count * networkFactor,
    minutes: signInAttempts.minutes,
  })
  return { take: (from) => limiter.take(from) }
}
