/** Limits on staff concessions without a second person. Safe in the browser. */
import type { Permission } from '#domain/kernel/staff/staff.ts'
import { PPM } from '#platform/money.ts'

/**
 * Each kind of concession. `approval` is the permission to approve a request. With `maySelfApprove`, people with that
 * permission can exceed a price limit without another person.
 */
export const concessionKinds = {
  refund: { approval: 'refunds.approve', maySelfApprove: false },
  'price-guarantee': { approval: 'refunds.approve', maySelfApprove: false },
  'coverage-claim': { approval: 'refunds.approve', maySelfApprove: false },
  'pay-adjustment': { approval: 'pay.approve', maySelfApprove: false },
  'pay-deduction': { approval: 'pay.approve', maySelfApprove: false },
  'change-waiver': { approval: 'refunds.approve', maySelfApprove: false },
  'store-credit': { approval: 'refunds.approve', maySelfApprove: false },
  quote: { approval: 'quotes.approve', maySelfApprove: true },
  coupon: { approval: 'quotes.approve', maySelfApprove: false },
  promotion: { approval: 'quotes.approve', maySelfApprove: false },
  'price-list': { approval: 'quotes.approve', maySelfApprove: false },
  'payment-offer': { approval: 'quotes.approve', maySelfApprove: false },
} as const satisfies Record<string, { approval: Permission; maySelfApprove: boolean }>

export type ConcessionKind = keyof typeof concessionKinds

/** Amounts in cents; rates in parts per million. */
export type ConcessionLimits = {
  /** Per order, over its lifetime; per recipient, over 30 days. */
  orderCents: number
  /** Per shop, over seven days. */
  shopCents: number
  /** Per person, over 24 hours. */
  personCents: number
  /** The minimum margin of a price. */
  marginFloorPpm: number
  /** The maximum discount from retail. */
  discountPpm: number
}

/** The lowest price that a price reduction leads to, relative to retail and cost. */
export type PriceCut = {
  /** The largest discount from retail, in parts per million. */
  discountPpm: number
  /** The smallest margin, in parts per million of the price; null if no affected tire has a known cost. */
  marginPpm: number | null
}

/** A limit that a concession exceeds. */
export type ExceededLimit = 'order' | 'recipient' | 'shop' | 'person' | 'margin' | 'discount'

/** Amounts already conceded without approval, in cents. */
export type GivenAlone = { orderCents: number; recipientCents: number; shopCents: number; personCents: number }

/** Returns the limits that a concession exceeds; sums in `given` are null if it has no order, recipient or shop. */
export function exceededLimits(
  { amountCents, cut }: { amountCents: number; cut: PriceCut | null },
  given: { [Sum in keyof GivenAlone]: number | null },
  limits: ConcessionLimits,
): ExceededLimit[] {
  const isOver = (sum: number | null, limit: number) => sum !== null && sum + amountCents > limit
  const exceeded: [ExceededLimit, boolean][] = [
    ['order', isOver(given.orderCents, limits.orderCents)],
    ['recipient', isOver(given.recipientCents, limits.orderCents)],
    ['shop', isOver(given.shopCents, limits.shopCents)],
    ['person', amountCents > 0 && isOver(given.personCents, limits.personCents)],
    ['margin', cut !== null && cut.marginPpm !== null && cut.marginPpm < limits.marginFloorPpm],
    ['discount', cut !== null && cut.discountPpm > limits.discountPpm],
  ]
  return exceeded.flatMap(([limit, isExceeded]) => (isExceeded ? [limit] : []))
}

/** The price cut of one reduced price, in cents. */
export function priceCutOf(price: { retailCents: number; costCents: number | null; reducedCents: number }): PriceCut {
  const { retailCents, costCents, reducedCents } = price
  return {
    discountPpm: Math.max(0, Math.round(((retailCents - reducedCents) * PPM) / retailCents)),
    marginPpm:
      costCents === null
        ? null
        : reducedCents <= 0
          ? -PPM
          : Math.floor(((reducedCents - costCents) * PPM) / reducedCents),
  }
}

/** The larger discount and the smaller margin of several cuts; null without any. */
export function deepestCut(cuts: readonly PriceCut[]): PriceCut | null {
  if (cuts.length === 0) return null
  const margins = cuts.flatMap(({ marginPpm }) => (marginPpm === null ? [] : [marginPpm]))
  return {
    discountPpm: Math.max(...cuts.map(({ discountPpm }) => discountPpm)),
    marginPpm: margins.length === 0 ? null : Math.min(...margins),
  }
}
