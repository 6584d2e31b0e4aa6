/** The home page, the deals and the directories. What they read is kept as long as the shelf. */
import { listPopularVehicles, type PopularVehicle } from '#domain/vehicles/vehicles.server.ts'
import { selectBrands, selectKinds, selectSizes, selectUsualSizes, type BrandEntry, type KindEntry, type SizeEntry } from './directory.sql.server.ts'
import type { Item } from './items.ts'
import { lineOffer, tireOffer, type Offer } from './offer.ts'
import { selectTopReviews, type TopReview } from './product.sql.server.ts'
import { isActive, priceBook, type Promotion } from './promotion.ts'
import type { Catalog } from './shelf.server.ts'

/** A promotion that runs now, with what it takes the price off: an article, a line from its lowest price, or (null) a whole brand or everything. */
export type Deal = { readonly promotion: Promotion; readonly offer: Offer | null }

/** All promotions that run now: those of the day first, then those on the best-known tires, then whole brands. */
export async function listDeals({ shelf, clock }: Catalog): Promise<Deal[]> {
  const now = clock.now()
  const promotions = await shelf.promotions()
  const active = promotions.filter((promotion) => isActive(promotion, now))
  const lineIds = active.flatMap(({ itemId, lineId }) => (itemId === null && lineId !== null ? [lineId] : []))
  const [lines, items] = await Promise.all([shelf.lines({ lineIds }), shelf.itemsByNumber(promotions.flatMap(({ itemId }) => itemId ?? []))])
  const context = { prices: priceBook(promotions, now) }
  const lineOffers = new Map(lines.map((summary) => [summary.line.id, lineOffer(summary, context)]))
  const itemOffers = new Map(items.map((item) => [item.id, tireOffer(item, context)]))
  return active
    .map((promotion) => ({
      promotion,
      offer: (promotion.itemId !== null ? itemOffers.get(promotion.itemId) : promotion.lineId !== null ? lineOffers.get(promotion.lineId) : undefined) ?? null,
    }))
    .filter(({ promotion, offer }) => offer !== null || (promotion.itemId === null && promotion.lineId === null))
    .sort((a, b) => Number(b.promotion.daily) - Number(a.promotion.daily) || fame(b) - fame(a) || a.promotion.id - b.promotion.id)
}

/** A type or category with the article its picture and its "from" price come from. */
export type Kind = KindEntry & { readonly item: Item | null }

export type HomeShelves = {
  /** Six that can be bought now, of six lines. */
  readonly deals: readonly Deal[]
  /** The twelve most reviewed, by name. */
  readonly brands: readonly BrandEntry[]
  readonly types: readonly Kind[]
  readonly categories: readonly Kind[]
  readonly vehicles: readonly PopularVehicle[]
  readonly reviews: readonly TopReview[]
}

/** Everything the home page shows of the catalog. */
export async function getHomeShelves(catalog: Catalog): Promise<HomeShelves> {
  const { shelf, db } = catalog
  const [deals, brands, kinds, vehicles, reviews] = await Promise.all([
    listDeals(catalog),
    listBrands(catalog),
    listKinds(catalog),
    shelf.keep('popular vehicles', () => listPopularVehicles({ db })),
    shelf.keep('top reviews', () => selectTopReviews(db, 6)),
  ])
  const onSale = deals.filter(({ offer }) => offer?.isInStock)
  const oneEach = [...new Map(onSale.toReversed().map((deal) => [deal.offer?.line.id, deal])).values()].toReversed()
  const known = brands.toSorted((a, b) => b.reviews - a.reviews).slice(0, 12)
  return { deals: oneEach.slice(0, 6), brands: known.sort((a, b) => (a.name < b.name ? -1 : 1)), ...kinds, vehicles, reviews }
}

/** Brands that sell something, by name. */
export function listBrands({ shelf, db }: Catalog): Promise<readonly BrandEntry[]> {
  return shelf.keep('brands', () => selectBrands(db))
}

/** Types and categories in the order of the shop; those that sell nothing are left out. */
export async function listKinds({ shelf, db }: Catalog): Promise<{ types: readonly Kind[]; categories: readonly Kind[] }> {
  const { types, categories } = await shelf.keep('kinds', () => selectKinds(db))
  const items = await shelf.itemsByNumber([...new Set([...types, ...categories].map(({ itemId }) => itemId))])
  const byNumber = new Map(items.map((item) => [item.id, item]))
  const withItem = (kind: KindEntry) => ({ ...kind, item: byNumber.get(kind.itemId) ?? null })
  return { types: types.map(withItem), categories: categories.map(withItem) }
}

/** Sizes in which something is sold, by rim, width and aspect; of one rim diameter in inches if given. */
export async function listSizes({ shelf, db }: Catalog, rimIn?: number): Promise<readonly SizeEntry[]> {
  const sizes = await shelf.keep('sizes', () => selectSizes(db))
  return rimIn === undefined ? sizes : sizes.filter((size) => size.rimIn === rimIn)
}

/** How long the answer to "which sizes does it mostly come in" stands: it changes with the range, not with stock or price. */
const usualSizesLife = { minutes: 30 }

/** The twelve sizes in which a brand, type or category has most articles. The slugs must be known ones: each combination is kept. */
export async function listUsualSizes(
  { shelf, db }: Catalog,
  scope: { readonly brand?: string | undefined; readonly type?: string | undefined; readonly category?: string | undefined },
): Promise<readonly { readonly slug: string; readonly designation: string }[]> {
  const name = `usual sizes ${scope.brand ?? ''} ${scope.type ?? ''} ${scope.category ?? ''}`
  return shelf.keep(name, () => selectUsualSizes(db, scope, 12), { life: usualSizesLife })
}

function fame({ offer }: Deal): number {
  return offer?.line.rating?.count ?? (offer ? 0 : -1)
}
