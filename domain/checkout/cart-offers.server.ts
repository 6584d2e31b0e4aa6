/** What a cart's shopper gets off its price besides promotions: one program, and the offer of the way they pay. */
import { couponMessages, couponSaid, type CouponSaid } from '#content/messages/coupons.ts'
import { referralRefusalMessages, referralSaid } from '#content/messages/programs.ts'
import { planOf, type Cart, type CartPaymentMethod } from '#domain/cart/cart.ts'
import { offerCoupon } from '#domain/coupons/coupons.server.ts'
import type { OfferChoices } from '#domain/offers/offers.ts'
import { offerTender } from '#domain/payment-offers/payment-offers.server.ts'
import { findLivePayment } from '#domain/payments/payments.server.ts'
import type { PriceBreakdown, ProgramOffer, TenderOffer } from '#domain/pricing/pricing.ts'
import type { Buyer } from '#domain/price-tiers/price-tiers.ts'
import { offerReferral } from '#domain/programs/programs.server.ts'
import type { LiveTerms } from '#domain/settings/settings.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'

type Deps = {
  db: Database
  clock: Clock
  buyer: Pick<Buyer, 'accountId' | 'isMilitary' | 'priceTier'>
  businessTerms: Pick<LiveTerms, 'current'>
}

export type CartOffers = {
  /** For `priceOffer`. */
  choices: OfferChoices
  isMilitary: boolean
  referral: Awaited<ReturnType<typeof offerReferral>>
  coupon: Awaited<ReturnType<typeof offerCoupon>>
}

/**
 * Reads the discounts that apply to a cart. `method` is the payment method whose offer counts. Without it, an offer
 * counts only once a charge by the cart's method is authorized: an application that was declined or abandoned takes
 * nothing off.
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
  const choices = { roadside: cart.roadside, plan: planOf(cart), programs, tender, channel }
  return { choices, isMilitary, referral, coupon }
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

/** How the military discount stands with a cart. */
export type MilitarySaid =
  | { state: 'used'; discountCents: number; taxCents: number }
  /** Verified, and something else saves more or nothing is taken off. */
  | { state: 'not-used'; text: string }
  /** Not verified: what it would take off the total. */
  | { state: 'open'; savesCents: number }

export type OffersSaid = {
  coupon: CouponSaid | null
  /** What a friend's referral takes off; null where it does not, which `besides` says. */
  referral: CouponSaid | null
  military: MilitarySaid | null
  /** What the shopper asked for and does not get, apart from those two, in words. */
  besides: string[]
  /** All of it, for programs and pages that list it. */
  notes: string[]
}

/** What shoppers ask for, and are told about if they do not get it. */
const saidOffers: ReadonlySet<string> = new Set(['referral', 'exemption', 'tender', 'roadside'])

/** Words the offers of a cart by what its price made of them; `priceWith` prices the same cart with other programs. */
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
