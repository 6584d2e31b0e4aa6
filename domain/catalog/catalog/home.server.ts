/** The home page and the directories, cached like the rest of the catalog. */
import { listPopularVehicles, type PopularVehicle } from '#domain/catalog/vehicles/vehicles.server.ts'
import { listDeals, type Deal } from './deals.server.ts'
import {
  selectBrands,
  selectKinds,
  selectKnownKinds,
  selectSizes,
  selectUsualSizes,
  type BrandEntry,
  type KindEntry,
  type SizeEntry,
} from './directory.sql.server.ts'
import type { Item } from './items.ts'
import { selectTopReviews, type TopReview } from './product.sql.server.ts'
import { lineOffer } from './offer.ts'
import type { Catalog, CatalogCache } from './catalog-cache.server.ts'

/** A type or category with the article behind its picture and its "from" price. */
export type Kind = KindEntry & { readonly item: Item | null }

export type HomeRows = {
  /** Six that can be bought now, of six lines, and the total number running. */
  readonly deals: readonly Deal[]
  readonly dealCount: number
  /** The twelve most reviewed, by name. */
  readonly brands: readonly BrandEntry[]
  readonly types: readonly Kind[]
  readonly categories: readonly Kind[]
  readonly vehicles: readonly PopularVehicle[]
  readonly reviews: readonly TopReview[]
}

/** Returns everything from the catalog for the home page. */
export async function getHomeRows(catalog: Catalog): Promise<HomeRows> {
  const { cache, db, range } = catalog
  const [deals, brands, kinds, vehicles, reviews] = await Promise.all([
    listDeals(catalog),
    listBrands(catalog),
    listKinds(catalog),
    cache.keep('popular vehicles', () => listPopularVehicles({ db })),
    cache.keep('top reviews', () => selectTopReviews(db, range, 6)),
  ])
  const onSale = deals.filter(({ offer }) => offer?.isInStock)
  const oneEach = [...new Map(onSale.toReversed().map((deal) => [deal.offer?.line.id, deal])).values()].toReversed()
  const known = brands.toSorted((a, b) => b.reviews - a.reviews).slice(0, 12)
  return {
    deals: oneEach.slice(0, 6),
    dealCount: deals.length,
    brands: known.sort((a, b) => (a.name < b.name ? -1 : 1)),
    ...kinds,
    vehicles,
    reviews,
  }
}

/** Lists brands with articles on sale, by name. */
export function listBrands({ cache, db, range }: Catalog): Promise<readonly BrandEntry[]> {
  return cache.keep('brands', () => selectBrands(db, range))
}

/** Lists a brand's models with items for sale, by name. Empty for an unknown brand. */
export async function listLines({ cache }: Catalog, brand: string): Promise<{ slug: string; name: string }[]> {
  const lines = await cache.lines({ brand })
  return lines.map(({ line: { slug, name } }) => ({ slug, name })).sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Lists types and categories in display order, without empty ones. */
export async function listKinds({
  cache,
  db,
  range,
}: Catalog): Promise<{ types: readonly Kind[]; categories: readonly Kind[] }> {
  const { types, categories } = await cache.keep('kinds', () => selectKinds(db, range))
  const items = await cache.itemsByNumber([...new Set([...types, ...categories].map(({ itemId }) => itemId))])
  const byNumber = new Map(items.map((item) => [item.id, item]))
  const lowest = await lowestOwnPrices(cache)
  const withItem = (of: 'type' | 'category') => (kind: KindEntry) => ({
    ...kind,
    fromCents: lowest?.get(`${of} ${kind.slug}`) ?? kind.fromCents,
    item: byNumber.get(kind.itemId) ?? null,
  })
  return { types: types.map(withItem('type')), categories: categories.map(withItem('category')) }
}

/** Returns the type, or else the category, with this slug, even if no tire of it is for sale. */
export async function findUnsoldKind({ cache, db }: Catalog, slug: string): Promise<Kind | undefined> {
  const kinds = await cache.keep('known-kinds', () => selectKnownKinds(db))
  const kind = kinds.find((known) => known.slug === slug)
  return kind && { ...kind, item: null }
}

/** The lowest price of each type and category for an account; null at retail, where the database has it. */
async function lowestOwnPrices(cache: CatalogCache): Promise<ReadonlyMap<string, number> | null> {
  const prices = await cache.prices()
  if (prices.account === null) return null
  const lines = await cache.lines({})
  return cache.derive(['lowest own prices', prices, lines], 1, () => {
    const lowest = new Map<string, number>()
    for (const summary of lines) {
      const cents = lineOffer(summary, { prices })?.perTireCents ?? Infinity
      const { type, category } = summary.line
      for (const kind of [`type ${type.slug}`, `category ${category.slug}`])
        lowest.set(kind, Math.min(lowest.get(kind) ?? Infinity, cents))
    }
    return lowest
  })
}

/** Lists sizes with articles on sale, by rim, width and aspect; of one rim diameter in inches if given. */
export async function listSizes({ cache, db, range }: Catalog, rimIn?: number): Promise<readonly SizeEntry[]> {
  const sizes = await cache.keep('sizes', () => selectSizes(db, range))
  return rimIn === undefined ? sizes : sizes.filter((size) => size.rimIn === rimIn)
}

/** How long a list of most common sizes stays valid. It changes with the assortment, not with stock or price. */
const usualSizesLife = { minutes: 30 }

/**
 * Lists the twelve sizes with the most items of a brand, type or category. The slugs must exist, because each
 * combination is cached.
 */
export async function listUsualSizes(
  { cache, db, range }: Catalog,
  scope: {
    readonly brand?: string | undefined
    readonly type?: string | undefined
    readonly category?: string | undefined
  },
): Promise<readonly { readonly slug: string; readonly designation: string }[]> {
  const name = `usual sizes ${scope.brand ?? ''} ${scope.type ?? ''} ${scope.category ?? ''}`
  return cache.keep(name, () => selectUsualSizes(db, range, scope, 12), { life: usualSizesLife })
}
