/** Messages about coupons, for the cart and the order review. The specification has the first word for word. */
import type { CouponRefusal } from '#domain/coupons/coupons.ts'

export const eligibleOnlyMessage = 'Promo coupons apply to eligible items only.'

export const couponMessages: Readonly<Record<CouponRefusal, string>> = {
  'not-found': 'This code is not valid. Check the letters, or leave it out.',
  ended: 'Your coupon has ended, so its discount does not count.',
  'used-up': 'This coupon has been used as often as it was offered.',
  'used-by-you': 'You have used this coupon as often as one customer can.',
}

export const couponAttemptsMessage = 'Too many codes were tried. Wait an hour and try again.'
