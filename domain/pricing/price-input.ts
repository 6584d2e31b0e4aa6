import type { TaxRule } from './tax-rule.ts'

/** Who shops, as the specification names it. `none` is a visitor without an account and pays what Retail pays. */
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

/**
 * What the price of an account type is called (specification, section 6); the last two are ours. Retail has no name.
 */
export const accountPriceNames: Readonly<Partial<Record<AccountType, string>>> = {
  Fleet: 'Fleet price',
  'Special Order': 'Special pricing',
  'Partner Program': 'Partner price',
  'Retail Member': 'Loyalty member price',
  EPP: 'Employee price',
  'Sales Tool': 'Sales price',
  WholeSale: 'Wholesale price',
}

/** What is said where an account of the type is charged as everybody is, because its own label would come to more. */
export function publicDealName(type: AccountType): string {
  return `Public deal, lower than your ${accountPriceNames[type]?.toLowerCase() ?? 'account price'}`
}

/**
 * Who bears a discount. Only what the store bears lowers the taxable price: the seller receives the rest from somebody
 * else.
 */
export type FundedBy = 'store' | 'maker' | 'lender' | 'bank'

/**
 * Everything `priceCart` looks at. All cents and units are whole numbers; nothing is looked up, and nothing depends on
 * the order of lists.
 */
export type PriceInput = {
  readonly accountType: AccountType
  /** The day the price is for, at the place of delivery: decides whether an exemption certificate still holds. */
  readonly date: Temporal.PlainDate
  readonly tires: readonly TireLine[]
  readonly services: readonly ServiceLine[]
  /** `null` while nothing is shipped (warehouse pickup) or the destination is unknown. */
  readonly shipping: ShippingLine | null
  readonly programs: readonly ProgramOffer[]
  /** Tied to the payment chosen, so there is at most one. */
  readonly tender: TenderOffer | null
  readonly taxRule: TaxRule
  readonly exemption: ExemptionCertificate | null
  /** Only for the words of the summary: "Installation at Halsted Tire". */
  readonly shopName: string | null
}

export type TireLine = {
  readonly articleId: string
  readonly name: string
  readonly quantity: number
  readonly retailUnitCents: number
  /**
   * The unit price of the shopper's account type where it has one; for Special Order the quoted price, which is taken
   * exactly.
   */
  readonly accountUnitCents: number | null
  /** Some states charge large rims another tire fee. */
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
  /** The article's price already has it: nothing more is taken, but the line counts as promoted. */
  readonly alreadyApplied: boolean
  readonly reduction: ItemReduction
}

/** The specification's coupon amount types, as they work on one article: per unit, or so many units free. */
export type ItemReduction =
  | { readonly type: 'Percentage'; readonly ratePpm: number }
  | { readonly type: 'Flat Amount'; readonly amountCents: number }
  | { readonly type: 'Buy3Get1' }
  | { readonly type: 'Free'; readonly units: number }

/**
 * Services in the order of the receipt. Coverage is per tire of its article (or of any, with `null`); roadside counts
 * once.
 */
export type ServiceKind = 'coverage' | 'installation' | 'service-kit' | 'disposal' | 'roadside'
export type ServiceLine = {
  readonly kind: ServiceKind
  /** Which tire it is for, where that changes its price (coverage by tire, installation by rim); otherwise `null`. */
  readonly articleId: string | null
  readonly eachCents: number
  /** What it costs where its tire is sold at the account's price: coverage follows the price of the tire. */
  readonly accountEachCents?: number
  readonly quantity: number
}

export type ShippingLine = { readonly cents: number; readonly to: 'shop' | 'address' | 'pickup' }

/** One of them wins; entering several is allowed. */
export type ProgramOffer = MilitaryOffer | ReferralOffer | CouponOffer
export type MilitaryOffer = { readonly kind: 'military' }
export type ReferralOffer = { readonly kind: 'referral'; readonly id: string; readonly ratePpm: number }
export type CouponOffer = {
  readonly kind: 'coupon'
  readonly code: string
  readonly fundedBy: FundedBy
  /** Whether it also works on tires that carry an item promotion. */
  readonly stacksWithPromotions: boolean
  readonly reduction: CouponReduction
}

/** The same four types as they work on a cart: over all eligible tires together, or one named thing free. */
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
  /** The last day it holds; `null` where the state sets none. */
  readonly validThrough: Temporal.PlainDate | null
}

/** Accounts whose price takes no item promotion, no program and no payment offer: all labels but the member's. */
export function hasAccountPrice(accountType: AccountType): boolean {
  return accountType !== 'none' && accountType !== 'Retail' && accountType !== 'Retail Member'
}
