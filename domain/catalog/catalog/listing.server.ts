/** Listings of tires by size, vehicle, brand, type or category, filtered, counted and sorted. */
import { LRUCache } from 'lru-cache'
import type { Requirement } from '#domain/catalog/fitment/fitment.ts'
import { sizeSlug } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { selectNearestSizes } from './directory.sql.server.ts'
import { allFacets, lineFacets } from './facets.ts'
import { ageKey } from './fit.ts'
import type { Named } from './items.ts'
import { arrange, arrangeModels, indexOffers, type Arranged, type ArrangedModels, type OfferIndex } from './listing.ts'
import { lineOffer, setOffers, tireOffer, type Offer, type OfferContext } from './offer.ts'
import { topPicks, type Pick as TopPick } from './picks.ts'
import type { Place } from './place.ts'
import type { FacetName, ListingQuery } from './query.ts'
import { recommend, type Answers, type Recommendation } from './recommend.ts'
import { seasonAt, type Season } from './season.ts'
import type { Catalog } from './catalog-cache.server.ts'

/** Size slugs; rear equals front on most vehicles. */
export type SizePair = { readonly front: string; readonly rear: string }

/** The scope of a listing. Without sizes it shows product lines; several pairs are the possible sizes of a vehicle. */
export type ListingScope = {
  readonly sizes?: readonly SizePair[] | undefined
  readonly brand?: string | undefined
  readonly type?: string | undefined
  readonly category?: string | undefined
  /** Lines for this rim diameter in inches; not together with sizes. */
  readonly rimIn?: number | undefined
}

export type ListingInput = {
  readonly scope: ListingScope
  readonly query: ListingQuery
  /** The vehicle's requirement, with the name that follows "your". Without it, fitment isn't evaluated. */
  readonly requirement?: Requirement | undefined
  readonly vehicleName?: string | undefined
  /** The shopper's ZIP, for the season; winter is only known where it is given. */
  readonly zip?: string | null | undefined
  readonly arrivalOf?: OfferContext['arrivalOf']
  readonly totalOf?: OfferContext['totalOf']
  readonly shippingOf?: OfferContext['shippingOf']
}

/** The scope's names, for headings and titles. */
export type ScopeNames = {
  readonly sizes: readonly { readonly front: string; readonly rear: string }[]
  readonly brand: Named | null
  readonly type: Named | null
  readonly category: Named | null
}

export type Listing = Arranged & ListingScopeFacts
/** A listing with one entry per model and size. */
export type ModelListing = ArrangedModels & ListingScopeFacts

export type ListingScopeFacts = {
  readonly names: ScopeNames
  /** Up to five picks, and the lowest price per tire, from the whole scope regardless of filters. */
  readonly picks: readonly TopPick[]
  readonly fromCents: number
  /** Narrower scopes that are not empty; calculated on demand. */
  groups(): Groups
}

/** Another nonempty listing, with its number of tires (or lines). */
export type Alternative = { readonly place: Place & { readonly kind: 'listing' }; readonly count: number }
export type NothingThere = Refused<'nothing-there', readonly Alternative[]>

/**
 * Returns a page of a listing, without the database if cached. Refuses an empty scope (an unknown slug or empty
 * combination) and returns the closest nonempty ones.
 */
export async function listTires(catalog: Catalog, input: ListingInput): Promise<Outcome<Listing, NothingThere>> {
  const { index, arrangements, facts } = await prepared(catalog, input)
  if (index.offers.length === 0) return refused('nothing-there', await alternativesTo(catalog, input.scope))
  const asked = JSON.stringify(input.query)
  const arranged = arrangements.get(asked) ?? arrange(index, input.query)
  arrangements.set(asked, arranged)
  return ok({ ...arranged, ...facts })
}

/** Same as `listTires`, but groups a model's versions in a size into one entry, which a page shows as one card. */
export async function listModels(catalog: Catalog, input: ListingInput): Promise<Outcome<ModelListing, NothingThere>> {
  const { index, modelArrangements, facts } = await prepared(catalog, input)
  if (index.offers.length === 0) return refused('nothing-there', await alternativesTo(catalog, input.scope))
  const asked = JSON.stringify(input.query)
  const arranged = modelArrangements.get(asked) ?? arrangeModels(index, input.query)
  modelArrangements.set(asked, arranged)
  return ok({ ...arranged, ...facts })
}

