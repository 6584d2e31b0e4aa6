/** Price tags of buyers who do not buy at retail. */
import { hasAccountPrice } from '#domain/pricing/pricing/pricing.ts'
import { accountPrice, type AccountPricing } from '#domain/pricing/price-tiers/price-tiers.ts'
import { advertisedBook } from './map-price.ts'
import { savingOn, tagOf, unitsOfSet, type Price, type PriceBook, type Priced } from './promotion.ts'

/**
 * Returns the price tags of `pricing` on top of `retail`. For the quantity shown, each is the lower of the account's
 * price and retail, and the account's in a tie. Promotions apply to the retail price, and to the member price with
 * `hasMemberDeals`; a special order's quote is charged as quoted. Makes the same choice as `priceCart`, for tires only.
 */
export function accountPriceBook(
  everyone: PriceBook,
  pricing: AccountPricing,
  { hasMemberDeals }: { hasMemberDeals: boolean },
): PriceBook {
  const retail = everyone.charged ?? everyone
  const isQuote = pricing.type === 'Special Order'
  const takesPromotions = !hasAccountPrice(pricing.type)
  const isMember = pricing.type === 'Retail Member'

  /** The two possible tags of an article, and the cost of this many units at each, without excise tax. */
  function tags(item: Priced, units: number) {
    const everybodys = retail.priceOf(item)
    const ownCents = accountPrice(pricing, listed(item))?.unitCents ?? null
    const account = { type: pricing.type, unitCents: ownCents }
    const open: Price = { ...everybodys, account }
    const openCents = cost(open, item.retailCents, units)
    const label = ownCents === null ? null : pricing.type
    const beforeCents = ownCents ?? item.retailCents
    const { promotions } = everybodys
    const isCombined = takesPromotions && (!isMember || hasMemberDeals || ownCents === null)
    const promotion = isCombined ? (retail.priceOf({ ...item, retailCents: beforeCents }).promotion ?? null) : null
    const own: Price = { ...tagOf(item, beforeCents, { promotion, promotions, label }), account }
    return { own, open, ownCents: cost(own, beforeCents, units), openCents }
  }

  function lower(items: readonly ReturnType<typeof tags>[]): Price[] {
    if (items.every(({ own }) => own.label === null)) return items.map(({ open }) => open)
    // Quoted articles stay at their quote, the others are sold at retail.
    if (isQuote) return items.map(({ own, open }) => (own.label === null ? open : own))
    const isOpenLower = sum(items.map(({ openCents }) => openCents)) < sum(items.map(({ ownCents }) => ownCents))
    return items.map(({ own, open }) => (isOpenLower ? open : own))
  }

  return advertisedBook({
    account: pricing.type,
    until: sooner(retail.until, pricing.list?.until ?? null),
    rebateOf: (item) => retail.rebateOf(item),
    priceOf(item, units = unitsOfSet) {
      const both = tags(item, units)
      return lower([both])[0] ?? both.open
    },
    pricesOfPair(front, rear) {
      const [first, second] = [tags(front, unitsOfSet / 2), tags(rear, unitsOfSet / 2)]
      const [frontTag, rearTag] = lower([first, second])
      return [frontTag ?? first.open, rearTag ?? second.open]
    },
  })
}

function cost({ promotion }: Price, beforeCents: number, units: number): number {
  return beforeCents * units - (promotion ? savingOn(promotion, beforeCents, units) : 0)
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((all, amount) => all + amount, 0)
}

function listed({ id, line, size, retailCents, costCents }: Priced) {
  return { id, lineId: line.id, brandId: line.brand.id, sizeSlug: size.slug, retailCents, costCents }
}

function sooner(a: Temporal.Instant | null, b: Temporal.Instant | null): Temporal.Instant | null {
  if (a === null || b === null) return a ?? b
  return Temporal.Instant.compare(a, b) < 0 ? a : b
}
