/** Coupons: codes that shoppers enter in the cart. Their states, forms and effect on a price. Safe in the browser. */
import { BUY_THREE_GET_ONE_UNITS } from '#platform/business-constants.ts'
import { articleId } from '#domain/catalog/offers/offers.ts'
import type { CouponOffer, CouponReduction } from '#domain/pricing/pricing/pricing.ts'
import { promotionStates, stateAt, type PromotionState } from '#domain/catalog/promotions/promotions.ts'
import type { CouponDraft, FreeService } from './coupon-form.ts'

export {
  couponChangeForm,
  couponCode,
  couponDraftForm,
  couponForm,
  couponKindNames,
  couponSubjectMessages,
  freeServices,
  isFreeService,
  type CouponChange,
  type CouponDraft,
  type FreeService,
} from './coupon-form.ts'
export { couponFile } from './coupon-file.ts'

export const couponStates = promotionStates
export type CouponState = PromotionState

/** Why a coupon does not count. */
export type CouponRefusal = 'not-found' | 'ended' | 'used-up' | 'used-by-you'

/** The state of a coupon at `now`; one without times is a draft. */
export function couponStateAt(
  { startsAt, endsAt }: { startsAt: Temporal.Instant | null; endsAt: Temporal.Instant | null },
  now: Temporal.Instant,
): CouponState {
  return startsAt && endsAt ? stateAt({ startsAt, endsAt }, now) : 'draft'
}

/** What a coupon takes off, and from what. */
export type CouponTerms = {
  code: string
  kind: CouponDraft['kind']
  amount: number
  service: FreeService | null
  itemId: number | null
  lineId: number | null
  brandId: number | null
  /** Requested tires that match its filter, or null if it has no filter. */
  filteredItemIds: readonly number[] | null
  fundedBy: CouponDraft['fundedBy']
  stacks: boolean
  /** What its tires cost at least, in cents; null without a minimum. */
  minimumCents: number | null
}

/** A coupon as shown to shoppers; `subject` is the name of its brand, model or tire. */
export type CouponAbout = CouponTerms & { subject: string }

/** The brand, line or tire that a coupon is for, and its filter; null for every tire. */
export function brandedTires(coupon: CouponAbout): string | null {
  return isForEveryTire(coupon) ? null : coupon.subject
}

function isForEveryTire({ itemId, lineId, brandId, filteredItemIds }: CouponTerms): boolean {
  return itemId === null && lineId === null && brandId === null && filteredItemIds === null
}

/**
 * Returns whether a coupon discounts these tires. Some eligible tires must not be on promotion, unless it stacks, and
 * the minimum price must be met. Pricing decides which program is used in the end.
 */
export function couponWorksOn(
  terms: CouponTerms,
  lines: readonly {
    itemId: number
    lineId: number
    brandId: number
    cents: number
    quantity: number
    isPromoted: boolean
  }[],
): boolean {
  if (terms.kind === 'Free') return false
  const { reduction } = couponOffer(terms, lines)
  const meant = lines.filter(
    ({ itemId, isPromoted }) =>
      (terms.stacks || !isPromoted) &&
      reduction.type !== 'Free' &&
      (reduction.articleIds === 'all' || reduction.articleIds.includes(articleId(itemId))),
  )
  const cents = meant.reduce((sum, line) => sum + line.cents, 0)
  const tires = meant.reduce((sum, line) => sum + line.quantity, 0)
  return (
    cents > 0 && cents >= (terms.minimumCents ?? 0) && (terms.kind !== 'Buy3Get1' || tires >= BUY_THREE_GET_ONE_UNITS)
  )
}

/** The coupon as step 3 of the price takes it, for a cart of these articles. */
export function couponOffer(
  terms: CouponTerms,
  articles: readonly { itemId: number; lineId: number; brandId: number }[],
): CouponOffer {
  const { code, fundedBy, stacks, minimumCents } = terms
  return {
    kind: 'coupon',
    code,
    fundedBy,
    stacksWithPromotions: stacks,
    minimumCents,
    reduction: reductionOf(terms, articles),
  }
}

function reductionOf(terms: CouponTerms, articles: Parameters<typeof couponOffer>[1]): CouponReduction {
  const { kind, amount, service, itemId, lineId, brandId, filteredItemIds } = terms
  if (kind === 'Free')
    return {
      type: 'Free',
      item: service === null ? { articleId: articleId(itemId ?? 0) } : { service },
      units: service === null ? amount : 'all',
    }
  const isMeant = (article: (typeof articles)[number]) =>
    (itemId === null || article.itemId === itemId) &&
    (lineId === null || article.lineId === lineId) &&
    (brandId === null || article.brandId === brandId) &&
    (filteredItemIds === null || filteredItemIds.includes(article.itemId))
  const articleIds = isForEveryTire(terms)
    ? ('all' as const)
    : articles.filter(isMeant).map((each) => articleId(each.itemId))
  if (kind === 'Percentage') return { type: 'Percentage', ratePpm: amount * 10_000, articleIds }
  if (kind === 'Flat Amount') return { type: 'Flat Amount', amountCents: amount, articleIds }
  return { type: 'Buy3Get1', articleIds }
}
