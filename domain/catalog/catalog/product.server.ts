/** The product page for one item among its model's sizes. */
import type { FitmentVerdict, Requirement } from '#domain/catalog/fitment/fitment.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { ageKey, ageRefusalOf, unitsForSale, verdictOn, type FitAt, type Judged } from './fit.ts'
import { fullSizeOf, serviceOf, type Item, type Line } from './items.ts'
import { tireOffer, type Offer } from './offer.ts'
import { isPickable } from './picks.ts'
import { selectLinePage, selectSizePopularity, type LinePage } from './product.sql.server.ts'
import type { Price, Rebate } from './promotion.ts'
import type { Catalog } from './catalog-cache.server.ts'
import { specsOf, type Spec } from './specs.ts'

/** Another size of the line, for the selector. */
export type Sibling = {
  readonly itemId: number
  readonly size: string
  /** The size with everything that distinguishes the item in its line. */
  readonly fullSize: string
  readonly sizeSlug: string
  readonly service: string
  readonly range: string | null
  readonly rimIn: number
  readonly runFlat: boolean
  readonly oeMark: string | null
  /** Including `fetCents` of federal excise tax. */
  readonly unitCents: number
  readonly fetCents: number
  readonly units: number
  readonly isInStock: boolean
  readonly fit: Judged | null
}

export type Product = {
  readonly line: Line
  /** The photos are the item's own, then the model's. */
  readonly texts: Pick<LinePage, 'about' | 'brandAbout' | 'wordmark' | 'photos'>
  /** The requested article; on a line's page the most likely one, see `byLikelihood`. */
  readonly item: Item
  readonly price: Price
  readonly rebate: Rebate | null
  /** Units that can be bought. */
  readonly units: number
  /** Explains that the tire is too old to be sold; null otherwise. */
  readonly tooOld: string | null
  readonly specs: readonly Spec[]
  /** The full verdict for the article on every wheel of the vehicle. */
  readonly fitment: FitmentVerdict | null
  /** Every article of the line, including this one, by rim, size and service description. */
  readonly siblings: readonly Sibling[]
  readonly fromCents: number
  readonly reviews: LinePage['reviews']
  /** Up to six recommendable tires of other lines in the same size, closest in kind and price first. */
  readonly similar: readonly Offer[]
}

export type ProductInput = {
  readonly brandSlug: string
  readonly lineSlug: string
  readonly itemId?: number | undefined
  readonly requirement?: Requirement | undefined
  readonly vehicleName?: string | undefined
  /** The quantity for the price, since an account may have different prices for four and for one. Default four. */
  readonly units?: number | undefined
}

/** Number of reviews on the product page; the rest have a separate page. */
const firstReviews = 3
const similarShown = 6

/**
 * Returns everything on a product page, without the database if cached. Refuses an unknown line, a line without
 * articles on sale, and an article of another line.
 */
export async function getProduct(
  catalog: Catalog,
  { brandSlug, lineSlug, itemId, requirement, vehicleName, units }: ProductInput,
): Promise<Outcome<Product, Refused<'line-not-found'> | Refused<'item-not-found'>>> {
  const { cache, db } = catalog
  const at = catalog.fitAt()
  const [items, prices, judge, popularity, page] = await Promise.all([
    cache.itemsOfLine(brandSlug, lineSlug),
    cache.prices(),
    requirement && cache.judge(requirement, vehicleName),
    cache.keep('size popularity', () => selectSizePopularity(db)),
    cache.keep(`page ${brandSlug} ${lineSlug}`, async () => ({
      texts: await selectLinePage(db, brandSlug, lineSlug, firstReviews),
    })),
  ])
  const context = { prices, judge, at }
  const parts = [prices, judge, ageKey(at)]
  const { offers, siblings } = cache.derive([...parts, items], items.length, () => {
    const sorted = items.map((item) => tireOffer(item, context)).sort(bySize)
    return { offers: sorted, siblings: sorted.map((offer) => siblingOf(offer, at)) }
  })
  const shown =
    itemId === undefined
      ? offers.toSorted(byLikelihood(popularity))[0]
      : offers.find(({ key }) => key === String(itemId))
  if (offers.length === 0 || !page.texts) return refused('line-not-found')
  const item = shown?.items[0]
  if (!item) return refused('item-not-found')
  const inSize = (await cache.itemsOfSizes([item.size.slug])).get(item.size.slug) ?? []
  const { about, brandAbout, wordmark, reviews } = page.texts
  const photos = photosOf(page.texts, item)
  return ok({
    line: item.line,
    texts: { about, brandAbout, wordmark, photos },
    item,
    price: units === undefined ? shown.prices[0] : prices.priceOf(item, units),
    rebate: shown.rebate,
    units: unitsForSale(item, at),
    tooOld: ageRefusalOf(item, at),
    specs: specsOf(item, at.now),
    fitment: requirement ? verdictOn([item], requirement, at) : null,
    siblings,
    fromCents: Math.min(...offers.map(({ perTireCents }) => perTireCents)),
    reviews,
    similar: cache.derive([...parts, item, inSize], similarShown, () =>
      similarTo(
        item,
        inSize.filter(({ line }) => line.id !== item.line.id).map((other) => tireOffer(other, context)),
      ),
    ),
  })
}

