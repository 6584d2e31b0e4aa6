/** The top-level content pages (fixed pages and landing pages). Text published by staff replaces the released text. */
import { paths } from '#content/paths.ts'
import {
  ownPath,
  pageParts,
  type PagePart,
  type PageText,
  type PublishedText,
  type PublishedTexts,
} from '#domain/kernel/content/content.ts'
import type { StoreKind } from '#domain/pricing/store-programs/store-programs.ts'
import { storeDay } from '#platform/store-zone.ts'
import { fillConstants } from './constants.server.ts'
import { perTerms } from './copy-terms.server.ts'
import { fixedPages } from './fixed-pages.ts'
import { listArticles, type Article } from './library.server.ts'
import { renderMarkdown } from './markdown.server.ts'

export type WrittenPage = (Article<'policies'> | Article<'pages'>) & {
  readonly address: string
  readonly isPolicy: boolean
}

const slugOfFile = new Map<string, string>(Object.entries(fixedPages).map(([slug, file]) => [file, slug]))

/**
 * Returns every page with its address for this kind of store. Policies come first, and each group is sorted by title.
 */
export async function listPages(texts: PublishedTexts, store: StoreKind): Promise<readonly WrittenPage[]> {
  const released = await listReleasedPages(store)
  const own = [...texts.keys()].filter((path) => path.startsWith('own/')).map(ownPage)
  return Promise.all(
    [...released, ...own].map(async (page) => {
      const text = texts.get(page.path)
      return text ? publishedPage(page, text, store) : page
    }),
  )
}

/** Returns a page added by the store, without its text. */
export function ownPage(path: string): WrittenPage {
  const slug = path.slice(path.indexOf('/') + 1)
  return {
    path,
    slug,
    category: null,
    address: paths.written(slug),
    isPolicy: false,
    title: slug,
    description: '',
    html: '',
    headings: [],
    minutes: 0,
    related: [],
    doors: [],
    updated: '2026-01-01',
  }
}

/** Returns the pages with their released text. */
export async function listReleasedPages(store: StoreKind): Promise<readonly WrittenPage[]> {
  const [policies, pages] = await Promise.all([listArticles('policies', store), listArticles('pages', store)])
  return [
    ...policies.map((page) => ({ ...page, isPolicy: true })),
    ...pages.map((page) => ({ ...page, isPolicy: false })),
  ].map((page) => ({
    ...page,
    address: paths.written(slugOfFile.get(page.path) ?? page.slug),
  }))
}

/** Returns the page at a one-segment address, or undefined. */
export async function findPage(
  slug: string,
  texts: PublishedTexts,
  store: StoreKind,
): Promise<WrittenPage | undefined> {
  const address = paths.written(slug)
  const released = (await listReleasedPages(store)).find((each) => each.address === address)
  const page = released ?? (texts.has(ownPath(slug)) ? ownPage(ownPath(slug)) : undefined)
  const text = page && texts.get(page.path)
  return page && text ? publishedPage(page, text, store) : page
}

/** The part of a page that the store wrote, rendered. Undefined if the store didn't write one. */
export async function findPart(
  part: PagePart,
  texts: PublishedTexts,
  store: StoreKind,
): Promise<WrittenPage | undefined> {
  const { path } = pageParts[part]
  const text = texts.get(path)
  return text && publishedPage(ownPage(path), text, store)
}

/**
 * Renders the page with different text as of `day`, for this kind of store. Throws if the text uses an unknown
 * constant.
 */
export async function pageWithText(
  page: WrittenPage,
  text: PageText,
  { day, store }: { day: Temporal.PlainDate; store: StoreKind },
): Promise<WrittenPage> {
  const fill = (part: string) => fillConstants(part, page.path, { store })
  const rendered = await renderMarkdown(fill(text.body))
  return { ...page, ...rendered, title: fill(text.title), description: fill(text.description), updated: day.toString() }
}

const kept = perTerms((): Record<StoreKind, WeakMap<PublishedText, Promise<WrittenPage>>> => ({
  own: new WeakMap(),
  branded: new WeakMap(),
}))

/**
 * Rendered once for each read of a published text and set of business terms. If a later release removed a constant in
 * the text, the page shows its released text.
 */
function publishedPage(page: WrittenPage, text: PublishedText, store: StoreKind): Promise<WrittenPage> {
  const rendering =
    kept()[store].get(text) ?? pageWithText(page, text, { day: storeDay(text.publishedAt), store }).catch(() => page)
  kept()[store].set(text, rendering)
  return rendering
}
