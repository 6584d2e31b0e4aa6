/** The search box. */
import { resemblesVin, vinInSearch } from '#domain/catalog/vehicles/vehicles.ts'
import { readSearch, withWholeYear, type SearchQuery } from './search-query.ts'
import type { Matches } from './search-matches.ts'
import { resolve, suggestionsFrom, type Resolution } from './search.ts'
import { wellMet, type Suggestion } from './search-ranked.ts'
import { selectLinesInSize, selectNumbered } from './search.sql.server.ts'
import type { Catalog } from './catalog-cache.server.ts'

/**
 * Returns up to ten suggestions for an incomplete text, most likely first. Empty for fewer than two letters or digits,
 * and for a VIN, which `findByVin` handles.
 */
export async function suggest(catalog: Catalog, typed: string): Promise<Suggestion[]> {
  if (!isSearchable(typed) || resemblesVin(typed)) return []
  const { query, matches } = await readAndMatch(catalog, typed)
  return suggestionsFrom(query, matches)
}

/** Resolves a submitted text to one place if clear, otherwise to a possibly empty list of results. Empty for a VIN. */
export async function resolveQuery(catalog: Catalog, typed: string): Promise<Resolution> {
  if (!isSearchable(typed) || vinInSearch(typed) !== undefined)
    return { kind: 'results', suggestions: [], meant: null, notSold: null }
  const { query, matches } = await readAndMatch(catalog, typed)
  return resolve(query, matches)
}

type Reading = { readonly query: SearchQuery; readonly matches: Matches }

/** Reads "22 camry" as the vehicle of 2022 if there was one, else as typed. */
async function readAndMatch(catalog: Catalog, typed: string): Promise<Reading> {
  const withYear = withWholeYear(typed)
  const found = withYear === null ? undefined : await readingOf(catalog, withYear)
  return found?.matches.models.some(({ score }) => score >= wellMet) ? found : readingOf(catalog, typed)
}

async function readingOf(catalog: Catalog, text: string): Promise<Reading> {
  const query = readSearch(text)
  return { query, matches: await findMatches(catalog, query) }
}

function isSearchable(typed: string): boolean {
  return readSearch(typed).text.replaceAll(/[^a-z0-9]/g, '').length >= 2
}

async function findMatches({ vocabulary, db, range }: Catalog, query: SearchQuery): Promise<Matches> {
  const [names, numbered] = await Promise.all([vocabulary.current(), selectNumbered(db, range, query)])
  const matches = { ...names.match(query), ...numbered }
  // A line next to a size means its article in that size, unless the word names a kind: "winter", "snow".
  const [line] = matches.lines
  const isKind = (term: string) => matches.kinds.some((kind) => kind.score >= wellMet && kind.term === term)
  if (query.size === null || !line || line.score < wellMet || isKind(line.term)) return matches
  const slugs = matches.sizes.flatMap(({ slug, isWhole, isSold }) => (isWhole && isSold ? [slug] : []))
  return { ...matches, items: [...matches.items, ...(await selectLinesInSize(db, range, line, slugs))] }
}
