/**
 * Calculates matching offers, option counts, sort order, and pagination for listings. Works in memory on one query's
 * offers (tens to a few thousand), regardless of their source.
 */
import { addBit, bitsWhere, both, countBoth, either, hasBit, type Bits } from './bits.ts'
import { facetRules, isThreshold, labelsOf, type FacetRule } from './facets.ts'
import { shippedCents, type Offer } from './offer.ts'
import { chosen, type FacetName, type ListingQuery, type Sort } from './query.ts'
import type { Season } from './season.ts'
import { isInstallationRefused } from '#domain/catalog/fitment/fitment.ts'

/** `isKnown` means that an offer in the scope has it, regardless of other filters. */
export type FacetOption = {
  readonly value: string
  readonly label: string
  readonly count: number
  readonly isChosen: boolean
  readonly isKnown: boolean
}
export type Facet = { readonly name: FacetName; readonly options: readonly FacetOption[] }

export type Arranged = {
  /** Offers on the requested page. */
  readonly offers: readonly Offer[]
  /** Offers that pass the filters, and all offers. */
  readonly total: number
  readonly inScope: number
  /** Offers that pass but do not fit the vehicle. */
  readonly notFitting: number
  readonly facets: readonly Facet[]
  /** The returned page. If the requested page is past the end, it is the last one. */
  readonly page: number
  readonly pages: number
}

/** One model in one size, with the offer on its card and its other versions, such as another load index. */
export type ModelOffer = { readonly offer: Offer; readonly others: readonly Offer[] }

export type ArrangedModels = Omit<Arranged, 'offers' | 'notFitting'> & {
  /** The models of the requested page. `total` and `inScope` still count offers. */
  readonly models: readonly ModelOffer[]
  /** Models with an offer that passes the filters. */
  readonly modelTotal: number
  /** The number of models without an offer that passes the filters and fits the vehicle. */
  readonly modelsNotFitting: number
  /** The key that the next page continues after; null without models. */
  readonly lastKey: string | null
}

/**
 * A scope's offers with precomputed bit sets of their values and sort orders. Takes a millisecond or two; each query
 * after that is nearly free.
 */
export type OfferIndex = {
  readonly offers: readonly Offer[]
  readonly facets: readonly FacetIndex[]
  readonly all: Bits
  readonly notFitting: Bits
  /** Positions in sort order. `hasSnowWish`: the shopper asked for tires for snow. */
  sorted(sort: Sort, hasSnowWish: boolean): readonly number[]
  /** Positions of each model in one size, best version first; calculated on demand. */
  models(): readonly (readonly number[])[]
  readonly season: Season
}

type FacetIndex = { readonly rule: FacetRule; readonly values: readonly IndexedValue[]; labelOf(value: string): string }
type IndexedValue = { readonly value: string; readonly label: string; readonly offers: Bits; readonly count: number }

export function indexOffers(
  offers: readonly Offer[],
  facetNames: readonly FacetName[],
  season: Season = 'other',
): OfferIndex {
  const all = bitsWhere(offers.length, () => true)
  const orders = new Map<string, number[]>()
  let models: readonly (readonly number[])[] | undefined
  return {
    offers,
    season,
    models: () => (models ??= groupModels(offers)),
    facets: facetRules(offers, facetNames).map((rule) => indexFacet(rule, offers)),
    all,
    notFitting: bitsWhere(offers.length, (position) => isInstallationRefused(offers[position]?.fitment)),
    sorted(sort, hasSnowWish) {
      const name = `${sort} ${hasSnowWish}`
      const known = orders.get(name)
      if (known) return known
      const compare = comparing(sort, hasSnowWish ? null : season)
      const entries = offers.map((offer, position) => ({ offer, position })).sort((a, b) => compare(a.offer, b.offer))
      const positions = entries.map(({ position }) => position)
      orders.set(name, positions)
      return positions
    },
  }
}

/**
 * Filters, counts, sorts and paginates. Facets are counted with all other filters applied; one that cannot change the
 * list is left out.
 */