/** Recommends five tires for the answers to the guided questions, from the whole scope; see `recommend`. */
export async function recommendTires(
  catalog: Catalog,
  input: Omit<ListingInput, 'query'> & { readonly answers: Answers },
): Promise<Recommendation[]> {
  return recommend((await prepared(catalog, input)).index.offers, input.answers)
}

/** Counts the offers in a scope. */
export async function countOffers(catalog: Catalog, scope: ListingScope): Promise<number> {
  return (await prepared(catalog, { scope })).index.offers.length
}

/** A brand, type or category within a scope, with its number of offers and lowest price. */
export type Group = Named & { readonly count: number; readonly fromCents: number }
export type Groups = {
  readonly brands: readonly Group[]
  readonly types: readonly Group[]
  readonly categories: readonly Group[]
}

/** Lists the narrower scopes that are not empty, by name. */
export async function groupOffers(catalog: Catalog, scope: ListingScope): Promise<Groups> {
  return (await prepared(catalog, { scope })).facts.groups()
}

/** Returns the possible sizes of a vehicle, front and rear, without duplicates. */
export function sizePairsOf(requirement: Requirement): SizePair[] {
  const pairs = requirement.configurations.flatMap(({ front, rear }) =>
    front.size && rear.size ? [{ front: sizeSlug(front.size), rear: sizeSlug(rear.size) }] : [],
  )
  return [...new Map(pairs.map((pair) => [`${pair.front} ${pair.rear}`, pair])).values()]
}

/** `arrangements` and `modelArrangements` cache earlier queries of the index. */
type Prepared = {
  readonly facts: ListingScopeFacts
  readonly index: OfferIndex
  readonly arrangements: LRUCache<string, Arranged>
  readonly modelArrangements: LRUCache<string, ArrangedModels>
}

/** Most requests are for the first page and a few filters. */
const keptArrangements = 20

function prepare(
  offers: readonly Offer[],
  facets: readonly FacetName[],
  scope: ListingScope,
  picks: readonly TopPick[],
  season: Season,
): Prepared {
  let groups: Groups | undefined
  return {
    index: indexOffers(offers, facets, season),
    arrangements: new LRUCache({ max: keptArrangements }),
    modelArrangements: new LRUCache({ max: keptArrangements }),
    facts: {
      names: namesOf(scope, offers),
      picks,
      fromCents: lowestCents(offers),
      groups: () => (groups ??= groupsOf(offers)),
    },
  }
}

/** The cache weight of an index of this many offers and its arrangements, in items. */
function weightOf(offers: number): number {
  return Math.ceil(offers / 2) + 2 * 10 * keptArrangements
}

/** The offers in a scope for one vehicle and location, derived once while their inputs are cached. */
async function prepared(
  { cache, clock, fitAt }: Catalog,
  { scope, requirement, vehicleName, zip, arrivalOf, totalOf, shippingOf }: Omit<ListingInput, 'query'>,
): Promise<Prepared> {
  const { sizes, brand, type, category, rimIn } = scope
  const at = fitAt()
  const context = {
    prices: await cache.prices(),
    at,
    judge: requirement && (await cache.judge(requirement, vehicleName)),
    arrivalOf,
    totalOf,
    shippingOf,
  }
  const season = seasonAt(zip, clock.now().toZonedDateTimeISO('UTC'))
  const parts = [
    season,
    context.prices,
    ageKey(at),
    context.judge,
    arrivalOf,
    totalOf,
    shippingOf,
    brand,
    type,
    category,
  ]
  if (!sizes) {
    const lines = rimIn === undefined ? await cache.lines(scope) : await cache.linesOnRim(rimIn)
    return cache.derive([...parts, lines], weightOf(lines.length), () =>
      prepare(
        lines.flatMap((summary) => lineOffer(summary, context) ?? []),
        lineFacets,
        scope,
        [],
        season,
      ),
    )
  }
  const slugs = sizes.flatMap(({ front, rear }) => [front, rear])
  const items = await cache.itemsOfSizes(slugs)
  const weight = [...items.values()].reduce((sum, { length }) => sum + length, 0)
  return cache.derive([...parts, ...slugs.map((slug) => items.get(slug))], weightOf(weight), () => {
    const inSize = (slug: string) => (items.get(slug) ?? []).filter(({ line }) => isWithin(line, scope))
    const offers = sizes.flatMap(({ front, rear }) =>
      front === rear
        ? inSize(front).map((item) => tireOffer(item, context))
        : setOffers(inSize(front), inSize(rear), context),
    )
    return prepare(offers, allFacets, scope, topPicks(offers, season), season)
  })
}

