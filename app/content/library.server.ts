/**
 * Pages written in Markdown under content/: their front matter is checked, their numbers are the code's constants, and
 * they are read once per process, since they change only with the product itself.
 */
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { capabilities, type Capability } from './capabilities.ts'
import { fillConstants } from './constants.server.ts'
import { renderMarkdown, type Rendered } from './markdown.server.ts'

const day = z.iso.date()
const page = z.strictObject({
  title: z.string().min(3).max(80),
  /** Shown in lists and by search engines, which cut what is longer. */
  description: z.string().min(20).max(160),
  updated: day.optional(),
})
const dated = page.extend({ published: day, related: z.array(z.string()).default([]) })
/** Where a reader may go from here: an address of the store. */
const door = z.strictObject({ label: z.string().min(3).max(60), path: z.string().startsWith('/') })
const policy = page.extend({ updated: day, related: z.array(door).min(1).max(4) })
/** What begins with its doors. Where what the page `needs` is off, it says that it tells how something will work. */
const landing = policy.extend({
  doors: z.array(door).min(1).max(2),
  requires: z.enum(Object.keys(capabilities) as [Capability, ...Capability[]]).optional(),
})
const lesson = dated.extend({ shop: z.array(door).min(1).max(4), sources: z.array(z.string()).min(1) })
/** `tools` are the doors of the guide's steps, in their order. */
const guide = dated.extend({ tools: z.array(door).min(1) })
const letter = dated.extend({ from: z.string().min(3), question: z.string().min(20) })

/**
 * The shelves of the library and what each asks of a page's front matter. The folder below a shelf, if any, is the
 * page's category.
 */
const collections = {
  policies: policy,
  pages: landing,
  learn: lesson,
  press: dated,
  guides: guide,
  'car-talk': letter,
} as const

export type Collection = keyof typeof collections
export type Article<Name extends Collection = Collection> = z.infer<(typeof collections)[Name]> &
  Rendered & {
    /** "learn/tire-basics/how-to-read-a-sidewall", which is also the address of what has one below its shelf. */
    readonly path: string
    readonly category: string | null
    readonly slug: string
  }

const kept = new Map<Collection, Promise<readonly Article[]>>()

/** Every page of a shelf, newest first where pages have a day, then by title. Throws when a file is not of its form. */
export function listArticles<Name extends Collection>(collection: Name): Promise<readonly Article<Name>[]> {
  const reading = kept.get(collection) ?? readCollection(collection)
  kept.set(collection, reading)
  // What is kept under a shelf's name was parsed by that shelf's schema.
  return reading as Promise<readonly Article<Name>[]>
}

/** One page by its path without ".md"; undefined when there is none. */
export async function findArticle<Name extends Collection>(
  collection: Name,
  path: string,
): Promise<Article<Name> | undefined> {
  return (await listArticles(collection)).find((article) => article.path === `${collection}/${path}`)
}

/** One page that the code itself names: throws when it is not there. */
export async function readArticle<Name extends Collection>(collection: Name, path: string): Promise<Article<Name>> {
  const article = await findArticle(collection, path)
  if (!article) throw new Error(`There is no content/${collection}/${path}.md.`)
  return article
}

async function readCollection(collection: Collection): Promise<readonly Article[]> {
  const files = await Array.fromAsync(glob(`${collection}/**/*.md`, { cwd: 'content' }))
  const articles = await Promise.all(files.map((file) => readFileOf(collection, file)))
  return articles.sort((a, b) => dayOf(b).localeCompare(dayOf(a)) || a.title.localeCompare(b.title))
}

async function readFileOf(collection: Collection, file: string): Promise<Article> {
  const source = await readFile(join('content', file), 'utf8')
  const match = /^---\n(?<front>[\s\S]+?)\n---\n(?<body>[\s\S]+)$/.exec(source)
  if (!match?.groups) throw new Error(`content/${file} has no front matter.`)
  const front = collections[collection].safeParse(parse(match.groups['front'] ?? ''))
  if (!front.success) throw new Error(`content/${file}: ${z.prettifyError(front.error)}`)
  const names = file.replace(/\.md$/, '').split('/')
  const rendered = await renderMarkdown(fillConstants(match.groups['body'] ?? '', `content/${file}`))
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
