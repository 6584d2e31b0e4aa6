/**
 * What is taken off an item, and what a price tag may say. Of all promotions that apply the best for the shopper
 * counts, measured on a set of four; between equals the narrower one (item, line, brand, every tire). Pricing chooses
 * by the same measure again at the quantity in the cart.
 */
import { BUY_THREE_GET_ONE_UNITS } from '#platform/business-constants.ts'
import { rateOf } from '#platform/money.ts'
import type { AccountPrice, AccountType } from '#domain/price-tiers/price-tiers.ts'
import type { Item } from './items.ts'

export type PromotionKind = 'Flat Amount' | 'Buy3Get1' | 'Free' | 'Percentage'
export type Promotion = {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly headline: string
  readonly kind: PromotionKind
  /** Percent for Percentage, cents per tire for Flat Amount, units for Free, 0 for Buy3Get1. */
  readonly amount: number
  /** What it applies to; all null is every tire. */
  readonly itemId: number | null
  readonly lineId: number | null
  readonly brandId: number | null
  readonly fundedBy: 'store' | 'maker' | 'lender' | 'bank'
  readonly alreadyApplied: boolean
  readonly linkToCoverage: boolean
  readonly daily: boolean
  readonly startsAt: Temporal.Instant
  readonly endsAt: Temporal.Instant
}

/** What a maker pays back after the purchase. It is said beside a price and never part of one. */
export type Rebate = {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly amountCents: number
  /** For so many tires bought at once, and not again for more. */
  readonly units: number
  readonly paidAs: 'prepaid-card' | 'check'
  readonly lineId: number | null
  readonly brandId: number | null
  /** Where the claim goes: the maker's own form on the web, or the address for the form that we print. */
  readonly claim: { readonly formUrl: string } | { readonly mailTo: string }
  readonly startsAt: Temporal.Instant
  readonly endsAt: Temporal.Instant
  /** The last day on which a claim is taken, YYYY-MM-DD in New York. */
  readonly claimBy: string
}

/**
 * A price as the tag shows it, and as everything that shows, sorts, filters or publishes a price takes it: cents per
 * tire, with the federal excise tax, which is the same for every buyer.
 */
export type Price = {
  readonly unitCents: number
  /** The price without the promotion or label on the tag; null where that is the same. */
  readonly wasCents: number | null
  /** How much of both is federal excise tax. */
  readonly fetCents: number
  /** The promotion on the tag; null where there is none, and on an account's price that takes none. */
  readonly promotion: Promotion | null
  /** All that apply at the price everybody pays, the best for four first: what pricing asks for. */
  readonly promotions: readonly Promotion[]
  /** Whose label the tag has; null at the price everybody pays. */
  readonly label: AccountType | null
  /** What pricing asks for of who does not buy at retail, whichever of the two prices is on the tag. */
  readonly account?: AccountPrice
}

/** How many tires a price tag is measured on where nothing else is said. */
export const unitsOfSet = 4

/** The promotions and rebates of one moment, at hand by what they apply to. */
export type PriceBook = {
  /** The price tag of an item. An account's has the lower of its own price and everybody's for so many units (four). */
  priceOf(item: Priced, units?: number): Price
  /** The tags of a front and a rear tire that are bought together, two of each: an account's are both at one label. */
  pricesOfPair(front: Priced, rear: Priced): readonly [Price, Price]
  /** The most a maker pays back on the item after the purchase. */
  rebateOf(item: Priced): Rebate | null
  /** Whose prices these are; null for everybody's. */
  readonly account: AccountType | null
  /** When the next promotion or rebate begins or ends; null when none does. */
  readonly until: Temporal.Instant | null
}

export type Priced = Pick<Item, 'id' | 'retailCents' | 'costCents' | 'fetCents'> & {
  readonly line: { readonly id: number; readonly brand: { readonly id: number } }
  readonly size: { readonly slug: string }
}

/**
 * The price tags at `now`. Of an item's promotions one that the price already has comes first, then the best for a set
 * of four.
 */