function groupsOf(offers: readonly Offer[]): Groups {
  const by = (named: (offer: Offer) => Named, positionOf: (offer: Offer) => number = () => 0): Group[] =>
    [...Map.groupBy(offers, (offer) => named(offer).slug).values()]
      .flatMap(([first, ...rest]) => (first ? [{ first, all: [first, ...rest] }] : []))
      .sort((a, b) => positionOf(a.first) - positionOf(b.first) || (named(a.first).name < named(b.first).name ? -1 : 1))
      .map(({ first, all }) => ({ ...named(first), count: all.length, fromCents: lowestCents(all) }))
  return {
    brands: by(({ line: { brand } }) => ({ slug: brand.slug, name: brand.name })),
    types: by(
      ({ line }) => line.type,
      ({ line }) => line.typePosition,
    ),
    categories: by(
      ({ line }) => line.category,
      ({ line }) => line.categoryPosition,
    ),
  }
}

function lowestCents(offers: readonly Offer[]): number {
  return offers.reduce((lowest, { perTireCents }) => Math.min(lowest, perTireCents), Infinity)
}

function isWithin(line: Offer['line'], { brand, type, category }: ListingScope): boolean {
  return (
    (brand === undefined || line.brand.slug === brand) &&
    (type === undefined || line.type.slug === type) &&
    (category === undefined || line.category.slug === category)
  )
}

function namesOf(scope: ListingScope, offers: readonly Offer[]): ScopeNames {
  const [first] = offers
  const designations = new Map(offers.flatMap(({ items }) => items.map(({ size }) => [size.slug, size.designation])))
  return {
    sizes: (scope.sizes ?? []).map(({ front, rear }) => ({
      front: designations.get(front) ?? front,
      rear: designations.get(rear) ?? rear,
    })),
    brand: scope.brand !== undefined && first ? { slug: first.line.brand.slug, name: first.line.brand.name } : null,
    type: (scope.type !== undefined && first?.line.type) || null,
    category: (scope.category !== undefined && first?.line.category) || null,
  }
}

/** The nonempty scopes with one part left out; for a bare size the closest sizes on the same rim. */
async function alternativesTo(catalog: Catalog, { sizes, rimIn, ...filters }: ListingScope): Promise<Alternative[]> {
  const size = sizes?.length === 1 && sizes[0]?.front === sizes[0]?.rear ? sizes[0]?.front : undefined
  if (rimIn !== undefined || (sizes && size === undefined)) return []
  const whole = { size, ...filters }
  const parts = (Object.keys(whole) as (keyof typeof whole)[]).filter((part) => whole[part] !== undefined)
  const wider = parts.length > 1 ? parts.map((part) => ({ kind: 'listing' as const, ...whole, [part]: undefined })) : []
  const counted = await Promise.all(
    wider.map(async ({ size: one, brand, type, category, kind }) => ({
      place: { kind, size: one, brand, type, category },
      count: await countOffers(catalog, {
        sizes: one === undefined ? undefined : [{ front: one, rear: one }],
        brand,
        type,
        category,
      }),
    })),
  )
  const found = counted.filter(({ count }) => count > 0)
  if (found.length > 0 || size === undefined) return found
  const near = await selectNearestSizes(catalog.db, catalog.range, size)
  return near.map(({ slug, items }) => ({ place: { kind: 'listing' as const, size: slug }, count: items }))
}
