/** The URLs of a listing, with its filters and pages, and without empty parameters. */
import {
  anyOf,
  onlyIf,
  serializeQuery,
  thresholdFacets,
  type AnyOfFacet,
  type Facet,
  type ListingQuery,
  type PageSize,
} from '#domain/catalog/catalog/catalog.ts'

/** The trim, fitment, and rear parameters, which identify the listing instead of filtering it. */
export type Kept = readonly (readonly [name: string, value: string])[]

/** `path` with the listing's and the query's parameters, in one fixed order. */
export function listingPath(path: string, kept: Kept, query: ListingQuery): string {
  const text = new URLSearchParams([...kept.map(([name, value]) => [name, value]), ...serializeQuery(query)]).toString()
  return text === '' ? path : `${path}?${text}`
}

/**
 * A form submitted without JavaScript includes empty fields and defaults. Returns the query without them, or null if
 * there aren't any. Preserves unknown parameters.
 */
export function tidySearch(params: URLSearchParams): string | null {
  const kept = [...params].filter(([name, value]) => value !== '' && defaults[name] !== value)
  return kept.length === params.size ? null : new URLSearchParams(kept).toString()
}

const defaults: Readonly<Record<string, string>> = { sort: 'best', size: '24', page: '1' }

/** Returns filters that are invalid or have no match in the list, such as "brand: zzz", and the query without them. */
export function unknownFilters(
  params: URLSearchParams,
  query: ListingQuery,
  facets: readonly Facet[],
): { filters: string[]; query: ListingQuery } {
  const named = new Map<string, Facet>(facets.map((facet) => [facet.name, facet]))
  const isKnown = (name: AnyOfFacet, value: string) =>
    named.get(name)?.options.some((option) => option.value === value && option.isKnown) === true
  const bad = (name: string, values: readonly string[]) =>
    [...new Set(values)].map((value) => `${name}: ${value.slice(0, 30)}`)
  const anyOfBad = anyOf.flatMap((name) =>
    bad(
      name,
      params.getAll(name).filter((value) => !isKnown(name, value)),
    ),
  )
  const others = [
    ...thresholdFacets.flatMap((name) => (query.filters[name] === null ? bad(name, params.getAll(name)) : [])),
    ...onlyIf.flatMap((name) => (query.filters[name] ? [] : bad(name, params.getAll(name)))),
    ...(['min', 'max'] as const).flatMap((name) =>
      query.filters.price === null ? bad(name, params.getAll(name)) : [],
    ),
    ...bad(
      'sort',
      params.getAll('sort').filter((value) => value !== query.sort),
    ),
    ...bad(
      'size',
      params.getAll('size').filter((value) => value !== String(query.pageSize)),
    ),
  ]
  const known = Object.fromEntries(
    anyOf.map((name) => [name, query.filters[name].filter((value) => isKnown(name, value))]),
  ) as Record<AnyOfFacet, string[]>
  return {
    filters: [...anyOfBad, ...others].slice(0, 6),
    query: { ...query, filters: { ...query.filters, ...known }, page: 1, after: null },
  }
}

/** Returns the first and last page numbers and those near `page`. Null marks a gap. */
export function pageNumbers(page: number, pages: number): (number | null)[] {
  const near = Array.from({ length: pages }, (_, index) => index + 1).filter(
    (number) => number === 1 || number === pages || Math.abs(number - page) <= 1,
  )
  return near.flatMap((number, index) => {
    const skipped = number - (near[index - 1] ?? number - 1) - 1
    // A gap of one page is filled with that page.
    return skipped === 1 ? [number - 1, number] : skipped > 1 ? [null, number] : [number]
  })
}

/** How many more the next page shows. */
export function nextCount(total: number, page: number, pageSize: PageSize): number {
  return Math.max(0, Math.min(pageSize, total - page * pageSize))
}
