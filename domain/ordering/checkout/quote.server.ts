/**
 * Calculates the cart's cost and arrival, with all problems that block the purchase. Over 400 lines: one price for each
 * kind of destination.
 */
import {
  type DeliveryPlan,
  isInstallation,
  isPickup,
  priceShipping,
  type Shortage,
} from '#domain/supply/delivery/delivery.ts'
import { ageRefusalOf, type BrandRange } from '#domain/catalog/catalog/catalog.ts'
import { articleName, isEmptyCart, type Cart, type CartPaymentMethod } from '#domain/payments/cart/cart.ts'
import { readCartOffers, sayOffers, type OffersSaid } from './cart-offers.server.ts'
import { offeredTires } from './charged-prices.ts'
import { planCart } from './plan-cart.server.ts'
import { companyCan } from '#domain/customers/companies/companies.ts'
import { findExemption } from '#domain/customers/companies/companies.server.ts'
import { findPickupWarehouse, planPickup, type PickupWarehouse } from '#domain/supply/delivery/delivery.server.ts'
import type { SupplierAvailability } from '#domain/supply/stock/stock.server.ts'
import type { PartUnits } from '#domain/supply/parts/parts.server.ts'
import { movedPrices, type MovedPrice } from './moved-prices.ts'
import { packParts, type PartsProblem } from './pack-parts.server.ts'
import { findPickupPlace } from '#domain/supply/pickup-places/pickup-places.server.ts'
import type { PickupPlace } from '#domain/supply/pickup-places/pickup-places.ts'
import { findShop, findShopsNear } from '#domain/scheduling/installers/installers.server.ts'
import {
  quoteInstallation,
  type CapabilityFault,
  type InstallationQuote,
  type Shop,
  type ShopInFull,
} from '#domain/scheduling/installers/installers.ts'
import { priceOffer, tireSpecs, type Destination, type OfferedTires } from '#domain/catalog/offers/offers.ts'
import { findPlace } from '#domain/kernel/places/places.server.ts'
import type { PriceBreakdown, ProgramOffer } from '#domain/pricing/pricing/pricing.ts'
import type { Buyer, PriceTier } from '#domain/pricing/price-tiers/price-tiers.ts'
import { findTaxRule, taxCart, type PriceTax } from '#domain/pricing/sales-tax/sales-tax.server.ts'
import type { TaxAddress, TaxProvider } from '#domain/pricing/sales-tax/tax-provider.port.ts'
import type { LiveTerms } from '#domain/kernel/settings/settings.server.ts'
import { shippingRatesOf, type BusinessTerms } from '#domain/kernel/settings/settings.ts'
import { atOnce } from '#platform/at-once.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused } from '#platform/outcome.ts'
import { storeZone } from '#platform/store-zone.ts'

/** `catalog` is limited to brands this visitor may buy; `buyer` identifies their company. */
export type QuoteDeps = {
  db: Database
  clock: Clock
  releaseAfterSeconds: number
  catalog: { readonly range: BrandRange }
  buyer: Pick<Buyer, 'accountId' | 'isMilitary' | 'priceTier'>
  /** The terms that apply now. */
  businessTerms: Pick<LiveTerms, 'at' | 'current'>
  /** Null or missing for a store that taxes by its table. */
  taxes?: TaxProvider | null
  /** Queries suppliers' stock. */
  supplierAvailability?: Pick<SupplierAvailability, 'findLacking' | 'refresh'>
}

/** `held`: how many other carts hold with their appointments, if any. */
export type HeldShortage = Shortage & { held?: number }

/** What blocks buying this cart as it is. */
export type QuoteProblem =
  | { kind: 'no-zip' }
  | { kind: 'zip-not-found' }
  | { kind: 'military' }
  | { kind: 'no-shop-nearby' }
  | { kind: 'shop-not-capable'; faults: CapabilityFault[] }
  | { kind: 'shop-gone' }
  /** The chosen warehouse no longer offers pickup. */
  | { kind: 'pickup-gone' }
  | { kind: 'out-of-stock'; shortages: HeldShortage[] }
  /** Tires the visitor may not buy, because they were added before sign-in or before the brands were restricted. */
  | { kind: 'other-brand'; names: string[] }
  | PartsProblem
  /** Tires beyond the maximum age, each with a text about its age. */
  | { kind: 'too-old'; tires: { name: string; text: string }[] }
  /** The buyer is a company viewer without permission to buy. */
  | { kind: 'viewer' }

