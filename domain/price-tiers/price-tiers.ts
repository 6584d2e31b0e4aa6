/** On which terms an account buys: its type, the label of its prices, and who to turn to. */
import type { AccountType } from '#domain/pricing/pricing.ts'
import type { AccountPricing } from './price-list.ts'

export type { AccountType } from '#domain/pricing/pricing.ts'
export { badgeOf, labelOf, priceLabels, supportDeskOf, type PriceLabel, type SupportDesk } from './labels.ts'
export { priceListColumns } from './price-list-rows.ts'
export {
  accountPrice,
  type AccountPrice,
  type AccountPricing,
  type ListedItem,
  type PriceList,
  type PriceRule,
} from './price-list.ts'

/** What decides the prices an account sees and the tires it may see. */
export type PriceTier = {
  readonly accountType: AccountType
  /** The list its prices come from; null is the retail price. */
  readonly priceListId: number | null
  /** Another number as soon as a rule of the list was written; null without a list. */
  readonly priceListVersion: number | null
  /** The approved company it buys for. */
  readonly companyId: string | null
  /** What it is there. */
  readonly companyRole: 'owner' | 'buyer' | 'viewer' | null
  /** The brands it is shown and sold, by id and in order; null is every one. */
  readonly brandIds: readonly number[] | null
}

/** The terms of everybody who is not signed in, and of accounts without a grant. */
export const retailPriceTier: PriceTier = {
  accountType: 'Retail',
  priceListId: null,
  priceListVersion: null,
  companyId: null,
  companyRole: null,
  brandIds: null,
}

/** Who buys, as far as prices go. What it answers is asked of the database when it is first needed, and not again. */
export type Buyer = {
  /** The account that buys; null for who is not signed in. */
  accountId(): Promise<string | null>
  priceTier(): Promise<PriceTier>
  /** The prices of the account's type as they are now; null for who buys at retail. */
  pricing(): Promise<AccountPricing | null>
  /** The same account, of which nothing was read yet. */
  afresh(): Buyer
}

/** Everybody who is not signed in. Nothing is asked of the database. */
export const retailBuyer: Buyer = {
  accountId: async () => null,
  priceTier: async () => retailPriceTier,
  pricing: async () => null,
  afresh: () => retailBuyer,
}

/** How an account can have come by its type. */
export const grantWays = ['invitation', 'company-domain', 'staff', 'purchase'] as const
export type GrantWay = (typeof grantWays)[number]

/** A type that an account has for a time. `until` is null where it has no end; `by` says from whom, in words. */
export type Grant = {
  readonly type: AccountType
  readonly how: GrantWay
  readonly since: Temporal.Instant
  readonly until: Temporal.Instant | null
  readonly by: string
}
