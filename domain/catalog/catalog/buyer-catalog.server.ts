/** The catalog as seen by one buyer. */
import type { AccountPricing, Buyer, PriceRule } from '#domain/pricing/price-tiers/price-tiers.ts'
import { accountPriceBook } from './account-prices.ts'
import type { Item } from './items.ts'
import type { LineSummary } from './offer.ts'
import type { PriceBook } from './promotion.ts'
import type { Catalog, CatalogCache } from './catalog-cache.server.ts'
import { selectCheapestByRules } from './buyer-catalog.sql.server.ts'

/**
 * Returns the catalog with the prices of `buyer`, so that no page can show another's: filters, sorting and display take
 * prices from its cache. Readings are shared; results derived from prices are cached per price list, as long as list,
 * promotions and items stay the same.
 */
export function catalogFor(catalog: Catalog, buyer: Buyer): Catalog {
  const { cache, db } = catalog
  const booked = (retail: PriceBook, pricing: AccountPricing | null) => {
    if (!pricing) return retail
    const hasMemberDeals = catalog.hasMemberDeals()
    const parts = [retail, pricing.list ?? undefined, pricing.type, String(hasMemberDeals)]
    return cache.derive(['account prices', ...parts], 1, () => accountPriceBook(retail, pricing, { hasMemberDeals }))
  }

  /** Adds the article that sets a line's "from" price, if the price list makes a different one the cheapest. */
  async function withCheapest(
    reading: Promise<readonly LineSummary[]>,
    rimIn?: number,
  ): Promise<readonly LineSummary[]> {
    const [lines, pricing] = await Promise.all([reading, buyer.pricing()])
    const list = pricing?.list
    if (!list || lines.length === 0 || ![...list.rules.values()].some(canReorder)) return lines
    const reader = cache.derive(['cheapest by rules', lines, list, String(rimIn)], lines.length, () =>
      readingOnce(() => readCheapest(lines, list, rimIn)),
    )
    return reader()
  }

  async function readCheapest(
    lines: readonly LineSummary[],
    list: NonNullable<AccountPricing['list']>,
    rimIn: number | undefined,
  ): Promise<LineSummary[]> {
    const ids = await selectCheapestByRules(db, {
      lineIds: lines.map(({ line }) => line.id),
      rules: [...list.rules.values()],
      rimIn,
    })
    const byLine = Map.groupBy(await cache.itemsByNumber(ids), (item) => item.line.id)
    return lines.map((summary) => ({
      ...summary,
      items: distinct([...summary.items, ...(byLine.get(summary.line.id) ?? [])]),
    }))
  }

  const ownCache: CatalogCache = {
    ...cache,
    async prices() {
      const [retail, pricing] = await Promise.all([cache.prices(), buyer.pricing()])
      return booked(retail, pricing)
    },
    async pricesAt(moment, promotions) {
      const [retail, pricing] = await Promise.all([cache.pricesAt(moment, promotions), buyer.pricing()])
      return booked(retail, pricing)
    },
    lines: (scope) => withCheapest(cache.lines(scope)),
    linesOnRim: (rimIn) => withCheapest(cache.linesOnRim(rimIn), rimIn),
  }
  return { ...catalog, cache: ownCache, narrowed: (range) => catalogFor(catalog.narrowed(range), buyer) }
}

/** A rule for a whole model or wider doesn't change which item is cheapest, unless the price is based on cost. */
function canReorder({ scope, formula }: PriceRule): boolean {
  return scope.kind === 'item' || scope.kind === 'size' || formula.kind === 'cost-plus'
}

/** A failed reading is retried on the next call. */
function readingOnce<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let reading: Promise<Value> | undefined
  return () =>
    (reading ??= read().catch((error: unknown) => {
      reading = undefined
      throw error
    }))
}

function distinct(items: readonly Item[]): Item[] {
  return [...new Map(items.map((item) => [item.id, item])).values()]
}