export type CartQuote = {
  /** `chosen` when the shopper chose the destination, `estimate` when the nearest capable shop is assumed. */
  basis: 'chosen' | 'estimate'
  /** Null while the destination is not known. */
  breakdown: PriceBreakdown | null
  shop: (Shop & { miles?: number }) | null
  installation: InstallationQuote | null
  carrierLocation: PickupPlace | null
  /** Where the buyer picks them up themselves. */
  warehouse: PickupWarehouse | null
  /** Where the parcels go. */
  shipToZip: string | null
  delivery: DeliveryPlan | null
  /** The warehouses that pack its parts. */
  packed: PartUnits[]
  /** Where the sales tax is from; null where our table has it. */
  tax: PriceTax | null
  problems: QuoteProblem[]
  moved: MovedPrice[]
  /** The amount paid by store credit, and the remaining card payment. */
  creditCents: number
  dueCents: number
} & OffersSaid

/** The minimum card payment in cents, because an order without a charge isn't secured. */
export const smallestChargeCents = 100

export type QuoteOptions = {
  isAgreed?: boolean
  shop?: ShopInFull | undefined
  method?: CartPaymentMethod | undefined
}

/**
 * Prices `cart` for its destination. That is the chosen shop, van, or counter, or the address in `contact`. Otherwise
 * the price is an estimate at the nearest capable shop to its ZIP code. With `isAgreed`, uses the tax the shopper saw
 * regardless of its age. `shop` is the cart's shop, if the caller has read it. `method` is the payment method to price
 * for. Without it, a payment method's offer counts only after its charge is authorized.
 */
export async function quoteCart(
  deps: QuoteDeps,
  cart: Cart,
  contact: QuotedContact | null,
  { isAgreed = false, shop, method }: QuoteOptions = {},
): Promise<CartQuote> {
  const tires = offeredTires(cart.lines)
  const { companyId, companyRole } = await deps.buyer.priceTier()
  const problems = saleProblems(deps, cart, companyRole)
  await deps.supplierAvailability?.refresh(cart.lines.map(({ itemId }) => itemId))
  const target = await resolveTarget({ ...deps, shop }, cart, contact, tires, problems)
  if (!target || isEmptyCart(cart)) return withoutPrice(cart, problems, deps.businessTerms.current)

  const day = deps.clock.now().toZonedDateTimeISO(target.timeZone).toPlainDate()
  const to = taxAddressOf(target, cart, contact)
  const buyer = await known(deps.buyer)
  const [plan, offers, exemption, taxRule] = await atOnce(deps.db, [
    (db) => planFor({ ...deps, db }, cart, target),
    (db) => readCartOffers({ ...deps, db, buyer }, cart, method),
    (db) => (companyId === null ? null : findExemption({ db }, companyId, to.state)),
    (db) => requireTaxRule(db, to, day),
  ])
  if (!plan.ok)
    problems.push(
      plan.reason === 'out-of-stock'
        ? { kind: 'out-of-stock', shortages: plan.detail.map((shortage) => withHeld(cart, shortage)) }
        : { kind: plan.reason },
    )

  const packed = await packParts(deps.db, cart, plan)
  problems.push(...packed.problems)

  const destination: Destination = {
    stateCode: to.state,
    installation: target.installation,
    shopName: target.shop?.name ?? null,
    shippingCents: target.warehouse
      ? 0
      : priceShipping(shippingRatesOf(deps.businessTerms.current), target, tires).totalCents,
    shippingTo: target.shippingTo,
    taxRule,
    terms: deps.businessTerms.current,
  }
  const priceWith = (programs: readonly ProgramOffer[]) =>
    priceOffer(tires, destination, day, { ...offers.choices, programs, exemption })
  const priced = priceWith(offers.choices.programs ?? [])
  const { breakdown, tax } = await taxCart(deps, { id: cart.id, priced, rule: taxRule, to, isAgreed })
  const { totalCents } = breakdown.totals
  const creditCents = Math.max(0, Math.min(cart.creditCents, totalCents - smallestChargeCents))
  return {
    basis: target.basis,
    breakdown,
    creditCents,
    dueCents: totalCents - creditCents,
    shop: target.shop,
    installation: target.installation,
    carrierLocation: target.carrierLocation,
    warehouse: target.warehouse ?? null,
    shipToZip: target.zip,
    delivery: plan.ok ? plan.value : null,
    packed: packed.parts,
    tax,
    problems,
    moved: movedPrices(cart, breakdown, deps.businessTerms.current),
    ...sayOffers(offers, priced, priceWith),
  }
}

/** Adds how many units other carts hold, so that the shopper reads that they may be free again soon. */
function withHeld({ lines }: Pick<Cart, 'lines'>, shortage: Shortage): HeldShortage {
  const held = lines.find(({ itemId }) => itemId === shortage.itemId)?.heldUnits ?? 0
  return held > 0 ? { ...shortage, held } : shortage
}

