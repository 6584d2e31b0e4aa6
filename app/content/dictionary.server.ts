/**
 * The tire dictionary in content/dictionary.yaml, validated on first read and cached because it changes only with a
 * release.
 */
import { parse } from 'yaml'
import { z } from 'zod'
import { listArticles } from './library.server.ts'
import { anchorOf } from './markdown.server.ts'
import { readTextFile } from '#platform/text-file.ts'

const entry = z.strictObject({
  term: z.string().min(2).max(40),
  means: z.string().min(20).max(300),
  /** Synonyms, which search finds too. */
  also: z.array(z.string()).default([]),
  /** Related dictionary terms. */
  see: z.array(z.string()).default([]),
  /** An article in content/learn. */
  read: z.string().optional(),
})

export type Term = {
  /** Its anchor in the page. */
  readonly id: string
  readonly term: string
  readonly means: string
  readonly also: readonly string[]
  readonly see: readonly { readonly id: string; readonly term: string }[]
  readonly read: { readonly title: string; readonly path: string } | null
}

let kept: Promise<readonly Term[]> | undefined

/**
 * Returns every term, A to Z; those that begin with a digit come first. Throws if the file refers to a missing term or
 * article.
 */
export function listTerms(): Promise<readonly Term[]> {
  return (kept ??= readTerms())
}

async function readTerms(): Promise<readonly Term[]> {
  const [text, articles] = await Promise.all([readTextFile('content/dictionary.yaml'), listArticles('learn', 'own')])
  const entries = z.array(entry).safeParse(parse(text))
  if (!entries.success) throw new Error(`content/dictionary.yaml: ${z.prettifyError(entries.error)}`)
  const names = new Set(entries.data.map(({ term }) => term))
  const terms = entries.data.map(({ see, read, ...rest }): Term => {
    const unknown = see.find((name) => !names.has(name) || name === rest.term)
    if (unknown !== undefined)
      throw new Error(`content/dictionary.yaml: ${rest.term} points to ${unknown}, which is no other term.`)
    const article = articles.find(({ path }) => path === `learn/${read}`)
    if (read !== undefined && !article)
      throw new Error(`content/dictionary.yaml: ${rest.term} points to the article ${read}, which does not exist.`)
    return {
      ...rest,
      id: anchorOf(rest.term),
      see: see.map((term) => ({ id: anchorOf(term), term })),
      read: article ? { title: article.title, path: article.path } : null,
    }
  })
  if (new Set(terms.map(({ id }) => id)).size < terms.length)
    throw new Error('content/dictionary.yaml: two terms have the same anchor.')
  return terms.sort((a, b) => a.term.localeCompare(b.term, 'en', { sensitivity: 'base' }))
}
