/** A cart's discounts except promotions (one program, and the payment method's offer). */
import { couponMessages, couponSaid, type CouponSaid } from '#content/messages/coupons.ts'
import { referralRefusalMessages, referralSaid } from '#content/messages/programs.ts'
import { planOf, type Cart, type CartPaymentMethod } from '#domain/payments/cart/cart.ts'
import { offerCoupon } from '#domain/catalog/coupons/coupons.server.ts'
import { articleId, type OfferChoices } from '#domain/catalog/offers/offers.ts'
import { offerTender } from '#domain/catalog/payment-offers/payment-offers.server.ts'
import { findLivePayment } from '#domain/payments/payments/payments.server.ts'
import type { PriceBreakdown, ProgramOffer, ServiceLine, TenderOffer } from '#domain/pricing/pricing/pricing.ts'
import type { Buyer } from '#domain/pricing/price-tiers/price-tiers.ts'
import { offerReferral } from '#domain/customers/programs/programs.server.ts'
import type { LiveTerms } from '#domain/kernel/settings/settings.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'

type Deps = {
  db: Database
  clock: Clock
  buyer: Pick<Buyer, 'accountId' | 'isMilitary' | 'priceTier'>
  businessTerms: Pick<LiveTerms, 'at' | 'current'>
}

export type CartOffers = {
  /** For `priceOffer`. */
  choices: OfferChoices
  isMilitary: boolean
  referral: Awaited<ReturnType<typeof offerReferral>>
  coupon: Awaited<ReturnType<typeof offerCoupon>>
}

/**
 * Reads the discounts that apply to a cart. `method` is the payment method to evaluate offers for. Without it, an offer
 * counts only after a charge with the cart's method is authorized. A declined or abandoned application gets no
 * discount.
 */
export async function readCartOffers(deps: Deps, cart: Cart, method?: CartPaymentMethod): Promise<CartOffers> {
  const accountId = await deps.buyer.accountId()
  const [{ channel }, referral, coupon, isMilitary, tender] = await Promise.all([
    deps.buyer.priceTier(),
    offerReferral(deps, cart),
    offerCoupon(deps, cart),
    deps.buyer.isMilitary(),
    tenderOf(deps, cart, { accountId, method }),
  ])
  const programs: ProgramOffer[] = [
    ...(isMilitary ? [{ kind: 'military' } as const] : []),
    ...(referral?.ok ? [referral.value] : []),
    ...(coupon?.ok ? [coupon.value.offer] : []),
  ]
  const choices = { roadside: cart.roadside, parts: partLines(cart), plan: planOf(cart), programs, tender, channel }
  return { choices, isMilitary, referral, coupon }
}

/** The cart's parts for pricing. They have the same price for every buyer. */
function partLines({ parts }: Pick<Cart, 'parts'>): ServiceLine[] {
  return parts.map(({ partId, name, unitCents, quantity }) => ({
    kind: 'part',
    articleId: articleId(partId),
    name,
    eachCents: unitCents,
    quantity,
  }))
}

async function tenderOf(
  deps: Deps,
  { id, paymentMethod }: Cart,
  { accountId, method }: { accountId: string | null; method: CartPaymentMethod | undefined },
): Promise<TenderOffer | null> {
  if (method !== undefined) return offerTender(deps, { id, paymentMethod: method }, accountId)
  const offer = await offerTender(deps, { id, paymentMethod }, accountId)
  if (offer === null) return null
  const charge = await findLivePayment(deps.db, { cartId: id })
  return charge?.state === 'authorized' && charge.method === paymentMethod ? offer : null
}

/** The status of the military discount on a cart. */
export type MilitarySaid =
  | { state: 'used'; discountCents: number; taxCents: number }
  /** The shopper is verified, but another program saves more or the discount is zero. */
  | { state: 'not-used'; text: string }
  /** The shopper isn't verified; the amount is the potential savings on the total. */
  | { state: 'open'; savesCents: number }

export type OffersSaid = {
  coupon: CouponSaid | null
  /** The referral discount, or null if it doesn't apply; `besides` has the reason. */
  referral: CouponSaid | null
  military: MilitarySaid | null
  /** What the shopper asked for and does not get, apart from those two, in words. */
  besides: string[]
  /** All of it, for programs and pages that list it. */
  notes: string[]
}

/** Offers a shopper requests explicitly, so they are notified when one doesn't apply. */
const saidOffers: ReadonlySet<string> = new Set(['referral', 'exemption', 'tender', 'roadside'])

/** Returns the messages for a cart's offers from its price; `priceWith` prices the same cart with other programs. */
export function sayOffers(
  { choices, coupon, referral, isMilitary }: CartOffers,
  breakdown: PriceBreakdown,
  priceWith: (programs: readonly ProgramOffer[]) => PriceBreakdown,
): OffersSaid {
  const saidCoupon = coupon && (coupon.ok ? couponSaid(coupon.value.about, breakdown) : refusedCoupon(coupon))
  const military = isMilitary
    ? verifiedSaid(breakdown, () => priceWith((choices.programs ?? []).filter(({ kind }) => kind !== 'military')))
    : openSaid(breakdown, () => priceWith([...(choices.programs ?? []), { kind: 'military' }]))
  const besides = [
    ...(referral && !referral.ok ? [referralRefusalMessages[referral.reason]] : []),
    ...breakdown.ignored.filter(({ what }) => saidOffers.has(what)).map(({ text }) => text),
  ]
  return {
    coupon: saidCoupon ?? null,
    referral: referral?.ok ? referralSaid(breakdown) : null,
    military,
    besides,
    notes: [
      ...(saidCoupon && !saidCoupon.isUsed ? [`${saidCoupon.lead} ${saidCoupon.words}`.trim()] : []),
      ...(military?.state === 'not-used' ? [military.text] : []),
      ...besides,
    ],
  }
}

function refusedCoupon({ reason, detail }: Extract<NonNullable<CartOffers['coupon']>, { ok: false }>): CouponSaid {
  return { isUsed: false, lead: couponMessages[reason](detail), words: '' }
}

function verifiedSaid(breakdown: PriceBreakdown, without: () => PriceBreakdown): MilitarySaid | null {
  const { program, totals } = breakdown
  if (program.kind === 'military') {
    const isAlone = program.considered.length === 1
    const taxCents = isAlone ? Math.max(0, without().totals.taxCents - totals.taxCents) : 0
    return { state: 'used', discountCents: program.discountCents, taxCents }
  }
  const text = breakdown.ignored.find(({ what }) => what === 'military')?.text
  return text === undefined ? null : { state: 'not-used', text }
}

function openSaid(breakdown: PriceBreakdown, withIt: () => PriceBreakdown): MilitarySaid | null {
  const savesCents = breakdown.totals.totalCents - withIt().totals.totalCents
  return savesCents > 0 ? { state: 'open', savesCents } : null
}
