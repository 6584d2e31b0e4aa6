import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { reviewTries, type ReviewLimits } from '#domain/reviews/review-limits.port.ts'

/** Counts in the memory of this process, as `look-up-limits.ts` does and for the same reason. */
export function createReviewLimits(): ReviewLimits {
  const limiter = (of: keyof typeof reviewTries) =>
    new RateLimiterMemory({ keyPrefix: of, points: reviewTries[of].count, duration: reviewTries[of].minutes * 60 })
  const limiters = { review: limiter('review'), vote: limiter('vote') }
  return {
    async take(of, from) {
      try {
        await limiters[of].consume(from)
        return true
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return false
        throw refusal
      }
    },
  }
}
