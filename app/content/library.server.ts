/**
 * The Markdown pages in content/. Validates their front matter, fills in constants, and reads them once per process and
 * set of business terms, because they change only with those or a release.
 */
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import {
  isStoreProgram,
  sellsProgram,
  storePrograms,
  type StoreKind,
} from '#domain/pricing/store-programs/store-programs.ts'
import { readTextFile } from '#platform/text-file.ts'
import { capabilities, type Capability } from './capabilities.ts'
import { fillConstants } from './constants.server.ts'
import { perTerms } from './copy-terms.server.ts'
import { renderMarkdown, type Rendered } from './markdown.server.ts'

const day = z.iso.date()
const page = z.strictObject({
  title: z.string().min(3).max(80),
  /** Shown in lists and by search engines, which truncate longer ones. */
  description: z.string().min(20).max(160),
  updated: day.optional(),
})
const dated = page.extend({ published: day, related: z.array(z.string()).default([]) })
/** The program described by this copy. Stores that don't sell the program leave it out. */
const program = z.enum(storePrograms).optional()
/** A link to the next page in the store. */
const door = z.strictObject({ label: z.string().min(3).max(60), path: z.string().startsWith('/'), program })
const policy = page.extend({ updated: day, related: z.array(door).min(1).max(4) })
/**
 * A page that starts with its links. If a capability that the page `requires` is off, the page is labeled as planned.
 * Stores that don't sell its `program` don't have the page.
 */
const landing = policy.extend({
  doors: z.array(door).min(1).max(2),
  program,
  requires: z.enum(Object.keys(capabilities) as [Capability, ...Capability[]]).optional(),
})
const lesson = dated.extend({ shop: z.array(door).min(1).max(4), sources: z.array(z.string()).min(1) })
/** `tools` are links for the guide's steps, in order. */
const guide = dated.extend({ tools: z.array(door).min(1) })
const letter = dated.extend({ from: z.string().min(3), question: z.string().min(20) })

/** The collections of pages and the front matter each requires. A folder inside a collection is the page's category. */
const collections = {
  policies: policy,
  pages: landing,
  learn: lesson,
  press: dated,
  guides: guide,
  'car-talk': letter,
} as const

/** A file's raw front matter and text, before rendering. */
export type Source = { readonly front: Readonly<Record<string, unknown>>; readonly body: string }

export type Collection = keyof typeof collections
export type Article<Name extends Collection = Collection> = z.infer<(typeof collections)[Name]> &
  Rendered & {
    /** "learn/tire-basics/how-to-read-a-sidewall". For a page in a category, this is also its address. */
    readonly path: string
    readonly category: string | null
    readonly slug: string
  }

const kept = perTerms((): Record<StoreKind, Map<Collection, Promise<readonly Article[]>>> => ({
  own: new Map(),
  branded: new Map(),
}))

/**
 * Returns every page of a collection as stores of this kind show it, newest first if pages have dates, then by title. A
 * file that does not match its schema is left out with a warning.
 */
export function listArticles<Name extends Collection>(
  collection: Name,
  store: StoreKind,
): Promise<readonly Article<Name>[]> {
  const reading = kept()[store].get(collection) ?? readCollection(collection, { store })
  kept()[store].set(collection, reading)
  // Each collection's pages were parsed by its own schema.
  return reading as Promise<readonly Article<Name>[]>
}

/** Returns the page at a path without ".md". Returns undefined if it doesn't exist. */
export async function findArticle<Name extends Collection>(
  collection: Name,
  path: string,
  store: StoreKind,
): Promise<Article<Name> | undefined> {
  return (await listArticles(collection, store)).find((article) => article.path === `${collection}/${path}`)
}

/** Returns a page named in code; throws if it is missing. */
export async function readArticle<Name extends Collection>(
  collection: Name,
  path: string,
  store: StoreKind,
): Promise<Article<Name>> {
  const article = await findArticle(collection, path, store)
  if (!article) throw new Error(`There is no content/${collection}/${path}.md.`)
  return article
}

/** Reads a collection from `folder` without caching it. `warn` receives the problem of each skipped file. */
export async function readCollection(
  collection: Collection,
  {
    store,
    folder = 'content',
    warn = (problem) => process.emitWarning(problem, 'UnusableContent'),
  }: { store: StoreKind; folder?: string; warn?: (problem: string) => void },
): Promise<readonly Article[]> {
  const files = await Array.fromAsync(glob(`${collection}/**/*.md`, { cwd: folder }))
  const results = await Promise.allSettled(files.map((file) => readFileOf(collection, file, { store, folder })))
  // One unusable file must not take its neighbors off the site.
  for (const result of results) if (result.status === 'rejected') warn(String(result.reason))
  const articles = results
    .flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    .filter((article) => isSold(article, store))
  return articles.sort((a, b) => dayOf(b).localeCompare(dayOf(a)) || a.title.localeCompare(b.title))
}

/** Reads a file of `content/` by its path without ".md". */
export async function readSource(path: string, folder = 'content'): Promise<Source> {
  const source = await readTextFile(join(folder, `${path}.md`))
  const match = /^---\n(?<front>[\s\S]+?)\n---\n(?<body>[\s\S]+)$/.exec(source)
  if (!match?.groups) throw new Error(`content/${path}.md has no front matter.`)
  return {
    front: z.record(z.string(), z.unknown()).parse(parse(match.groups['front'] ?? '')),
    body: match.groups['body'] ?? '',
  }
}

/** Whether stores of this kind sell what a page, a link or an answer is about. */
export function isSold(part: object, store: StoreKind): boolean {
  return (
    !('program' in part && typeof part.program === 'string' && isStoreProgram(part.program)) ||
    sellsProgram(store, part.program)
  )
}

/**
 * Returns the front matter for this kind of store, with filled-in text and without links to programs that it doesn't
 * sell.
 */
function filledFront(value: unknown, file: string, store: StoreKind): unknown {
  if (typeof value === 'string') return fillConstants(value, file, { store })
  if (Array.isArray(value))
    return value
      .filter((each: unknown) => typeof each !== 'object' || each === null || isSold(each, store))
      .map((each) => filledFront(each, file, store))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filledFront(each, file, store)]))
}

async function readFileOf(
  collection: Collection,
  file: string,
  { store, folder }: { store: StoreKind; folder: string },
): Promise<Article> {
  const source = await readSource(file.replace(/\.md$/, ''), folder)
  const front = collections[collection].safeParse(filledFront(source.front, `content/${file}`, store))
  if (!front.success) throw new Error(`content/${file}: ${z.prettifyError(front.error)}`)
  const names = file.replace(/\.md$/, '').split('/')
  const rendered = await renderMarkdown(fillConstants(source.body, `content/${file}`, { store }))
  return {
    ...front.data,
    ...rendered,
    path: names.join('/'),
    category: names.length > 2 ? (names[1] ?? null) : null,
    slug: names.at(-1) ?? '',
  }
}

function dayOf(article: Article): string {
  return 'published' in article ? article.published : ''
}
