/** Coupons in carts and orders; in the office they are drafted, tested, scheduled, replaced and ended, never edited. */
import type { Cart } from '#domain/cart/cart.ts'
import { setCoupon } from '#domain/cart/cart.server.ts'
import type { CouponOffer } from '#domain/pricing/pricing.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { CouponLimits } from './coupon-limits.port.ts'
import { couponOffer, couponStateAt, type CouponRefusal } from './coupons.ts'
import { cancelUse, insertUse, selectLeft, takeUse } from './coupon-uses.sql.server.ts'
import { selectCoupon, selectRunningCoupon } from './coupons.sql.server.ts'

export {
  discardCoupon,
  draftCoupon,
  endCoupon,
  findCoupon,
  listCoupons,
  scheduleCoupon,
  testCoupon,
} from './office-coupons.server.ts'
export type { OfficeCoupon } from './coupons.sql.server.ts'

type Deps = { db: Database; clock: Clock }

/**
 * Enters a coupon's code in an open cart, replacing the one entered before. The try is counted first, for the network
 * `from`. Refuses codes that no running coupon has, and coupons without a use left.
 */
export async function enterCoupon(
  { couponLimits, ...deps }: Deps & { couponLimits: CouponLimits },
  { cartId, code, from }: { cartId: string; code: string; from: string },
): Promise<Outcome<null, Refused<CouponRefusal> | Refused<'too-many', { retryAfterSeconds: number }>>> {
  const taken = await couponLimits.take(from)
  return taken.ok ? enterCountedCoupon(deps, { cartId, code }) : taken
}

/** The same for a try that was counted already, such as within a transaction that locked the cart. */
export async function enterCountedCoupon(
  { db, clock }: Deps,
  { cartId, code }: { cartId: string; code: string },
): Promise<Outcome<null, Refused<CouponRefusal>>> {
  const coupon = await selectRunningCoupon(db, code, clock.now())
  if (!coupon) return refused('not-found')
  const refusal = await whyNone(db, coupon.id, cartId)
  if (refusal) return refused(refusal)
  await setCoupon(db, cartId, coupon.id, clock.now())
  return ok(null)
}

/** Removes the coupon of an open cart. */
export async function removeCoupon({ db, clock }: Deps, cartId: string): Promise<void> {
  await setCoupon(db, cartId, null, clock.now())
}

/** Finds the code of the coupon in a cart; null without one. */
export async function couponCodeOf(
  { db }: Pick<Deps, 'db'>,
  { couponId }: Pick<Cart, 'couponId'>,
): Promise<string | null> {
  return couponId === null ? null : ((await selectCoupon(db, couponId))?.code ?? null)
}

/** Returns a cart's coupon as a program of the price, or why it does not count; undefined for a cart without one. */
export async function offerCoupon(
  { db, clock }: Deps,
  { id, couponId, lines }: Pick<Cart, 'id' | 'couponId' | 'lines'>,
): Promise<Outcome<CouponOffer, Refused<CouponRefusal>> | undefined> {
  if (couponId === null) return undefined
  const coupon = await selectCoupon(db, couponId)
  if (!coupon) return refused('not-found')
  if (couponStateAt(coupon, clock.now()) !== 'running') return refused('ended')
  const refusal = await whyNone(db, couponId, id)
  if (refusal) return refused(refusal)
  const articles = lines.map(({ itemId, article: { lineId, brandId } }) => ({ itemId, lineId, brandId }))
  return ok(couponOffer(coupon, articles))
}

async function whyNone(db: Database, couponId: number, cartId: string): Promise<CouponRefusal | undefined> {
  const { isLeft, isLeftForShopper } = await selectLeft(db, couponId, cartId)
  if (!isLeft) return 'used-up'
  return isLeftForShopper ? undefined : 'used-by-you'
}

/**
 * Uses a coupon for the order being placed, in the transaction of `db`; the caller has locked the coupon. False if it, or
 * its shopper, has no use left.
 */
export async function claimCoupon(
  { db, clock }: { db: Tx; clock: Clock },
  { couponId, orderId }: { couponId: number; orderId: number },
): Promise<boolean> {
  return (await takeUse(db, couponId)) && (await insertUse(db, { couponId, orderId, at: clock.now() }))
}

/** Gives back the use of a canceled order: its shopper may use the coupon again. */
export function cancelCouponUse(tx: Tx, orderId: number, at: Temporal.Instant): Promise<void> {
  return cancelUse(tx, orderId, at)
}
