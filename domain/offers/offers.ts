/**
 * What tires cost out the door: the bridge between articles, shops and the pricing engine. The listing, the product
 * page, the cart and the order all build their calculation here, so that they cannot disagree. Pure.
 */
import { serviceOf, type Item, type Price } from '#domain/catalog/catalog.ts'
import { priceShipping, regionOf } from '#domain/delivery/delivery.ts'
import type { InstallationQuote, TireSpec } from '#domain/installers/installers.ts'
import {
  priceCart,
  taxRuleFor,
  type ExemptionCertificate,
  type ItemPromotion,
  type PriceBreakdown,
  type PriceInput,
  type ProgramOffer,
  type ServiceLine,
} from '#domain/pricing/pricing.ts'
import { ROADSIDE_FROM_TIRES } from '#platform/business-constants.ts'
import type { AccountPrice } from '#domain/price-tiers/price-tiers.ts'

/** Tires of one article as the calculation sees them. */
export type OfferedTires = {
  itemId: number
  name: string
  quantity: number
  /** The retail price, before promotions. */
  unitCents: number
  /** The price by the buyer's type, for who does not buy at retail; one type for all tires of an offer. */
  account?: AccountPrice | undefined
  fetUnitCents: number
  weightLb: number
  /** For how many of them replacement coverage was chosen. */
  coveredQuantity: number
  spec: Omit<TireSpec, 'quantity'>
  promotions: readonly OfferedPromotion[]
}

/** A promotion as it is stored: percent, cents per tire or units, by its kind. */
export type OfferedPromotion = {
  id: number
  name: string
  kind: 'Flat Amount' | 'Buy3Get1' | 'Free' | 'Percentage'
  amount: number
  fundedBy: ItemPromotion['fundedBy']
  alreadyApplied: boolean
}

/**
 * What the shopper added to the tires, the programs that might count for them, and the tax certificate of whom they buy
 * for.
 */
export type OfferChoices = {
  roadside: boolean
  programs?: readonly ProgramOffer[]
  exemption?: ExemptionCertificate | null
}

/** Where the tires go, as far as money is concerned. `installation` is null when nobody installs them. */
export type Destination = {
  stateCode: string
  installation: InstallationQuote | null
  shopName: string | null
  shippingCents: number
  shippingTo: 'shop' | 'address' | 'pickup'
}

/**
 * The destination of `tires` that a shop installs: shipping to it is in the price wherever that is said, from the first
 * card to the order.
 */
export function atShop(
  shop: { name: string; state: string },
  installation: InstallationQuote,
  tires: readonly OfferedTires[],
): Destination {
  const { totalCents } = priceShipping(regionOf(shop.state), tires)
  return { stateCode: shop.state, installation, shopName: shop.name, shippingCents: totalCents, shippingTo: 'shop' }
}

/** Roadside assistance for 12 months, once per order. */
export const roadsideCents = 2_995

/** Replacement coverage for one tire: a tenth of its price, up to the next 99 cents. */
export function coverageCents(unitCents: number): number {
  return Math.ceil(unitCents / 10 / 100) * 100 - 1
}

/**
 * The explained price of `tires` (one entry per article, see `groupByArticle`) at `destination` on `date`.
 * Throws for a state there is no tax rule for: nothing is shipped there, so nothing may be priced for it.
 */
export function priceOffer(
  tires: readonly OfferedTires[],
  destination: Destination,
  date: Temporal.PlainDate,
  choices: OfferChoices = { roadside: false },
): PriceBreakdown {
  return priceCart(priceInput(tires, destination, date, choices))
}

function priceInput(
  tires: readonly OfferedTires[],
  destination: Destination,
  date: Temporal.PlainDate,
  choices: OfferChoices,
): PriceInput {
  return {
    accountType: tires[0]?.account?.type ?? 'none',
    date,
    tires: tires.map((line) => ({
      articleId: articleId(line.itemId),
      name: line.name,
      quantity: line.quantity,
      retailUnitCents: line.unitCents,
      accountUnitCents: line.account?.unitCents ?? null,
      rimInches: line.spec.rimIn,
      fetUnitCents: line.fetUnitCents,
      promotions: line.promotions.map(toItemPromotion),
    })),
    services: servicesFor(tires, destination.installation, choices),
    shipping: { cents: destination.shippingCents, to: destination.shippingTo },
    programs: choices.programs ?? [],
    tender: null,
    taxRule: requireTaxRule(destination.stateCode, date),
    exemption: choices.exemption ?? null,
    shopName: destination.shopName,
  }
}

