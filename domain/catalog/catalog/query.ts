/**
 * A listing query as a value and as the query string of a URL. Equal queries serialize to the same text, so that caches
 * and search engines see one page. Unreadable parts are ignored rather than refused, because URLs get typed, truncated
 * and shared.
 */
export const sorts = ['best', 'price', 'price-desc', 'rating', 'score', 'warranty'] as const
export type Sort = (typeof sorts)[number]
export const pageSizes = [24, 48, 96] as const
export type PageSize = (typeof pageSizes)[number]

/** Multi-select facets; an offer passes with any chosen value. */
export const anyOf = ['verdict', 'type', 'category', 'brand', 'speed', 'load', 'range', 'sidewall', 'mark'] as const
/** Facets with one threshold, such as minimum stars, points or miles, maximum total dollars, or latest day. */
export const thresholdFacets = ['by', 'total', 'rating', 'score', 'warranty'] as const
/** On/off facets. */
export const onlyIf = ['snow', 'mud-snow', 'ev', 'run-flat', 'deal', 'stock'] as const

export type AnyOfFacet = (typeof anyOf)[number]
export type ThresholdFacet = (typeof thresholdFacets)[number]
export type OnlyIfFacet = (typeof onlyIf)[number]
export type FacetName = AnyOfFacet | ThresholdFacet | OnlyIfFacet | 'price'

/** Whole dollars per tire, inclusive; null is unbounded. */
export type PriceRange = { readonly min: number | null; readonly max: number | null }

export type Filters = Readonly<Record<AnyOfFacet, readonly string[]>> &
  Readonly<Record<ThresholdFacet, string | null>> &
  Readonly<Record<OnlyIfFacet, boolean>> & { readonly price: PriceRange | null }

export type ListingQuery = {
  readonly filters: Filters
  readonly sort: Sort
  readonly pageSize: PageSize
  readonly page: number
  /**
   * The key of the last offer on the previous page. The next page continues after it, even if other offers were sold or
   * added.
   */
  readonly after: string | null
}

export const noFilters: Filters = {
  verdict: [],
  type: [],
  category: [],
  brand: [],
  speed: [],
  load: [],
  range: [],
  sidewall: [],
  mark: [],
  by: null,
  total: null,
  rating: null,
  score: null,
  warranty: null,
  snow: false,
  'mud-snow': false,
  ev: false,
  'run-flat': false,
  deal: false,
  stock: false,
  price: null,
}
export const plainQuery: ListingQuery = { filters: noFilters, sort: 'best', pageSize: 24, page: 1, after: null }

/** Parses a query; ignores unknown names and unreadable values, and swaps a reversed price range. */
export function parseQuery(params: URLSearchParams): ListingQuery {
  const many = (name: AnyOfFacet) =>
    [...new Set(params.getAll(name))].filter((value) => readable[name].test(value)).sort(orderOf(name))
  const one = (name: ThresholdFacet) => params.getAll(name).findLast((value) => isThreshold(name, value)) ?? null
  const flag = (name: OnlyIfFacet) => params.get(name) === '1'
  return {
    filters: {
      verdict: many('verdict'),
      type: many('type'),
      category: many('category'),
      brand: many('brand'),
      speed: many('speed'),
      load: many('load'),
      range: many('range'),
      sidewall: many('sidewall'),
      mark: many('mark'),
      by: one('by'),
      total: one('total'),
      rating: one('rating'),
      score: one('score'),
      warranty: one('warranty'),
      snow: flag('snow'),
      'mud-snow': flag('mud-snow'),
      ev: flag('ev'),
      'run-flat': flag('run-flat'),
      deal: flag('deal'),
      stock: flag('stock'),
      price: priceRange(params.get('min'), params.get('max')),
    },
    sort: sorts.find((sort) => sort === params.get('sort')) ?? 'best',
    pageSize: pageSizes.find((size) => String(size) === params.get('size')) ?? 24,
    page: wholeNumber(params.get('page'), 1, 10_000) ?? 1,
    after: /^(line-)?\d{1,9}(-\d{1,9})?$/.exec(params.get('after') ?? '')?.[0] ?? null,
  }
}

