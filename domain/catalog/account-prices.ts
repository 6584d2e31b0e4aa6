/** The price tags of who does not buy at retail. */
import { hasAccountPrice } from '#domain/pricing/pricing.ts'
import { accountPrice, type AccountPricing } from '#domain/terms/terms.ts'
import type { Price, PriceBook, Priced } from './promotion.ts'

/**
 * The tags of `pricing` over those of `retail`: the account's price where it has one, else the retail price. Promotions work on either for members,
 * and for nobody else (steps 1 and 2 of the price order); what the maker pays back is the same for all.
 */
export function accountPriceBook(retail: PriceBook, pricing: AccountPricing): PriceBook {
  const hasPromotions = !hasAccountPrice(pricing.type)
  return {
    account: pricing.type,
    until: sooner(retail.until, pricing.list?.until ?? null),
    rebateOf: (item) => retail.rebateOf(item),
    priceOf(item): Price {
      const own = accountPrice(pricing, listed(item))?.unitCents ?? null
      const beforeCents = own ?? item.retailCents
      const { unitCents, promotions } = hasPromotions ? retail.priceOf({ ...item, retailCents: beforeCents }) : { unitCents: beforeCents, promotions: [] }
      return {
        unitCents,
        wasCents: unitCents < item.retailCents ? item.retailCents : null,
        promotions,
        account: { type: pricing.type, unitCents: own },
      }
    },
  }
}

function listed({ id, line, size, retailCents, costCents }: Priced) {
  return { id, lineId: line.id, brandId: line.brand.id, sizeSlug: size.slug, retailCents, costCents }
}

function sooner(a: Temporal.Instant | null, b: Temporal.Instant | null): Temporal.Instant | null {
  if (a === null || b === null) return a ?? b
  return Temporal.Instant.compare(a, b) < 0 ? a : b
}
