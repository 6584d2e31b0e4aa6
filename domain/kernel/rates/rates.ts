/** Rates that a store sets, with their defaults (specification, section 9). Safe in the browser. */
import type { Place } from '#domain/kernel/places/places.ts'
import {
  INSTALL_DISCOUNT_CENTS,
  INSTALL_DISCOUNT_FROM_TIRES,
  MEMBER_OFFERS,
  MILITARY_DISCOUNT_PPM,
  ROADSIDE_FROM_TIRES,
  ROADSIDE_MONTHS,
} from '#platform/business-constants.ts'

/**
 * The contiguous states, Alaska, Hawaii and the territories. Military post offices are a region of the ZIP table, but
 * never a destination.
 */
export type DeliveryRegion = Exclude<Place['region'], 'MILITARY'>

/** A zone's rates in cents. Handling is charged once per order and counts as part of shipping. */
export type ZoneRates = {
  readonly perTireCents: number
  readonly oversizePerTireCents: number
  readonly handlingCents: number
  /**
   * Shipping is free from this total on; null for never. The total counts tires at retail price before discounts, so
   * that a discount never adds shipping.
   */
  readonly freeFromCents: number | null
}

/** States, by postal code, and ranges of ZIP codes, such as 995-999, with rates that replace regional rates. */
export type StoreZone = ZoneRates & {
  readonly id: number
  readonly name: string
  readonly states: readonly string[]
  /** Come before states. Of several matching ranges, the one with the most digits applies. */
  readonly zips: readonly string[]
}

/** A region, or a zone of the store. */
export type ShippingZoneKey = DeliveryRegion | `zone-${number}`

/**
 * A rate that comes before the zones' rates. `rate` replaces the amounts per tire, also for orders that ship free
 * otherwise. `less` lowers the zone's amounts per tire by up to `cents`.
 */
export type ShippingException = {
  readonly id: number
  /** Applies to tires above this weight; null for all tires. */
  readonly aboveLb: number | null
  /** Null for everywhere. */
  readonly where: ShippingZoneKey | null
  readonly kind: 'rate' | 'less'
  readonly cents: number
  /** The last day, such as 2027-03-31, in the store's time zone; null for no end. */
  readonly until: string | null
}

export type ShippingPlan = { readonly zones: readonly StoreZone[]; readonly exceptions: readonly ShippingException[] }

/** Shipping rates by region, the store's plan, and the weight above which carriers treat a tire as oversize. */
export type ShippingRates = {
  readonly zones: Readonly<Record<DeliveryRegion, ZoneRates>>
  readonly plan: ShippingPlan
  readonly oversizeAboveLb: number
}

/**
 * The rates that apply until a retailer sets others. There is no handling fee, because a mandatory one would have to be
 * in the advertised price (California SB 478), so prices show one with shipping.
 */
export const standardShippingRates: ShippingRates = {
  zones: {
    CONUS: { perTireCents: 0, oversizePerTireCents: 0, handlingCents: 0, freeFromCents: null },
    AK: { perTireCents: 2_475, oversizePerTireCents: 1_500, handlingCents: 0, freeFromCents: null },
    HI: { perTireCents: 2_975, oversizePerTireCents: 1_500, handlingCents: 0, freeFromCents: null },
    TERRITORY: { perTireCents: 3_475, oversizePerTireCents: 2_000, handlingCents: 0, freeFromCents: null },
  },
  plan: { zones: [], exceptions: [] },
  oversizeAboveLb: 60,
}

/** Discounts and services that affect prices, in cents and parts per million. */
export type PriceRates = {
  /** Taken off installation once, from this many tires on. */
  readonly installDiscountCents: number
  readonly installDiscountTires: number
  /** Discount on tires for customers with verified military service. */
  readonly militaryPpm: number
  /** Roadside assistance is sold from this many tires on, for this many months. */
  readonly roadsideTires: number
  readonly roadsideMonths: number
  /** Whether deals on tires, discount programs, and payment offers come off a member price. */
  readonly memberOffers: Readonly<Record<MemberOffer, boolean>>
}

export type MemberOffer = 'deals' | 'programs' | 'payments'

/** The defaults. */
export const standardPriceRates: PriceRates = {
  installDiscountCents: INSTALL_DISCOUNT_CENTS,
  installDiscountTires: INSTALL_DISCOUNT_FROM_TIRES,
  militaryPpm: MILITARY_DISCOUNT_PPM,
  roadsideTires: ROADSIDE_FROM_TIRES,
  roadsideMonths: ROADSIDE_MONTHS,
  memberOffers: MEMBER_OFFERS,
}
