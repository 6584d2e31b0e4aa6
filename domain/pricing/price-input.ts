import {
  INSTALL_DISCOUNT_CENTS,
  INSTALL_DISCOUNT_FROM_TIRES,
  MILITARY_DISCOUNT_PPM,
  ROADSIDE_FROM_TIRES,
  ROADSIDE_MONTHS,
} from '#platform/business-constants.ts'
import type { TaxRule } from './tax-rule.ts'

/** Account types as the specification names them. `none` is a guest and pays what Retail pays. */
export const ACCOUNT_TYPES = [
  'none',
  'Retail',
  'Retail Member',
  'EPP',
  'Fleet',
  'Partner Program',
  'Sales Tool',
  'Special Order',
  'WholeSale',
] as const
export type AccountType = (typeof ACCOUNT_TYPES)[number]

/** The label of an account type's price (specification, section 6); the last two are ours. Retail has none. */
export const accountPriceNames: Readonly<Partial<Record<AccountType, string>>> = {
  Fleet: 'Fleet price',
  'Special Order': 'Special pricing',
  'Partner Program': 'Partner price',
  'Retail Member': 'Loyalty member price',
  EPP: 'Employee price',
  'Sales Tool': 'Sales price',
  WholeSale: 'Wholesale price',
}

/** The label of the retail price where an account pays it because its own label would come to more. */
export function publicDealName(type: AccountType): string {
  return `Public deal, lower than your ${accountPriceNames[type]?.toLowerCase() ?? 'account price'}`
}

/**
 * Who funds a discount. Only the store's own discounts lower the taxable price: otherwise a third party pays the seller
 * the rest.
 */
export type FundedBy = 'store' | 'maker' | 'lender' | 'bank'

/**
 * All input of `priceCart`. Cents and units are whole numbers; nothing is looked up, and list order does not matter.
 */
export type PriceInput = {
  readonly accountType: AccountType
  /** The day of the price, at the place of delivery: decides whether an exemption certificate is valid. */
  readonly date: Temporal.PlainDate
  readonly tires: readonly TireLine[]
  readonly services: readonly ServiceLine[]
  /** `null` without shipping (warehouse pickup) or while the destination is unknown. */
  readonly shipping: ShippingLine | null
  readonly programs: readonly ProgramOffer[]
  /** Tied to the chosen payment, so there is at most one. */
  readonly tender: TenderOffer | null
  readonly taxRule: TaxRule
  readonly exemption: ExemptionCertificate | null
  /** Only for display in the summary: "Installation at Halsted Tire". */
  readonly shopName: string | null
  /** Missing for the store's own. */
  readonly channel?: SalesChannel
  /** What the store set of its discounts and services; missing for the standard ones. */
  readonly terms?: PriceTerms
}

/** The terms of a time that a price rests on. Cents and parts per million. */
export type PriceTerms = {
  /** Taken off installation once, from this many tires on. */
  readonly installDiscountCents: number
  readonly installDiscountTires: number
  /** Off the tires of customers with verified military service. */
  readonly militaryPpm: number
  /** Roadside assistance is sold from this many tires on, for this many months. */
  readonly roadsideTires: number
  readonly roadsideMonths: number
}

/** What applies until a store sets something else. */
export const standardPriceTerms: PriceTerms = {
  installDiscountCents: INSTALL_DISCOUNT_CENTS,
  installDiscountTires: INSTALL_DISCOUNT_FROM_TIRES,
  militaryPpm: MILITARY_DISCOUNT_PPM,
  roadsideTires: ROADSIDE_FROM_TIRES,
  roadsideMonths: ROADSIDE_MONTHS,
}

/**
 * Who sells besides the store. A military exchange sells at our retail prices under a label of its own: with item
 * promotions and the installation discount, without programs, payment offers and sales tax. State fees and excise tax
 * stay.
 */
export type SalesChannel = 'military-exchange'

/** The label of its prices. */
export const exchangePriceName = 'Military exchange price'