/** What is charged beside the tires: coverage as chosen, the shop's work on each article, roadside assistance. */
function servicesFor(
  tires: readonly OfferedTires[],
  installation: InstallationQuote | null,
  { roadside }: OfferChoices,
): ServiceLine[] {
  const services: ServiceLine[] = []
  for (const line of tires) if (line.coveredQuantity > 0) services.push(coverageLine(line))
  for (const [index, line] of (installation?.lines ?? []).entries()) {
    const forArticle = tires[index]
    const id = forArticle && tires.length > 1 ? articleId(forArticle.itemId) : null
    services.push({ kind: 'installation', articleId: id, eachCents: line.installCents, quantity: line.quantity })
    if (line.serviceKitCents > 0)
      services.push({ kind: 'service-kit', articleId: id, eachCents: line.serviceKitCents, quantity: line.quantity })
    if (line.disposalCents > 0)
      services.push({ kind: 'disposal', articleId: id, eachCents: line.disposalCents, quantity: line.quantity })
  }
  const count = tires.reduce((sum, line) => sum + line.quantity, 0)
  if (roadside && installation && count >= ROADSIDE_FROM_TIRES)
    services.push({ kind: 'roadside', articleId: null, eachCents: roadsideCents, quantity: 1 })
  return services
}

/** A buyer with a price of their own pays for coverage by that price. */
function coverageLine({ itemId, unitCents, account, coveredQuantity }: OfferedTires): ServiceLine {
  const ownCents = account?.unitCents ?? null
  return {
    kind: 'coverage',
    articleId: articleId(itemId),
    eachCents: coverageCents(unitCents),
    ...(ownCents === null ? {} : { accountEachCents: coverageCents(ownCents) }),
    quantity: coveredQuantity,
  }
}

/**
 * The price of the tires alone, before it is known where they go: without installation, and where no tax and no fee is
 * owed.
 */
export function priceTires(tires: readonly OfferedTires[]): PriceBreakdown {
  const nowhere: Destination = {
    stateCode: 'OR',
    installation: null,
    shopName: null,
    shippingCents: 0,
    shippingTo: 'shop',
  }
  return priceOffer(tires, nowhere, Temporal.PlainDate.from('2026-01-01'))
}

/** One entry per article: a shop and the engine count the tires of an article together, wherever on the car they go. */
export function groupByArticle(tires: readonly OfferedTires[]): OfferedTires[] {
  const grouped = new Map<number, OfferedTires>()
  for (const line of tires) {
    const known = grouped.get(line.itemId)
    grouped.set(
      line.itemId,
      known
        ? {
            ...known,
            quantity: known.quantity + line.quantity,
            coveredQuantity: known.coveredQuantity + line.coveredQuantity,
          }
        : line,
    )
  }
  return [...grouped.values()]
}

/** What a shop is asked to install. */
export function tireSpecs(tires: readonly OfferedTires[]): TireSpec[] {
  return tires.map((line) => ({ ...line.spec, quantity: line.quantity }))
}

function requireTaxRule(stateCode: string, date: Temporal.PlainDate) {
  const rule = taxRuleFor(stateCode, date)
  if (!rule) throw new RangeError(`There is no tax rule for ${stateCode} on ${date.toString()}.`)
  return rule
}

/** Articles are ordered by this text, so it has a fixed width. */
export function articleId(itemId: number): string {
  return String(itemId).padStart(9, '0')
}

/** The promotion as the engine takes it. */
export function toItemPromotion(promotion: OfferedPromotion): ItemPromotion {
  const base = {
    id: String(promotion.id),
    name: promotion.name,
    fundedBy: promotion.fundedBy,
    alreadyApplied: promotion.alreadyApplied,
  }
  switch (promotion.kind) {
    case 'Percentage':
      return { ...base, reduction: { type: 'Percentage', ratePpm: promotion.amount * 10_000 } }
    case 'Flat Amount':
      return { ...base, reduction: { type: 'Flat Amount', amountCents: promotion.amount } }
    case 'Buy3Get1':
      return { ...base, reduction: { type: 'Buy3Get1' } }
    case 'Free':
      return { ...base, reduction: { type: 'Free', units: promotion.amount } }
  }
}

/** The item an article id of the calculation stands for. */
export function parseArticleId(id: string): number {
  return Number(id)
}

/**
 * Four tires, or two and two, or so many of each, as the pricing engine takes them: at the price before promotions,
 * which it takes off by itself.
 */
export function offeredTires(
  items: readonly Item[],
  prices: readonly Price[],
  quantity = 4 / items.length,
): OfferedTires[] {
  return items.map((item, index) => ({
    itemId: item.id,
    name: [item.line.brand.name, item.line.name, item.size.designation, serviceOf(item)].filter(Boolean).join(' '),
    quantity,
    unitCents: item.retailCents,
    account: prices[index]?.account,
    fetUnitCents: item.fetCents,
    weightLb: item.weightLb,
    coveredQuantity: 0,
    spec: { rimIn: item.size.rimIn, aspect: item.size.aspect, runFlat: item.runFlat, sizeKind: item.size.kind },
    promotions: prices[index]?.promotions ?? [],
  }))
}

/**
 * What replacement coverage for one of an article costs, in cents: by the price it is charged at before promotions,
 * excise tax aside, as in the cart.
 */
export function coverageOf({ retailCents }: Item, { label, account }: Price): number {
  return coverageCents((label === null ? null : account?.unitCents) ?? retailCents)
}