/** Writes a query with names in fixed order, values sorted and defaults omitted. */
export function serializeQuery({ filters, sort, pageSize, page, after }: ListingQuery): URLSearchParams {
  const params = new URLSearchParams()
  for (const name of anyOf) for (const value of [...filters[name]].sort(orderOf(name))) params.append(name, value)
  if (filters.price && filters.price.min !== null) params.append('min', String(filters.price.min))
  if (filters.price && filters.price.max !== null) params.append('max', String(filters.price.max))
  for (const name of thresholdFacets) if (filters[name] !== null) params.append(name, filters[name])
  for (const name of onlyIf) if (filters[name]) params.append(name, '1')
  if (sort !== 'best') params.append('sort', sort)
  if (pageSize !== 24) params.append('size', String(pageSize))
  if (page !== 1) params.append('page', String(page))
  if (after !== null) params.append('after', after)
  return params
}

/**
 * Returns the query with `value` of `facet` selected if it was not, or deselected if it was, on the first page. Price
 * values are "100-150".
 */
export function toggle(query: ListingQuery, facet: FacetName, value: string): ListingQuery {
  return { ...query, page: 1, after: null, filters: toggled(query.filters, facet, value) }
}

/** Returns the chosen values of `facet`, spelled like its options. */
export function chosen(filters: Filters, facet: FacetName): readonly string[] {
  if (facet === 'price') return filters.price ? [rangeText(filters.price)] : []
  const value = filters[facet]
  if (typeof value === 'boolean') return value ? ['1'] : []
  if (value === null) return []
  return typeof value === 'string' ? [value] : value
}

/** Whether any filter is active. */
export function isFiltered(filters: Filters): boolean {
  return [...anyOf, ...thresholdFacets, ...onlyIf, 'price' as const].some((facet) => chosen(filters, facet).length > 0)
}

/** Formats a price range as one value: "100-150", "300-" or "-100". */
export function rangeText({ min, max }: PriceRange): string {
  return `${min ?? ''}-${max ?? ''}`
}

export const thresholds = {
  /** Price of a set out the door, whole dollars. */
  total: ['400', '600', '750', '900', '1200', '1600'],
  rating: ['4.5', '4', '3.5', '3'],
  score: ['9', '8', '7'],
  warranty: ['80000', '70000', '60000', '50000', '40000'],
} as const

const slug = /^[a-z0-9]+(-[a-z0-9]+)*$/
const readable: Record<AnyOfFacet, RegExp> = {
  verdict: /^(fits|fits_with_conditions|unknown|does_not_fit)$/,
  type: slug,
  category: slug,
  brand: slug,
  speed: /^([A-HJ-NP-WYZ]|\(Y\)|A[1-8]|ZR)$/,
  load: /^\d{1,3}$/,
  range: /^(SL|XL|HL|[A-N])$/,
  sidewall: /^(BSW|OWL|VSB)$/,
  mark: /^[A-Z0-9*]{1,4}$/,
}

function isThreshold(facet: ThresholdFacet, value: string): boolean {
  // Days are only compared as text, so only their format matters.
  if (facet === 'by') return /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(value)
  return (thresholds[facet] as readonly string[]).includes(value)
}

function priceRange(minText: string | null, maxText: string | null): PriceRange | null {
  const min = wholeNumber(minText, 0, 100_000)
  const max = wholeNumber(maxText, 0, 100_000)
  if (min === null && max === null) return null
  return min !== null && max !== null && min > max ? { min: max, max: min } : { min, max }
}

function wholeNumber(text: string | null, from: number, to: number): number | null {
  if (text === null || !/^\d{1,6}$/.test(text)) return null
  const value = Number(text)
  return value >= from && value <= to ? value : null
}

function toggled(filters: Filters, facet: FacetName, value: string): Filters {
  const isChosen = chosen(filters, facet).includes(value)
  if (facet === 'price') {
    const [min = '', max = ''] = value.split('-')
    return { ...filters, price: isChosen ? null : priceRange(min, max) }
  }
  const before = filters[facet]
  if (typeof before === 'boolean') return { ...filters, [facet]: !before }
  if (before === null || typeof before === 'string') return { ...filters, [facet]: isChosen ? null : value }
  return {
    ...filters,
    [facet]: isChosen ? before.filter((other) => other !== value) : [...before, value].sort(orderOf(facet)),
  }
}

/** Load indexes by number, everything else by code point, so that the order is the same in every locale. */
function orderOf(facet: FacetName): (a: string, b: string) => number {
  if (facet === 'load') return (a, b) => Number(a) - Number(b)
  return (a, b) => (a < b ? -1 : a > b ? 1 : 0)
}
