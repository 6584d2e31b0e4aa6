/**
 * What is taken off an item, and what a price tag may say. Of all promotions that apply the best for the shopper counts, measured on a set of
 * four; between equals the narrower one (item, line, brand, every tire). Pricing chooses by the same measure again at the quantity in the cart.
 */
import { rateOf } from '#platform/money.ts'
import type { AccountPrice, AccountType } from '#domain/terms/terms.ts'
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
 * A price as the tag shows it, cents per tire. `wasCents` is the price without the promotion, null where that is the same or not known.
 * `promotions` are all that apply, the one on the tag first: what pricing asks for. `account` is there for who does not buy at retail.
 */
export type Price = {
  readonly unitCents: number
  readonly wasCents: number | null
  readonly promotions: readonly Promotion[]
  readonly account?: AccountPrice
}

/** The promotions and rebates of one moment, at hand by what they apply to. */
export type PriceBook = {
  /** The price tag of an item. */
  priceOf(item: Priced): Price
  /** The most a maker pays back on the item after the purchase. */
  rebateOf(item: Priced): Rebate | null
  /** Whose prices these are; null for everybody's. */
  readonly account: AccountType | null
  /** When the next promotion or rebate begins or ends; null when none does. */
  readonly until: Temporal.Instant | null
}

export type Priced = Pick<Item, 'id' | 'retailCents' | 'costCents'> & {
  readonly line: { readonly id: number; readonly brand: { readonly id: number } }
  readonly size: { readonly slug: string }
}

/** The price tags at `now`. Of an item's promotions one that the price already has comes first, then the best for a set of four. */
export function priceBook(promotions: readonly Promotion[], now: Temporal.Instant, rebates: readonly Rebate[] = []): PriceBook {
  const byTarget = Map.groupBy(
    promotions.filter((promotion) => isActive(promotion, now)),
    targetOf,
  )
  const running = rebates.filter((rebate) => isActive(rebate, now)).sort((a, b) => b.amountCents - a.amountCents || a.id - b.id)
  const changes = [...promotions, ...rebates]
    .flatMap(({ startsAt, endsAt }) => [startsAt, endsAt])
    .filter((change) => Temporal.Instant.compare(change, now) > 0)
  return {
    account: null,
    until: changes.sort((a, b) => Temporal.Instant.compare(a, b))[0] ?? null,
    priceOf(item) {
      // From narrow to wide: among equals the sort below keeps this order.
      const applicable = [`item ${item.id}`, `line ${item.line.id}`, `brand ${item.line.brand.id}`, 'every tire'].flatMap(
        (target) => byTarget.get(target) ?? [],
      )
      if (applicable.length > 1)
        applicable.sort((a, b) => Number(b.alreadyApplied) - Number(a.alreadyApplied) || savingOnFour(b, item.retailCents) - savingOnFour(a, item.retailCents))
      const unitCents = item.retailCents - (applicable[0] ? savingPerTire(applicable[0], item.retailCents) : 0)
      return { unitCents, wasCents: unitCents < item.retailCents ? item.retailCents : null, promotions: applicable }
    },
    rebateOf: ({ line }) => running.find(({ lineId, brandId }) => (lineId === null ? brandId === line.brand.id : lineId === line.id)) ?? null,
  }
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

/** What one tire's tag drops. Offers that free whole tires leave the tag as it is: they depend on how many are bought. */
function savingPerTire(promotion: Promotion, unitCents: number): number {
  if (promotion.alreadyApplied) return 0
  if (promotion.kind === 'Percentage') return rateOf(unitCents, promotion.amount * 10_000)
  return promotion.kind === 'Flat Amount' ? Math.min(promotion.amount, unitCents) : 0
}

function savingOnFour(promotion: Promotion, unitCents: number): number {
  if (promotion.alreadyApplied) return 0
  if (promotion.kind === 'Buy3Get1') return unitCents
  if (promotion.kind === 'Free') return Math.min(promotion.amount, 4) * unitCents
  return 4 * savingPerTire(promotion, unitCents)
}
