import type { Taken } from '#platform/attempts.ts'

/** Limits how many coupon codes are tried from one network address. */
export interface CouponLimits {
  /** Counts one try, before the code is looked up; refuses when the address has tried too many. */
  take(from: string): Promise<Taken>
}

/** Enough for a household with a drawer of codes, far too few to guess one. */
export const couponAttempts = { count: 20, minutes: 60 } as const