/** Plans which warehouses ship which items and when; a pickup uses only its own warehouse. */
async function planFor(deps: QuoteDeps, cart: Cart, { zip, warehouse, timeZone }: Target) {
  const lines = cart.lines.map(({ itemId, quantity }) => ({ itemId, quantity }))
  if (lines.length === 0)
    return ok({ arrivesOn: deps.clock.now().toZonedDateTimeISO(timeZone).toPlainDate(), shipments: [] })
  if (!warehouse) return (await planCart(deps, cart, [zip])).get(zip) ?? refused('zip-not-found')
  return planPickup(deps, {
    lines,
    warehouseId: warehouse.id,
    releaseAfter: deps.releaseAfterSeconds,
    cartId: cart.id,
  })
}

/** The recipient, without an address while the price is an estimate. */
type QuotedContact = { zip: string; state: string; address1?: string; city?: string }

/**
 * Returns the address to tax at. It is the shopper's for home delivery and vans, and otherwise the shop or pickup
 * location.
 */
function taxAddressOf(
  { shop, carrierLocation, warehouse, shippingTo, zip, state }: Target,
  { fulfillment }: Cart,
  contact: QuotedContact | null,
): TaxAddress {
  if (contact && (fulfillment === 'mobile' || (shippingTo === 'address' && contact.zip === zip))) {
    const place = fulfillment === 'mobile' ? contact : { zip, state }
    return { street: contact.address1 ?? null, city: contact.city ?? null, state: place.state, zip: place.zip }
  }
  const at = shop ?? carrierLocation ?? warehouse
  return { street: at?.street ?? null, city: at?.city ?? null, state, zip }
}

/**
 * Resolves everything an offer needs to know about the buyer up front, so that its queries don't wait for another
 * connection.
 */
async function known(buyer: QuoteDeps['buyer']): Promise<QuoteDeps['buyer']> {
  const [accountId, isMilitary, priceTier] = [
    await buyer.accountId(),
    await buyer.isMilitary(),
    await buyer.priceTier(),
  ]
  return { accountId: async () => accountId, isMilitary: async () => isMilitary, priceTier: async () => priceTier }
}

async function requireTaxRule(db: Database, to: TaxAddress, day: Temporal.PlainDate) {
  const rule = await findTaxRule(db, to, day)
  if (!rule) throw new RangeError(`There is no tax rule for ${to.state}.`)
  return rule
}

/** What this visitor may not buy, at any destination. */
function saleProblems(
  { catalog: { range }, clock, businessTerms }: Pick<QuoteDeps, 'catalog' | 'clock' | 'businessTerms'>,
  cart: Cart,
  companyRole: PriceTier['companyRole'],
): QuoteProblem[] {
  const problems: QuoteProblem[] = []
  const foreign = cart.lines.filter(({ article }) => range !== null && !range.includes(article.brandId))
  if (foreign.length > 0)
    problems.push({ kind: 'other-brand', names: foreign.map(({ article }) => articleName(article)) })
  const at = { now: clock.now(), maxAgeYears: businessTerms.current['tire-age-years'] }
  const old = cart.lines.flatMap(({ article }) => {
    const text = ageRefusalOf(article, at)
    return text === null ? [] : [{ name: articleName(article), text }]
  })
  if (old.length > 0) problems.push({ kind: 'too-old', tires: old })
  if (companyRole !== null && !companyCan(companyRole, 'order')) problems.push({ kind: 'viewer' })
  return problems
}

/** Returns the quote for a cart that is empty or has no destination. */
function withoutPrice(cart: Cart, problems: QuoteProblem[], terms: BusinessTerms): CartQuote {
  return {
    basis: 'estimate',
    breakdown: null,
    shop: null,
    installation: null,
    carrierLocation: null,
    warehouse: null,
    shipToZip: null,
    delivery: null,
    packed: [],
    tax: null,
    problems,
    moved: movedPrices(cart, null, terms),
    coupon: null,
    referral: null,
    military: null,
    besides: [],
    notes: [],
    creditCents: 0,
    dueCents: 0,
  }
}

type Target = {
  basis: CartQuote['basis']
  shop: CartQuote['shop']
  installation: InstallationQuote | null
  carrierLocation: PickupPlace | null
  warehouse?: PickupWarehouse
  zip: string
  state: string
  shippingTo: 'shop' | 'address' | 'pickup'
  timeZone: string
}

