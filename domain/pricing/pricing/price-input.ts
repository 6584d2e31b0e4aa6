import { standardPriceRates, type MemberOffer, type PriceRates } from '#domain/kernel/rates/rates.ts'
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

/** Price labels by account type (specification, section 6); the last two are additions. Retail has no label. */
export const accountPriceNames: Readonly<Partial<Record<AccountType, string>>> = {
  Fleet: 'Fleet price',
  'Special Order': 'Special pricing',
  'Partner Program': 'Partner price',
  'Retail Member': 'Loyalty member price',
  EPP: 'Employee price',
  'Sales Tool': 'Sales price',
  WholeSale: 'Wholesale price',
}

/** The label for the retail price when an account pays it because the account's price would be higher. */
export function publicDealName(type: AccountType): string {
  return `Public deal, lower than your ${accountPriceNames[type]?.toLowerCase() ?? 'account price'}`
}

/**
 * The party that funds a discount. Only the store's own discounts lower the taxable price, because a third party pays
 * the seller the difference.
 */
export type FundedBy = 'store' | 'maker' | 'lender' | 'bank'

/**
 * All input of `priceCart`. Cents and units are integers. The function performs no lookups, and list order doesn't
 * matter.
 */
export type PriceInput = {
  readonly accountType: AccountType
  /** The date of the price at the delivery location, which determines whether an exemption certificate is valid. */
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
  readonly terms?: PriceRates
}

/**
 * Sales channels other than the store. A military exchange sells at our retail prices under its own label, with item
 * promotions and the installation discount, without programs, payment offers and sales tax. State fees and excise tax
 * stay.
 */
export type SalesChannel = 'military-exchange'

/** The exchange's price label. */
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
  /** The item's price already includes the promotion. It isn't deducted again, but the line counts as promoted. */
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
 * The plan sold for the tires, either our replacement coverage or the road hazard plan of branded stores.
 * domain/aftercare/coverage-claims decides each plan's payouts; a plan with different terms gets a new name.
 */
export type CoveragePlan = 'replacement' | 'road-hazard'

/**
 * Services in receipt order. Coverage is per tire of its item (or of any item, with `null`); roadside counts once.
 * `service` is work without new tires, and `part` is goods that are sold with tires.
 */
export type ServiceKind = 'part' | 'coverage' | 'installation' | 'service-kit' | 'disposal' | 'roadside' | 'service'
export type ServiceLine = {
  readonly kind: ServiceKind
  /** The tire it is for, where that determines its price (coverage by tire, installation by rim); otherwise `null`. */
  readonly articleId: string | null
  readonly eachCents: number
  /** The price when its tire sells at the account price, because coverage follows the tire's price. */
  readonly accountEachCents?: number
  /** For coverage, the plan if it isn't our own. */
  readonly plan?: CoveragePlan
  /** For `service` and `part`, its name. */
  readonly name?: string
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

/** The same four types applied to a cart, either over all eligible tires or as one free item. */
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
  /** The last valid day; `null` if the state sets no limit. */
  readonly validThrough: Temporal.PlainDate | null
}

/** The price label for tires in a staff quote. */
export const quotedPriceName = 'Quoted price'

/** Returns whether the order has quoted tires. Such an order gets no program or payment offer. */
export function isQuoted({ tires }: Pick<PriceInput, 'tires'>): boolean {
  return tires.some(({ quotedUnitCents }) => quotedUnitCents !== undefined)
}

/** Whether the type's price excludes item promotions, programs and payment offers: all labels but the member's. */
export function hasAccountPrice(accountType: AccountType): boolean {
  return accountType !== 'none' && accountType !== 'Retail' && accountType !== 'Retail Member'
}

/**
 * Whether the order's label excludes these offers. A member price combines with those that the store's terms allow, and no other account price combines with offers. `isAtLabel` is whether a tire sells at the account's price.
 */
export function excludesOffers(
  { accountType, terms = standardPriceRates }: Pick<PriceInput, 'accountType' | 'terms'>,
  kind: MemberOffer,
  isAtLabel: boolean,
): boolean {
  return hasAccountPrice(accountType) || (accountType === 'Retail Member' && isAtLabel && !terms.memberOffers[kind])
}
