/** The cart: terms, limits and forms. Safe in the browser. */
import type { PaymentMethodType } from '#domain/payments/payment-methods/payment-methods.ts'
import { z } from 'zod'
import { planIn, storeKindOf } from '#domain/pricing/store-programs/store-programs.ts'
import type { BookedService } from '#domain/scheduling/installers/installers.ts'
import type { Fulfillment } from '#domain/supply/delivery/delivery.ts'
import type { CoveragePlan } from '#domain/pricing/pricing/pricing.ts'
import type { AccountPrice, AccountType } from '#domain/pricing/price-tiers/price-tiers.ts'

export type { Fulfillment } from '#domain/supply/delivery/delivery.ts'

/** The wheels a line's tires are for, either all of them or one axle of a staggered set. */
export type Axle = 'all' | 'front' | 'rear'

/** Larger quantities of one article are for sales. */
export const maxQuantityPerLine = 40
/** The lifetime of a cart link, and the maximum number of open links per cart. */
export const cartLinkMinutes = 60
export const mostOpenCartLinks = 10

const itemId = z.coerce.number().int().positive().max(2_147_483_647)
const quantity = z.coerce.number().int().min(1).max(maxQuantityPerLine)

/** The SKU of a part as a request names it. */
export const partSku = z.string().trim().toUpperCase().min(2).max(40)

/** The product page's form for one item, or for a front and a rear item of a staggered set. */
export const addToCartForm = z
  .object({
    item: itemId,
    quantity: quantity.default(4),
    rearItem: itemId.optional(),
    rearQuantity: quantity.optional(),
    axle: z.enum(['all', 'front', 'rear']).default('all'),
  })
  .transform(({ item, quantity: count, rearItem, rearQuantity, axle }): { lines: NewLine[] } => ({
    lines:
      rearItem === undefined
        ? [{ itemId: item, quantity: count, axle }]
        : [
            { itemId: item, quantity: count, axle: 'front' },
            { itemId: rearItem, quantity: rearQuantity ?? count, axle: 'rear' },
          ],
  }))

export type NewLine = { itemId: number; quantity: number; axle: Axle }

/** What the cart page can request. */
export const cartIntent = z.discriminatedUnion('intent', [
  z.object({
    intent: z.literal('set-quantity'),
    item: itemId,
    axle: z.enum(['all', 'front', 'rear']),
    quantity: z.coerce.number().int().min(0).max(maxQuantityPerLine),
  }),
  z.object({ intent: z.literal('remove'), item: itemId, axle: z.enum(['all', 'front', 'rear']) }),
  z.object({ intent: z.literal('accept-prices') }),
  z.object({ intent: z.literal('remove-service') }),
  z.object({
    intent: z.literal('set-part'),
    sku: partSku,
    units: z.coerce.number().int().min(0).max(maxQuantityPerLine),
  }),
  z.object({ intent: z.literal('enter-coupon') }),
  z.object({ intent: z.literal('remove-coupon') }),
  /** Pays right away with a wallet of the device. */
  z.object({ intent: z.literal('express'), wallet: z.enum(['apple-pay', 'google-pay']) }),
])

/** One line as the store has it now, with the price the shopper last saw. */
export type CartLine = {
  itemId: number
  axle: Axle
  quantity: number
  /** The specification's roadHazardState, meaning whether coverage was chosen for these tires. */
  coverage: boolean
  seenUnitCents: number
  /**
   * This buyer's unit price before promotions. It is the quoted price, otherwise the account's own, otherwise retail.
   */
  unitCents: number
  retailUnitCents: number
  /** The maker's minimum advertised price of one, which no coupon goes below; null without one. */
  mapCents: number | null
  /** For buyers who do not buy at retail. */
  account?: AccountPrice
  /** The price in the cart's valid quote, for up to the quoted quantity of the item. */
  quote?: { label: AccountType; unitCents: number }
  fetUnitCents: number
  /** Units this cart can buy now, meaning those in stock that aren't held by another cart's reservation. */
  available: number
  /** The units that other carts hold; they are free again within minutes unless they are bought. */
  heldUnits: number
  article: CartArticle
}

