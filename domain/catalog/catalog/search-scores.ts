/** Scores how well terms match the names of one kind, and selects the best. */
import { leastLikeness, type Met, type NameIndex } from './search-names.ts'
import type { SearchQuery } from './search-query.ts'

/** Maximum matches per kind. */
export const shown = 6

/** The best score of a name, and its term. */
export type Best = { readonly score: number; readonly term: string }
/** The score of a likeness to a term. */
export type Scoring = (term: string, likeness: number) => number

/**
 * The best score of each entry that matches a term. A first word without the rest scores a little less than a full
 * name. A prefix of one is already a prefix of the name.
 */
export function bestOf<Entry>(
  query: Pick<SearchQuery, 'terms' | 'ending'>,
  score: Scoring,
  names: NameIndex<Entry>,
  firstWords?: NameIndex<Entry>,
): Map<Entry, Best> {
  const best = new Map<Entry, Best>()
  const add = (entry: Entry, points: number, term: string) =>
    void (points > (best.get(entry)?.score ?? 0) && best.set(entry, { score: points, term }))
  for (const term of query.terms) {
    for (const met of names.meeting(term)) add(met.entry, score(term, pointsOf(query, term, met)), term)
    for (const met of firstWords?.meeting(term) ?? [])
      if (met.likeness >= leastLikeness) add(met.entry, score(term, 0.9 * met.likeness), term)
  }
  return best
}

/**
 * How well a term matches a name. A partial word counts as a prefix only at the end of the text, where the shopper may
 * still be typing. For example, "sport" may become Sportage, but "sport tires" can't.
 */
export function pointsOf({ ending }: Pick<SearchQuery, 'ending'>, term: string, met: Met<unknown>): number {
  return met.isCut && !ending.endsWith(term) ? met.likeness : met.score
}

/** Scores by the slug of the match. */
export function bySlugs(scores: ReadonlyMap<{ readonly slug: string }, Best>): Map<string, Best> {
  return new Map([...scores].map(([{ slug }, best]) => [slug, best]))
}

/** The best few with their scores; `order` breaks ties. */
export function topOf<Entry extends object>(
  scores: ReadonlyMap<Entry, Best>,
  order: (a: Entry, b: Entry) => number,
): (Entry & Best)[] {
  return firstOf(scores, (a, b) => b[1].score - a[1].score || order(a[0], b[0])).map(([entry, best]) => ({
    ...entry,
    ...best,
  }))
}

/** Returns the first few entries in an order without sorting the rest, because a term may match thousands. */
export function firstOf<Entry>(
  entries: Iterable<Entry>,
  compare: (a: Entry, b: Entry) => number,
  count: number = shown,
): Entry[] {
  const first: Entry[] = []
  for (const entry of entries) {
    const last = first.at(-1)
    if (first.length === count && last !== undefined && compare(entry, last) >= 0) continue
    if (first.length === count) first.pop()
    const at = first.findIndex((each) => compare(entry, each) < 0)
    first.splice(at < 0 ? first.length : at, 0, entry)
  }
  return first
}

/** Compares strings the same way in every locale. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
