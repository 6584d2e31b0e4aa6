/**
 * Out-the-door tire prices, which combine items, shops and pricing. The listing, the product page, the cart and the
 * order all build their price input here, so that they agree. Pure.
 */
import { serviceOf, type Item, type Price } from '#domain/catalog/catalog/catalog.ts'
import { priceShipping } from '#domain/supply/delivery/delivery.ts'
import type { InstallationQuote, TireSpec } from '#domain/scheduling/installers/installers.ts'
import {
  priceCart,
  relocated,
  taxRuleFor,
  type AccountType,
  type CoveragePlan,
  type CouponOffer,
  type ExemptionCertificate,
  type ItemPromotion,
  type PriceBreakdown,
  type PriceInput,
  type ProgramOffer,
  type SalesChannel,
  type ServiceLine,
  type TaxRule,
  type TenderOffer,
} from '#domain/pricing/pricing/pricing.ts'
import { priceRatesOf, shippingRatesOf, type BusinessTerms } from '#domain/kernel/settings/settings.ts'
import type { AccountPrice } from '#domain/pricing/price-tiers/price-tiers.ts'

export type { VisitorTerms } from './visitor-terms.ts'

/** One item's tires as pricing input. */
export type OfferedTires = {
  itemId: number
  name: string
  quantity: number
  /** The retail price, before promotions. */
  unitCents: number
  /** The maker's minimum advertised price of one, which no coupon goes below. */
  mapCents?: number | null
  /** The price for the buyer's account type, if it isn't retail; all tires in an offer have the same type. */
  account?: AccountPrice | undefined
  /** The price staff quoted per tire, and the quote's label. The price is charged as quoted. */
  quote?: QuotedPrice | undefined
  fetUnitCents: number
  weightLb: number
  /** How many of them have replacement coverage. */
  coveredQuantity: number
  spec: Omit<TireSpec, 'quantity'>
  promotions: readonly OfferedPromotion[]
}

/** A tire's quoted price in cents, and the account type the quote was based on. */
export type QuotedPrice = { label: AccountType; unitCents: number }

/** A stored promotion. Its value is a percentage, cents per tire, or units, depending on its kind. */
export type OfferedPromotion = {
  id: number
  name: string
  kind: 'Flat Amount' | 'Buy3Get1' | 'Free' | 'Percentage'
  amount: number
  fundedBy: ItemPromotion['fundedBy']
  alreadyApplied: boolean
}

/** The shopper's services, candidate programs, and their company's tax certificate. */
export type OfferChoices = {
  roadside: boolean
  /** The parts that are sold with the tires. */
  parts?: readonly ServiceLine[]
  /** The plan that covers tires; our replacement coverage if not given. */
  plan?: CoveragePlan
  programs?: readonly ProgramOffer[]
  /** The offer for the shopper's payment method. */
  tender?: TenderOffer | null
  exemption?: ExemptionCertificate | null
  channel?: SalesChannel | undefined
}

/** Where the tires go, as far as the price is concerned. `installation` is null without installation. */
export type Destination = {
  stateCode: string
  installation: InstallationQuote | null
  shopName: string | null
  shippingCents: number
  shippingTo: 'shop' | 'address' | 'pickup'
  /** The tax rule of its ZIP; without one, the built-in rule of its state. */
  taxRule?: TaxRule
  /** The business terms that apply. */
  terms: BusinessTerms
}

/**
 * Returns the destination of `tires` installed at a shop on the terms of a time: its prices include shipping everywhere,
 * from the first card to the order.
 */
export function atShop(
  shop: { name: string; state: string; zip: string },
  installation: InstallationQuote,
  tires: readonly OfferedTires[],
  { taxRule, terms }: { taxRule: TaxRule; terms: BusinessTerms },
): Destination {
  const { totalCents: shippingCents } = priceShipping(shippingRatesOf(terms), shop, tires)
  return { stateCode: shop.state, installation, shopName: shop.name, shippingCents, shippingTo: 'shop', taxRule, terms }
}

/**
 * Returns a plan's price for one tire in cents. It is a share of the tire's price set by the terms, rounded up to the
 * next 99 cents. Both plans cost the same.
 */
export function coverageCents(unitCents: number, terms: Pick<BusinessTerms, 'coverage-ppm'>): number {
  return Math.max(0, Math.ceil((unitCents * terms['coverage-ppm']) / 100_000_000) * 100 - 1)
}

