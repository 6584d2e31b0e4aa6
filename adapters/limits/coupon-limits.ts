import { createSharedLimiter, type LimitSettings } from '#adapters/limits/shared-limiter.ts'
import { couponAttempts, type CouponLimits } from '#domain/catalog/coupons/coupon-limits.port.ts'

export function createCouponLimits({ db, networkFactor }: LimitSettings): CouponLimits {
  const limiter = createSharedLimiter(db, {
    of: 'coupon',
    most: couponAttempts.count * networkFactor,
    minutes: couponAttempts.minutes,
  })
  return { take: (from) => limiter.take(from) }
}