export function arrange(index: OfferIndex, query: ListingQuery): Arranged {
  const { passing, ...counts } = pass(index, query)
  const { page, pages } = pageOf(query, counts.total)
  return {
    ...counts,
    offers: cut(index, passing, query, page).map((position) => index.offers[position] as Offer),
    notFitting: countBoth(passing, index.notFitting),
    page,
    pages,
  }
}

/**
 * As `arrange`, with one entry per model and size, so that pages count models. A model is sorted by its best version
 * among those that pass the filters: one that fits before one that does not, then in stock, then by price. On the first
 * page of the best match, brands take turns (`withBrandVariety`).
 */
export function arrangeModels(index: OfferIndex, query: ListingQuery): ArrangedModels {
  const { passing, ...counts } = pass(index, query)
  const groups = index
    .models()
    .map((positions) => positions.filter((position) => hasBit(passing, position)))
    .filter((positions) => positions.length > 0)
  const byFirst = new Map(groups.map((positions) => [positions[0] as number, positions]))
  const { page, pages } = pageOf(query, groups.length)
  const shown = bitsWhere(index.offers.length, (position) => byFirst.has(position))
  // After a sale another version may be the best one, but the page still continues after its model.
  const after = query.after === null ? undefined : groups.find((group) => group.some(isKey(index, query.after)))?.[0]
  const afterKey = after === undefined ? query.after : (index.offers[after]?.key ?? null)
  const positions = cut(index, shown, { ...query, after: afterKey }, page)
  const models = positions.map((position) => modelAt(index.offers, byFirst.get(position) ?? []))
  const isVaried = query.sort === 'best' && page === 1
  return {
    ...counts,
    models: isVaried ? withBrandVariety(models, query.filters.snow ? null : index.season) : models,
    modelTotal: groups.length,
    modelsNotFitting: countBoth(shown, index.notFitting),
    lastKey: models.at(-1)?.offer.key ?? null,
    page,
    pages,
  }
}

function isKey({ offers }: OfferIndex, key: string | null): (position: number) => boolean {
  return (position) => offers[position]?.key === key
}

/** Applies the filters and returns the matching offers and each option's count. */
function pass(
  index: OfferIndex,
  { filters }: ListingQuery,
): Pick<Arranged, 'total' | 'inScope' | 'facets'> & { passing: Bits } {
  const questions = index.facets.map((facet) => {
    const picked = chosen(filters, facet.rule.name)
    const options = optionsOf(facet, picked, index.offers)
    return {
      facet,
      picked,
      options,
      passing:
        picked.length === 0
          ? index.all
          : options
              .filter(({ value }) => picked.includes(value))
              .map(({ offers }) => offers)
              .reduce(either),
    }
  })
  const active = questions.filter(({ picked }) => picked.length > 0)
  const passing = active.reduce((left, each) => both(left, each.passing), index.all)
  return {
    passing,
    total: countBoth(passing, passing),
    inScope: index.offers.length,
    facets: questions.flatMap((question) => {
      const others =
        question.picked.length === 0
          ? passing
          : active.filter((each) => each !== question).reduce((left, each) => both(left, each.passing), index.all)
      return facetOf(question, others, index.offers.length)
    }),
  }
}

/** The requested page, or the last one, of so many entries. */
function pageOf({ page, pageSize }: ListingQuery, entries: number): Pick<Arranged, 'page' | 'pages'> {
  const pages = Math.max(1, Math.ceil(entries / pageSize))
  return { page: Math.min(page, pages), pages }
}

/** The models among offers, in the order of their first offer, each by its best version. */
export function modelsOf(offers: readonly Offer[]): ModelOffer[] {
  return groupModels(offers).map((positions) => modelAt(offers, positions))
}

function modelAt(offers: readonly Offer[], positions: readonly number[]): ModelOffer {
  const [offer, ...others] = positions.map((position) => offers[position] as Offer)
  return { offer: offer as Offer, others }
}

