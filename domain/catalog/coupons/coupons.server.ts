/** Coupons in carts and orders. In the office, drafts are edited, tested, and scheduled, and coupons replaced and ended. */
import type { RateLimits } from '#domain/kernel/rate-limits/rate-limits.port.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import { setCoupon } from '#domain/payments/cart/cart.server.ts'
import type { CouponOffer } from '#domain/pricing/pricing/pricing.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { dateText } from '#platform/day-text.ts'
import { storeDay } from '#platform/store-zone.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { couponOffer, couponStateAt, couponWorksOn, type CouponAbout, type CouponRefusal } from './coupons.ts'
import { cancelUse, insertUse, selectLeft, takeUse } from './coupon-uses.sql.server.ts'
import { selectAdvertised, selectCoupon, selectEndedCoupon, selectRunningCoupon } from './coupons.sql.server.ts'

export {
  couponDrafts,
  draftCoupon,
  endCoupon,
  findCoupon,
  findCouponRequest,
  listCoupons,
  listReducedByCoupon,
  scheduleCoupon,
  testCoupon,
} from './office-coupons.server.ts'
export { importCoupons } from './import-coupons.server.ts'
export type { OfficeCoupon } from './coupons.sql.server.ts'

type Deps = { db: Database; clock: Clock }

/** Why a coupon does not count, with its code and the day it ended. */
export type CouponRefused = Refused<CouponRefusal, { code: string; endedOn: string | null }>

/**
 * Enters a coupon's code in an open cart, replacing the one entered before. The try is counted first, for the network
 * `from`. Refuses codes that no running coupon has, and coupons without a use left.
 */
export async function enterCoupon(
  { rateLimits, ...deps }: Deps & { rateLimits: RateLimits },
  { cartId, code, from }: { cartId: string; code: string; from: string },
): Promise<Outcome<null, CouponRefused | Refused<'too-many', { retryAfterSeconds: number }>>> {
  const taken = await rateLimits.take('coupon', { network: from })
  return taken.ok ? enterCountedCoupon(deps, { cartId, code }) : taken
}

/** The same for a try that was counted already, such as within a transaction that locked the cart. */
export async function enterCountedCoupon(
  { db, clock }: Deps,
  { cartId, code }: { cartId: string; code: string },
): Promise<Outcome<null, CouponRefused>> {
  const coupon = await selectRunningCoupon(db, code, clock.now())
  if (!coupon) {
    const over = await selectEndedCoupon(db, code, clock.now())
    return over ? refusedAs('ended', over) : refusedAs('not-found', { code, endsAt: null })
  }
  const refusal = await whyNone(db, coupon.id, cartId)
  if (refusal) return refusedAs(refusal, coupon)
  await setCoupon(db, cartId, coupon.id, clock.now())
  return ok(null)
}

/** Removes an open cart's coupon. */
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

/**
 * Returns a cart's coupon as a pricing program, or the reason it doesn't count; undefined for a cart without a coupon.
 */
export async function offerCoupon(
  { db, clock }: Deps,
  { id, couponId, lines }: Pick<Cart, 'id' | 'couponId' | 'lines'>,
): Promise<Outcome<{ offer: CouponOffer; about: CouponAbout }, CouponRefused> | undefined> {
  if (couponId === null) return undefined
  const itemIds = lines.map(({ itemId }) => itemId)
  const coupon = await selectCoupon(db, couponId, itemIds)
  if (!coupon) return refusedAs('not-found', { code: '', endsAt: null })
  if (couponStateAt(coupon, clock.now()) !== 'running') return refusedAs('ended', coupon)
  const refusal = await whyNone(db, couponId, id)
  if (refusal) return refusedAs(refusal, coupon)
  const articles = lines.map(({ itemId, article: { lineId, brandId } }) => ({ itemId, lineId, brandId }))
  return ok({ offer: couponOffer(coupon, articles), about: coupon })
}

/** Returns an advertised coupon that works on a cart's tires, as an alternative to a code that doesn't. */
export async function findAdvertisedCoupon(
  { db, clock }: Deps,
  { id, couponId, lines }: Pick<Cart, 'id' | 'couponId' | 'lines'>,
): Promise<CouponAbout | undefined> {
  const tires = lines.map(({ itemId, quantity, unitCents, article: { lineId, brandId, promotions } }) => ({
    itemId,
    lineId,
    brandId,
    quantity,
    cents: unitCents * quantity,
    isPromoted: promotions.length > 0,
  }))
  const itemIds = lines.map(({ itemId }) => itemId)
  for (const coupon of await selectAdvertised(db, clock.now(), itemIds))
    if (coupon.id !== couponId && couponWorksOn(coupon, tires) && !(await whyNone(db, coupon.id, id))) return coupon
  return undefined
}

function refusedAs(
  reason: CouponRefusal,
  { code, endsAt }: { code: string; endsAt: Temporal.Instant | null },
): CouponRefused {
  const day = reason === 'ended' && endsAt ? storeDay(endsAt) : null
  return refused(reason, { code, endedOn: day && dateText(day.toString()) })
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

/** Releases a canceled order's use, so its shopper can use the coupon again. */
export function cancelCouponUse(tx: Tx, orderId: number, at: Temporal.Instant): Promise<void> {
  return cancelUse(tx, orderId, at)
}
