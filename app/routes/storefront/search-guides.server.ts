/** Finds articles and dictionary terms by their titles. */
import { listTerms } from '#app/content/dictionary.server.ts'
import { listArticles } from '#app/content/library.server.ts'
import { paths } from '#content/paths.ts'
import type { StoreKind } from '#domain/pricing/store-programs/store-programs.ts'
import type { Suggestion } from '#app/ui/site-search.tsx'

type Guide = Suggestion & { readonly words: readonly string[] }

/**
 * Returns up to `most` guides with every typed word in the title. The last word can be a prefix. Titles that start with
 * the text come first.
 */
export async function findGuides(typed: string, store: StoreKind, most = 4): Promise<Suggestion[]> {
  const asked = wordsOf(typed.slice(0, 120)).filter((word) => !smallWords.has(word))
  if (asked.join('').length < 3) return []
  const hasAll = ({ words }: Guide) =>
    asked.every((word, index) =>
      words.some((each) => each === word || (index === asked.length - 1 && word.length > 2 && each.startsWith(word))),
    )
  const firstAt = ({ words }: Guide) => words.findIndex((each) => each.startsWith(asked[0] ?? ''))
  const found = (await readGuides(store))
    .filter(hasAll)
    .sort((a, b) => firstAt(a) - firstAt(b) || a.words.length - b.words.length)
  return found.slice(0, most).map(({ kind, label, detail, path }) => ({ kind, label, detail, path }))
}

const kept = new Map<StoreKind, Promise<Guide[]>>()

/** They change only with a release. */
function readGuides(store: StoreKind): Promise<Guide[]> {
  const reading = kept.get(store) ?? listGuides(store)
  kept.set(store, reading)
  return reading
}

async function listGuides(store: StoreKind): Promise<Guide[]> {
  const [terms, articles] = await Promise.all([listTerms(), listArticles('learn', store)])
  return [
    ...terms.map(({ id, term, also }) => ({
      kind: 'guide' as const,
      label: term,
      detail: 'Tire dictionary',
      path: paths.dictionary(id),
      words: wordsOf([term, ...also].join(' ')),
    })),
    ...articles.map(({ title, path }) => ({
      kind: 'guide' as const,
      label: title,
      detail: 'Guide',
      path: paths.article(path),
      words: wordsOf(title),
    })),
  ]
}

/** Words that do not identify a topic. */
const smallWords = new Set([
  'a',
  'an',
  'the',
  'to',
  'of',
  'for',
  'in',
  'on',
  'my',
  'your',
  'is',
  'are',
  'do',
  'does',
  'how',
  'what',
  'tire',
  'tires',
])

function wordsOf(text: string): string[] {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}
