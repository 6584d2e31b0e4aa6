/** Shared by all kinds of search results. */
import type { KindMatch } from './search-matches.ts'
import type { Place } from './place.ts'
import type { SearchQuery } from './search-query.ts'

export type SuggestionKind =
  | 'size'
  | 'vehicle'
  | 'brand'
  | 'line'
  | 'type'
  | 'category'
  | 'item'
  | 'shop'
  | 'zip'
  | 'area'
  | 'page'
  | 'other-brand'
export type Suggestion = {
  readonly kind: SuggestionKind
  readonly label: string
  readonly detail: string
  readonly place: Place
}

/** `terms`: the typed words it accounts for. */
export type Ranked = Suggestion & { readonly rank: number; readonly terms: readonly string[] }

/**
 * Matches from this score on count as typed. A make or brand next to another result disambiguates it instead of being
 * the result.
 */
export const met = 0.3
/** A name, or nearly all of it. */
export const wellMet = 0.7

/** The types with these slugs, without retired ones. `typeNames` are the names by slug. */
export function namedTypes(
  slugs: readonly string[],
  typeNames: ReadonlyMap<string, string>,
): { slug: string; name: string }[] {
  return slugs.flatMap((slug) => {
    const name = typeNames.get(slug)
    return name === undefined ? [] : [{ slug, name }]
  })
}

/** Returns the listing's query string for filters, excluding its name. */
export function filtersOf(
  { filters: { range, runFlat, cheap } }: SearchQuery,
  more: { kind?: KindMatch | undefined; brand?: string | undefined } = {},
): string | undefined {
  const said = [
    more.kind && `${more.kind.of}=${more.kind.slug}`,
    more.brand && `brand=${more.brand}`,
    range && `range=${range}`,
    runFlat && 'run-flat=1',
    cheap && 'sort=price',
  ].filter((each) => typeof each === 'string' && each !== '')
  return said.length === 0 ? undefined : said.join('&')
}
