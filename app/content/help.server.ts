/**
 * The help center's search over questions, policies and pages, articles and the dictionary, section by section. There
 * are a few hundred short texts, so each search scans them all; the ranking is BM25 with title words weighted higher
 * (S. Robertson and H. Zaragoza, 2009).
 */
import { paths } from '#content/paths.ts'
import type { StoreKind } from '#domain/pricing/store-programs/store-programs.ts'
import type { PublishedTexts } from '#domain/kernel/content/content.ts'
import { perTerms } from './copy-terms.server.ts'
import { listTerms } from './dictionary.server.ts'
import { listAllQuestions } from './faqs.server.ts'
import { listArticles } from './library.server.ts'
import { plainText } from '#platform/html-text.ts'
import { listPages } from './pages.server.ts'
import { stemOf, stemsOf, wordsOf } from './words.ts'

export type HelpKind = 'Question' | 'Policy' | 'Page' | 'Article' | 'Dictionary'
/** A part of a text; query matches are hits. */
export type Part = { readonly text: string; readonly isHit: boolean }
export type HelpHit = {
  readonly kind: HelpKind
  readonly title: string
  readonly path: string
  readonly snippet: readonly Part[]
}

type Entry = {
  readonly kind: HelpKind
  readonly title: string
  readonly path: string
  readonly text: string
  /** How often each stem occurs; occurrences in a title count several times. */
  readonly stems: ReadonlyMap<string, number>
  readonly length: number
}
type Index = {
  readonly entries: readonly Entry[]
  readonly spread: ReadonlyMap<string, number>
  readonly meanLength: number
}

export const longestQuery = 100
const mostWords = 8
const mostHits = 12
const titleWeight = 4
const snippetLength = 190
/** Answers to questions rank above background material. */
const kindWeight: Record<HelpKind, number> = { Question: 1.25, Policy: 1.15, Page: 1.1, Article: 1, Dictionary: 0.9 }
/** Shoppers' words for our terms. */
const otherWords: Record<string, readonly string[]> = {
  cost: ['price', 'fee'],
  charge: ['price', 'fee', 'charg'],
  money: ['refund'],
  delivery: ['ship', 'arriv'],
  arrive: ['ship', 'delivery'],
  puncture: ['flat', 'nail'],
  guarantee: ['warranty', 'coverag'],
  insurance: ['coverag'],
  breakdown: ['roadsid'],
  tow: ['roadsid'],
  credit: ['financ', 'pay'],
  veteran: ['military'],
  phone: ['call', 'support'],
  email: ['contact', 'writ'],
  snow: ['winter'],
  exchange: ['return'],
  track: ['order'],
  fit: ['size'],
}

/** By the published texts that it was made of. */
const kept = perTerms((): Record<StoreKind, WeakMap<PublishedTexts, Promise<Index>>> => ({
  own: new WeakMap(),
  branded: new WeakMap(),
}))