/**
 * Prices `tires` (one entry per item, see `groupByArticle`) at `destination` on `date`. Excludes tires from a coupon
 * that would price them below their minimum advertised price. Throws for a state without a tax rule, because we don't
 * ship or price there.
 */
export function priceOffer(
  tires: readonly OfferedTires[],
  destination: Destination,
  date: Temporal.PlainDate,
  choices: OfferChoices = { roadside: false },
): PriceBreakdown {
  const breakdown = priceCart(priceInput(tires, destination, date, choices))
  const below = breakdown.program.kind === 'coupon' ? belowMap(breakdown, tires) : []
  if (below.length === 0) return breakdown
  // Each round leaves out at least one article, so this ends.
  const all = tires.map(({ itemId }) => articleId(itemId))
  const programs = (choices.programs ?? []).map((offer) =>
    offer.kind === 'coupon' ? without(offer, below, all) : offer,
  )
  return priceOffer(tires, destination, date, { ...choices, programs })
}

/** The articles that a coupon puts below their minimum advertised price. */
function belowMap({ lines }: PriceBreakdown, tires: readonly OfferedTires[]): string[] {
  return tires.flatMap(({ itemId, mapCents }) => {
    const line = lines.find((each) => each.kind === 'tire' && each.articleId === articleId(itemId))
    const isBelow =
      line &&
      typeof mapCents === 'number' &&
      line.programCents > 0 &&
      line.grossCents - line.itemPromotionCents - line.programCents < mapCents * line.quantity
    return isBelow ? articleId(itemId) : []
  })
}

/** The coupon on all its articles but these. */
function without(offer: CouponOffer, articles: readonly string[], all: readonly string[]): CouponOffer {
  const { reduction } = offer
  if (reduction.type === 'Free') return { ...offer, reduction: { type: 'Flat Amount', amountCents: 0, articleIds: [] } }
  const meant = reduction.articleIds === 'all' ? all : reduction.articleIds
  return { ...offer, reduction: { ...reduction, articleIds: meant.filter((id) => !articles.includes(id)) } }
}

function priceInput(
  tires: readonly OfferedTires[],
  destination: Destination,
  date: Temporal.PlainDate,
  choices: OfferChoices,
): PriceInput {
  const label = tires.find(({ quote }) => quote)?.quote?.label
  const accountType = label ?? tires[0]?.account?.type ?? 'none'
  return {
    accountType,
    date,
    tires: tires.map((line) => ({
      articleId: articleId(line.itemId),
      name: line.name,
      quantity: line.quantity,
      retailUnitCents: line.unitCents,
      // One label per order, so the account's own price is ignored next to quoted tires with another label.
      accountUnitCents: line.account?.type === accountType ? line.account.unitCents : null,
      ...(line.quote && { quotedUnitCents: line.quote.unitCents }),
      rimInches: line.spec.rimIn,
      fetUnitCents: line.fetUnitCents,
      promotions: line.promotions.map(toItemPromotion),
    })),
    services: servicesFor(tires, destination, choices),
    shipping: tires.length > 0 ? { cents: destination.shippingCents, to: destination.shippingTo } : null,
    programs: choices.programs ?? [],
    tender: choices.tender ?? null,
    taxRule: destination.taxRule ?? requireTaxRule(destination.stateCode, date),
    exemption: choices.exemption ?? null,
    shopName: destination.shopName,
    terms: priceRatesOf(destination.terms),
    ...(choices.channel && { channel: choices.channel }),
  }
}

/** Services charged with the tires (the chosen coverage, the shop's work per item, and roadside assistance). */
function servicesFor(
  tires: readonly OfferedTires[],
  { installation, terms }: Pick<Destination, 'installation' | 'terms'>,
  { roadside, parts = [], plan }: OfferChoices,
): ServiceLine[] {
  const services: ServiceLine[] = [...parts]
  for (const line of tires) if (line.coveredQuantity > 0) services.push(coverageLine(line, terms, plan))
  services.push(
    ...worksOf(
      tires.map(({ itemId }) => articleId(itemId)),
      installation,
    ),
  )
  // Pricing omits it, with a message, if there are too few tires or they aren't installed.
  if (roadside) services.push({ kind: 'roadside', articleId: null, eachCents: terms['roadside-cents'], quantity: 1 })
  return services
}

