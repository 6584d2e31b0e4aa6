import { createSharedLimiter, type LimitSettings } from '#adapters/limits/shared-limiter.ts'
import { reviewAttempts, type ReviewLimits } from '#domain/aftercare/reviews/review-limits.port.ts'

export function createReviewLimits({ db, networkFactor }: LimitSettings): ReviewLimits {
  const limiter = (of: keyof typeof reviewAttempts) =>
    createSharedLimiter(db, { of, most: reviewAttempts[of].count * networkFactor, minutes: reviewAttempts[of].minutes })
  const limiters = { review: limiter('review'), vote: limiter('vote') }
  return { take: (of, from) => limiters[of].take(from) }
}
