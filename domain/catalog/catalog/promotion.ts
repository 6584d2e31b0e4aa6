/**
 * Promotions and price tags. Of all promotions that apply, the best for a set of four counts; ties go to the narrower
 * one (item, line, brand, every tire). Pricing chooses again the same way for the quantity in the cart.
 */
import { BUY_THREE_GET_ONE_UNITS } from '#platform/business-constants.ts'
import { rateOf } from '#platform/money.ts'
import type { AccountPrice, AccountType } from '#domain/pricing/price-tiers/price-tiers.ts'
import type { Item } from './items.ts'

/** The tires in a filter, and the cheapest one on sale per model. */
export type FilteredTires = { readonly itemIds: ReadonlySet<number>; readonly cheapestOfLines: readonly number[] }

export type PromotionKind = 'Flat Amount' | 'Buy3Get1' | 'Free' | 'Percentage'
export type Promotion = {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly headline: string
  readonly kind: PromotionKind
  /** Percent for Percentage, cents per tire for Flat Amount, units for Free, 0 for Buy3Get1. */
  readonly amount: number
  /** Its subject; all null means every tire. */
  readonly itemId: number | null
  readonly lineId: number | null
  readonly brandId: number | null
  readonly fundedBy: 'store' | 'maker' | 'lender' | 'bank'
  readonly alreadyApplied: boolean
  readonly linkToCoverage: boolean
  readonly daily: boolean
  /** Tires it leaves out, because of their minimum advertised price. */
  readonly exceptItemIds?: readonly number[]
  /** Tires in its filter, if it has one. */
  readonly only?: FilteredTires
  readonly startsAt: Temporal.Instant
  readonly endsAt: Temporal.Instant
}

/** A manufacturer's rebate, paid after the purchase. Shown next to a price, never part of it. */
export type Rebate = {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly amountCents: number
  /** The number of tires bought together. More tires don't earn it again. */
  readonly units: number
  readonly paidAs: 'prepaid-card' | 'check'
  readonly lineId: number | null
  readonly brandId: number | null
  /** Tires in its filter, if it has one. */
  readonly only?: FilteredTires
  /** Shoppers claim on the manufacturer's web form, or by mailing the printed form to this address. */
  readonly claim: { readonly formUrl: string } | { readonly mailTo: string }
  readonly startsAt: Temporal.Instant
  readonly endsAt: Temporal.Instant
  /** The last day to claim, YYYY-MM-DD in New York. */
  readonly claimBy: string
}

/**
 * A displayed price, used wherever a price is shown, sorted, filtered or published. In cents per tire, including the
 * federal excise tax. It is the same for every buyer.
 */
export type Price = {
  readonly unitCents: number
  /** The price without the tag's promotion or label; null if equal. */
  readonly wasCents: number | null
  /** The federal excise tax included in both. */
  readonly fetCents: number
  /** The displayed promotion; null without one, and for an account price that excludes promotions. */
  readonly promotion: Promotion | null
  /** All promotions that apply to the retail price, best for four first. Input for pricing. */
  readonly promotions: readonly Promotion[]
  /** The label on the tag; null for the retail price. */
  readonly label: AccountType | null
  /** Pricing input for buyers with account prices, regardless of the displayed price. */
  readonly account?: AccountPrice
  /** The price that the cart charges, where it is below the minimum advertised price and therefore not shown. */
  readonly charged?: Price
}

/** The default quantity of a price tag. */
export const unitsOfSet = 4

/** The promotions and rebates at one moment, indexed by subject. */
export type PriceBook = {
  /**
   * The price tag of an item. For an account, the lower of the account's price and retail for this many units (default
   * four).
   */
  priceOf(item: Priced, units?: number): Price
  /** Returns the prices of front and rear tires bought together, two each. An account's prices share one label. */
  pricesOfPair(front: Priced, rear: Priced): readonly [Price, Price]
  /** The largest rebate on the item. */
  rebateOf(item: Priced): Rebate | null
  /** The account type of these prices; null for retail. */
  readonly account: AccountType | null
  /** The prices as charged, for a price book with tags that are never below a minimum advertised price. */
  readonly charged?: PriceBook
  /** The next time a promotion or rebate starts or ends; null if there isn't one. */
  readonly until: Temporal.Instant | null
}

export type Priced = Pick<Item, 'id' | 'retailCents' | 'costCents' | 'fetCents' | 'mapCents'> & {
  readonly line: { readonly id: number; readonly brand: { readonly id: number } }
  readonly size: { readonly slug: string }
}

/**
 * Returns the price tags at `now`. Of an item's promotions, one already in the price comes first, then the best for a
 * set of four.
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
    // From narrow to wide, which the sort below preserves for ties.
    const applicable = [`item ${item.id}`, `line ${item.line.id}`, `brand ${item.line.brand.id}`, 'every tire'].flatMap(
      (target) =>
        (byTarget.get(target) ?? []).filter(
          ({ exceptItemIds, only }) => !exceptItemIds?.includes(item.id) && (only?.itemIds.has(item.id) ?? true),
        ),
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
    rebateOf: ({ id, line }) =>
      running.find(
        ({ lineId, brandId, only }) =>
          (lineId === null ? brandId === line.brand.id : lineId === line.id) && (only?.itemIds.has(id) ?? true),
      ) ?? null,
  }
}

/** Returns the tag of an article at `unitCents` before promotions, without excise tax. */
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

/** Returns the promotion for tires bought together. The first one on their tags applies. */
export function promotionOf(prices: readonly Price[]): Promotion | undefined {
  return prices.flatMap(({ promotion }) => promotion ?? [])[0]
}

export function isActive({ startsAt, endsAt }: Pick<Promotion, 'startsAt' | 'endsAt'>, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(startsAt, now) <= 0 && Temporal.Instant.compare(now, endsAt) < 0
}

/** The narrowest column that is set is a promotion's subject. */
function targetOf({ itemId, lineId, brandId }: Promotion): string {
  if (itemId !== null) return `item ${itemId}`
  if (lineId !== null) return `line ${lineId}`
  return brandId !== null ? `brand ${brandId}` : 'every tire'
}

/** The discount on one tire's tag. Offers of free tires do not change the tag, because they depend on the quantity. */
function savingPerTire(promotion: Promotion, unitCents: number): number {
  if (promotion.alreadyApplied) return 0
  if (promotion.kind === 'Percentage') return rateOf(unitCents, promotion.amount * 10_000)
  return promotion.kind === 'Flat Amount' ? Math.min(promotion.amount, unitCents) : 0
}

/** Returns a promotion's discount in cents for a quantity. */
export function savingOn(promotion: Promotion, unitCents: number, units: number): number {
  if (promotion.alreadyApplied) return 0
  if (promotion.kind === 'Buy3Get1') return Math.floor(units / BUY_THREE_GET_ONE_UNITS) * unitCents
  if (promotion.kind === 'Free') return Math.min(promotion.amount, units) * unitCents
  return units * savingPerTire(promotion, unitCents)
}