/** Returns the best results for a query, at most a dozen and two per page; empty if no text has any of its words. */
export async function searchHelp(query: string, texts: PublishedTexts, store: StoreKind): Promise<HelpHit[]> {
  const building = kept()[store].get(texts) ?? buildIndex(texts, store)
  kept()[store].set(texts, building)
  const index = await building
  const asked = [...new Set(stemsOf(query.slice(0, longestQuery)))].slice(0, mostWords)
  const wanted = asked.map((stem, at) => formsOf(stem, index, { isLast: at === asked.length - 1 }))
  const hits = new Set(wanted.flatMap((forms) => [...forms.keys()]))
  if (hits.size === 0) return []
  const ranked = index.entries
    .map((entry) => ({ entry, score: scoreOf(entry, wanted, index) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
  const perPage = new Map<string, number>()
  const best = ranked.filter(({ entry }) => {
    const page =
      entry.kind === 'Question' || entry.kind === 'Dictionary' ? entry.path : (entry.path.split('#')[0] ?? '')
    perPage.set(page, (perPage.get(page) ?? 0) + 1)
    return (perPage.get(page) ?? 0) <= 2
  })
  return best
    .slice(0, mostHits)
    .map(({ entry: { kind, title, path, text } }) => ({ kind, title, path, snippet: snippetOf(text, hits) }))
}

/**
 * Returns the stems that match one in the query, with their weights: the stem itself, completions if it may be
 * unfinished, our term for it, and similar stems if it is unknown.
 */
function formsOf(stem: string, { spread }: Index, { isLast }: { isLast: boolean }): Map<string, number> {
  const known = [...spread.keys()]
  const forms = new Map<string, number>()
  const add = (found: readonly string[], weight: number) => {
    for (const form of found) if (spread.has(form) && !forms.has(form)) forms.set(form, weight)
  }
  add([stem], 1)
  if (isLast && stem.length >= 3)
    add(
      known.filter((longer) => longer.startsWith(stem)),
      0.7,
    )
  add(ourStemsFor(stem), 0.6)
  if (forms.size === 0) add(likesOf(stem, known), 0.8)
  return forms
}

function ourStemsFor(stem: string): string[] {
  return Object.entries(otherWords).flatMap(([word, ours]) =>
    stemOf(word) === stem ? ours.map((other) => stemOf(other)) : [],
  )
}

/** Returns the stems that a misspelled stem could mean. Empty for numbers and for short words. */
function likesOf(stem: string, known: readonly string[]): string[] {
  if (stem.length < 4 || /\d/.test(stem)) return []
  const farthest = stem.length < 8 ? 1 : 2
  return known.filter((like) => Math.abs(like.length - stem.length) <= farthest && editDistance(stem, like) <= farthest)
}

/** Each query word counts by its best match; texts that contain more of the words rank first. */
function scoreOf(
  { stems, length, kind }: Entry,
  wanted: readonly ReadonlyMap<string, number>[],
  { entries, spread, meanLength }: Index,
): number {
  let sum = 0
  let found = 0
  for (const forms of wanted) {
    let best = 0
    for (const [form, weight] of forms) {
      const count = stems.get(form)
      if (count === undefined) continue
      const rarity = Math.log(1 + entries.length / (spread.get(form) ?? 1))
      best = Math.max(best, (weight * rarity * count * 2.2) / (count + 1.2 * (0.4 + (0.6 * length) / meanLength)))
    }
    if (best > 0) found += 1
    sum += best
  }
  return sum * kindWeight[kind] * (found / wanted.length) ** 2
}

/** An excerpt around the first match, cut at word boundaries, with the hits marked. */
function snippetOf(text: string, hits: ReadonlySet<string>): Part[] {
  const words = wordsOf(text)
  const found = words.filter(({ word }) => hits.has(stemOf(word)))
  const { start, end } = openStretchAround(found[0]?.from ?? 0, words, text.length)
  const parts: Part[] = start > 0 ? [{ text: '… ', isHit: false }] : []
  let at = start
  for (const { from, to } of found) {
    if (from < start || to > end) continue
    if (from > at) parts.push({ text: text.slice(at, from), isHit: false })
    parts.push({ text: text.slice(from, to), isHit: true })
    at = to
  }
  const rest = text.slice(at, end) + (end < text.length ? ' …' : '')
  return rest === '' ? parts : [...parts, { text: rest, isHit: false }]
}

/** Returns the start and end of an excerpt around `place`, at a word boundary or at an end of the text. */
function openStretchAround(
  place: number,
  words: ReturnType<typeof wordsOf>,
  textLength: number,
): { start: number; end: number } {
  const start = words.findLast(({ from }) => from <= Math.max(0, place - 60))?.from ?? 0
  const end = words.findLast(({ to }) => to <= start + snippetLength)?.to ?? textLength
  return { start, end: end >= (words.at(-1)?.to ?? 0) ? textLength : end }
}

async function buildIndex(texts: PublishedTexts, store: StoreKind): Promise<Index> {
  const [questions, pages, articles, terms] = await Promise.all([
    listAllQuestions(texts, store),
    listPages(texts, store),
    listArticles('learn', store),
    listTerms(),
  ])
  const entries = [
    ...questions.flatMap((section) =>
      section.questions.map(({ id, question, text }) => entryOf('Question', question, `${paths.faqs()}#${id}`, text)),
    ),
    ...pages.flatMap(({ title, address, html, isPolicy }) =>
      partsOf(html).map((part) => partEntry(isPolicy ? 'Policy' : 'Page', title, address, part)),
    ),
    ...articles.flatMap(({ title, path, html }) =>
      partsOf(html).map((part) => partEntry('Article', title, paths.article(path), part)),
    ),
    ...terms.map(({ id, term, also, means }) =>
      entryOf('Dictionary', [term, ...also].join(', '), paths.dictionary(id), means),
    ),
  ]
  const spread = new Map<string, number>()
  for (const { stems } of entries) for (const stem of stems.keys()) spread.set(stem, (spread.get(stem) ?? 0) + 1)
  return { entries, spread, meanLength: entries.reduce((sum, { length }) => sum + length, 0) / entries.length }
}

function partEntry(
  kind: HelpKind,
  title: string,
  path: string,
  part: { id: string; heading: string; text: string },
): Entry {
  return part.id === ''
    ? entryOf(kind, title, path, part.text)
    : entryOf(kind, `${title}: ${part.heading}`, `${path}#${part.id}`, part.text)
}

/** Splits a page at its second-level headings; the part before the first one has no heading. */
function partsOf(html: string): { id: string; heading: string; text: string }[] {
  return html.split(/(?=<h2 )/).flatMap((part) => {
    const [whole = '', id = '', heading = ''] = /^<h2 id="([^"]*)">(.*?)<\/h2>/s.exec(part) ?? []
    // Separates cells and lines after removing the tags.
    const text = plainText(part.slice(whole.length).replaceAll('><', '> <')).replace(/\s+/g, ' ').trim()
    return text === '' ? [] : [{ id, heading: plainText(heading), text }]
  })
}

function entryOf(kind: HelpKind, title: string, path: string, text: string): Entry {
  const stems = new Map<string, number>()
  const body = stemsOf(text)
  for (const stem of body) stems.set(stem, (stems.get(stem) ?? 0) + 1)
  for (const stem of stemsOf(title)) stems.set(stem, (stems.get(stem) ?? 0) + titleWeight)
  return { kind, title, path, text, stems, length: Math.max(20, body.length) }
}

/** The number of letters to insert, delete, change or swap to turn one word into the other. */
export function editDistance(a: string, b: string): number {
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const line = [row]
    for (let column = 1; column <= b.length; column++) {
      const change = (above[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      const swap =
        a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1] ? (before[column - 2] ?? 0) + 1 : Infinity
      line.push(Math.min(change, (above[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1, swap))
    }
    before = above
    above = line
  }
  return above[b.length] ?? 0
}
