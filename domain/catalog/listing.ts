/**
 * The arithmetic of a listing: which offers pass, how many each choice would leave, in what order, which page. It works on the offers of one
 * shelf (tens to a few thousand), all in memory, and knows nothing of where they came from.
 */
import { facetRules, isThreshold, labelsOf, type FacetRule } from './facets.ts'
import type { Offer } from './offer.ts'
import { chosen, type FacetName, type ListingQuery, type Sort } from './query.ts'

export type FacetOption = { readonly value: string; readonly label: string; readonly count: number; readonly isChosen: boolean }
export type Facet = { readonly name: FacetName; readonly options: readonly FacetOption[] }

export type Arranged = {
  /** The offers of the page asked for. */
  readonly offers: readonly Offer[]
  /** Offers that pass the filters, and offers before any filter. */
  readonly total: number
  readonly inScope: number
  /** Of the offers that pass, those that do not fit the vehicle. */
  readonly notFitting: number
  readonly facets: readonly Facet[]
  /** The page given: the last one where a later one was asked for. */
  readonly page: number
  readonly pages: number
}

/** Filters, counts, sorts and cuts. Facets are counted with all other filters applied; one that could not change the list is left out. */
export function arrange(offers: readonly Offer[], query: ListingQuery, facetNames: readonly FacetName[]): Arranged {
  const rules = facetRules(offers, query.filters, facetNames)
  const passing: Offer[] = []
  const counts = rules.map(() => new Map<string, Count>())
  for (const offer of offers) {
    const failing = rules.filter((rule) => !rule.passes(offer))
    if (failing.length === 0) passing.push(offer)
    for (const [index, rule] of rules.entries()) {
      // An offer counts for a facet when that facet alone, if any, keeps it out.
      const counted = failing.length === 0 || (failing.length === 1 && failing[0] === rule)
      for (const value of rule.valuesOf(offer)) add(counts[index], value, counted)
    }
  }
  const pages = Math.max(1, Math.ceil(passing.length / query.pageSize))
  const page = Math.min(query.page, pages)
  const from = (page - 1) * query.pageSize
  return {
    offers: passing.sort(comparing(query.sort)).slice(from, from + query.pageSize),
    total: passing.length,
    inScope: offers.length,
    notFitting: passing.filter((offer) => offer.fitment?.verdict === 'does_not_fit').length,
    facets: rules.flatMap((rule, index) => facetOf(rule, counts[index] ?? new Map(), query, offers)),
    page,
    pages,
  }
}

/** The total order of a sort: offers that do not fit come last in every one, and the key settles ties, so that pages never overlap. */
export function comparing(sort: Sort): (a: Offer, b: Offer) => number {
  const [first, ...others] = orders[sort]
  return (a, b) => {
    const refused = Number(a.fitment?.verdict === 'does_not_fit') - Number(b.fitment?.verdict === 'does_not_fit')
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
const byFit: Order = (a, b) => (a.fitment ? verdictRank[a.fitment.verdict] : 0) - (b.fitment ? verdictRank[b.fitment.verdict] : 0)
/** A tire that is allowed only by a speed exception stands behind those that meet the need in full. */
const byNeed: Order = (a, b) => Number(a.fitment?.isBelowNeed ?? false) - Number(b.fitment?.isBelowNeed ?? false)
const byStock: Order = (a, b) => Number(b.isInStock) - Number(a.isInStock)
const byPrice: Order = (a, b) => a.perTireCents - b.perTireCents
const byScore: Order = (a, b) => (b.score?.tenths ?? 0) - (a.score?.tenths ?? 0)
const byRating: Order = (a, b) => (b.line.rating?.overallHundredths ?? 0) - (a.line.rating?.overallHundredths ?? 0)
const byReviews: Order = (a, b) => (b.line.rating?.count ?? 0) - (a.line.rating?.count ?? 0)
const byWarranty: Order = (a, b) => (b.warrantyMiles ?? 0) - (a.warrantyMiles ?? 0)

const orders: Record<Sort, readonly [Order, ...Order[]]> = {
  best: [byFit, byNeed, byStock, byScore, byReviews, byPrice],
  price: [byPrice, byScore],
  'price-desc': [(a, b) => byPrice(b, a), byScore],
  rating: [byRating, byReviews, byPrice],
  score: [byScore, byReviews, byPrice],
  warranty: [byWarranty, byScore, byPrice],
}

/** Offers with a value, and those of them that the other filters leave. */
type Count = { all: number; left: number }

function add(counts: Map<string, Count> | undefined, value: string, counted: boolean): void {
  const count = counts?.get(value)
  if (count === undefined) {
    counts?.set(value, { all: 1, left: Number(counted) })
    return
  }
  count.all += 1
  if (counted) count.left += 1
}

function facetOf(rule: FacetRule, counts: ReadonlyMap<string, Count>, query: ListingQuery, offers: readonly Offer[]): Facet[] {
  const picked = chosen(query.filters, rule.name)
  // Values typed into the address that nothing in the scope has still show, so that they can be taken off again. A threshold all reach says nothing.
  const values = [...new Set([...counts.keys(), ...picked])].filter(
    (value) => picked.includes(value) || !isThreshold(rule.name) || counts.get(value)?.all !== offers.length,
  )
  const changesNothing = values.every((value) => counts.get(value)?.all === offers.length)
  if (changesNothing && picked.length === 0) return []
  const labels = labelsOf(rule.name, offers)
  const options = values.map((value) => ({ value, label: labels(value), count: counts.get(value)?.left ?? 0, isChosen: picked.includes(value) }))
  return [{ name: rule.name, options: options.sort(rule.order) }]
}
