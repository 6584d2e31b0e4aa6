/** The coupon and the military discount of a cart, for the pages that let a shopper enter or verify them. */
import { couponTakes, type CouponSaid } from '#content/messages/coupons.ts'
import { serverPaths } from '#content/server-paths.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import type { CartQuote } from '#domain/ordering/checkout/checkout.server.ts'
import { couponCodeOf, findAdvertisedCoupon } from '#domain/catalog/coupons/coupons.server.ts'
import { salesTaxName } from '#domain/pricing/pricing/pricing.ts'
import { formatCents, formatRate } from '#platform/money.ts'
import type { Application } from '#application'

export type SavingsView = {
  /** The code of the cart's coupon. */
  code: string | null
  coupon: CouponSaid | null
  /** What a friend's referral takes off. */
  referral: CouponSaid | null
  /** A coupon that applies to these tires if the shopper's own doesn't. */
  suggestion: { code: string; words: string } | null
  military: { isUsed: boolean; lead: string; words: string; verify: string | null } | null
}

/** Reads what the page at `from` shows of a cart's savings. */
export async function readSavings(
  app: Application,
  cart: Cart,
  quote: Pick<CartQuote, 'breakdown' | 'coupon' | 'referral' | 'military'>,
  from: 'cart' | 'payments',
): Promise<SavingsView> {
  const works = quote.coupon?.isUsed ? undefined : await findAdvertisedCoupon(app, cart)
  return {
    code: await couponCodeOf(app, cart),
    coupon: quote.coupon,
    referral: quote.referral,
    suggestion: works
      ? { code: works.code, words: `${works.code} works on these tires: it ${couponTakes(works)}.` }
      : null,
    military: militaryView(
      quote,
      app.businessTerms.current['military-ppm'],
      app.eligibility === null ? null : serverPaths.militaryVerify({ from }),
    ),
  }
}

function militaryView(
  { breakdown, military }: Pick<CartQuote, 'breakdown' | 'military'>,
  ratePpm: number,
  verify: string | null,
): SavingsView['military'] {
  const off = `${formatRate(ratePpm)} off the tires`
  const lead = 'Military status verified.'
  switch (military?.state) {
    case undefined:
      return null
    case 'used': {
      const { discountCents, taxCents } = military
      const tax =
        taxCents > 0 && breakdown
          ? `, and ${formatCents(taxCents)} less ${salesTaxName(breakdown.tax).toLowerCase()}`
          : ''
      return { isUsed: true, lead, words: `${off}: ${formatCents(discountCents)}${tax}.`, verify: null }
    }
    case 'not-used': {
      const words =
        breakdown?.program.kind === 'coupon'
          ? `Your coupon saves more on this order, so the ${formatRate(ratePpm)} isn't applied. Remove the coupon to use it.`
          : military.text
      return { isUsed: false, lead, words, verify: null }
    }
    case 'open':
      return verify === null
        ? null
        : {
            isUsed: false,
            lead: 'Served, or serving?',
            words: `${off}, ${formatCents(military.savesCents)} less on this order.`,
            verify,
          }
  }
}
