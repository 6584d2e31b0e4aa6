/** How well typed terms meet the names of one kind, and which names are met best. */
import { leastLikeness, type NameIndex } from './search-names.ts'

/** How many matches of a kind are shown. */
export const shown = 6

/** The best score of a name, and the term that has it. */
export type Best = { readonly score: number; readonly term: string }
/** What a likeness to a term is worth. */
export type Scoring = (term: string, likeness: number) => number

/**
 * The best score of each entry that a term meets. A first word alone says a little less than a name; the beginning of
 * one is the beginning of the name already.
 */
export function bestOf<Entry>(
  terms: readonly string[],
  score: Scoring,
  names: NameIndex<Entry>,
  firstWords?: NameIndex<Entry>,
): Map<Entry, Best> {
  const best = new Map<Entry, Best>()
  const add = (entry: Entry, points: number, term: string) =>
    void (points > (best.get(entry)?.score ?? 0) && best.set(entry, { score: points, term }))
  for (const term of terms) {
    for (const met of names.meeting(term)) add(met.entry, score(term, met.score), term)
    for (const met of firstWords?.meeting(term) ?? [])
      if (met.likeness >= leastLikeness) add(met.entry, score(term, 0.9 * met.likeness), term)
  }
  return best
}

/** The scores under the address of what was met. */
export function bySlugs(scores: ReadonlyMap<{ readonly slug: string }, Best>): Map<string, Best> {
  return new Map([...scores].map(([{ slug }, best]) => [slug, best]))
}

/** The best few with their scores; `order` decides between those that are met alike. */
export function topOf<Entry extends object>(
  scores: ReadonlyMap<Entry, Best>,
  order: (a: Entry, b: Entry) => number,
): (Entry & Best)[] {
  return firstOf(scores, (a, b) => b[1].score - a[1].score || order(a[0], b[0])).map(([entry, best]) => ({
    ...entry,
    ...best,
  }))
}

/** The first few in an order, without putting all the others into theirs: a term may meet thousands. */
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

/** An order of texts that is the same everywhere. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
