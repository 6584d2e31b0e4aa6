/**
 * The pages of copy at the top level of the site: fixed pages and landing pages, with the texts that staff published in
 * place of the released ones.
 */
import { paths } from '#content/paths.ts'
import type { PageText, PublishedText, PublishedTexts } from '#domain/content/content.ts'
import type { StoreKind } from '#domain/branded-stores/branded-stores.ts'
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

/** Returns every page of stores of this kind with its address: policies first, then by title. */
export async function listPages(texts: PublishedTexts, store: StoreKind): Promise<readonly WrittenPage[]> {
  const released = await listReleasedPages(store)
  return Promise.all(
    released.map(async (page) => {
      const text = texts.get(page.path)
      return text ? publishedPage(page, text, store) : page
    }),
  )
}

/** The same as they were released. */
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
  const page = (await listReleasedPages(store)).find((each) => each.address === address)
  const text = page && texts.get(page.path)
  return page && text ? publishedPage(page, text, store) : page
}

/**
 * The page with a text in place of the released one, as of `day`, as stores of this kind show it. Throws if the text asks
 * for an unknown constant.
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
 * Rendered once for each reading of a published text and business terms. A text that asks for a constant which a later release no longer has
 * shows as it was released.
 */
function publishedPage(page: WrittenPage, text: PublishedText, store: StoreKind): Promise<WrittenPage> {
  const rendering =
    kept()[store].get(text) ?? pageWithText(page, text, { day: storeDay(text.publishedAt), store }).catch(() => page)
  kept()[store].set(text, rendering)
  return rendering
}
