/**
 * The calculations of a listing: which offers pass, how many each option would leave, in what order, which page. Works
 * in memory on the offers of one reading (tens to a few thousand), independent of their source.
 */
import { addBit, bitsWhere, both, countBoth, either, hasBit, type Bits } from './bits.ts'
import { facetRules, isThreshold, labelsOf, type FacetRule } from './facets.ts'
import type { Offer } from './offer.ts'
import { chosen, type FacetName, type ListingQuery, type Sort } from './query.ts'
import type { Season } from './season.ts'
import { isInstallationRefused } from '#domain/fitment/fitment.ts'

/** `isKnown`: an offer of the scope has it, regardless of other filters. */
export type FacetOption = {
  readonly value: string
  readonly label: string
  readonly count: number
  readonly isChosen: boolean
  readonly isKnown: boolean
}
export type Facet = { readonly name: FacetName; readonly options: readonly FacetOption[] }

export type Arranged = {
  /** The offers of the requested page. */
  readonly offers: readonly Offer[]
  /** Offers that pass the filters, and all offers. */
  readonly total: number
  readonly inScope: number
  /** Offers that pass but do not fit the vehicle. */
  readonly notFitting: number
  readonly facets: readonly Facet[]
  /** The page returned: the last one if a later one was requested. */
  readonly page: number
  readonly pages: number
}

/**
 * The offers of a scope with everything needed precalculated: which offers have which value, as bit sets, and their
 * sort orders. Takes a millisecond or two; each query after that is nearly free.
 */
export type OfferIndex = {
  readonly offers: readonly Offer[]
  readonly facets: readonly FacetIndex[]
  readonly all: Bits
  readonly notFitting: Bits
  /** Positions in sort order. `hasSnowWish`: the shopper asked for tires for snow. */
  sorted(sort: Sort, hasSnowWish: boolean): readonly number[]
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
  return {
    offers,
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
export function arrange(index: OfferIndex, { filters, sort, pageSize, page: wanted, after }: ListingQuery): Arranged {
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
  const total = countBoth(passing, passing)
  const pages = Math.max(1, Math.ceil(total / pageSize))
  const page = Math.min(wanted, pages)
  return {
    offers: cut(index, passing, index.sorted(sort, filters.snow), {
      from: (page - 1) * pageSize,
      count: pageSize,
      after,
    }),
    total,
    inScope: index.offers.length,
    notFitting: countBoth(passing, index.notFitting),
    facets: questions.flatMap((question) => {
      const others =
        question.picked.length === 0
          ? passing
          : active.filter((each) => each !== question).reduce((left, each) => both(left, each.passing), index.all)
      return facetOf(question, others, index.offers.length)
    }),
    page,
    pages,
  }
}

/**
 * The total order of a sort: offers that do not fit always come last, and the key breaks ties, so that pages never
 * overlap. `season` is null for a shopper who asked for tires for snow.
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
const byPrice: Order = (a, b) => a.perTireCents - b.perTireCents
const byScore: Order = (a, b) => (b.score?.tenths ?? 0) - (a.score?.tenths ?? 0)
const byRating: Order = (a, b) => (b.line.rating?.overallHundredths ?? 0) - (a.line.rating?.overallHundredths ?? 0)
const byReviews: Order = (a, b) => (b.line.rating?.count ?? 0) - (a.line.rating?.count ?? 0)
const byWarranty: Order = (a, b) => (b.warrantyMiles ?? 0) - (a.warrantyMiles ?? 0)

/**
 * Winter tires come after those for the whole year, because a shopper who asks for tires does not want half-year tires;
 * in winter, summer tires come last.
 */
function bySeason(season: Season): Order {
  const rankOf = ({ line }: Offer) => (line.winter ? 1 : season === 'winter' && line.type.slug === 'summer' ? 2 : 0)
  return (a, b) => rankOf(a) - rankOf(b)
}

function inSeason(season: Season): readonly [Order, ...Order[]] {
  return [byFit, byRequirement, byStock, bySeason(season), byScore, byReviews, byPrice]
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

/** The options: values that occur, plus those in the URL that do not, so that they can be removed. */
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
 * Returns `count` offers from a position, or after the offer with key `after` if that is within a page of the position:
 * any further apart they do not belong together.
 */
function cut(
  index: OfferIndex,
  passing: Bits,
  positions: readonly number[],
  { from, count, after }: { from: number; count: number; after: string | null },
): Offer[] {
  const around: Offer[] = []
  const first = Math.max(0, from - (after === null ? 0 : count))
  const most = after === null ? count : 3 * count
  let before = 0
  for (const position of positions) {
    const offer = index.offers[position]
    if (!offer || !hasBit(passing, position)) continue
    if (before++ >= first) around.push(offer)
    if (around.length === most) break
  }
  const last = after === null ? -1 : around.findIndex(({ key }) => key === after)
  const start = last < 0 ? from - first : last + 1
  return around.slice(start, start + count)
}