/** Coverage is priced from the buyer's own or quoted tire price. */
function coverageLine(
  { itemId, unitCents, account, quote, coveredQuantity }: OfferedTires,
  terms: BusinessTerms,
  plan: CoveragePlan = 'replacement',
): ServiceLine {
  const ownCents = quote ? null : (account?.unitCents ?? null)
  return {
    kind: 'coverage',
    articleId: articleId(itemId),
    eachCents: coverageCents(quote?.unitCents ?? unitCents, terms),
    ...(ownCents === null ? {} : { accountEachCents: coverageCents(ownCents, terms) }),
    quantity: coveredQuantity,
    ...(plan !== 'replacement' && { plan }),
  }
}

/** Moves an agreed price to another destination, with unchanged tire prices. Throws as `relocated` does. */
export function priceElsewhere(
  agreed: PriceBreakdown,
  { stateCode, installation, shopName, shippingCents, shippingTo, taxRule, terms }: Destination,
  date: Temporal.PlainDate,
): PriceBreakdown {
  const articles = agreed.lines.flatMap(({ kind, articleId: id }) => (kind === 'tire' && id !== null ? [id] : []))
  return relocated(agreed, {
    services: worksOf(articles, installation),
    shipping: { cents: shippingCents, to: shippingTo },
    taxRule: taxRule ?? requireTaxRule(stateCode, date),
    shopName,
    terms: priceRatesOf(terms),
  })
}

/** The shop's work on each of these articles, which its quote has in the same order. */
function worksOf(articles: readonly string[], installation: InstallationQuote | null): ServiceLine[] {
  const services = (installation?.services ?? []).map(({ service, name, units, eachCents }): ServiceLine => ({
    kind: 'service',
    articleId: service,
    name,
    eachCents,
    quantity: units,
  }))
  const works = (installation?.lines ?? []).flatMap((line, index) => {
    const id = articles.length > 1 ? (articles[index] ?? null) : null
    const work = (kind: ServiceLine['kind'], eachCents: number): ServiceLine => ({
      kind,
      articleId: id,
      eachCents,
      quantity: line.quantity,
    })
    return [
      work('installation', line.installCents),
      ...(line.serviceKitCents > 0 ? [work('service-kit', line.serviceKitCents)] : []),
      ...(line.disposalCents > 0 ? [work('disposal', line.disposalCents)] : []),
    ]
  })
  return [...works, ...services]
}

/** Prices only the tires while the destination is unknown, without installation, tax and fees. */
export function priceTires(tires: readonly OfferedTires[], terms: BusinessTerms): PriceBreakdown {
  const nowhere: Destination = {
    stateCode: 'OR',
    installation: null,
    shopName: null,
    shippingCents: 0,
    shippingTo: 'shop',
    terms,
  }
  return priceOffer(tires, nowhere, Temporal.PlainDate.from('2026-01-01'))
}

/** Merges to one entry per item, because shops and pricing count an item's tires together, on either axle. */
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

/** Returns the tires for a shop to install. */
export function tireSpecs(tires: readonly OfferedTires[]): TireSpec[] {
  return tires.map((line) => ({ ...line.spec, quantity: line.quantity }))
}

function requireTaxRule(stateCode: string, date: Temporal.PlainDate) {
  const rule = taxRuleFor(stateCode, date)
  if (!rule) throw new RangeError(`There is no tax rule for ${stateCode} on ${date.toString()}.`)
  return rule
}

/** Returns an article id for pricing. Fixed width, because articles are sorted by this text. */
export function articleId(itemId: number): string {
  return String(itemId).padStart(9, '0')
}

/** Converts a promotion for pricing. */
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

/** Returns the item of a pricing article id. */
export function parseArticleId(id: string): number {
  return Number(id)
}

/**
 * Converts four tires, or two and two, or the given quantities, for pricing: at the price before promotions, which
 * pricing applies itself.
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
    unitCents: prices[index]?.charged ? prices[index].unitCents - prices[index].fetCents : item.retailCents,
    account: prices[index]?.account,
    fetUnitCents: item.fetCents,
    weightLb: item.weightLb,
    coveredQuantity: 0,
    spec: { rimIn: item.size.rimIn, aspect: item.size.aspect, runFlat: item.runFlat, sizeKind: item.size.kind },
    promotions: prices[index]?.promotions ?? [],
  }))
}

/**
 * Returns the price of replacement coverage for one of an article, in cents: based on the charged price before
 * promotions, without excise tax, as in the cart.
 */
export function coverageOf(
  { retailCents }: Item,
  { label, account }: Price,
  terms: Pick<BusinessTerms, 'coverage-ppm'>,
): number {
  return coverageCents((label === null ? null : account?.unitCents) ?? retailCents, terms)
}