/** Groups the positions of offers by product line and size, or pair of sizes, each group with its best version first. */
function groupModels(offers: readonly Offer[]): (readonly number[])[] {
  const groups = Map.groupBy(offers.keys(), (position) => {
    const { line, items, kind } = offers[position] as Offer
    return kind === 'line' ? `${line.id}` : `${line.id} ${items.map(({ size }) => size.slug).join(' ')}`
  })
  return [...groups.values()].map((positions) =>
    positions.sort((a, b) => byVersion(offers[a] as Offer, offers[b] as Offer)),
  )
}

/** Results at the top of the best match in which brands take turns: two rows of a wide screen. */
const variedResults = 6
/** Models of one brand among them, while other brands are as good a match. */
const maxOfBrand = 2

/**
 * Moves models of other brands up among the first results, if they match as well: the same fit, stock and season. Only
 * the order on this page changes, so that no page shows a model twice.
 */
function withBrandVariety(models: readonly ModelOffer[], season: Season | null): readonly ModelOffer[] {
  const [first] = models
  const isAsGood = ({ offer }: ModelOffer) => matchOrders(season).every((order) => order(offer, first!.offer) === 0)
  const count = new Map<number, number>()
  const leading = models.filter(isAsGood).filter(({ offer: { line } }) => {
    const taken = count.get(line.brand.id) ?? 0
    count.set(line.brand.id, taken + 1)
    return taken < maxOfBrand
  })
  const varied = new Set(leading.slice(0, variedResults))
  return [...varied, ...models.filter((model) => !varied.has(model))]
}

/**
 * The total order of a sort. Offers that don't fit always come last, and the key breaks ties, so pages never overlap.
 * `season` is null for a shopper looking for snow tires.
 */
export function comparing(sort: Sort, season: Season | null = 'other'): (a: Offer, b: Offer) => number {
  const [first, ...others] = sort === 'best' && season !== null ? inSeason(season) : orders[sort]
  return (a, b) => {
    const refused = Number(isInstallationRefused(a.fitment)) - Number(isInstallationRefused(b.fitment))
    if (refused) return refused
    const difference = first(a, b)
    if (difference) return difference
    for (const order of others) {
      const next = order(a, b)
      if (next) return next
    }
    return a.key < b.key ? -1 : a.key > b.key ? 1 : 0
  }
}

type Order = (a: Offer, b: Offer) => number

const verdictRank = { fits: 0, fits_with_conditions: 1, unknown: 2, does_not_fit: 3 }
const byFit: Order = (a, b) =>
  (a.fitment ? verdictRank[a.fitment.verdict] : 0) - (b.fitment ? verdictRank[b.fitment.verdict] : 0)
/** Tires allowed only by a speed exception come after those that meet the requirement in full. */
const byRequirement: Order = (a, b) =>
  Number(a.fitment?.isBelowRequirement ?? false) - Number(b.fitment?.isBelowRequirement ?? false)
const byStock: Order = (a, b) => Number(b.isInStock) - Number(a.isInStock)
const byPrice: Order = (a, b) => shippedCents(a) - shippedCents(b)
const byScore: Order = (a, b) => (b.score?.tenths ?? 0) - (a.score?.tenths ?? 0)
const byRating: Order = (a, b) => (b.line.rating?.overallHundredths ?? 0) - (a.line.rating?.overallHundredths ?? 0)
const byReviews: Order = (a, b) => (b.line.rating?.count ?? 0) - (a.line.rating?.count ?? 0)
const byWarranty: Order = (a, b) => (b.warrantyMiles ?? 0) - (a.warrantyMiles ?? 0)

/**
 * Winter tires come after all-year tires, because most shoppers don't want half-year tires; in winter, summer tires
 * come last.
 */
function bySeason(season: Season): Order {
  const rankOf = ({ line }: Offer) => (line.winter ? 1 : season === 'winter' && line.type.slug === 'summer' ? 2 : 0)
  return (a, b) => rankOf(a) - rankOf(b)
}

