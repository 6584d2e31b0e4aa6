/**
 * The pages of copy at the top level of the site: fixed pages and landing pages, with the texts that staff published in
 * place of the released ones.
 */
import { paths } from '#content/paths.ts'
import type { PageText, PublishedText, PublishedTexts } from '#domain/content/content.ts'
import { storeDay } from '#platform/store-zone.ts'
import { fillConstants } from './constants.server.ts'
import { fixedPages } from './fixed-pages.ts'
import { listArticles, type Article } from './library.server.ts'
import { renderMarkdown } from './markdown.server.ts'

export type WrittenPage = (Article<'policies'> | Article<'pages'>) & {
  readonly address: string
  readonly isPolicy: boolean
}

const slugOfFile = new Map<string, string>(Object.entries(fixedPages).map(([slug, file]) => [file, slug]))

/** Returns every page with its address: policies first, then by title. */
export async function listPages(texts: PublishedTexts): Promise<readonly WrittenPage[]> {
  const released = await listReleasedPages()
  return Promise.all(
    released.map(async (page) => {
      const text = texts.get(page.path)
      return text ? publishedPage(page, text) : page
    }),
  )
}

/** The same as they were released. */
export async function listReleasedPages(): Promise<readonly WrittenPage[]> {
  const [policies, pages] = await Promise.all([listArticles('policies'), listArticles('pages')])
  return [
    ...policies.map((page) => ({ ...page, isPolicy: true })),
    ...pages.map((page) => ({ ...page, isPolicy: false })),
  ].map((page) => ({
    ...page,
    address: paths.written(slugOfFile.get(page.path) ?? page.slug),
  }))
}

/** Returns the page at a one-segment address, or undefined. */
export async function findPage(slug: string, texts: PublishedTexts): Promise<WrittenPage | undefined> {
  const address = paths.written(slug)
  const page = (await listReleasedPages()).find((each) => each.address === address)
  const text = page && texts.get(page.path)
  return page && text ? publishedPage(page, text) : page
}

/** The page with a text in place of the released one, as of `day`. Throws if the text asks for an unknown constant. */
export async function pageWithText(page: WrittenPage, text: PageText, day: Temporal.PlainDate): Promise<WrittenPage> {
  const rendered = await renderMarkdown(fillConstants(text.body, page.path))
  return { ...page, ...rendered, title: text.title, description: text.description, updated: day.toString() }
}

const kept = new WeakMap<PublishedText, Promise<WrittenPage>>()

/**
 * Rendered once for each reading of a published text. A text that asks for a constant which a later release no longer has
 * shows as it was released.
 */
function publishedPage(page: WrittenPage, text: PublishedText): Promise<WrittenPage> {
  const rendering = kept.get(text) ?? pageWithText(page, text, storeDay(text.publishedAt)).catch(() => page)
  kept.set(text, rendering)
  return rendering
}
