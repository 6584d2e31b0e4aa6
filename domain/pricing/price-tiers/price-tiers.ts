/** An account's price tier, with its type, price label and support desk. */
import type { AccountType, SalesChannel } from '#domain/pricing/pricing/pricing.ts'
import type { AccountPricing } from './price-list.ts'

export type { AccountType } from '#domain/pricing/pricing/pricing.ts'
export { badgeOf, labelOf, priceLabels, supportDeskOf, type PriceLabel, type SupportDesk } from './labels.ts'
export {
  assignForm,
  listedTypes,
  mostPriceListBytes,
  newListForm,
  versionUploadForm,
  type VersionState,
} from './office-price-lists.ts'
export { priceListColumns } from './price-list-rows.ts'
export {
  accountPrice,
  type AccountPrice,
  type AccountPricing,
  type ListedItem,
  type PriceList,
  type PriceRule,
} from './price-list.ts'

/** What determines the prices an account sees and the tires it may see. */
export type PriceTier = {
  readonly accountType: AccountType
  /** The list of its prices; null is the retail price. */
  readonly priceListId: number | null
  /** Changes with every write to a rule of the list; null without a list. */
  readonly priceListVersion: number | null
  /** The approved company it buys for. */
  readonly companyId: string | null
  /** Its role there. */
  readonly companyRole: 'owner' | 'buyer' | 'viewer' | null
  /** The most an order of it may come to without an approval, in cents; null for no limit. */
  readonly orderLimitCents: number | null
  /** The brands it may see and buy, by sorted id; null for all. */
  readonly brandIds: readonly number[] | null
  /** The channel for its prices; missing for the store's own. */
  readonly channel?: SalesChannel
}

/** The price tier of guests, and of accounts without a grant. */
export const retailPriceTier: PriceTier = {
  accountType: 'Retail',
  priceListId: null,
  priceListVersion: null,
  companyId: null,
  companyRole: null,
  orderLimitCents: null,
  brandIds: null,
}

/** The buyer, as far as prices go. Each answer is read from the database on first use, once. */
export type Buyer = {
  /** Set where a company itself buys, through its purchasing system, and no account of it. */
  readonly companyId?: string
  /** The account that buys; null for a guest. */
  accountId(): Promise<string | null>
  priceTier(): Promise<PriceTier>
  /** The current prices of the account's type; null at retail. */
  pricing(): Promise<AccountPricing | null>
  /** Whether its military service is verified now. */
  isMilitary(): Promise<boolean>
  /** Returns the same account without cached data. */
  afresh(): Buyer
}

/** The buyer for guests. Never queries the database. */
export const retailBuyer: Buyer = {
  accountId: async () => null,
  priceTier: async () => retailPriceTier,
  pricing: async () => null,
  isMilitary: async () => false,
  afresh: () => retailBuyer,
}

/** The ways an account gets its type. */
export const grantWays = ['invitation', 'company-domain', 'staff', 'purchase'] as const
export type GrantWay = (typeof grantWays)[number]

/** An account type granted for a period. `until` is null if unlimited; `by` is the grantor's display name. */
export type Grant = {
  readonly type: AccountType
  readonly how: GrantWay
  readonly since: Temporal.Instant
  readonly until: Temporal.Instant | null
  readonly by: string
  /** Why staff set it; null when it came in another way. */
  readonly reason?: string | null
}
