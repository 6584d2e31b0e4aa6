/**
 * A card in a listing. It is a tire for all wheels, a staggered set (two front and two rear items of one model), or, if
 * no size is given, a model. Prices, promotions, fit and delivery are determined here once, for filtering, sorting and
 * display.
 */
import { ageRefusalOf, unitsForSale, type FitAt, type Judge, type Judged } from './fit.ts'
import { warrantyOf, type Item, type Line, type Score, type StockByWarehouse } from './items.ts'
import type { Price, PriceBook, Rebate } from './promotion.ts'

export type Offer = {
  readonly kind: 'tire' | 'set' | 'line'
  /** Identifies the offer in every listing: "101234", or front and rear as "101234-101240". */
  readonly key: string
  readonly line: Line
  /** One article for all wheels, or front and rear; for a line the article with its "from" price. */
  readonly items: readonly [Item, ...Item[]]
  /** Price tags in the order of `items`. */
  readonly prices: readonly [Price, ...Price[]]
  /** The price for filters and sorting, including excise tax. For a set, the mean of front and rear, rounded up. */
  readonly perTireCents: number
  /** What shipping adds to that at the page's place; 0 where it is free or not known, and for a line. */
  readonly shippingCents: number
  /** The maker's rebate after the purchase, on as many of its tires as the rebate requires. */
  readonly rebate: Rebate | null
  readonly score: Score | null
  readonly warrantyMiles: number | null
  readonly isRunFlat: boolean
  /** Four tires, or two and two, are available now. */
  readonly isInStock: boolean
  /** The day the tires can be at the shopper's shop, YYYY-MM-DD; null if not requested or not possible. */
  readonly readyOn: string | null
  readonly fitment: Judged | null
  /** The price out the door for a set, where the page has a shop; see `OfferContext`. */
  readonly totalCents: number | null
  /** Number of sizes of the line; 1 for a tire or a set. */
  readonly sizes: number
}

/**
 * The input for turning items into offers. Tires too old `at` this time are out of stock. `arrivalOf` returns the day
 * this many units could arrive, or null; `totalOf` the price of a set out the door at the page's shop; `shippingOf` the
 * cost of shipping one tire, or on average one of a set.
 */
export type OfferContext = {
  readonly prices: PriceBook
  readonly at: FitAt
  readonly judge?: Judge | undefined
  readonly arrivalOf?: ((stock: StockByWarehouse, units: number) => string | null) | undefined
  readonly totalOf?: ((items: readonly Item[], prices: readonly Price[]) => number | null) | undefined
  readonly shippingOf?: ((items: readonly Item[]) => number) | undefined
}

/** Returns the price used to compare offers, for one tire with its shipping. */
export function shippedCents({ perTireCents, shippingCents }: Pick<Offer, 'perTireCents' | 'shippingCents'>): number {
  return perTireCents + shippingCents
}

/** A line as brand, type and category pages show it. */
export type LineSummary = {
  readonly line: Line
  /** The cheapest item, and any others with a separate promotion. */
  readonly items: readonly Item[]
  readonly sizes: number
  readonly hasRunFlat: boolean
  readonly isInStock: boolean
}

export function tireOffer(item: Item, context: OfferContext): Offer {
  const price = context.prices.priceOf(item)
  return {
    kind: 'tire',
    key: String(item.id),
    line: item.line,
    items: [item],
    prices: [price],
    perTireCents: price.unitCents,
    shippingCents: context.shippingOf?.([item]) ?? 0,
    rebate: context.prices.rebateOf(item),
    score: item.score,
    warrantyMiles: warrantyOf(item),
    isRunFlat: item.runFlat,
    isInStock: unitsForSale(item, context.at) >= 4,
    readyOn: readyOn(item, 4, context),
    fitment: context.judge?.([item]) ?? null,
    totalCents: context.totalOf?.([item], [price]) ?? null,
    sizes: 1,
  }
}

/**
 * Returns the staggered sets of front and rear items with the same model and carmaker mark, and either both or neither
 * run-flat. If a model has several items in a size, the best-fitting pair is taken, then the cheaper one.
 */
export function setOffers(front: readonly Item[], rear: readonly Item[], context: OfferContext): Offer[] {
  const rearByFamily = Map.groupBy(rear, familyOf)
  const best = new Map<string, Offer>()
  for (const first of front) {
    for (const second of rearByFamily.get(familyOf(first)) ?? []) {
      const offer = setOffer(first, second, context)
      const known = best.get(familyOf(first))
      if (!known || isBetterPair(offer, known)) best.set(familyOf(first), offer)
    }
  }
  return [...best.values()]
}

export function lineOffer(
  { line, items, sizes, hasRunFlat, isInStock }: LineSummary,
  context: Pick<OfferContext, 'prices'>,
): Offer | undefined {
  const tags = items.map((item) => ({ item, price: context.prices.priceOf(item) }))
  const [cheapest] = tags.sort((a, b) => a.price.unitCents - b.price.unitCents || a.item.id - b.item.id)
  if (!cheapest) return undefined
  return {
    kind: 'line',
    key: `line-${line.id}`,
    line,
    items: [cheapest.item],
    prices: [cheapest.price],
    perTireCents: cheapest.price.unitCents,
    shippingCents: 0,
    rebate: context.prices.rebateOf(cheapest.item),
    score: cheapest.item.score,
    warrantyMiles: line.warrantyMiles ?? warrantyOf(cheapest.item),
    isRunFlat: hasRunFlat,
    isInStock,
    readyOn: null,
    fitment: null,
    totalCents: null,
    sizes,
  }
}

function setOffer(front: Item, rear: Item, context: OfferContext): Offer {
  const prices = context.prices.pricesOfPair(front, rear)
  const warranties = [front, rear].map(warrantyOf)
  return {
    kind: 'set',
    key: `${front.id}-${rear.id}`,
    line: front.line,
    items: [front, rear],
    prices,
    perTireCents: Math.ceil((prices[0].unitCents + prices[1].unitCents) / 2),
    shippingCents: context.shippingOf?.([front, rear]) ?? 0,
    rebate: context.prices.rebateOf(front),
    score: front.score,
    warrantyMiles: warranties.includes(null) ? null : Math.min(...warranties.map(Number)),
    isRunFlat: front.runFlat,
    isInStock: unitsForSale(front, context.at) >= 2 && unitsForSale(rear, context.at) >= 2,
    readyOn: laterOf(readyOn(front, 2, context), readyOn(rear, 2, context)),
    fitment: context.judge?.([front, rear]) ?? null,
    totalCents: context.totalOf?.([front, rear], prices) ?? null,
    sizes: 1,
  }
}

function readyOn(item: Item, units: number, { at, arrivalOf }: OfferContext): string | null {
  return ageRefusalOf(item, at) === null ? (arrivalOf?.(item.stock, units) ?? null) : null
}

/** The later of two days; null if either is. */
function laterOf(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return null
  return a > b ? a : b
}

function familyOf(item: Item): string {
  return `${item.line.id}|${item.runFlat}|${item.oeMark ?? ''}`
}

const rank = { fits: 0, fits_with_conditions: 1, unknown: 2, does_not_fit: 3 }

function isBetterPair(offer: Offer, known: Offer): boolean {
  const difference = rank[offer.fitment?.verdict ?? 'unknown'] - rank[known.fitment?.verdict ?? 'unknown']
  if (difference) return difference < 0
  return offer.perTireCents < known.perTireCents || (offer.perTireCents === known.perTireCents && offer.key < known.key)
}
