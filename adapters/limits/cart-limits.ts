import { createSharedLimiter, type LimitSettings } from '#adapters/limits/shared-limiter.ts'
import { cartAttempts, type CartLimits } from '#domain/cart/cart-limits.port.ts'

export function createCartLimits({ db, networkFactor }: LimitSettings): CartLimits {
  const limiter = createSharedLimiter(db, { of: 'cart', most: cartAttempts.count * networkFactor, minutes: cartAttempts.minutes })
  return { take: (from) => limiter.take(from) }
}