export type TireLine = {
  readonly articleId: string
  readonly name: string
  readonly quantity: number
  readonly retailUnitCents: number
  /** The unit price of the shopper's account type, if any; for Special Order the quoted price, charged exactly. */
  readonly accountUnitCents: number | null
  /**
   * The unit price that staff quoted, charged exactly whatever the label; promotions, programs and payment offers are not
   * added to it.
   */
  readonly quotedUnitCents?: number | undefined
  /** Some states charge a different tire fee on large rims. */
  readonly rimInches: number
  /** From `federalExciseTaxCents`. */
  readonly fetUnitCents: number
  readonly promotions: readonly ItemPromotion[]
}

/** A siteProductPromotion on one article. */
export type ItemPromotion = {
  readonly id: string
  readonly name: string
  readonly fundedBy: FundedBy
  /** The article's price already includes it: nothing more is taken off, but the line counts as promoted. */
  readonly alreadyApplied: boolean
  readonly reduction: ItemReduction
}

/** The specification's coupon amount types applied to one article: per unit, or a number of units free. */
export type ItemReduction =
  | { readonly type: 'Percentage'; readonly ratePpm: number }
  | { readonly type: 'Flat Amount'; readonly amountCents: number }
  | { readonly type: 'Buy3Get1' }
  | { readonly type: 'Free'; readonly units: number }

/**
 * Which plan is sold for the tires: our replacement coverage, or the road hazard plan of stores under a shop's name.
 * What each pays is decided by domain/coverage-claims; a plan with other terms gets another name.
 */
export type CoveragePlan = 'replacement' | 'road-hazard'

/** Services in receipt order. Coverage is per tire of its article (or any, with `null`); roadside counts once. */
export type ServiceKind = 'coverage' | 'installation' | 'service-kit' | 'disposal' | 'roadside'
export type ServiceLine = {
  readonly kind: ServiceKind
  /** The tire it is for, where that determines its price (coverage by tire, installation by rim); otherwise `null`. */
  readonly articleId: string | null
  readonly eachCents: number
  /** Its price when its tire sells at the account's price: coverage follows the price of the tire. */
  readonly accountEachCents?: number
  /** Of coverage: the plan, where it is not our own. */
  readonly plan?: CoveragePlan
  readonly quantity: number
}

export type ShippingLine = { readonly cents: number; readonly to: 'shop' | 'address' | 'pickup' }

/** Only one applies; several may be entered. */
export type ProgramOffer = MilitaryOffer | ReferralOffer | CouponOffer
export type MilitaryOffer = { readonly kind: 'military' }
export type ReferralOffer = { readonly kind: 'referral'; readonly id: string; readonly ratePpm: number }
export type CouponOffer = {
  readonly kind: 'coupon'
  readonly code: string
  readonly fundedBy: FundedBy
  /** Whether it also applies to tires with an item promotion. */
  readonly stacksWithPromotions: boolean
  /** What the tires it is for cost at least, after their promotions. */
  readonly minimumCents?: number | null
  readonly reduction: CouponReduction
}

/** The same four types applied to a cart: over all eligible tires together, or one named item free. */
export type CouponReduction =
  | { readonly type: 'Percentage'; readonly ratePpm: number; readonly articleIds: 'all' | readonly string[] }
  | { readonly type: 'Flat Amount'; readonly amountCents: number; readonly articleIds: 'all' | readonly string[] }
  | { readonly type: 'Buy3Get1'; readonly articleIds: 'all' | readonly string[] }
  | {
      readonly type: 'Free'
      readonly item: { readonly articleId: string } | { readonly service: ServiceKind | 'shipping' }
      readonly units: 'all' | number
    }

export type TenderOffer = {
  readonly kind: 'store-card' | 'pay-later'
  readonly ratePpm: number
  readonly fundedBy: FundedBy
}

export type ExemptionCertificate = {
  readonly stateCode: string
  /** The last valid day; `null` where the state sets none. */
  readonly validThrough: Temporal.PlainDate | null
}

/** The label of a tire at the price of a staff quote. */
export const quotedPriceName = 'Quoted price'

/** Whether tires of this order are at quoted prices; the whole order then takes no program or payment offer. */
export function isQuoted({ tires }: Pick<PriceInput, 'tires'>): boolean {
  return tires.some(({ quotedUnitCents }) => quotedUnitCents !== undefined)
}

/** Whether the type's price excludes item promotions, programs and payment offers: all labels but the member's. */
export function hasAccountPrice(accountType: AccountType): boolean {
  return accountType !== 'none' && accountType !== 'Retail' && accountType !== 'Retail Member'
}
