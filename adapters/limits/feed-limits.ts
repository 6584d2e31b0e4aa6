import { createSharedLimiter, type LimitSettings } from '#adapters/limits/shared-limiter.ts'
import { feedReads, type FeedLimits } from '#domain/installer-portal/portal/feed-limits.port.ts'

export function createFeedLimits({ db, networkFactor }: LimitSettings): FeedLimits {
  const { perNetwork, minutes } = feedReads
  return createSharedLimiter(db, { of: 'feed-network', most: perNetwork * networkFactor, minutes })
}
