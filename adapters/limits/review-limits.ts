import { createSharedLimiter, type LimitSettings } from '#adapters/limits/shared-limiter.ts'
import { reviewTries, type ReviewLimits } from '#domain/reviews/review-limits.port.ts'

export function createReviewLimits({ db, networkFactor }: LimitSettings): ReviewLimits {
  const limiter = (of: keyof typeof reviewTries) =>
    createSharedLimiter(db, { of, most: reviewTries[of].count * networkFactor, minutes: reviewTries[of].minutes })
  const limiters = { review: limiter('review'), vote: limiter('vote') }
  return { take: (of, from) => limiters[of].take(from) }
}