/** What pages and pricing need to know about an article. */
export type CartArticle = {
  sku: string
  brandId: number
  lineId: number
  brand: string
  brandSlug: string
  line: string
  lineSlug: string
  tread: string
  size: string
  service: string
  sizeKind: string
  rimIn: number
  aspect: number
  runFlat: boolean
  loadRange: string | null
  weightLb: number
  /** The Monday of the oldest DOT week that can be delivered, YYYY-MM-DD; null if unknown. */
  oldestDotWeek: string | null
  promotions: CartPromotion[]
}

export type CartPromotion = {
  id: number
  name: string
  kind: 'Flat Amount' | 'Buy3Get1' | 'Free' | 'Percentage'
  amount: number
  fundedBy: 'store' | 'maker' | 'lender' | 'bank'
  alreadyApplied: boolean
  linkToCoverage: boolean
}

/** How the shopper wants to pay. */
export type CartPaymentMethod = PaymentMethodType

export type Cart = {
  id: string
  version: number
  /** `waiting` means pending its company's approval. */
  state: 'open' | 'waiting' | 'ordered'
  /** The account that owns it. */
  accountId: string | null
  /** The order it became. */
  orderId: number | null
  zip: string | null
  vehicle: unknown
  fulfillment: Fulfillment | null
  shopId: number | null
  carrierLocationId: number | null
  pickupWarehouseId: number | null
  roadside: boolean
  servicesAsked: boolean
  /** The referral link the shopper came by, and when it was opened; domain/customers/programs decides whether it counts. */
  referral: { code: string; openedAt: Temporal.Instant } | null
  /** The coupon the shopper entered; domain/catalog/coupons decides whether it counts. */
  couponId: number | null
  /** The owner's store credit in cents if the owner wants to pay with it; else 0. */
  creditCents: number
  paymentMethod: CartPaymentMethod
  /** The quote it was opened from, whether or not its prices still hold. */
  quoteId: number | null
  /** The branded store it was filled in, while that is on; null for our own. */
  dealer: CartDealer | null
  lines: CartLine[]
  /** The parts that it has in addition to its tires. */
  parts: CartPart[]
  /** The service that it books at its shop without tires, if any; a cart with one has no lines. */
  services: BookedService[]
}

/** A part in the cart, with its price for one in cents. */
export type CartPart = {
  partId: number
  kind: string
  sku: string
  name: string
  facts: Record<string, string>
  unitCents: number
  isOnSale: boolean
  quantity: number
}

/** A branded store as a cart names it; `installerId` is the shop's code. */
export type CartDealer = { shopId: number; dealerCode: string; installerId: string; name: string }

/** Returns the coverage plan sold with the cart, based on its store. */
export function planOf({ dealer }: Pick<Cart, 'dealer'>): CoveragePlan {
  return planIn(storeKindOf(dealer))
}

/** Whether a cart has neither tires nor a service. */
export function isEmptyCart({ lines, services }: Pick<Cart, 'lines' | 'services'>): boolean {
  return lines.length === 0 && services.length === 0
}

/** Counts the tires in the cart. */
export function tireCountOf(cart: Pick<Cart, 'lines'>): number {
  return cart.lines.reduce((sum, line) => sum + line.quantity, 0)
}

/** "Kestrel Alltide AS2 225/65R17 102H" */
export function articleName(article: Pick<CartArticle, 'brand' | 'line' | 'size' | 'service'>): string {
  return `${article.brand} ${article.line} ${article.size}${article.service ? ` ${article.service}` : ''}`
}

/** Returns the cart with the shopper's latest ZIP code from the header, which may be newer than the cart's. */
export function atLatestZip(cart: Cart, visitor: { zip?: string | undefined }): Cart {
  return { ...cart, zip: visitor.zip ?? cart.zip }
}