export function priceBook(
  promotions: readonly Promotion[],
  now: Temporal.Instant,
  rebates: readonly Rebate[] = [],
): PriceBook {
  const byTarget = Map.groupBy(
    promotions.filter((promotion) => isActive(promotion, now)),
    targetOf,
  )
  const running = rebates
    .filter((rebate) => isActive(rebate, now))
    .sort((a, b) => b.amountCents - a.amountCents || a.id - b.id)
  const changes = [...promotions, ...rebates]
    .flatMap(({ startsAt, endsAt }) => [startsAt, endsAt])
    .filter((change) => Temporal.Instant.compare(change, now) > 0)
  const priceOf = (item: Priced): Price => {
    // From narrow to wide: among equals the sort below keeps this order.
    const applicable = [`item ${item.id}`, `line ${item.line.id}`, `brand ${item.line.brand.id}`, 'every tire'].flatMap(
      (target) => byTarget.get(target) ?? [],
    )
    if (applicable.length > 1)
      applicable.sort(
        (a, b) =>
          Number(b.alreadyApplied) - Number(a.alreadyApplied) ||
          savingOn(b, item.retailCents, unitsOfSet) - savingOn(a, item.retailCents, unitsOfSet),
      )
    return tagOf(item, item.retailCents, { promotions: applicable, promotion: applicable[0] ?? null, label: null })
  }
  return {
    account: null,
    until: changes.sort((a, b) => Temporal.Instant.compare(a, b))[0] ?? null,
    priceOf,
    pricesOfPair: (front, rear) => [priceOf(front), priceOf(rear)],
    rebateOf: ({ line }) =>
      running.find(({ lineId, brandId }) => (lineId === null ? brandId === line.brand.id : lineId === line.id)) ?? null,
  }
}

/** The tag of an article at `unitCents` before the promotion on it, excise tax aside. */
export function tagOf(
  { retailCents, fetCents }: Pick<Priced, 'retailCents' | 'fetCents'>,
  unitCents: number,
  parts: Pick<Price, 'promotion' | 'promotions' | 'label'>,
): Price {
  const paidCents = unitCents - (parts.promotion ? savingPerTire(parts.promotion, unitCents) : 0)
  return {
    unitCents: paidCents + fetCents,
    wasCents: paidCents < retailCents ? retailCents + fetCents : null,
    fetCents,
    ...parts,
  }
}

/** The promotion that tires bought together show: the first one on their tags. */
export function promotionOf(prices: readonly Price[]): Promotion | undefined {
  return prices.flatMap(({ promotion }) => promotion ?? [])[0]
}

export function isActive({ startsAt, endsAt }: Pick<Promotion, 'startsAt' | 'endsAt'>, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(startsAt, now) <= 0 && Temporal.Instant.compare(now, endsAt) < 0
}

/** The narrowest column that is set says what a promotion applies to. */
function targetOf({ itemId, lineId, brandId }: Promotion): string {
  if (itemId !== null) return `item ${itemId}`
  if (lineId !== null) return `line ${lineId}`
  return brandId !== null ? `brand ${brandId}` : 'every tire'
}

/**
 * What one tire's tag drops. Offers that free whole tires leave the tag as it is: they depend on how many are bought.
 */
function savingPerTire(promotion: Promotion, unitCents: number): number {
  if (promotion.alreadyApplied) return 0
  if (promotion.kind === 'Percentage') return rateOf(unitCents, promotion.amount * 10_000)
  return promotion.kind === 'Flat Amount' ? Math.min(promotion.amount, unitCents) : 0
}

/** What a promotion takes off so many units of one article, in cents. */
export function savingOn(promotion: Promotion, unitCents: number, units: number): number {
  if (promotion.alreadyApplied) return 0
  if (promotion.kind === 'Buy3Get1') return Math.floor(units / BUY_THREE_GET_ONE_UNITS) * unitCents
  if (promotion.kind === 'Free') return Math.min(promotion.amount, units) * unitCents
  return units * savingPerTire(promotion, unitCents)
}
