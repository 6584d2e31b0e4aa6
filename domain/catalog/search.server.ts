/** The search box. */
import { readSearch } from './search-query.ts'
import { resolve, suggestionsFrom, type Resolution, type Suggestion } from './search.ts'
import { selectMatches } from './search.sql.server.ts'
import type { Catalog } from './shelf.server.ts'

/** What a text typed so far could mean, the likeliest first, at most ten; nothing for fewer than two letters or digits. One round trip. */
export async function suggest({ db }: Pick<Catalog, 'db'>, typed: string): Promise<Suggestion[]> {
  const query = readSearch(typed)
  return isSearchable(query.text) ? suggestionsFrom(query, await selectMatches(db, query)) : []
}

/** Where a submitted text leads: one place when that is clear, else the results to choose from, which may be none. */
export async function resolveQuery({ db }: Pick<Catalog, 'db'>, typed: string): Promise<Resolution> {
  const query = readSearch(typed)
  return isSearchable(query.text) ? resolve(query, await selectMatches(db, query)) : { kind: 'results', suggestions: [] }
}

function isSearchable(text: string): boolean {
  return text.replaceAll(/[^a-z0-9]/g, '').length >= 2
}