/** Its own photos, then its model's; a photo of both is shown once. */
function photosOf({ photos, itemPhotos }: LinePage, { id }: Item): LinePage['photos'] {
  const own = itemPhotos[id] ?? []
  return [...own, ...photos.filter(({ key }) => own.every((each) => each.key !== key))]
}

/** Returns an active article by number. */
export async function findItem({ cache }: Catalog, itemId: number): Promise<Item | undefined> {
  return (await cache.itemsByNumber([itemId]))[0]
}

function siblingOf(offer: Offer, at: FitAt): Sibling {
  const [item] = offer.items
  return {
    itemId: item.id,
    size: item.size.designation,
    fullSize: fullSizeOf(item),
    sizeSlug: item.size.slug,
    service: serviceOf(item),
    range: item.loadRange ?? item.loadClass,
    rimIn: item.size.rimIn,
    runFlat: item.runFlat,
    oeMark: item.oeMark,
    unitCents: offer.perTireCents,
    fetCents: item.fetCents,
    units: unitsForSale(item, at),
    isInStock: offer.isInStock,
    fit: offer.fitment,
  }
}

function bySize(a: Offer, b: Offer): number {
  const [one, other] = [a.items[0], b.items[0]]
  return (
    one.size.rimIn - other.size.rimIn ||
    one.size.sectionWidthMm - other.size.sectionWidthMm ||
    one.size.aspect - other.size.aspect ||
    (one.loadIndex ?? 0) - (other.loadIndex ?? 0) ||
    one.id - other.id
  )
}

/** Fitting first, then in stock, then the size most vehicles have, then the lower price. */
function byLikelihood(popularity: ReadonlyMap<string, number>): (a: Offer, b: Offer) => number {
  const vehicles = (offer: Offer) => popularity.get(offer.items[0].size.designation) ?? 0
  return (a, b) =>
    likelihood(b) - likelihood(a) ||
    vehicles(b) - vehicles(a) ||
    a.perTireCents - b.perTireCents ||
    a.items[0].id - b.items[0].id
}

function likelihood({ fitment, isInStock }: Offer): number {
  const fit = fitment === null ? 0 : { fits: 3, fits_with_conditions: 2, unknown: 1, does_not_fit: 0 }[fitment.verdict]
  return fit * 2 + Number(isInStock)
}

function similarTo(item: Item, others: readonly Offer[]): Offer[] {
  const distance = (offer: Offer) =>
    (offer.line.category.slug === item.line.category.slug ? 0 : offer.line.type.slug === item.line.type.slug ? 1 : 3) +
    Math.abs(Math.log(offer.perTireCents / (item.retailCents + item.fetCents))) * 2
  const nearest = others.filter(isPickable).sort((a, b) => distance(a) - distance(b) || (a.key < b.key ? -1 : 1))
  // One article per line, or the six would be one tire in six load classes.
  return [...new Map(nearest.toReversed().map((offer) => [offer.line.id, offer])).values()]
    .sort((a, b) => distance(a) - distance(b) || (a.key < b.key ? -1 : 1))
    .slice(0, similarShown)
}
