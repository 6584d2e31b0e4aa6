/** Values that pricing, shipping, and coverage derive from the business terms. Safe in the browser. */
import type { BusinessTerms } from './business-terms.ts'
import { shippingTerm, type ShippingZone } from './shipping-terms.ts'
import {
  standardShippingRates,
  type MemberOffer,
  type PriceRates,
  type ShippingRates,
} from '#domain/kernel/rates/rates.ts'

const ratesOf = new WeakMap<BusinessTerms, ShippingRates>()

/** The shipping rates among the terms; the same object for the same terms. */
export function shippingRatesOf(terms: BusinessTerms): ShippingRates {
  const known = ratesOf.get(terms)
  if (known) return known
  const zoneRates = (zone: ShippingZone) => ({
    perTireCents: terms[shippingTerm(zone, 'tire')],
    oversizePerTireCents: terms[shippingTerm(zone, 'oversize')],
    handlingCents: terms[shippingTerm(zone, 'handling')],
    freeFromCents: terms[shippingTerm(zone, 'free-from')] || null,
  })
  const rates: ShippingRates = {
    zones: { CONUS: zoneRates('conus'), AK: zoneRates('ak'), HI: zoneRates('hi'), TERRITORY: zoneRates('territory') },
    plan: terms.shippingPlan ?? standardShippingRates.plan,
    oversizeAboveLb: terms['oversize-above-lb'],
  }
  ratesOf.set(terms, rates)
  return rates
}

/**
 * The maximum payouts of replacement coverage in cents, for a tire by year and for one repair, the customer's share of a
 * tire's price by year under the road hazard plan, in parts per million, and the months of each plan. Years that start
 * after a plan's end are left out.
 */
export type CoverageLimits = {
  readonly months: Readonly<Record<'replacement' | 'road-hazard', number>>
  readonly capCentsByYear: readonly number[]
  readonly repairCents: number
  readonly customerPaysPpmByYear: readonly number[]
}

/** The limits of both coverage plans among the terms. */
export function coverageLimitsOf(terms: BusinessTerms): CoverageLimits {
  const months = { replacement: terms['coverage-months'], 'road-hazard': terms['road-hazard-months'] }
  const caps = [terms['coverage-year-1-cents'], terms['coverage-year-2-cents'], terms['coverage-year-3-cents']]
  const shares = [terms['road-hazard-year-1-ppm'], terms['road-hazard-year-2-ppm']]
  return {
    months,
    capCentsByYear: caps.slice(0, Math.ceil(months.replacement / 12)),
    repairCents: terms['coverage-repair-cents'],
    customerPaysPpmByYear: shares.slice(0, Math.ceil(months['road-hazard'] / 12)),
  }
}

/** Returns the terms that affect prices. */
export function priceRatesOf(terms: BusinessTerms): PriceRates {
  return {
    installDiscountCents: terms['install-discount-cents'],
    installDiscountTires: terms['install-discount-tires'],
    militaryPpm: terms['military-ppm'],
    roadsideTires: terms['roadside-tires'],
    roadsideMonths: terms['roadside-months'],
    memberOffers: memberOffersOf(terms),
  }
}

/** Returns which offers come off a member price. */
export function memberOffersOf(terms: BusinessTerms): Readonly<Record<MemberOffer, boolean>> {
  return {
    deals: terms['member-deals'] === 1,
    programs: terms['member-programs'] === 1,
    payments: terms['member-payments'] === 1,
  }
}

/** Returns how long an order can be canceled before it is charged and shipped, in seconds, at most as configured. */
export function releaseAfterOf(cancelMinutes: number, maxSeconds: number): number {
  return Math.min(maxSeconds, cancelMinutes * 60)
}
