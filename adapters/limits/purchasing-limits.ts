import { createSharedLimiter, type LimitSettings } from '#adapters/limits/shared-limiter.ts'
import { purchasingAttempts, type PurchasingLimits } from '#domain/channels/purchasing/purchasing-limits.port.ts'

export function createPurchasingLimits({ db, networkFactor }: LimitSettings): PurchasingLimits {
  const { perNetwork, windowMinutes: minutes } = purchasingAttempts
  return createSharedLimiter(db, { of: 'purchasing', most: perNetwork * networkFactor, minutes })
}