async function resolveTarget(
  deps: QuoteDeps & { shop?: ShopInFull | undefined },
  cart: Cart,
  contact: { zip: string; state: string } | null,
  tires: readonly OfferedTires[],
  problems: QuoteProblem[],
): Promise<Target | undefined> {
  if (isInstallation(cart.fulfillment)) {
    if (cart.shopId !== null)
      return atChosenShop(deps, { id: cart.shopId, cartId: cart.id, services: cart.services }, tires, problems)
    return atNearestShop(deps, cart, tires, problems)
  }
  const counter = await atCounter(deps, cart, problems)
  if (counter !== null) return counter
  if (cart.fulfillment === 'home' || isPickup(cart.fulfillment)) {
    const at = await placeOf(deps, contact?.zip ?? cart.zip, problems)
    return (
      at && {
        ...at,
        basis: contact ? 'chosen' : 'estimate',
        shop: null,
        installation: null,
        carrierLocation: null,
        shippingTo: isPickup(cart.fulfillment) ? 'pickup' : 'address',
      }
    )
  }
  return atNearestShop(deps, cart, tires, problems)
}

/** Returns the buyer's pickup location or warehouse; null if not chosen. */
async function atCounter(
  deps: QuoteDeps,
  { fulfillment, carrierLocationId, pickupWarehouseId }: Cart,
  problems: QuoteProblem[],
): Promise<Target | undefined | null> {
  if (fulfillment === 'warehouse-pickup' && pickupWarehouseId !== null)
    return atWarehouse(deps, pickupWarehouseId, problems)
  if (fulfillment !== 'carrier-pickup' || carrierLocationId === null) return null
  const location = await findPickupPlace(deps, carrierLocationId)
  const at = location && (await placeOf(deps, location.zip, problems))
  return (
    at &&
    location && {
      ...at,
      basis: 'chosen',
      shop: null,
      installation: null,
      carrierLocation: location,
      shippingTo: 'pickup',
    }
  )
}

async function atWarehouse(deps: QuoteDeps, id: number, problems: QuoteProblem[]): Promise<Target | undefined> {
  const warehouse = await findPickupWarehouse(deps, id)
  if (!warehouse) problems.push({ kind: 'pickup-gone' })
  const at = warehouse && (await placeOf(deps, warehouse.zip, problems))
  return (
    at &&
    warehouse && {
      ...at,
      basis: 'chosen',
      shop: null,
      installation: null,
      carrierLocation: null,
      warehouse,
      shippingTo: 'pickup',
      state: warehouse.state,
      timeZone: warehouse.timeZone,
    }
  )
}

async function atChosenShop(
  deps: QuoteDeps & { shop?: ShopInFull | undefined },
  chosen: { id: number; cartId: string; services: Cart['services'] },
  tires: readonly OfferedTires[],
  problems: QuoteProblem[],
): Promise<Target | undefined> {
  const shop = deps.shop?.id === chosen.id ? deps.shop : await findShop(deps, chosen)
  if (!shop) {
    problems.push({ kind: 'shop-gone' })
    return undefined
  }
  const installation = quoteInstallation(shop, tireSpecs(tires), chosen.services)
  if (!installation.ok) problems.push({ kind: 'shop-not-capable', faults: installation.detail })
  const at = await placeOf(deps, shop.zip, problems)
  return (
    at && {
      ...at,
      basis: 'chosen',
      shop,
      installation: installation.ok ? installation.value : null,
      carrierLocation: null,
      shippingTo: 'shop',
      timeZone: shop.timeZone,
      state: shop.state,
    }
  )
}

async function atNearestShop(
  deps: QuoteDeps,
  { zip, dealer }: Pick<Cart, 'zip' | 'dealer'>,
  tires: readonly OfferedTires[],
  problems: QuoteProblem[],
): Promise<Target | undefined> {
  const here = await placeOf(deps, zip, problems)
  if (!here) return undefined
  const near = await findShopsNear(deps, {
    near: { zip: here.zip },
    tires: tireSpecs(tires),
    limit: 1,
    only: dealer?.shopId,
  })
  const shop = near.ok ? near.value[0] : undefined
  if (!shop) {
    problems.push({ kind: 'no-shop-nearby' })
    return { ...here, basis: 'estimate', shop: null, installation: null, carrierLocation: null, shippingTo: 'address' }
  }
  const at = await placeOf(deps, shop.zip, problems)
  return (
    at && {
      ...at,
      basis: 'estimate',
      shop,
      installation: shop.quote,
      carrierLocation: null,
      shippingTo: 'shop',
      timeZone: shop.timeZone,
      state: shop.state,
    }
  )
}

async function placeOf(
  deps: QuoteDeps,
  zip: string | null,
  problems: QuoteProblem[],
): Promise<Pick<Target, 'zip' | 'state' | 'timeZone'> | undefined> {
  if (zip === null) {
    problems.push({ kind: 'no-zip' })
    return undefined
  }
  const place = await findPlace(deps.db, zip)
  if (!place) {
    problems.push({ kind: 'zip-not-found' })
    return undefined
  }
  if (place.region === 'MILITARY') {
    problems.push({ kind: 'military' })
    return undefined
  }
  return { zip: place.zip, state: place.state, timeZone: place.timeZone ?? storeZone }
}