/** What makes an offer match, before what makes it better than another match. */
function matchOrders(season: Season | null): readonly [Order, ...Order[]] {
  return season === null ? [byFit, byRequirement, byStock] : [byFit, byRequirement, byStock, bySeason(season)]
}

function inSeason(season: Season): readonly [Order, ...Order[]] {
  return [...matchOrders(season), byScore, byReviews, byPrice]
}

/** The order of a model's versions on its card. */
function byVersion(a: Offer, b: Offer): number {
  for (const order of [byFit, byRequirement, byStock, byPrice]) {
    const difference = order(a, b)
    if (difference) return difference
  }
  return a.key < b.key ? -1 : 1
}

const orders: Record<Sort, readonly [Order, ...Order[]]> = {
  best: [byFit, byRequirement, byStock, byScore, byReviews, byPrice],
  price: [byPrice, byScore],
  'price-desc': [(a, b) => byPrice(b, a), byScore],
  rating: [byRating, byReviews, byPrice],
  score: [byScore, byReviews, byPrice],
  warranty: [byWarranty, byScore, byPrice],
}

function indexFacet(rule: FacetRule, offers: readonly Offer[]): FacetIndex {
  const labelOf = labelsOf(rule.name, offers)
  const found = new Map<string, { offers: Bits; count: number }>()
  for (const [position, offer] of offers.entries()) {
    for (const value of rule.valuesOf(offer)) {
      const entry = found.get(value) ?? { offers: new Uint32Array(Math.ceil(offers.length / 32)), count: 0 }
      addBit(entry.offers, position)
      entry.count += 1
      found.set(value, entry)
    }
  }
  const values = [...found].map(([value, entry]) => ({ value, label: labelOf(value), ...entry }))
  return { rule, labelOf, values: values.sort(rule.order) }
}

/** Returns the existing options, plus values in the URL without matches, so that they can be removed. */
function optionsOf(
  { rule, labelOf, values }: FacetIndex,
  picked: readonly string[],
  offers: readonly Offer[],
): readonly IndexedValue[] {
  const typed = picked.filter((value) => !values.some((known) => known.value === value))
  if (typed.length === 0) return values
  const added = typed.map((value) => {
    const having = bitsWhere(offers.length, (position) => rule.has(offers[position] as Offer, value))
    return { value, label: labelOf(value), offers: having, count: countBoth(having, having) }
  })
  return [...values, ...added].sort(rule.order)
}

type Question = {
  readonly facet: FacetIndex
  readonly picked: readonly string[]
  readonly options: readonly IndexedValue[]
}

/** `others`: what all other filters leave. */
function facetOf({ facet: { rule }, picked, options }: Question, others: Bits, inScope: number): Facet[] {
  if (picked.length === 0 && options.every(({ count }) => count === inScope)) return []
  // A threshold that all offers reach is not shown.
  const shown = isThreshold(rule.name)
    ? options.filter(({ value, count }) => count !== inScope || picked.includes(value))
    : options
  return [
    {
      name: rule.name,
      options: shown.map(({ value, label, offers, count }) => ({
        value,
        label,
        count: countBoth(others, offers),
        isChosen: picked.includes(value),
        isKnown: count > 0,
      })),
    },
  ]
}

/**
 * Returns the positions on a page of `passing`, from the page's number, or after the offer with key `after` if that is
 * within a page of it. If it is any further apart, the two don't belong together.
 */
function cut(
  index: OfferIndex,
  passing: Bits,
  { filters, sort, pageSize: count, after }: ListingQuery,
  page: number,
): number[] {
  const from = (page - 1) * count
  const around: number[] = []
  const first = Math.max(0, from - (after === null ? 0 : count))
  const most = after === null ? count : 3 * count
  let before = 0
  for (const position of index.sorted(sort, filters.snow)) {
    if (!hasBit(passing, position)) continue
    if (before++ >= first) around.push(position)
    if (around.length === most) break
  }
  const last = after === null ? -1 : around.findIndex(isKey(index, after))
  const start = last < 0 ? from - first : last + 1
  return around.slice(start, start + count)
}
