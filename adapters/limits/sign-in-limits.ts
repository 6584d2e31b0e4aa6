import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { signInTries, type SignInLimits } from '#domain/accounts/sign-in-limits.port.ts'

/** Counts in the memory of this process, as `look-up-limits.ts` does and for the same reason. */
export function createSignInLimits(): SignInLimits {
  const limiter = new RateLimiterMemory({ keyPrefix: 'sign-in', points: signInTries.count, duration: signInTries.minutes * 60 })
  return {
    async take(from) {
      try {
        await limiter.consume(from)
        return true
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return false
        throw refusal
      }
    },
  }
}
