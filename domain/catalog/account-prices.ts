/** The price tags of who does not buy at retail. */
import { hasAccountPrice } from '#domain/pricing/pricing.ts'
import { accountPrice, type AccountPricing } from '#domain/price-tiers/price-tiers.ts'
import { savingOn, tagOf, unitsOfSet, type Price, type PriceBook, type Priced } from './promotion.ts'

/**
 * The tags of `pricing` over those of `retail`: for the quantity shown the lower of the account's price and
 * everybody's, a tie going to the account's. Promotions are on everybody's price, and on that of members; a quote of a
 * special order stands. The same choice as in `priceCart`, of tires alone.
 */
export function accountPriceBook(retail: PriceBook, pricing: AccountPricing): PriceBook {
  const isQuote = pricing.type === 'Special Order'
  const takesPromotions = !hasAccountPrice(pricing.type)

  /** The two tags an article can have, and what so many units cost at each, excise tax aside. */
  function tags(item: Priced, units: number) {
    const everybodys = retail.priceOf(item)
    const ownCents = accountPrice(pricing, listed(item))?.unitCents ?? null
    const account = { type: pricing.type, unitCents: ownCents }
    const open: Price = { ...everybodys, account }
    const openCents = cost(open, item.retailCents, units)
    const label = ownCents === null ? null : pricing.type
    const beforeCents = ownCents ?? item.retailCents
    const { promotions } = everybodys
    const promotion = takesPromotions ? (retail.priceOf({ ...item, retailCents: beforeCents }).promotion ?? null) : null
    const own: Price = { ...tagOf(item, beforeCents, { promotion, promotions, label }), account }
    return { own, open, ownCents: cost(own, beforeCents, units), openCents }
  }

  function lower(items: readonly ReturnType<typeof tags>[]): Price[] {
    if (items.every(({ own }) => own.label === null)) return items.map(({ open }) => open)
    // What was quoted stays at its quote, and what was not is sold as to everybody.
    if (isQuote) return items.map(({ own, open }) => (own.label === null ? open : own))
    const isOpenLower = sum(items.map(({ openCents }) => openCents)) < sum(items.map(({ ownCents }) => ownCents))
    return items.map(({ own, open }) => (isOpenLower ? open : own))
  }

  return {
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
  }
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
